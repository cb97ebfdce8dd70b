// fft/halves.glsl - packs two floats as 16-bit floats: rounds to nearest, clamps to 65504
//   why     packHalf2x16 truncates on some drivers (docs/decisions.md, D6). This rounds as
//           common/texel.glsl does, but without `precise` (D28)
//   SPDX-License-Identifier: MIT
#pragma once

uint pack_halves(vec2 v)
{
    bvec2 is_nan = greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec2(0x7f800000u));
    vec2 c = clamp(v, -65504.0, 65504.0);
    // 2^e, at least 2^-14; 12288 = 1.5 2^13
    vec2 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec2(6.103515625e-5));
    vec2 rounded = fma(power, vec2(-12288.0), fma(power, vec2(12288.0), c));
    return packHalf2x16(mix(rounded, v, is_nan)); // a NaN stays a NaN: scrub may be off
}
