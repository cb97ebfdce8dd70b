// fft/columns.comp - columns of the spectrum: FFT, times the kernel's spectrum, inverse FFT
//
//   in, out   b_spectrum  from rows_forward.comp, overwritten in place (mode convolve)
//   in or out b_kernel    the kernel's half spectrum: read (convolve) or written (mode kernel); columns
//                         in groups of LINES, in a group frequency after frequency
//   host sets the defines of fft/line.glsl and fft/spectrum.glsl
//             MODE       AG_COLUMNS_*
//             BORDERED   1 = rows reach their places by common/border.glsl, 0 = in order, then zeros
//             PADDED     0 = the rows fill the line, nothing is padded
//   dispatch  ceil(columns / LINES), channels
//   cost      reads and writes each cell once, reads the kernel once
//   source    docs/convolve.md 3 to 5
//
// Column 0 carries two real signals, frequencies 0 and n/2 of the rows, as one complex line
// F = A + i B. Its product A K0 + i B Kn needs F(-j) beside F(j), an exchange that only the first
// work group does.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "fft/line.glsl"
#include "fft/spectrum.glsl"
#include "common/border.glsl"
#if !defined(MODE) || !defined(BORDERED) || !defined(PADDED)
#error "MODE (AG_COLUMNS_*), BORDERED and PADDED (0 or 1) must be set by the host"
#endif

layout(location = AG_LOC_LINE_X) uniform ivec4 u_columns;    // x = number of columns
layout(location = AG_LOC_LINE_Y) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_Y2) uniform ivec4 u_line_more;
layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum; // row pairs; w = cells a channel
layout(location = AG_LOC_CHANNELS) uniform ivec4 u_channels; // z = kernel channels
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // w = elements of a channel's spectrum
layout(location = AG_LOC_SCALE) uniform vec4 u_scale; // x = factor of a stored kernel
layout(std430, binding = AG_SSBO_SPECTRUM) buffer Spectrum {
    vec2 b_spectrum[]; // a cell is two: rows 2p and 2p + 1
};
layout(std430, binding = AG_SSBO_KERNEL) buffer Kernel {
    vec2 b_kernel[];
};

#define MIRROR_FIRST false
#define MIRROR_LAST false

const int FIRST_STEP = N / R0; // distance of a thread's elements at both ends
const int LAST_STEP = N / LAST; // and in the spectrum

// Where a row's value lies, from the start of its column.
int row_place(int row)
{
    return (row >> 1) * (2 * TILE) + (row & 1);
}

// The place of row b + k * FIRST_STEP, given that of b: a constant further when both are even or odd.
int leg_place(int place, int b, int k)
{
    return FIRST_STEP % 2 == 0 ? place + k * FIRST_STEP * TILE : row_place(b + k * FIRST_STEP);
}

int column_start(int column)
{
    return 2 * (int(gl_WorkGroupID.y) * u_spectrum.w + cell_index(column, 0, u_spectrum.x));
}

// Frequency 0 of a column of the kernel; the others follow, LINES apart.
int kernel_start(int column)
{
    int channel = min(u_channels.z - 1, int(gl_WorkGroupID.y));
    return channel * u_kernel.w + column / LINES * (N * LINES) + column % LINES;
}

#if !BORDERED
void load_in_order(int column, uint thread)
{
    int start = column_start(column), rows = 2 * u_spectrum.x;
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, FIRST_STEP - 1), place = row_place(b);
        for (int k = 0; k < R0; ++k) {
#if PADDED // without a branch, so that loads overlap
            bool inside = b + k * FIRST_STEP < rows;
            vec2 value = b_spectrum[start + int(inside) * leg_place(place, b, k)];
            v[i * R0 + k] = mix(vec2(0.0), value, bvec2(inside));
#else
            v[i * R0 + k] = b_spectrum[start + leg_place(place, b, k)];
#endif
        }
    }
}

#else

// Clamp, mirror and wrap borders, and kernels, whose centre moves to the line's start.
void load_by_border(int column, uint thread)
{
    int start = column_start(column);
    for (int i = 0; i < ROUNDS(R0, false); ++i)
        for (int k = 0; k < R0; ++k) {
            int b = min(int(thread) + i * THREADS, FIRST_STEP - 1);
            int row = source_index(b + k * FIRST_STEP, u_line, u_line_more);
            vec2 value = b_spectrum[start + row_place(max(row, 0))];
            v[i * R0 + k] = mix(vec2(0.0), value, bvec2(row >= 0));
        }
}

