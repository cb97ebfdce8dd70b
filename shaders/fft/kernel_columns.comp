// fft/kernel_columns.comp - columns of a kernel's half spectra to its spectrum, or of an image's to be looked at
//
//   in        b_spectrum        from kernel_rows.comp or spectrum_rows.comp
//             b_info            centre weights, of a product of lines
//   out       b_kernel, b_real  the forms of fft/kernel_store.glsl, of channel u_channels.z, times u_scale.x
//   host sets the defines of fft/line.glsl (forward alone), fft/spectrum.glsl and fft/columns_load.glsl
//   dispatch  ceil(KEPT / LINES), for one channel
//   cost      reads and writes each value once; runs in prepare only (spectrum: each frame)
//   source    docs/convolve.md 3 and 5
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/full.glsl"
#include "fft/columns_load.glsl"
#include "fft/kernel_store.glsl"
#include "common/info.glsl"

#define CHANNEL_OF_KERNEL u_channels.z
layout(location = AG_LOC_SCALE) uniform vec4 u_scale;
#define SCALE u_scale.x // of what is stored

// Values leave from the first register, one a turn of a loop that is not unrolled: a small program. Each turn moves the
// others down, because a register cannot be indexed by a variable:
//
//   registers   v[0]   v[1]   v[2] ..      LAST values of frequencies j, j + LAST_STEP .., round after round
//   turn 0       -> frequency j   <- - -
//   turn 1       -> frequency j + LAST_STEP
vec2 next_value()
{
    vec2 value = v[0] * SCALE;
    for (int e = 0; e < ROUNDS(LAST, false) * LAST - 1; ++e)
        v[e] = v[e + 1];
    return value;
}

void store_lines(int column, uint thread)
{
    float centre = b_info.centre[CHANNEL_OF_KERNEL] * (2.0 * SCALE); // rows leave twice the spectrum
    int y = KEPT;
    for (int turn = 0; turn < ROUNDS(LAST, false) * LAST + NEVER; ++turn) {
        int i = turn / LAST, j = int(thread) + i * THREADS + turn % LAST * LAST_STEP;
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
    int length = KERNEL_FORM == AG_KERNEL_MIRRORED ? HALF_LINE : N, start = column_of_kernel(column, length);
    for (int turn = 0; turn < ROUNDS(LAST, false) * LAST + NEVER; ++turn) {
        int i = turn / LAST, j = int(thread) + i * THREADS + turn % LAST * LAST_STEP;
        vec2 value = next_value();
        bool stores = HAS_BUTTERFLY(i, LAST_STEP, false) && j < length;
        if (stores && KERNEL_FORM == AG_KERNEL_COMPLEX)
            b_kernel[start + j * LINES] = value;
        else if (stores)
            b_real[start + j * LINES] = value.x;
    }
}

// As load_column, in a loop that is not unrolled, for a small program (fft/rows_r2c.glsl draws it).
void load_slowly(int column, uint thread)
{
    const int PLACES = ROUNDS(R0, false) * R0, TURN = R0 % 3 == 0 ? 3 : R0 % 4 == 0 ? 4 : R0 % 5 == 0 ? 5 : R0;
    int start = column_start(column);
    for (int turn = 0; turn < PLACES / TURN + NEVER; ++turn) {
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
