// fft/filter_shape.comp - the spectrum of filter_spectrum from a formula: a real number a frequency
//
//   out       b_real    H of one channel, times u_cutoffs.z, in the form AG_KERNEL_MIRRORED of
//                       fft/kernel_store.glsl: frequencies 0 .. N / 2 of the columns KEPT
//   dispatch  ceil((N / 2 + 1) / 64), columns; a thread computes one frequency
//   cost      some 40 double and 40 float operations a frequency; runs in prepare only
//   how       frequencies and cut-offs are compared in double precision, so that `ideal` ends at
//             the same frequency as a reference in double
//   source    docs/filter_spectrum.md. Edit this file to try another filter: H of (k, l) is real,
//             and the same for (-k, l) and (k, -l)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_filter.h"

layout(local_size_x = 64) in;
layout(location = AG_LOC_POINTS) uniform ivec4 u_points;
layout(location = AG_LOC_FILTER_KIND) uniform ivec4 u_kind;
layout(location = AG_LOC_CUTOFFS) uniform vec4 u_cutoffs;
#define COLUMNS_OF_GROUP u_points.z
#define SHAPE u_kind.x
#define PROFILE u_kind.y
#define ORDER u_kind.z
#define LOW double(u_cutoffs.x)
#define HIGH double(u_cutoffs.y)
#define FACTOR u_cutoffs.z
layout(std430, binding = AG_SSBO_KERNEL_REAL) writeonly buffer KernelReal {
    float b_real[];
};

// L(u), given u^2.
float profile(double squared)
{
    if (PROFILE == AG_ROLL_OFF_IDEAL)
        return squared <= 1.0lf ? 1.0 : 0.0;
    if (PROFILE == AG_ROLL_OFF_GAUSSIAN)
        return exp(-0.5 * float(min(squared, 1e3lf)));
    float power = 1.0, base = float(min(squared, 1e30lf));
    for (int i = 0; i < ORDER; ++i)
        power = min(power * base, 1e30);
    return 1.0 / (1.0 + power);
}

// H at a frequency, given the square of its distance from 0, in cycles a texel.
float weight(double f2)
{
    if (SHAPE == AG_SHAPE_LOWPASS)
        return profile(f2 / (LOW * LOW));
    if (SHAPE == AG_SHAPE_HIGHPASS)
        return 1.0 - profile(f2 / (LOW * LOW));
    double apart = f2 - LOW * HIGH, width = HIGH - LOW;
    float band = f2 == 0.0lf ? 0.0 : profile(apart * apart / (f2 * (width * width)));
    return SHAPE == AG_SHAPE_BANDPASS ? band : 1.0 - band;
}

void main()
{
    int column = int(gl_WorkGroupID.y), row = int(gl_GlobalInvocationID.x);
    int half_line = u_points.y / 2 + 1;
    if (row >= half_line)
        return;
    double x = double(column) / double(u_points.x), y = double(row) / double(u_points.y);
    int group = column / COLUMNS_OF_GROUP * (half_line * COLUMNS_OF_GROUP);
    b_real[group + column % COLUMNS_OF_GROUP + row * COLUMNS_OF_GROUP] =
        weight(x * x + y * y) * FACTOR;
}
