// common/texel.glsl - what texels hold: codes, curves and roundings of formats, and bad texels
//
//   host sets STORE   AG_STORE_* of a colour: the format to round to. Not set: no roundings
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/interface.h"

// ---- codes

// A float without a sign bit: 5 bits of exponent above `bits` of mantissa.
float unsigned_float(uint code, uint bits)
{
    uint exponent = code >> bits & 31u, mantissa = code & ((1u << bits) - 1u);
    float denormal = float(mantissa) / float(1u << (bits + 14u));
    uint wide = exponent + 112u + 112u * uint(exponent == 31u); // 31, of infinity, becomes 255
    return mix(uintBitsToFloat(wide << 23 | mantissa << (23u - bits)), denormal, exponent == 0u);
}

// A texel of R11F_G11F_B10F, denormals included.
vec4 decode_11_11_10(uint code)
{
    return vec4(unsigned_float(code & 2047u, 6u), unsigned_float(code >> 11 & 2047u, 6u),
                unsigned_float(code >> 22, 5u), 1.0);
}

// Two floats as halves, rounded to nearest and clamped to 65504: packHalf2x16 truncates on some
// drivers (docs/decisions.md, D6). It rounds as round_number below.
uint pack_halves(vec2 v)
{
    bvec2 is_nan = greaterThan(floatBitsToUint(v) & 0x7fffffffu, uvec2(0x7f800000u));
    vec2 c = clamp(v, -65504.0, 65504.0);
    // 2^e, at least 2^-14; 12288 = 1.5 2^13
    vec2 power = max(uintBitsToFloat(floatBitsToUint(c) & 0x7f800000u), vec2(6.103515625e-5));
    vec2 rounded = fma(power, vec2(-12288.0), fma(power, vec2(12288.0), c));
    return packHalf2x16(mix(rounded, v, is_nan)); // a NaN stays a NaN: scrub may be off
}

// c / d of whole numbers, correctly rounded on every driver: fma gives the error of the product.
vec4 quotient(vec4 c, vec4 d)
{
    vec4 r = 1.0 / d, q = c * r;
    return q + fma(-q, d, c) * r;
}

// ---- the exact piecewise sRGB curve, IEC 61966-2-1

vec3 srgb_decode(vec3 code)
{
    vec3 low = code / 12.92;
    vec3 high = pow((max(code, 0.04045) + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(code, vec3(0.04045)));
}

vec3 srgb_encode(vec3 linear)
{
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(linear, vec3(0.0031308)));
}

// ---- the NaN firewall: with `scrub`, bad texels become 0 and are counted
// ---- (common/info.glsl). docs/convolve.md, 6, has the bound

const uint NOT_FINITE = 0x7f800000u;        // bits of infinity; those of NaNs are greater
const uint TOO_LARGE = 0x5f800000u;         // of 2^64: sums of 2^28 texels, convolved, are finite
const uint TOO_LARGE_SQUARED = 0x57800000u; // of 2^48: so are sums of 2^28 squares

// The bits of a texel's largest magnitude. They are compared as integers, because compilers may
// assume that there are no NaNs, and drop isnan().
uint size_bits(vec4 c)
{
    uvec4 size = floatBitsToUint(c) & 0x7fffffffu;
    return max(max(size.x, size.y), max(size.z, size.w));
}

bvec4 is_nan(vec4 c) { return greaterThan(floatBitsToUint(c) & 0x7fffffffu, uvec4(NOT_FINITE)); }

// A texel is bad whose size_bits are this or more: `bits` with scrub (1); without (0) none is.
// There is no ?: here, which becomes a branch: a load after a branch waits for the loads before it
// (docs/decisions.md, D13).
uint bad_from(uint bits, int scrub) { return bits | uint(scrub - 1); }

// The texel, or 0 for one that is bad; `size`: its size_bits.
vec4 firewall(vec4 c, uint size, uint from) { return mix(c, vec4(0.0), bvec4(size >= from)); }

// The same of four halves, which are never too large, only not finite; `bad`: 1 for such a texel,
// which becomes 0 with scrub.
uvec2 firewall(uvec2 halves, int scrub, out uint bad)
{
    uvec2 over = (halves & 0x7c007c00u) + 0x04000400u & 0x80008000u; // exponent of ones: a carry
    bad = min(over.x | over.y, 1u);
    return halves & uvec2((bad & uint(scrub)) - 1u);
}

#ifdef STORE
#if STORE == AG_STORE_32UI
#error "STORE must be an AG_STORE_* of a colour"
#endif

// ---- roundings: a colour as a format holds it, to nearest, clamped to the format's range. Drivers
// ---- truncate when imageStore converts to 16-, 11- and 10-bit floats, and large values become
// ---- infinite. After these the conversion is exact (docs/decisions.md, D6)

// Rounds to the nearest float with `bits` fewer mantissa bits, ties to even. Below 2^-14 those
// formats have a fixed step, whose inverse is `steps`. Infinities become the largest finite value.
vec4 round_float(vec4 v, uint bits, float steps, float largest)
{
    vec4 given = v;
    v = clamp(v, -largest, largest);
    uvec4 u = floatBitsToUint(v);
    u += (1u << (bits - 1u)) - 1u + ((u >> bits) & 1u);
    vec4 normal = uintBitsToFloat(u & ~((1u << bits) - 1u));
    vec4 small = roundEven(v * steps) * (1.0 / steps); // a power of two: exact
    vec4 rounded = mix(normal, small, lessThan(abs(v), vec4(6.103515625e-5))); // 2^-14
    return mix(rounded, given, is_nan(given)); // with scrub off a NaN stays NaN
}

// Does the same as round_float in two thirds of the instructions, but not for NaN. It adds and
// subtracts 1.5 * 2^(e + bits): the last bit of that sum has the weight of the last bit that
// remains of a value with exponent e. That rounds to nearest, ties to even; below 2^-14 the step is
// fixed. Products with 2^e are exact, so fma changes nothing. D33 in docs/decisions.md says where
// it is slower.
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

// The same for values among which NaN may be, which stay NaN: where `has_nan`, as without scrub.
vec4 round_number(vec4 v, uint bits, float largest, uint nothing, bool has_nan)
{
    vec4 rounded = round_number(v, bits, largest, nothing);
    if (has_nan)
        rounded = mix(rounded, v, is_nan(v));
    return rounded;
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
#endif
