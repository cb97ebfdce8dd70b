// common/pair.glsl - a number as two floats: the nearest float, and what its rounding left out
//
//   what      a pair (x, y) is x + y, where |y| is half of x's last bit at most: 48 bits. Products
//             and quotients are off by 2^-44 of themselves, sums by 2^-47 of the larger operand
//   why       where a float is too short and a double too dear: Mesa emulates doubles on Intel's
//             GPUs from Ice Lake to Alchemist. sat/carry.comp had 62197 instructions there
//   how       `precise` forbids other orders of additions. Products do without fma(), which
//             llvmpipe and others round twice: both factors are divided into halves of 12 bits,
//             whose products are exact
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

// ---- four numbers at once

struct pairs { // high + low
    vec4 high, low;
};

pairs ordered_sum(vec4 a, vec4 b)
{
    precise vec4 sum = a + b;
    precise vec4 rest = b - (sum - a);
    return pairs(sum, rest);
}

pairs exact_sum(vec4 a, vec4 b)
{
    precise vec4 sum = a + b;
    precise vec4 part = sum - a;
    precise vec4 rest = (a - (sum - part)) + (b - part);
    return pairs(sum, rest);
}

vec4 upper_half(vec4 x) { return uintBitsToFloat((floatBitsToUint(x) + 0x800u) & ~0xfffu); }

pairs exact_product(vec4 a, vec4 b)
{
    precise vec4 product = a * b;
    precise vec4 a_high = upper_half(a), a_low = a - a_high;
    precise vec4 b_high = upper_half(b), b_low = b - b_high;
    precise vec4 rest = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) +
        a_low * b_low;
    return pairs(product, rest);
}

pairs add(pairs a, vec4 b)
{
    pairs sum = exact_sum(a.high, b);
    precise vec4 low = sum.low + a.low;
    return ordered_sum(sum.high, low);
}

pairs add(pairs a, pairs b)
{
    pairs sum = exact_sum(a.high, b.high);
    precise vec4 low = sum.low + (a.low + b.low);
    return ordered_sum(sum.high, low);
}

pairs multiply(pairs a, vec4 b)
{
    pairs product = exact_product(a.high, b);
    precise vec4 low = product.low + a.low * b;
    return ordered_sum(product.high, low);
}

pairs multiply(pairs a, pairs b)
{
    pairs product = exact_product(a.high, b.high);
    precise vec4 low = product.low + (a.high * b.low + a.low * b.high);
    return ordered_sum(product.high, low);
}

pairs divide(pairs a, pairs b)
{
    precise vec4 quotient = a.high / b.high;
    pairs product = exact_product(quotient, b.high);
    precise vec4 rest =
        (((a.high - product.high) - product.low) + a.low) - quotient * b.low;
    precise vec4 low = rest / b.high;
    return ordered_sum(quotient, low);
}

// 1 / a; 0 of 0.
pairs reciprocal(pairs a)
{
    pairs all = divide(pairs(vec4(1.0), vec4(0.0)), a);
    bvec4 none = equal(a.high, vec4(0.0));
    return pairs(mix(all.high, vec4(0.0), none), mix(all.low, vec4(0.0), none));
}
