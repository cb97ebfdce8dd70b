// common/pair.glsl - a number as two floats: the nearest float, and what its rounding left out
//
//   what      a pair (x, y) is x + y, where |y| is half of x's last bit at most: 48 bits. Products
//             and quotients are off by 2^-44 of themselves, sums by 2^-47 of the larger operand
//   why       where a float is too short and a double too dear: Mesa emulates doubles on Intel's
//             GPUs from Ice Lake to Alchemist. sat/carry.comp had 62197 instructions there
//   how       `precise` forbids other orders of additions. Products do without fma(), which
//             llvmpipe and others round twice: both factors are divided into halves of 12 bits,
//             whose products are exact
//   Four channels at once: common/pairs.glsl.
//   source    Knuth, The Art of Computer Programming 2, 4.2.2; Dekker 1971, "A floating-point
//             technique for extending the available precision"
//   SPDX-License-Identifier: MIT
#pragma once

// a + b, where |a| >= |b| or a = 0.
vec2 ordered_sum(float a, float b)
{
    precise float sum = a + b;
    precise float rest = b - (sum - a);
    return vec2(sum, rest);
}

// a + b, without any error.
vec2 exact_sum(float a, float b)
{
    precise float sum = a + b;
    precise float part = sum - a;
    precise float rest = (a - (sum - part)) + (b - part);
    return vec2(sum, rest);
}

// The upper 12 bits of a float, rounded.
float upper_half(float x) { return uintBitsToFloat((floatBitsToUint(x) + 0x800u) & ~0xfffu); }

// a b, without any error.
vec2 exact_product(float a, float b)
{
    precise float product = a * b;
    precise float a_high = upper_half(a), a_low = a - a_high;
    precise float b_high = upper_half(b), b_low = b - b_high;
    precise float rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) +
        a_low * b_low;
    return vec2(product, rest);
}

vec2 add(vec2 a, float b)
{
    vec2 sum = exact_sum(a.x, b);
    precise float low = sum.y + a.y;
    return ordered_sum(sum.x, low);
}

vec2 add(vec2 a, vec2 b)
{
    vec2 sum = exact_sum(a.x, b.x);
    precise float low = sum.y + (a.y + b.y);
    return ordered_sum(sum.x, low);
}

vec2 multiply(vec2 a, vec2 b)
{
    vec2 product = exact_product(a.x, b.x);
    precise float low = product.y + (a.x * b.y + a.y * b.x);
    return ordered_sum(product.x, low);
}

vec2 divide(vec2 a, vec2 b)
{
    precise float quotient = a.x / b.x;
    vec2 product = exact_product(quotient, b.x);
    precise float rest = (((a.x - product.x) - product.y) + a.y) - quotient * b.y;
    precise float low = rest / b.x;
    return ordered_sum(quotient, low);
}
