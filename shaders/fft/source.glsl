// fft/source.glsl - loads texels of the source, and replaces bad ones (common/texel.glsl)
//   in        t_src       read by a texture unit, where SRC_PACKING says so: RGBA16F only
//             i_src       otherwise, any format, by an image unit. RGBA16F is bound as RG32UI
//   out       load_texel  a TEXEL: RGBA16F stays packed, in half the registers of floats
//             colour      the four floats of a TEXEL
//   host sets the defines of common/source.glsl
//   why       loads have no branches (docs/decisions.md, D13)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SRC_UNIT) || !defined(SRC_PACKING) || !defined(SRC_SRGB) || !defined(SRC_TEXEL)
#error "SRC_UNIT, SRC_PACKING, SRC_SRGB and SRC_TEXEL must be set by the host"
#endif
#include "fft/interface.h"
#include "common/texel.glsl"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode;
#define SCRUBS u_src_mode.z // 1 = bad texels become 0 and are counted
#define HIGHLIGHTS intBitsToFloat(u_src_mode.y) // k of docs/bloom.md, while SRC_SRGB has its bit 2
#define LAYER u_src_mode.w

#define SRC_IS_RGBA16F (SRC_TEXEL == AG_TEXEL_HALF4 && SRC_PACKING != AG_PACKING_11_11_10)

#if SRC_IS_RGBA16F

#define TEXEL uvec2
#if SRC_UNIT == AG_BY_IMAGE
layout(rg32ui, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#define PACKED_AT(p) imageLoad(i_src, p).xy
#elif SRC_UNIT == AG_BY_TEXTURE_ARRAY
layout(binding = 0) uniform usampler2DArray t_src;
#define PACKED_AT(p) texelFetch(t_src, ivec3(p, LAYER), 0).xy
#else
layout(binding = 0) uniform usampler2D t_src;
#define PACKED_AT(p) texelFetch(t_src, p, 0).xy
#endif

// The texel at p of the rectangle. `bad`: 1 if it is not finite (halves are never too
// large); then it is 0 while SCRUBS is on.
uvec2 load_texel(ivec2 p, out uint bad)
{
    return firewall(PACKED_AT(u_src_rect.xy + p), SCRUBS, bad);
}

uvec2 masked(uvec2 texel, bool inside)
{
    return texel & uvec2(-uint(inside));
}

vec4 colour(uvec2 texel)
{
    return vec4(unpackHalf2x16(texel.x), unpackHalf2x16(texel.y));
}

#else

#define TEXEL vec4
#if SRC_PACKING == AG_PACKING_11_11_10
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#define TEXEL_AT(p) decode_11_11_10(imageLoad(i_src, p).r)
#else
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
#define TEXEL_AT(p) imageLoad(i_src, p)
#endif

// As above; `bad` is 1 for one that is too large, too.
vec4 load_texel(ivec2 p, out uint bad)
{
    vec4 c = TEXEL_AT(u_src_rect.xy + p);
    bad = uint(size_bits(c) >= TOO_LARGE);
    c = mix(c, vec4(0.0), bvec4(bad & uint(SCRUBS)));
    if ((SRC_SRGB & 1) != 0)
        c.rgb = srgb_decode(c.rgb);
    if ((SRC_SRGB & 2) != 0)
        c.rgb /= 1.0 - HIGHLIGHTS * clamp(max(c.r, max(c.g, c.b)), 0.0, 1.0);
    return c;
}

vec4 masked(vec4 texel, bool inside)
{
    return mix(vec4(0.0), texel, bvec4(inside));
}

vec4 colour(vec4 texel)
{
    return texel;
}

#endif
