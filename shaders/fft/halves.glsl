// fft/halves.glsl - floats as halves in a word, rounded to nearest, and clamped to what a half can be
//
//   why     some drivers' packHalf2x16 truncates. The rounding is common/round_number.glsl's without `precise`: with it
//           NVIDIA's compiler fuses no product and sum of all that leads to v, and a program takes twice as long
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_HALVES_GLSL
#define AG_FFT_HALVES_GLSL

uint pack_halves(vec2 v)
{
    bvec2 is_nan = greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec2(0x7f800000u)); // stays one, with scrub off
    vec2 c = clamp(v, -65504.0, 65504.0);
    vec2 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec2(6.103515625e-5)); // 2^e; 2^-14
    vec2 rounded = fma(power, vec2(-12288.0), fma(power, vec2(12288.0), c));                   // 1.5 2^13
    return packHalf2x16(mix(rounded, v, is_nan));
}

#endif
