// fft/kernel_read.glsl - the values of a kernel's spectrum along a column
//
//   in        b_kernel, b_real  see fft/kernel_store.glsl
//   how       one expression reads the three forms of real values, so that the program has one
//             product:
//
//                 value(j) = scale * b_real[first + min(j, mirror - j) * step] - offset
//
//             real: step LINES, mirror 2 N (none); mirrored: mirror N; lines: step 1, mirror N, and
//             scale and offset
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/kernel_store.glsl"

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
