// fft/kernel_columns.comp - columns of a kernel's half spectra to its spectrum, or of an image's to be looked at
//
//   in        b_spectrum        from kernel_rows.comp or spectrum_rows.comp
//   out       b_kernel, b_real  see fft/kernel_store.glsl
//   host sets the defines of fft/line.glsl (forward alone), fft/spectrum.glsl and fft/columns_load.glsl
//   dispatch  ceil(columns / LINES)
//   cost      reads and writes each value once; runs in prepare only (spectrum: each frame)
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/columns_load.glsl"
#include "fft/kernel_store.glsl"
#include "common/info.glsl"

#define CHANNEL_OF_KERNEL u_channels.z
layout(location = AG_LOC_SCALE) uniform vec4 u_scale;
#define SCALE u_scale.x // of what is stored

void store_lines(int column, uint thread)
{
    float centre = b_info.centre[CHANNEL_OF_KERNEL] * (2.0 * SCALE); // rows leave twice the spectrum
    int y = KEPT;
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k) {
            int j = int(thread) + i * THREADS + k * LAST_STEP;
            float value = v[i * LAST + k].x * SCALE + centre;
            if (j == 0)
                b_real[column] = value;
            if (column == 0 && j < HALF_LINE && HOLDS(i, LAST_STEP, false))
                b_real[y + j] = value;
            if (column == 0 && j == 0) {
                b_real[y + HALF_LINE] = centre;
                b_real[y + HALF_LINE + 1] = 1.0 / value;
            }
        }
}

void store_values(int column, uint thread)
{
    int length = KERNEL_FORM == AG_KERNEL_MIRRORED ? HALF_LINE : N, start = column_of_kernel(column, length);
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k) {
            int j = int(thread) + i * THREADS + k * LAST_STEP;
            vec2 value = v[i * LAST + k] * SCALE;
            bool stores = HOLDS(i, LAST_STEP, false) && j < length;
            if (stores && KERNEL_FORM == AG_KERNEL_COMPLEX)
                b_kernel[start + j * LINES] = value;
            else if (stores)
                b_real[start + j * LINES] = value.x;
        }
}

// As load_column, in a loop that is not unrolled, for a small program (fft/rows_forward.comp draws it).
void load_slowly(int column, uint thread)
{
    const int PLACES = ROUNDS(R0, false) * R0, TURN = R0 % 3 == 0 ? 3 : R0 % 4 == 0 ? 4 : R0 % 5 == 0 ? 5 : R0;
    int start = column_start(column);
    for (int turn = 0; turn < PLACES / TURN + min(PAIRS_OF_ROWS, 0); ++turn) {
        int b = min(int(thread) + turn * TURN / R0 * THREADS, FIRST_STEP - 1), k = turn * TURN % R0;
        for (int e = 0; e < PLACES - TURN; ++e)
            v[e] = v[e + TURN];
        for (int t = 0; t < TURN; ++t)
            v[PLACES - TURN + t] = element(column, start, b, row_place(b), k + t);
    }
}

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = column < KEPT;
    load_slowly(min(column, KEPT - 1), thread);
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
    if (alive && KERNEL_FORM == AG_KERNEL_LINES)
        store_lines(column, thread);
    else if (alive)
        store_values(column, thread);
}
