// mipchain/stored.glsl - from the numbers of a reduction (mipchain/source.glsl) to what a level holds
//
//   host sets STORE   AG_STORE_*; EXACT 1 = values are of the format already
//   numbers   means lie between their texels: in the format's range, unless these are Inf or NaN, which
//             only come here without scrub
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_STORED_GLSL
#define AG_MIPCHAIN_STORED_GLSL
#include "common/round.glsl"

// As round_float of common/round.glsl, in half as many instructions: the longer form was 3.5 us of a tail's 11
// on an H200 (docs/rejected.md). Adding and taking away 1.5 * 2^(e + bits), whose last bit is worth what the last
// bit kept of a value with exponent e is, rounds to nearest, ties to even; below 2^-14 the step is fixed.
vec4 round_short(vec4 v, uint bits, float largest)
{
    bvec4 is_nan = greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u));
    vec4 c = clamp(v, -largest, largest);
    uvec4 power = max(floatBitsToUint(c) & 0x7f800000u, uvec4(113u << 23)); // 2^e
    vec4 large = uintBitsToFloat(power + (bits << 23 | 0x400000u));
    precise vec4 sum = c + large;
    precise vec4 rounded = sum - large;
    return mix(rounded, v, is_nan); // with scrub off a NaN stays one
}

vec4 stored(vec4 c)
{
#if EXACT
    return c; // a value of the format already
#elif STORE == AG_STORE_UNORM8
    return floor(c + 0.5) * (1.0 / 255.0); // the image unit takes the nearest code
#elif STORE == AG_STORE_10_10_10_2
    vec4 most = vec4(1023.0, 1023.0, 1023.0, 3.0);
    return floor(c + 0.5) * (1.0 / most);
#elif STORE == AG_STORE_16F
    return round_short(c, 13u, 65504.0);
#elif STORE == AG_STORE_11_11_10F
    c = max(c, 0.0);
    return vec4(round_short(c, 17u, 65024.0).rg, round_short(c, 18u, 64512.0).b, 1.0);
#else
    return round_for_store(c);
#endif
}

#endif
