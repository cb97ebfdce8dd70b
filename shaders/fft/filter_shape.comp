// fft/filter_shape.comp - the spectrum of filter_spectrum from a formula: a real number a frequency
//
//   out       b_real    H of one channel, times u_cutoffs.z, in the form AG_KERNEL_MIRRORED of
//                       fft/kernel_spectrum.glsl: frequencies 0 .. N / 2 of the columns KEPT
//   dispatch  ceil((N / 2 + 1) / 64), columns; a thread computes one frequency
//   cost      some 300 float operations a frequency; runs in prepare only
//   how       frequencies and cut-offs are pairs of floats (common/pair.glsl), not doubles, which
//             some drivers emulate. What is a cut-off to 2^-40 counts as it, so that `ideal` takes
//             9/60, 12/60 for 15/60, whatever was rounded
//   source    docs/filter_spectrum.md. Edit this file to try another filter: H of (k, l) is real,
//             and the same for (-k, l) and (k, -l)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "common/pair.glsl"

layout(local_size_x = 64) in;
layout(location = AG_LOC_POINTS) uniform ivec4 u_points;
layout(location = AG_LOC_FILTER_KIND) uniform ivec4 u_kind;
layout(location = AG_LOC_CUTOFFS) uniform vec4 u_cutoffs;
#define COLUMNS_OF_GROUP u_points.z
#define SHAPE u_kind.x
#define PROFILE u_kind.y
#define ORDER u_kind.z
#define LOW u_cutoffs.x // or the only one
#define HIGH u_cutoffs.y
#define FACTOR u_cutoffs.z
layout(std430, binding = AG_SSBO_KERNEL_REAL) writeonly buffer KernelReal {
    float b_real[];
};

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
    bool band = SHAPE != AG_SHAPE_LOWPASS && SHAPE != AG_SHAPE_HIGHPASS;
    float passed = 0.0; // of a band at frequency 0
    if (PROFILE == AG_ROLL_OFF_IDEAL)
        passed = passes(f2, band) ? 1.0 : 0.0;
    else if (!band || f2.x > 0.0)
        passed = profile(squared_ratio(f2, band));
    return SHAPE == AG_SHAPE_LOWPASS || SHAPE == AG_SHAPE_BANDPASS ? passed : 1.0 - passed;
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
    int group = column / COLUMNS_OF_GROUP * (half_line * COLUMNS_OF_GROUP);
    b_real[group + column % COLUMNS_OF_GROUP + row * COLUMNS_OF_GROUP] =
        weight(f2) * FACTOR;
}
