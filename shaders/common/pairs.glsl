// common/pairs.glsl - four numbers as pairs of floats: common/pair.glsl says why and how
//   SPDX-License-Identifier: MIT
#pragma once

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
