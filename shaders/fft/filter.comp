// fft/filter.comp - the spectrum H of filter_spectrum, a real number a frequency: from a formula or
// from a mask
//
//   To try another filter, edit weight() of this file: H of (k, l) must be real, and the same for
//   (-k, l) and (k, -l).
//
//   in        i_src     MASKED: the mask, frequency 0 at texel (w/2, h/2)
//   out       b_real    H times u_cutoffs.z, in a form of fft/kernel_spectrum.glsl. From a formula:
//                       AG_KERNEL_MIRRORED, one channel, frequencies 0 .. N / 2 of the columns.
//                       From a mask: AG_KERNEL_REAL, u_src_mode.x channels, each u_kernel.w * 2
//                       floats after the one before
//             b_info    MASKED: adds the number of non-finite texels read, while scrub is on
//   host sets MASKED    0 = from a formula, 1 = from a mask, with the defines of common/source.glsl
//   dispatch  ceil(frequencies of a column / 64), columns; a thread computes one frequency
//   cost      from a formula some 300 float operations a frequency, from a mask 8 texel loads;
//             runs in prepare only
//   how       frequencies and cut-offs are pairs of floats (common/pair.glsl), not doubles, which
//             some drivers emulate. A frequency that is a cut-off to 2^-40 counts as equal to it,
//             so that to `ideal` the frequency (9/60, 12/60) is 15/60, whatever was rounded
//   source    docs/filter_spectrum.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef MASKED
#error "MASKED (0 or 1) must be set by the host"
#endif
#include "fft/interface.h"
#if MASKED
#include "common/info.glsl"
#include "common/source.glsl"
#else
#include "common/pair.glsl"
#endif

layout(local_size_x = 64) in;
layout(location = AG_LOC_POINTS) uniform ivec4 u_points;
#define COLUMNS_OF_GROUP u_points.z
layout(location = AG_LOC_CUTOFFS) uniform vec4 u_cutoffs;
#define LOW u_cutoffs.x // or the only one
#define HIGH u_cutoffs.y
#define FACTOR u_cutoffs.z
layout(std430, binding = AG_SSBO_KERNEL_REAL) writeonly buffer KernelReal { float b_real[]; };

// The place of a frequency in the range of a channel; a column has so many rows.
int place_of(int column, int row, int rows)
{
    int group = column / COLUMNS_OF_GROUP * (rows * COLUMNS_OF_GROUP);
    return group + column % COLUMNS_OF_GROUP + row * COLUMNS_OF_GROUP;
}

#if MASKED
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define CHANNELS u_src_mode.x
#define FLOATS_OF_CHANNEL (2 * u_kernel.w)

// The mask at frequency steps / points (0 <= steps < points), bilinear and periodic. The place of
// frequency k / P in w texels is w/2 + k w / P: whole texels and the rest are exact integers.
vec4 mask_at(ivec2 steps, inout uint bad)
{
    ivec2 size = u_src_rect.zw, points = u_points.xy;
    ivec2 place = steps * size;
    ivec2 first = (place / points + size / 2) % size, second = (first + 1) % size;
    vec2 rest = vec2(place % points) / vec2(points);
    vec4 low = mix(load_texel(first, bad), load_texel(ivec2(second.x, first.y), bad), rest.x);
    vec4 high = mix(load_texel(ivec2(first.x, second.y), bad), load_texel(second, bad), rest.x);
    return mix(low, high, rest.y);
}

void main()
{
    int column = int(gl_WorkGroupID.y), row = int(gl_GlobalInvocationID.x);
    if (row >= u_points.y)
        return;
    uint bad = 0u;
    ivec2 steps = ivec2(column, row), opposite = (u_points.xy - steps) % u_points.xy;
    vec4 value = 0.5 * FACTOR * (mask_at(steps, bad) + mask_at(opposite, bad));
    int place = place_of(column, row, u_points.y);
    for (int c = 0; c < CHANNELS; ++c)
        b_real[c * FLOATS_OF_CHANNEL + place] = value[c];
    count_bad(bad);
}

#else
layout(location = AG_LOC_FILTER_KIND) uniform ivec4 u_kind;
#define SHAPE u_kind.x
#define PROFILE u_kind.y
#define ORDER u_kind.z

// L(u), given u^2; of `ideal` see passes().
float profile(vec2 squared)
{
    if (PROFILE == AG_ROLL_OFF_GAUSSIAN)
        return exp(-0.5 * min(squared.x, 1e3));
    float power = 1.0, base = min(squared.x, 1e30);
    for (int i = 0; i < ORDER; ++i)
        power = min(power * base, 1e30);
    return 1.0 / (1.0 + power);
}

vec2 square(float x) { return exact_product(x, x); }

// f^2 - cutoff^2; 0 if it is at most 2^-40 of cutoff^2.
float beyond(vec2 f2, float cutoff)
{
    vec2 limit = square(cutoff);
    float apart = add(f2, -limit).x;
    return abs(apart) <= limit.x / 1099511627776.0 ? 0.0 : apart;
}

// Whether `ideal` passes a frequency. |f^2 - low high| <= f (high - low) where low <= f <= high.
bool passes(vec2 f2, bool band)
{
    return band ? beyond(f2, LOW) >= 0.0 && beyond(f2, HIGH) <= 0.0 : beyond(f2, LOW) <= 0.0;
}

// u^2 of L(u)
vec2 squared_ratio(vec2 f2, bool band)
{
    if (!band)
        return divide(f2, square(LOW));
    vec2 u = divide(add(f2, -exact_product(LOW, HIGH)), exact_sum(HIGH, -LOW));
    return divide(multiply(u, u), f2);
}

// H at a frequency, given the square of its distance from 0, in cycles a texel.
float weight(vec2 f2)
{
    bool band = SHAPE != AG_PASS_LOW && SHAPE != AG_PASS_HIGH;
    float passed = 0.0; // of a band at frequency 0
    if (PROFILE == AG_ROLL_OFF_IDEAL)
        passed = passes(f2, band) ? 1.0 : 0.0;
    else if (!band || f2.x > 0.0)
        passed = profile(squared_ratio(f2, band));
    return SHAPE == AG_PASS_LOW || SHAPE == AG_PASS_BAND ? passed : 1.0 - passed;
}

void main()
{
    int column = int(gl_WorkGroupID.y), row = int(gl_GlobalInvocationID.x);
    int half_line = u_points.y / 2 + 1;
    if (row >= half_line)
        return;
    vec2 x = divide(vec2(column, 0.0), vec2(u_points.x, 0.0)),
         y = divide(vec2(row, 0.0), vec2(u_points.y, 0.0));
    vec2 f2 = add(multiply(x, x), multiply(y, y));
    b_real[place_of(column, row, half_line)] = weight(f2) * FACTOR;
}
#endif
