// common/round.glsl - a colour as a format holds it: rounded to nearest, clamped to its range
//
//   host sets STORE   AG_STORE_*, the rounding of the format
//   why       drivers truncate when imageStore converts to 16-, 11- and 10-bit floats, and large
//             values become infinite. After this rounding the conversion is exact
//             (docs/decisions.md, D6)
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/interface_store.h"
#if !defined(STORE) || STORE == AG_STORE_32UI
#error "STORE must be set by the host, to an AG_STORE_* of a colour"
#endif
#include "common/srgb_encode.glsl"

// Rounds to the nearest float with `bits` fewer mantissa bits, ties to even. Below 2^-14 those
// formats have a fixed step, whose inverse is `steps`. Infinities become the largest finite value.
vec4 round_float(vec4 v, uint bits, float steps, float largest)
{
    bvec4 is_nan = greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u));
    vec4 nan = v;
    v = clamp(v, -largest, largest);
    uvec4 u = floatBitsToUint(v);
    u += (1u << (bits - 1u)) - 1u + ((u >> bits) & 1u);
    vec4 normal = uintBitsToFloat(u & ~((1u << bits) - 1u));
    vec4 small = roundEven(v * steps) * (1.0 / steps); // a power of two: exact
    vec4 rounded = mix(normal, small, lessThan(abs(v), vec4(6.103515625e-5))); // 2^-14
    return mix(rounded, nan, is_nan); // with scrub off a NaN stays NaN
}

vec4 round_unorm(vec4 v, vec4 largest_code)
{
    return floor(clamp(v, 0.0, 1.0) * largest_code + 0.5) / largest_code;
}

vec4 round_for_store(vec4 c)
{
#if STORE == AG_STORE_16F
    c = round_float(c, 13u, 16777216.0, 65504.0);
#elif STORE == AG_STORE_11_11_10F
    vec4 positive = max(c, 0.0);
    c.rg = round_float(positive, 17u, 1048576.0, 65024.0).rg;
    c.b = round_float(positive, 18u, 524288.0, 64512.0).b;
#elif STORE != AG_STORE_32F
    if (STORE == AG_STORE_SRGB8 || STORE == AG_STORE_SRGB_10_10_10_2 || STORE == AG_STORE_SRGB16)
        c.rgb = srgb_encode(clamp(c.rgb, 0.0, 1.0));
    bool ten = STORE == AG_STORE_10_10_10_2 || STORE == AG_STORE_SRGB_10_10_10_2;
    float most = ten ? 1023.0 : STORE >= AG_STORE_UNORM16 ? 65535.0 : 255.0;
    c = round_unorm(c, vec4(most, most, most, ten ? 3.0 : most));
#endif
    return c;
}
