// downsample/sum.glsl - compensated sums: a float and what its roundings left out
//
//   what      a sum is hi + lo. What an addition rounds off is itself a float, found without error,
//             and added to lo
//   why       a mean of millions of texels then errs by about one rounding, and a mean that lies
//             between two codes goes to the right one
//   cost      a few additions for every four texels
//   source    Knuth, The Art of Computer Programming 2, 4.2.2 (the error of a sum); Ogita, Rump and
//             Oishi 2005, "Accurate Sum and Dot Product"
//   SPDX-License-Identifier: MIT
#pragma once

void add_to(inout vec4 hi, inout vec4 lo, vec4 v)
{
    precise vec4 s = hi + v;
    precise vec4 b = s - hi;
    precise vec4 e = (hi - (s - b)) + (v - b);
    hi = s;
    lo += e;
}

// The product's error is exact where the GPU's fma() rounds once; where it does not, it is counted
// as 0.
void add_product(inout vec4 hi, inout vec4 lo, vec4 v, float k)
{
    precise vec4 p = v * k;
    precise vec4 e = fma(v, vec4(k), -p);
    add_to(hi, lo, p);
    lo += e;
}

void add_sum(inout vec4 hi, inout vec4 lo, vec4 more_hi, vec4 more_lo)
{
    add_to(hi, lo, more_hi);
    lo += more_lo;
}

// (hi + lo) times a number that is a sum of two floats, too, rounded once.
vec4 scaled(vec4 hi, vec4 lo, vec2 by)
{
    precise vec4 p = hi * by.x;
    precise vec4 e = fma(hi, vec4(by.x), -p);
    precise vec4 rest = e + (hi * by.y + lo * by.x);
    precise vec4 all = p + rest;
    return all;
}
