// mip/texel.glsl - the fp32 form of a texel between levels, and its place in an image
//
//   host sets CHANNELS  1, 2 or 4: channels of these texels
//             ARRAY     1 = the texture has layers; the work group's z selects one
//   SPDX-License-Identifier: MIT

#if ARRAY // PLACE: in the texture read, or in place; PLACE_DST: in another one that is written
#define PLACE(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.z))
#define PLACE_DST(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.w))
#define LEVEL_KIND image2DArray
#else
#define PLACE(p) (p)
#define PLACE_DST(p) (p)
#define LEVEL_KIND image2D
#endif
#define LEVEL_IMAGE writeonly uniform LEVEL_KIND

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
