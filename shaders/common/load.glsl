// common/load.glsl - reads a texel of the host's texture, cleaned and linear
//
//   in        i_src        the level and layer that the host bound; or
//             t_src        that level by a texture unit, as words (common/quad.glsl), where SRC_WORDS says so
//   host sets SRC_WORDS    AG_WORDS_*: what the words are; AG_WORDS_NONE: i_src
//             ARRAY        with SRC_WORDS: 1 = the texture has layers; u_src_mode.w says which
//             SRC_CHANNELS with SRC_WORDS: of the format
//             SRC_FORMAT   its GLSL image format: rgba16f, r32f ... (SRGB8_ALPHA8: rgba8)
//             SRC_CODES    1 = R11F_G11F_B10F, which comes as r32ui: decode
//             SRC_SRGB     1 = SRGB8_ALPHA8: decode
//             SRC_HOLD     AG_HOLD_*: the smallest form that holds its texels without loss
//   why       image loads ignore swizzle and samplers, and need no view. Words are faster for some effects, which
//             say so, and where neighbours read the same sectors (docs/rejected.md)
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_LOAD_GLSL
#define AG_COMMON_LOAD_GLSL
#if !defined(SRC_FORMAT) || !defined(SRC_CODES) || !defined(SRC_SRGB) || !defined(SRC_HOLD) || !defined(SRC_WORDS)
#error "SRC_FORMAT (a GLSL image format), SRC_CODES, SRC_SRGB, SRC_HOLD and SRC_WORDS (AG_WORDS_*) must be set by the host"
#endif
#include "common/interface.h"
#include "common/srgb.glsl"
#include "common/codes.glsl"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode; // channels, 0, 1 = scrub, with words the layer
#if SRC_WORDS
#define SRC_LAYER u_src_mode.w
#include "common/quad.glsl"
#elif SRC_CODES
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#else
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
#endif

#include "common/info.glsl"

const uint NOT_FINITE = 0x7f800000u; // bits of infinity; those of NaNs are greater

// Greater than or equal to NOT_FINITE if a channel is. Bits, not isnan(): compilers may assume that
// there are no NaNs.
uint size_bits(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w));
}

// c / d of whole numbers, whatever the driver's division is: the product's error is known and taken off.
vec4 quotient(vec4 c, vec4 d)
{
    vec4 r = 1.0 / d, q = c * r;
    return q + fma(-q, d, c) * r;
}

// Codes as common/quad.glsl brings them, as an image load would.
vec4 from_codes(vec4 c)
{
#if SRC_WORDS == AG_WORDS_8888
    return quotient(c, vec4(255.0));
#elif SRC_WORDS == AG_WORDS_10_10_10_2
    return quotient(c, vec4(1023.0, 1023.0, 1023.0, 3.0));
#else
    return c;
#endif
}

// The texel at `place` of the level, as it came. Inside the texture.
vec4 raw_texel(ivec2 place)
{
#if SRC_WORDS
    return from_codes(fetch(place));
#elif SRC_CODES
    return decode_11_11_10(imageLoad(i_src, place).r);
#else
    return imageLoad(i_src, place);
#endif
}

// The texel at p, relative to the rectangle; a non-finite one is 0 (scrub). `largest` becomes the
// greatest size_bits so far: a thread that counts bad texels first asks whether it has any.
// Free of branches: one between two loads makes the second wait for the first, and rows of loads then
// take several times as long (docs/rejected.md). p must lie inside the texture.
vec4 load_texel_unseen(ivec2 p, inout uint largest)
{
    vec4 c = raw_texel(u_src_rect.xy + p);
    uint size = size_bits(c);
    largest = max(largest, size);
    // scrub (1) or the greatest uint, without ?:, which is a branch on NVIDIA (docs/rejected.md)
    uint limit = NOT_FINITE | uint(u_src_mode.z - 1);
    c = mix(c, vec4(0.0), bvec4(size >= limit));
#if SRC_SRGB
    c.rgb = srgb_decode(c.rgb);
#endif
    return c;
}

// The same; adds 1 to `bad` for a texel that was made 0.
vec4 load_texel(ivec2 p, inout uint bad)
{
    uint largest = 0u;
    vec4 c = load_texel_unseen(p, largest);
    bad += uint(largest >= NOT_FINITE && u_src_mode.z != 0);
    return c;
}

// Reports bad texels, once, after a thread's last load.
void count_bad(uint bad)
{
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}

// A texel in registers. Reading each texel once and holding it costs less than reading it again for
// every channel (docs/rejected.md), as long as it is small.
#if SRC_HOLD == AG_HOLD_FLOAT1
#define HELD float
float hold(vec4 c) { return c.r; }
vec4 held(float h) { return vec4(h, 0.0, 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_FLOAT2
#define HELD vec2
vec2 hold(vec4 c) { return c.rg; }
vec4 held(vec2 h) { return vec4(h, 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_FLOAT4
#define HELD vec4
vec4 hold(vec4 c) { return c; }
vec4 held(vec4 h) { return h; }
#elif SRC_HOLD == AG_HOLD_HALF2
#define HELD uint
uint hold(vec4 c) { return packHalf2x16(c.rg); }
vec4 held(uint h) { return vec4(unpackHalf2x16(h), 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_HALF4
#define HELD uvec2
uvec2 hold(vec4 c) { return uvec2(packHalf2x16(c.rg), packHalf2x16(c.ba)); }
vec4 held(uvec2 h) { return vec4(unpackHalf2x16(h.x), unpackHalf2x16(h.y)); }
#elif SRC_HOLD == AG_HOLD_UNORM8
#define HELD uint
uint hold(vec4 c) { return packUnorm4x8(c); }
vec4 held(uint h) { return unpackUnorm4x8(h); }
#elif SRC_HOLD == AG_HOLD_UNORM10
#define HELD uint
uint hold(vec4 c)
{
    uvec4 code = uvec4(c * vec4(1023.0, 1023.0, 1023.0, 3.0) + 0.5);
    return code.r | code.g << 10 | code.b << 20 | code.a << 30;
}
vec4 held(uint h)
{
    return vec4(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u, h >> 30) / vec4(1023.0, 1023.0, 1023.0, 3.0);
}
#else
#error "SRC_HOLD must be an AG_HOLD_* of common/interface.h"
#endif

#endif
