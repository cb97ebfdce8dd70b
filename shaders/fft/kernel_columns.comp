// fft/kernel_columns.comp - forward FFT of columns: a kernel's half spectra, or an image's for
// spectrum
//
//   in        b_spectrum        from kernel_rows.comp or spectrum_rows.comp
//             b_info            centre weights, for a product of lines
//   out       b_kernel, b_real  channel u_channels.z, times u_scale.x, in the form u_kernel.z
//                               (fft/kernel_spectrum.glsl)
//   host sets the defines of fft/columns_load.glsl; COMPACT is 0
//   dispatch  ceil(KEPT / LINES), for one channel
//   cost      reads and writes each value once; runs in prepare only (spectrum: in each frame)
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#define COMPACT 0
#include "fft/columns_load.glsl"
#include "fft/kernel_spectrum.glsl"
#include "common/info.glsl"

#define CHANNEL_OF_KERNEL u_channels.z
layout(location = AG_LOC_SCALE) uniform vec4 u_scale;
#define SCALE u_scale.x // factor of what is stored

// Takes a value from the first register and moves the others down, because a register cannot be
// indexed by a variable. The storing loops are not unrolled, so that the program is small:
//
//   registers   v[0]   v[1]   v[2] ..      frequencies j, j + LAST_STEP .., LAST of each round
//   batch 0      -> frequency j   <- - -
//   batch 1      -> frequency j + LAST_STEP
vec2 next_value()
{
    vec2 value = v[0] * SCALE;
    for (int e = 0; e < ROUNDS(LAST, false) * LAST - 1; ++e)
        v[e] = v[e + 1];
    return value;
}

void store_lines(int column, uint thread)
{
    // the row pass leaves twice the spectrum
    float centre = b_info.centre[CHANNEL_OF_KERNEL] * (2.0 * SCALE);
    int y = KEPT;
    for (int batch = 0; batch < ROUNDS(LAST, false) * LAST + NEVER; ++batch) {
        int i = batch / LAST, j = int(thread) + i * THREADS + batch % LAST * LAST_STEP;
        float value = next_value().x + centre;
        if (j == 0)
            b_real[column] = value;
        if (column == 0 && j < HALF_LINE && HAS_BUTTERFLY(i, LAST_STEP, false))
            b_real[y + j] = value;
        if (column == 0 && j == 0) {
            b_real[y + HALF_LINE] = centre;
            b_real[y + HALF_LINE + 1] = 1.0 / value;
        }
    }
}

void store_values(int column, uint thread)
{
    int length = KERNEL_FORM == AG_KERNEL_MIRRORED ? HALF_LINE : N,
        start = column_of_kernel(column, length);
    for (int batch = 0; batch < ROUNDS(LAST, false) * LAST + NEVER; ++batch) {
        int i = batch / LAST, j = int(thread) + i * THREADS + batch % LAST * LAST_STEP;
        vec2 value = next_value();
        bool stores = HAS_BUTTERFLY(i, LAST_STEP, false) && j < length;
        if (stores && KERNEL_FORM == AG_KERNEL_COMPLEX)
            b_kernel[start + j * LINES] = value;
        else if (stores)
            b_real[start + j * LINES] = value.x;
    }
}

// As load_column, in a loop that is not unrolled, for a small program (see fft/rows_r2c.comp).
void load_column_in_loop(int column, uint thread)
{
    const int PLACES = ROUNDS(R0, false) * R0,
              BATCH = R0 % 3 == 0 ? 3 : R0 % 4 == 0 ? 4 : R0 % 5 == 0 ? 5 : R0;
    int start = column_start(column);
    for (int batch = 0; batch < PLACES / BATCH + NEVER; ++batch) {
        int b = min(int(thread) + batch * BATCH / R0 * THREADS, FIRST_STEP - 1),
            k = batch * BATCH % R0;
        for (int e = 0; e < PLACES - BATCH; ++e)
            v[e] = v[e + BATCH];
        for (int t = 0; t < BATCH; ++t)
            v[PLACES - BATCH + t] = element(column, start, b, row_place(b), k + t);
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = column < KEPT;
    load_column_in_loop(min(column, KEPT - 1), thread);
    transform(line, thread);
    if (alive && KERNEL_FORM == AG_KERNEL_LINES)
        store_lines(column, thread);
    else if (alive)
        store_values(column, thread);
}
