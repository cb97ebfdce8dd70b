// downsample/sum.glsl - sums of weighed texels that lose nothing, and the mean from them
//
//   host sets WEIGHTED   1 = weight karis or alpha (u_mode.x): a texel is two vec4s, and so is a
//                        sum
//             and the defines of downsample/texel.glsl
//   parts     0   without WEIGHTED the texel; with it (w r, w g, w b, w), w = 1 / (1 + luminance)
//             or alpha
//             1   with WEIGHTED the texel itself: for alpha, and for colour where all weights are 0
//   exact     a sum is hi + lo. What an addition rounds off is itself a float, found without error,
//             and added to lo. A mean of millions of texels then errs by about one rounding, and a
//             mean that lies between two codes goes to the right one
//   cost      a few additions for every four texels
//   source    Karis 2013, "Real Shading in Unreal Engine 4": the partial average; Knuth, The Art of
//             Computer Programming 2, 4.2.2 (the error of a sum); Ogita, Rump and Oishi 2005,
//             "Accurate Sum and Dot Product"
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef WEIGHTED
#error "WEIGHTED must be set by the host"
#endif
#include "downsample/interface.h"
#include "downsample/texel.glsl"

// ---- parts of a texel

#if WEIGHTED
#define PARTS 2
#define Parts mat2x4 // a part in each column
layout(location = AG_LOC_DOWN_MODE) uniform ivec4 u_mode;
vec4 plain_of(Parts v) { return v[1]; }
#else
#define PARTS 1
#define Parts vec4
vec4 plain_of(Parts v) { return v; }
#endif

#ifdef SRC_UNIT
Parts parts_of(vec4 c)
{
#if WEIGHTED
    const vec3 light = SRC_CHANNELS == 1 ? vec3(1.0, 0.0, 0.0) : vec3(0.2126, 0.7152, 0.0722);
    float luminance = dot(c.rgb, light) / (OF_CODES ? CODES.r : 1.0);
    float w = u_mode.x != 0 ? 1.0 / (1.0 + max(luminance, 0.0)) : max(c.a, 0.0);
    return Parts(vec4(w * c.rgb, w), c);
#else
    return c;
#endif
}
#endif

// Parts lie `step` apart in arrays.
#if WEIGHTED
#define LOAD_PARTS(array, at, step) Parts(array[at], array[(at) + (step)])
#define STORE_PARTS(array, at, step, v) \
    {                                   \
        array[at] = (v)[0];             \
        array[(at) + (step)] = (v)[1];  \
    }
#else
#define LOAD_PARTS(array, at, step) array[at]
#define STORE_PARTS(array, at, step, v) array[at] = v;
#endif

// ---- compensated sums

void add_to(inout vec4 hi, inout vec4 lo, vec4 v)
{
    precise vec4 s = hi + v;
    precise vec4 b = s - hi;
    precise vec4 e = (hi - (s - b)) + (v - b);
    hi = s;
    lo += e;
}

// Adds v k. The product's error is exact where the GPU's fma() rounds once; elsewhere it becomes 0.
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

// Column by column, because all compilers keep vectors `precise`. Columns are copied, because
// NVIDIA's driver 580 loses inout ones in unrolled loops: ladder/downsample/register_columns.comp.
#if WEIGHTED
void add_to(inout Parts hi, inout Parts lo, Parts v)
{
    vec4 hi0 = hi[0], hi1 = hi[1], lo0 = lo[0], lo1 = lo[1];
    add_to(hi0, lo0, v[0]);
    add_to(hi1, lo1, v[1]);
    hi = Parts(hi0, hi1);
    lo = Parts(lo0, lo1);
}

void add_product(inout Parts hi, inout Parts lo, Parts v, float k)
{
    add_product(hi[0], lo[0], v[0], k);
    add_product(hi[1], lo[1], v[1], k);
}

void add_sum(inout Parts hi, inout Parts lo, Parts more_hi, Parts more_lo)
{
    add_sum(hi[0], lo[0], more_hi[0], more_lo[0]);
    add_sum(hi[1], lo[1], more_hi[1], more_lo[1]);
}
#endif

// (hi + lo) times a number that is a sum of two floats, too, rounded once.
vec4 scaled(vec4 hi, vec4 lo, vec2 by)
{
    precise vec4 p = hi * by.x;
    precise vec4 e = fma(hi, vec4(by.x), -p);
    precise vec4 rest = e + (hi * by.y + lo * by.x);
    precise vec4 all = p + rest;
    return all;
}

// 10-bit codes are held to 2^-24 of the largest one, which is a rounding: their products with
// weights may lose nothing.
const bool EXACT_PRODUCTS = SRC_STORE == AG_STORE_10_10_10_2;

// Adds a product where a sum has few. Their roundings are within the bound of other formats.
void add_few(inout Parts hi, inout Parts lo, Parts v, float k)
{
    if (EXACT_PRODUCTS)
        add_product(hi, lo, v, k);
    else
        hi += v * k;
}

// Adds a product to a sum by way of `few`, in which four at a time are added as they are; n: how
// many it has. add_to(hi, lo, few) adds the last ones. A macro: as a function with inout parameters
// NVIDIA's driver 580 makes it slow (docs/decisions.md, D72).
#define ADD_BY_FOURS(hi, lo, few, n, v, k) \
    {                                      \
        bool fifth = n == 4;               \
        n = fifth ? 1 : n + 1;             \
        if (EXACT_PRODUCTS) {              \
            add_product(hi, lo, v, k);     \
        } else {                           \
            if (fifth) {                   \
                add_to(hi, lo, few);       \
                few = Parts(0.0);          \
            }                              \
            few += v * k;                  \
        }                                  \
    }

// The mean, from the sums of its parts. `scale`: 1 over the sum of the areas, as a sum of two
// floats.
vec4 mean_of(Parts hi, Parts lo, vec2 scale)
{
    vec4 mean = scaled(plain_of(hi), plain_of(lo), scale);
#if WEIGHTED
    vec4 weighed = hi[0] + lo[0];
    if (weighed.a > 0.0)
        mean.rgb = quotient(weighed, vec4(weighed.a)).rgb;
#endif
    return mean;
}
