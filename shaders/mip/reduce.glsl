// mip/reduce.glsl - the reduction of an output's 2 or 3 texels of each axis
//
//   out       sum_begin(), sum_add() for each texel, sum_finish()
//   host sets REDUCE   AG_REDUCE_*
//             WEIGHT   AG_WEIGHT_*: what a texel of a mean weighs beside its area
//             and the defines of mip/level.glsl
//   rules     min, max, minmax, first: each channel by itself. NaN is skipped, and remains only if
//                      all texels are NaN
//             mean     sum of w c; w are the area weights, whose sum is 1
//             karis    in level 1 of a chain w / (1 + luminance), normalised, in place of w: bright
//                      texels weigh less
//             alpha, coverage: colour is sum of w a c / sum of w a, or the plain mean where alpha
//                      is 0; alpha is sum of w a
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (area weights;
//             engine_plugin/src/effects/mip/mip_plan.h has the rule); Karis 2013, "Real Shading in
//             Unreal Engine 4" (partial average)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef WEIGHT
#error "WEIGHT (AG_WEIGHT_*) must be set by the host"
#endif
#include "mip/level.glsl"

// Plain sums: scrubbing and codes are handled once for a sum, not for each texel.
const bool PLAIN = REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8;

// Reduces two texels: min, max, minmax, first.
vec4 extreme(vec4 s, vec4 c)
{
    vec4 both = s;
    if (REDUCE == AG_REDUCE_MIN)
        both = min(s, c);
    else if (REDUCE == AG_REDUCE_MAX)
        both = max(s, c);
    else if (REDUCE == AG_REDUCE_MINMAX)
        both = vec4(min(s.r, c.r), max(s.g, c.g), 0.0, 1.0);
    return mix(mix(both, s, is_nan(c)), c, is_nan(s));
}

// `first`: the texels are those of a dispatch's first level.
#if REDUCE != AG_REDUCE_MEAN
#define SUM vec4
SUM sum_begin() { return uintBitsToFloat(uvec4(0x7fc00000u)); }
void sum_add(inout SUM s, vec4 c, float w, bool first) { s = extreme(s, c); }
vec4 sum_finish(SUM s) { return s; }
#elif WEIGHT == AG_WEIGHT_NONE
#define SUM vec4
SUM sum_begin() { return vec4(0.0); }
void sum_add(inout SUM s, vec4 c, float w, bool first) { s += w * c; }
vec4 sum_finish(SUM s) { return s; }
#elif WEIGHT == AG_WEIGHT_KARIS
struct SUM { vec4 weighted; float weights, alpha; };
SUM sum_begin() { return SUM(vec4(0.0), 0.0, 0.0); }
void sum_add(inout SUM s, vec4 c, float w, bool first)
{
    const vec3 light = CHANNELS == 1 ? vec3(1.0, 0.0, 0.0) : vec3(0.2126, 0.7152, 0.0722);
    const float white = OF_CODES ? CODES.r : 1.0;
    float v = first_source() == 0 && first ? w / (1.0 + max(dot(c.rgb, light) / white, 0.0)) : w;
    s.weighted += v * c;
    s.weights += v;
    s.alpha += w * c.a;
}
vec4 sum_finish(SUM s) { return vec4(s.weighted.rgb / s.weights, s.alpha); }
#else
struct SUM { vec4 covered, plain; };
SUM sum_begin() { return SUM(vec4(0.0), vec4(0.0)); }
void sum_add(inout SUM s, vec4 c, float w, bool first)
{
    float a = w * max(c.a, 0.0);
    s.covered += vec4(a * c.rgb, a);
    s.plain += w * c;
}
vec4 sum_finish(SUM s)
{
    bool any = s.covered.a > 0.0;
    vec3 colour = s.covered.rgb / (any ? s.covered.a : 1.0);
    return vec4(mix(s.plain.rgb, colour, bvec3(any)), s.plain.a);
}
#endif

// ---- the texels of an output. There is no ?: here, see mip/level.glsl

// The offsets of an output's second and third texel: 1, 2 where the size is odd; 1, 1 where it is
// even; 0, 0 where it is 1. A repeated texel has weight 0.
ivec2 texel_1(ivec2 size) { return min(size - 1, 1); }
ivec2 texel_2(ivec2 size) { return texel_1(size) + (size & texel_1(size)); }

// Area weights of the three for output i of an axis of odd size.
vec3 odd_weights(int size, int i)
{
    int n = size >> 1;
    return vec3(n - i, n, i + 1) * (1.0 / float(size));
}

// The same for any size.
vec3 axis_weights(int size, int i)
{
    // Masks of integers, because those that all threads share take no vector registers on AMD.
    int n = size >> 1, two = min(n, 1), odd = -(size & two);
    return vec3(1 + (odd & n - 1 - i), two + (odd & n - 1), odd & i + 1) *
        (1.0 / float(1 + two + (odd & size - 2)));
}

// An output from its 3 x 3 `texels` of a level of size `above`.
vec4 weighed(vec4 texels[9], ivec2 above, ivec2 to)
{
    vec3 wx = axis_weights(above.x, to.x), wy = axis_weights(above.y, to.y);
    SUM sum = sum_begin();
    for (int k = 0; k < 9; ++k)
        sum_add(sum, texels[k], wx[k % 3] * wy[k / 3], false);
    return sum_finish(sum);
}
