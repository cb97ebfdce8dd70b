// common/codes.glsl - decodes R11F_G11F_B10F texels, denormals included
// SPDX-License-Identifier: MIT
#pragma once

// A float without a sign bit: 5 bits of exponent above `bits` of mantissa.
float unsigned_float(uint code, uint bits)
{
    uint exponent = code >> bits & 31u, mantissa = code & ((1u << bits) - 1u);
    float denormal = float(mantissa) / float(1u << (bits + 14u));
    uint wide = exponent + 112u + 112u * uint(exponent == 31u); // 31, of infinity, becomes 255
    return mix(uintBitsToFloat(wide << 23 | mantissa << (23u - bits)), denormal, exponent == 0u);
}

vec4 decode_11_11_10(uint code)
{
    return vec4(unsigned_float(code & 2047u, 6u), unsigned_float(code >> 11 & 2047u, 6u),
                unsigned_float(code >> 22, 5u), 1.0);
}
