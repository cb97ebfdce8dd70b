// fft/kernel_store.glsl - how a kernel's spectrum is stored, by its form AG_KERNEL_*
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
//             (fft/interface.h defines AG_KERNEL_*)
//   cost      KERNEL_FORM is a uniform: no variant, and no new program for a new kernel
//   source    docs/convolve.md 5
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

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
