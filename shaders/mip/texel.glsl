// mip/texel.glsl - how a texel is held in fp32 between levels, and where it is in an image
//
//   host sets CHANNELS  1, 2 or 4; ARRAY 1 = all layers, the work group's z
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_TEXEL_GLSL
#define AG_MIPCHAIN_TEXEL_GLSL

#if ARRAY // of the texture read, or worked on in place; of one that is written
#define PLACE(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.z))
#define PLACE_DST(p) ivec3(p, gl_WorkGroupID.z + uint(u_texture.w))
#else
#define PLACE(p) (p)
#define PLACE_DST(p) (p)
#endif

#if CHANNELS == 1
#define TEXEL float
#define PACK(c) (c).r
#define UNPACK(t) vec4(t, 0.0, 0.0, 1.0)
#elif CHANNELS == 2
#define TEXEL vec2
#define PACK(c) (c).rg
#define UNPACK(t) vec4(t, 0.0, 1.0)
#else
#define TEXEL vec4
#define PACK(c) (c)
#define UNPACK(t) (t)
#endif

#endif
