// downsample/texel.glsl - texels in the numbers of sums, and numbers as a target holds them
//
//   in        t_src or i_src   the image (common/source.glsl)
//   out       b_info.scrubbed  with COUNTS the number of non-finite texels
//   host sets the defines of common/source.glsl; without SRC_UNIT nothing loads texels
//             STORE            AG_STORE_* of the targets
//             SRC_STORE        AG_STORE_* of the source
//             COUNTS           1 = the source's format has NaN and Inf
//             EXCEEDS          1 = sums may exceed the largest texel, because weights are negative
//                              or made of texels. Then texels that are too large are bad
//                              (common/texel.glsl)
//   numbers   8- and 10-bit formats: codes, whole numbers of 0 .. 255 or 1023. SRGB8_ALPHA8: linear
//             light. Others as they are
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SRC_STORE) || !defined(COUNTS) || !defined(EXCEEDS)
#error "SRC_STORE (AG_STORE_*), COUNTS and EXCEEDS must be set by the host"
#endif
#if COUNTS
#include "common/info.glsl"
#else
void count_bad(uint bad) {}
#endif
#include "common/source.glsl"

const bool OF_CODES = SRC_STORE == AG_STORE_UNORM8 || SRC_STORE == AG_STORE_10_10_10_2;
const vec4 CODES = SRC_STORE == AG_STORE_10_10_10_2 ? vec4(1023.0, 1023.0, 1023.0,
    3.0) : vec4(255.0);

// Whether a texel is not finite, or one of those of a sum: it makes the sum so.
bool is_bad(vec4 c) { return COUNTS != 0 && size_bits(c) >= bad_from(NOT_FINITE, u_src_mode.z); }

#ifdef SRC_UNIT
// A number from what fetch() returns. Non-finite texels stay; those that are too large become
// infinity.
vec4 number_of(vec4 c)
{
#if SRC_PACKING == AG_PACKING_8888 || SRC_PACKING == AG_PACKING_10_10_10_2
    if (!OF_CODES)
        c = quotient(c, vec4(255.0));
#else
    if (OF_CODES)
        c = roundEven(c * CODES);
#if EXCEEDS && SRC_STORE == AG_STORE_32F // no other format has such values
    bool bad = size_bits(c) >= bad_from(TOO_LARGE, u_src_mode.z);
    c = mix(c, uintBitsToFloat(uvec4(NOT_FINITE)), bvec4(bad));
#endif
#endif
    if (SRC_STORE == AG_STORE_SRGB8)
        c.rgb = srgb_decode(c.rgb);
    return c;
}

// The texel at p of the rectangle.
vec4 load_number(ivec2 p) { return number_of(fetch(u_src_rect.xy + p)); }

vec4 load_clean(ivec2 p, bool counts, inout uint bad_texels)
{
    vec4 c = load_number(p);
    bool bad = is_bad(c);
    bad_texels += uint(bad && counts);
    return mix(c, vec4(0.0), bvec4(bad));
}
#endif

// ---- what is stored

uint zero() { return uint(u_src_mode.y); } // no compiler knows it

// Rounds to halves and smaller floats. NaN, which there may be without scrub, stays one in halves.
vec4 rounded_float(vec4 c)
{
    if (STORE == AG_STORE_16F)
        return round_number(c, 13u, 65504.0, zero(), u_src_mode.z == 0);
    c = max(c, 0.0);
    float blue = round_number(c, 18u, 64512.0, zero()).b;
    return vec4(round_number(c, 17u, 65024.0, zero()).rg, blue, 1.0);
}

// A number as the target holds it. Codes of the same kind go the short way, which rounds once.
vec4 stored(vec4 c)
{
    if (OF_CODES && STORE == SRC_STORE)
        return floor(clamp(c, vec4(0.0), CODES) + 0.5) * (1.0 / CODES);
    if (OF_CODES)
        c = quotient(c, CODES);
    return STORE == AG_STORE_16F || STORE == AG_STORE_11_11_10F ?
        rounded_float(c) : round_for_store(c);
}
