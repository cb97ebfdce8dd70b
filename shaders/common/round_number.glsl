// common/round_number.glsl - rounds a number that is not NaN to a float with fewer bits
// SPDX-License-Identifier: MIT
#ifndef AG_COMMON_ROUND_NUMBER_GLSL
#define AG_COMMON_ROUND_NUMBER_GLSL

// As round_float of common/round.glsl in half the instructions, not for NaN: adding and taking away 1.5 * 2^(e + bits),
// whose last bit is worth what the last bit kept of a value with exponent e is, rounds to nearest, ties to even; below
// 2^-14 the step is fixed. Products with 2^e are exact: fma() or not is the same. Not for every store: box_blur's took
// half as long again with it (docs/decisions.md, D33).
//
// `nothing`: 0, which no compiler knows; else Mesa's takes the sum and its addend for a number less itself. Not
// `precise`: that makes all that leads to v so, down to the addresses of its loads (docs/decisions.md, D28).
vec4 round_number(vec4 v, uint bits, float largest, uint nothing)
{
    vec4 c = clamp(v, -largest, largest);
    vec4 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec4(6.103515625e-5)); // 2^e; 2^-14
    float steps = 1.5 * float(1u << bits);
    vec4 sum = uintBitsToFloat(floatBitsToUint(fma(power, vec4(steps), c)) ^ nothing);
    return fma(power, vec4(-steps), sum);
}

#endif