#endif
#if MODE == AG_COLUMNS_KERNEL

void store_kernel(int column, uint thread, bool alive)
{
    int start = kernel_start(column);
    for (int i = 0; i < ROUNDS(LAST, false); ++i)
        for (int k = 0; k < LAST; ++k)
            if (alive && HOLDS(i, LAST_STEP, false))
                b_kernel[start + (int(thread) + i * THREADS + k * LAST_STEP) * LINES] =
                    v[i * LAST + k] * u_scale.x;
}

#else

void multiply(int column, uint thread)
{
    int start = kernel_start(column);
    for (int i = 0; i < ROUNDS(LAST, false); ++i) {
        int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
        for (int k = 0; k < LAST; ++k)
            v[i * LAST + k] = cmul(v[i * LAST + k], b_kernel[start + (b + k * LAST_STEP) * LINES]);
    }
}

// Column 0: F(j) (K0 + Kn)/2 + conj F(-j) (K0 - Kn)/2, where the stored line G = K0 + i Kn.
// With G(-j) = m: K0 = (G + conj m)/2, Kn = -i (G - conj m)/2.
// Every line of the group comes along for the barriers; only column 0 keeps the result.
void multiply_column_0(int column, uint thread, uint line)
{
#if SPLIT
#define PLACE(j) s_exchange[line * uint(STRIDE) + (j)]
#else
#define PLACE(j) s_exchange[line * uint(STRIDE) + (j)].x
#endif
    float mirrored[ELEMENTS]; // real parts of F(-j)
    for (int part = 0; part < 2; ++part) {
        sync_shared();
        for (int i = 0; i < ROUNDS(LAST, false); ++i)
            for (int k = 0; k < LAST; ++k)
                if (HOLDS(i, LAST_STEP, false))
                    PLACE(thread + uint(i * THREADS + k * LAST_STEP)) =
                        part == 0 ? v[i * LAST + k].x : v[i * LAST + k].y;
        sync_shared();
        for (int i = 0; i < ROUNDS(LAST, false); ++i)
            for (int k = 0; k < LAST; ++k) {
                int e = i * LAST + k, j = min(int(thread) + i * THREADS, LAST_STEP - 1) + k * LAST_STEP;
                int opposite = (N - j) % N;
                if (part == 0)
                    mirrored[e] = PLACE(uint(opposite));
                else if (column == 0) {
                    vec2 f = vec2(mirrored[e], -PLACE(uint(opposite)));
                    int start = kernel_start(0);
                    vec2 g = b_kernel[start + j * LINES], m = b_kernel[start + opposite * LINES];
                    vec2 k0 = 0.5 * vec2(g.x + m.x, g.y - m.y);
                    vec2 kn = 0.5 * vec2(g.y + m.y, m.x - g.x);
                    v[e] = cmul(v[e], 0.5 * (k0 + kn)) + cmul(f, 0.5 * (k0 - kn));
                }
            }
    }
    if (column != 0)
        multiply(column, thread);
#undef PLACE
}

// The line comes with real and imaginary parts swapped: this is the inverse.
void store_in_order(int column, uint thread, bool alive)
{
    int start = column_start(column), rows = 2 * u_spectrum.x;
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS, place = row_place(b);
        for (int k = 0; k < R0; ++k)
            if (alive && HOLDS(i, FIRST_STEP, false) && (PADDED == 0 || b + k * FIRST_STEP < rows))
                b_spectrum[start + leg_place(place, b, k)] = v[i * R0 + k].yx;
    }
}

#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = column < u_columns.x;
    column = min(column, u_columns.x - 1);

#if BORDERED
    load_by_border(column, thread);
#else
    load_in_order(column, thread);
#endif
#define REVERSED 0
#include "fft/transform.glsl"
#undef REVERSED

#if MODE == AG_COLUMNS_KERNEL
    store_kernel(column, thread, alive);
#else
    if (gl_WorkGroupID.x == 0u)
        multiply_column_0(column, thread, line);
    else
        multiply(column, thread);
    for (int i = 0; i < ELEMENTS; ++i)
        v[i] = v[i].yx;
#define REVERSED 1
#include "fft/transform.glsl"
#undef REVERSED
    store_in_order(column, thread, alive);
#endif
}
