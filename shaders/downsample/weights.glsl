// downsample/weights.glsl - texels with a weight beside their area: parts of a texel, and the mean
// from sums of them
//
//   host sets WEIGHTED   1 = weight karis or alpha (u_mode.x): a texel is two vec4s, and so is a
//                        sum
//   parts     0   without WEIGHTED the texel; with it (w r, w g, w b, w), w = 1 / (1 + luminance)
//             or alpha
//             1   with WEIGHTED the texel itself: for alpha, and for colour where all weights are 0
//   source    Karis 2013, "Real Shading in Unreal Engine 4": the partial average
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef WEIGHTED
#error "WEIGHTED must be set by the host"
#endif
#define EXCEEDS WEIGHTED
#include "downsample/sum.glsl"
#include "downsample/texel.glsl"

#if WEIGHTED
#define PARTS 2
layout(location = AG_LOC_DOWN_MODE) uniform ivec4 u_mode;
#else
#define PARTS 1
#endif

vec4 part_of(vec4 c, const int part)
{
#if WEIGHTED
    if (part == 0) {
        const vec3 light = SRC_CHANNELS == 1 ? vec3(1.0, 0.0, 0.0) : vec3(0.2126, 0.7152, 0.0722);
        float luminance = dot(c.rgb, light) / (OF_CODES ? CODES.r : 1.0);
        float w = u_mode.x != 0 ? 1.0 / (1.0 + max(luminance, 0.0)) : max(c.a, 0.0);
        return vec4(w * c.rgb, w);
    }
#endif
    return c;
}

// 10-bit codes are held to 2^-24 of the largest one, which is a rounding: their products with
// weights may lose nothing.
const bool EXACT_PRODUCTS = SRC_STORE == AG_STORE_10_10_10_2;

// Adds a part's product with a weight to few others, whose few roundings are within the bound of
// other formats.
void add_few(inout vec4 hi, inout vec4 lo, vec4 v, float k)
{
    if (EXACT_PRODUCTS)
        add_product(hi, lo, v, k);
    else
        hi += v * k;
}

// The mean, from the sums of its parts. `scale`: 1 over the sum of the areas, as a sum of two
// floats.
vec4 mean_of(vec4 hi[PARTS], vec4 lo[PARTS], vec2 scale)
{
    vec4 mean = scaled(hi[PARTS - 1], lo[PARTS - 1], scale);
#if WEIGHTED
    vec4 weighed = hi[0] + lo[0];
    if (weighed.a > 0.0)
        mean.rgb = quotient(weighed, vec4(weighed.a)).rgb;
#endif
    return mean;
}
