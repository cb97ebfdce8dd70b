// common/round_number.glsl - rounds a number that is not NaN to a float with fewer bits
// SPDX-License-Identifier: MIT
#pragma once

// Does the same as round_float of common/round.glsl in two thirds of the instructions, but not for
// NaN. It adds and subtracts 1.5 * 2^(e + bits): the last bit of that sum has the weight of the
// last bit that remains of a value with exponent e. That rounds to nearest, ties to even; below
// 2^-14 the step is fixed. Products with 2^e are exact, so fma changes nothing. D33 in
// docs/decisions.md says where it is slower.
//
// `nothing` is a uniform 0, which no compiler knows: Mesa's would simplify (d + M) - M to d.
// `precise` would prevent that, too, but makes all code before it precise (docs/decisions.md, D28).
vec4 round_number(vec4 v, uint bits, float largest, uint nothing)
{
    vec4 c = clamp(v, -largest, largest);
    // 2^e; 2^-14
    vec4 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec4(6.103515625e-5));
    float steps = 1.5 * float(1u << bits);
    vec4 sum = uintBitsToFloat(floatBitsToUint(fma(power, vec4(steps), c)) ^ nothing);
    return fma(power, vec4(-steps), sum);
}
