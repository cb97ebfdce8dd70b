// mip/texel.glsl - how a texel is held in fp32 between levels, and where it is in an image
//
//   host sets CHANNELS  1, 2 or 4, of the texels held
//             ARRAY     1 = all layers, the work group's z
//   SPDX-License-Identifier: MIT

#if ARRAY // of the texture read, or worked on in place; of one that is written
#define PLACE(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.z))
#define PLACE_DST(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.w))
#define HANDLED_IMAGE image2DArray
#else
#define PLACE(p) (p)
#define PLACE_DST(p) (p)
#define HANDLED_IMAGE image2D
#endif
#define LEVEL_IMAGE writeonly uniform HANDLED_IMAGE

#if CHANNELS == 1
#define TEXEL float
#elif CHANNELS == 2
#define TEXEL vec2
#else
#define TEXEL vec4
#endif

#define PACK(c) TEXEL(c) // the first channels
vec4 UNPACK(float t) { return vec4(t, 0.0, 0.0, 1.0); }
vec4 UNPACK(vec2 t) { return vec4(t, 0.0, 1.0); }
vec4 UNPACK(vec4 t) { return t; }
