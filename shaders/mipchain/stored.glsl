// mipchain/stored.glsl - from the numbers of a reduction (mipchain/source.glsl) to what a level holds
//
//   in        u_stage, whose w is 1 with scrub
//   host sets STORE   AG_STORE_*; EXACT 1 = values are of the format already
//   numbers   means lie between their texels: in the format's range, unless these are Inf or NaN, which
//             only come here without scrub
//   SPDX-License-Identifier: MIT
#ifndef AG_MIPCHAIN_STORED_GLSL
#define AG_MIPCHAIN_STORED_GLSL
#include "common/round.glsl"

// As round_float of common/round.glsl, in a third of the instructions: the longer form was 3.5 us of a tail's 11
// on an H200 (docs/rejected.md). Adding and taking away 1.5 * 2^(e + bits), whose last bit is worth what the last
// bit kept of a value with exponent e is, rounds to nearest, ties to even; below 2^-14 the step is fixed.
// Products with 2^e are exact: fma() or not is the same.
vec4 round_short(vec4 v, uint bits, float largest)
{
    vec4 c = clamp(v, -largest, largest);
    vec4 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec4(6.103515625e-5)); // 2^e; 2^-14
    float steps = 1.5 * float(1u << bits);
    precise vec4 sum = fma(power, vec4(steps), c);
    precise vec4 rounded = fma(power, vec4(-steps), sum);
    if (u_stage.w == 0) // with scrub off a NaN stays one; else there is none
        rounded = mix(rounded, v, greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
    return rounded;
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
