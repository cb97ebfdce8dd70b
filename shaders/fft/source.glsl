// fft/source.glsl - loads texels of the source, and replaces bad ones (common/scrub.glsl)
//   in        t_src       read by a texture unit, where SRC_PACKING says so: RGBA16F only
//             i_src       otherwise, any format, by an image unit. RGBA16F is bound as RG32UI
//   out       load_texel  a TEXEL: RGBA16F stays packed, in half the registers of floats
//             colour      the four floats of a TEXEL
//   host sets what ag_source_defines writes: SRC_PACKING (AG_PACKING_16_16 or AG_PACKING_NONE),
//             ARRAY, SRC_FORMAT, SRC_CODES, SRC_SRGB and SRC_TEXEL
//   why       loads have no branches (docs/decisions.md, D13)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SRC_PACKING) || !defined(ARRAY) || !defined(SRC_FORMAT) || \
    !defined(SRC_CODES) || !defined(SRC_SRGB) || !defined(SRC_TEXEL)
#error "SRC_PACKING, ARRAY, SRC_FORMAT, SRC_CODES, SRC_SRGB and SRC_TEXEL must be set by the host"
#endif
#include "fft/interface.h"
#include "common/codes.glsl"
#include "common/scrub.glsl"
#include "common/srgb.glsl"
#include "common/info.glsl"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode;
#define SCRUBS u_src_mode.z // 1 = bad texels become 0 and are counted
#define HIGHLIGHTS intBitsToFloat(u_src_mode.y) // k of docs/bloom.md, while SRC_SRGB has its bit 2
#define LAYER u_src_mode.w

// Counts bad texels in b_info. Called once, after a thread's last load.
void count_bad(uint bad)
{
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}

#define SRC_IS_RGBA16F (SRC_TEXEL == AG_TEXEL_HALF4 && !SRC_CODES) // RGBA16F

#if SRC_IS_RGBA16F

#define TEXEL uvec2
#if !SRC_PACKING
layout(rg32ui, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#define PACKED_AT(p) imageLoad(i_src, p).xy
#elif ARRAY
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
    uvec2 words = PACKED_AT(u_src_rect.xy + p);
    uvec2 over = (words & 0x7c007c00u) + 0x04000400u & 0x80008000u; // exponent of ones: a carry
    bad = min(over.x | over.y, 1u);
    return words & uvec2((bad & uint(SCRUBS)) - 1u);
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
#if SRC_CODES
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
