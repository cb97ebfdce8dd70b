// fft/kernel_spectrum.glsl - how a kernel's spectrum is stored and read, by its form AG_KERNEL_*
//
//   layout    a channel has u_kernel.w * 8 bytes. Of columns 0 .. KEPT - 1:
//
//             complex   columns in groups of LINES, in a group frequency after frequency; two
//                       floats
//             real      the same of single floats
//             mirrored  the same, but only frequencies 0 .. N / 2: N - j has the value of j
//             lines     x(0) .. x(KEPT - 1) y(0) .. y(N / 2) centre 1/y(0): the value of a
//                       frequency is x y / y(0) - centre, because the centre weight bypasses the
//                       FFT
//
//   reading   one expression reads the three forms of real values, so that the program has one
//             product:
//
//                 value(j) = scale * b_real[first + min(j, mirror - j) * step] - offset
//
//             real: step LINES, mirror 2 N (none); mirrored: mirror N; lines: step 1, mirror N, and
//             scale and offset
//   host sets N, LINES    see fft/line.glsl
//             the defines of fft/spectrum.glsl
//   why       the form is a uniform, so that a new kernel needs no new program
//   source    docs/convolve.md 5
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(N) || !defined(LINES)
#error "N and LINES must be set by the host"
#endif
#include "fft/spectrum.glsl"

layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels;
#define CHANNELS_OF_KERNEL u_channels.y
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel;
#define KERNEL_FORM u_kernel.z
#define VALUES_OF_KERNEL_CHANNEL u_kernel.w // of complex values
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};
layout(std430, binding = AG_SSBO_KERNEL_REAL) buffer KernelReal { // the same bytes
    float b_real[];
};

const int HALF_LINE = N / 2 + 1; // frequencies of a mirrored column

// The place of frequency 0 of a column; the others follow, LINES apart, `length` of them.
int column_of_kernel(int column, int length)
{
    return column / LINES * (length * LINES) + column % LINES;
}

// ---- the values along a column ------------------------------------------------------------------

struct kernel_column {
    int first, mirror, step;
    float scale, offset;
};

kernel_column column_to_read(int column)
{
    int channel = min(CHANNELS_OF_KERNEL - 1, int(gl_WorkGroupID.y)) * VALUES_OF_KERNEL_CHANNEL;
    bool lines = KERNEL_FORM == AG_KERNEL_LINES, whole = KERNEL_FORM <= AG_KERNEL_REAL;
    kernel_column k;
    k.step = LINES;
    k.mirror = whole ? 2 * N : N;
    k.first = channel * (KERNEL_FORM == AG_KERNEL_COMPLEX ? 1 : 2) +
              column_of_kernel(column, whole ? N : HALF_LINE);
    k.scale = 1.0;
    k.offset = 0.0;
    if (lines) {
        k.step = 1;
        k.first = 2 * channel + KEPT;
        k.scale = b_real[2 * channel + column] * b_real[k.first + HALF_LINE + 1];
        k.offset = b_real[k.first + HALF_LINE];
    }
    return k;
}

// Of the forms of real values.
float kernel_value(kernel_column k, int j)
{
    return k.scale * b_real[k.first + min(j, k.mirror - j) * k.step] - k.offset;
}

// Of the complex form.
vec2 complex_value(kernel_column k, int j)
{
    return b_kernel[k.first + j * k.step];
}
