// fft/columns.comp - columns of the spectrum: FFT, times the kernel's spectrum, inverse FFT
//
//   in, out   b_spectrum  from rows_forward.comp, overwritten in place (mode convolve)
//   in or out b_kernel    the kernel's half spectrum, read (convolve) or written (mode kernel) as
//                         fft/kernel_store.glsl says
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
#include "fft/interface.h"
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
layout(location = AG_LOC_SCALE) uniform vec4 u_scale; // x = factor of a stored kernel
layout(std430, binding = AG_SSBO_SPECTRUM) buffer Spectrum {
#if COMPACT
    uint b_spectrum[];
#else
    vec2 b_spectrum[]; // a cell is two: rows 2p and 2p + 1
#endif
};

#define MIRROR_FIRST false
#define MIRROR_LAST false

const int FIRST_STEP = N / R0; // distance of a thread's elements at both ends
const int LAST_STEP = N / LAST; // and in the spectrum

const int TOGETHER = COMPACT == 1 ? 4 : 2; // rows of a column that lie side by side

// Where a row's value lies, from the start of its column.
int row_place(int row)
{
    return row / TOGETHER * (TOGETHER * TILE) + row % TOGETHER;
}

// The place of row b + k * FIRST_STEP, given that of b: a constant further when both are even or odd (or
// alike in two bits).
int leg_place(int place, int b, int k)
{
    return FIRST_STEP % TOGETHER == 0 ? place + k * FIRST_STEP * TILE : row_place(b + k * FIRST_STEP);
}

int channel_start()
{
    return int(gl_WorkGroupID.y) * u_spectrum.w * (COMPACT == 1 ? 4 : 2);
}

int column_start(int column)
{
    return channel_start() + 2 * cell_index(column, 0, u_spectrum.x);
}

#if COMPACT
int scales_start(int column)
{
    return channel_start() + rows_scale(column, 0, u_columns.x, u_spectrum.x);
}
#define VALUE(place, row) \
    (from_word(b_spectrum[start + (place)]) * uintBitsToFloat(b_spectrum[scales + ((row) >> 1)]))
#else
#define VALUE(place, row) b_spectrum[start + (place)]
#endif

#if !BORDERED
void load_in_order(int column, uint thread)
{
    int start = column_start(column), rows = 2 * u_spectrum.x;
#if COMPACT
    int scales = scales_start(column);
#endif
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, FIRST_STEP - 1), place = row_place(b);
        for (int k = 0; k < R0; ++k) {
#if PADDED // without a branch, so that loads overlap
            bool inside = b + k * FIRST_STEP < rows;
            vec2 value = VALUE(int(inside) * leg_place(place, b, k), int(inside) * (b + k * FIRST_STEP));
            v[i * R0 + k] = mix(vec2(0.0), value, bvec2(inside));
#else
            v[i * R0 + k] = VALUE(leg_place(place, b, k), b + k * FIRST_STEP);
#endif
        }
    }
}

#else

// Clamp, mirror and wrap borders, and kernels, whose centre moves to the line's start.
void load_by_border(int column, uint thread)
{
    int start = column_start(column);
#if COMPACT
    int scales = scales_start(column);
#endif
    for (int i = 0; i < ROUNDS(R0, false); ++i)
        for (int k = 0; k < R0; ++k) {
            int b = min(int(thread) + i * THREADS, FIRST_STEP - 1);
            int row = source_index(b + k * FIRST_STEP, u_line, u_line_more);
            vec2 value = VALUE(row_place(max(row, 0)), max(row, 0));
            v[i * R0 + k] = mix(vec2(0.0), value, bvec2(row >= 0));
        }
}

#endif
#if COMPACT

int exact_start(int column)
{
    return channel_start() + exact_place(column, 0, u_columns.x, u_spectrum.x);
}

int exact_row(int row) // from there
{
    return row / 2 * (4 * EXACT) + row % 2 * 2;
}

// The first columns lie apart, as floats. Only the first groups ask.
void load_exact(int column, uint thread)
{
    int exact = exact_start(column);
    for (int i = 0; i < ROUNDS(R0, false); ++i)
        for (int k = 0; k < R0; ++k) {
            int row = min(int(thread) + i * THREADS, FIRST_STEP - 1) + k * FIRST_STEP;
#if BORDERED
            row = source_index(row, u_line, u_line_more);
#endif
            bool inside = row >= 0 && row < 2 * u_spectrum.x;
            int place = exact + (inside ? exact_row(row) : 0);
            vec2 value = uintBitsToFloat(uvec2(b_spectrum[place], b_spectrum[place + 1]));
            v[i * R0 + k] = mix(vec2(0.0), value, bvec2(inside));
        }
}

#endif
#if MODE == AG_COLUMNS_KERNEL
#include "common/info.glsl"
#endif
#include "fft/kernel_store.glsl"

#if MODE == AG_COLUMNS_CONVOLVE

// Column 0: F(j) (K0 + Kn)/2 + conj F(-j) (K0 - Kn)/2.
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
                    vec2 k0, kn;
                    both_of_column_0(j, u_columns.x, k0, kn);
                    v[e] = cmul(v[e], 0.5 * (k0 + kn)) + cmul(f, 0.5 * (k0 - kn));
                }
            }
    }
    if (column != 0)
        multiply(column, u_columns.x, thread);
#undef PLACE
}

#if COMPACT

// The scales of four rows each, from the sizes in shared memory; leaves their inverses there.
void find_scales(int rows)
{
    const int SHARERS = LINES / SHARE;
    for (int i = int(gl_LocalInvocationID.x); i < (rows + 3) / 4 * SHARERS; i += GROUP) {
        int quad = i / SHARERS, first = i % SHARERS * SHARE, column = int(gl_WorkGroupID.x) * LINES + first;
        uint size = 0u;
        for (int l = 0; l < SHARE; ++l)
            for (int k = 0; k < 4; ++k)
                size = max(size, floatBitsToUint(SHARED_FLOAT((first + l) * STRIDE +
                                                              min(4 * quad + rotated(k, quad), rows - 1))));
        SHARED_FLOAT(first * STRIDE + 4 * quad) = inverse_of(size);
        if (column < u_columns.x)
            b_spectrum[channel_start() + columns_scale(column, quad, u_columns.x, u_spectrum.x)] =
                floatBitsToUint(unit_of(size));
    }
}

// The line comes with real and imaginary parts swapped: this is the inverse. Sizes first, then words by the
// scales that they lead to.
void store_compact(int column, uint thread, uint line, bool alive)
{
    // An odd line that is the image's whole height has no second row in its last pair: what shared memory holds
    // in its place must not decide about a scale.
    int start = column_start(column), rows = min(2 * u_spectrum.x, N);
    int mine = int(line) * STRIDE, shares = int(line) / SHARE * SHARE * STRIDE;
    int exact = exact_start(column);
#define STORED(i, k) (HOLDS(i, FIRST_STEP, false) && (PADDED == 0 || b + (k) * FIRST_STEP < rows))
    sync_shared(); // the last exchange has been read
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < R0; ++k)
            if (STORED(i, k))
                SHARED_FLOAT(mine + b + k * FIRST_STEP) =
                    uintBitsToFloat(alive && column >= EXACT ? size_of(v[i * R0 + k]) : 0u);
    }
    sync_shared();
    find_scales(rows);
    sync_shared();
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS, place = row_place(b);
        for (int k = 0; k < R0; ++k)
            if (alive && STORED(i, k)) {
                int row = b + k * FIRST_STEP;
                vec2 value = v[i * R0 + k].yx;
                if (column >= EXACT) {
                    b_spectrum[start + leg_place(place, b, k)] =
                        to_word(value, SHARED_FLOAT(shares + row / 4 * 4));
                } else {
                    b_spectrum[exact + exact_row(row)] = floatBitsToUint(value.x);
                    b_spectrum[exact + exact_row(row) + 1] = floatBitsToUint(value.y);
                }
            }
    }
#undef STORED
}

#else

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
#if COMPACT
    if (column < EXACT)
        load_exact(column, thread);
#endif
#define REVERSED 0
#include "fft/transform.glsl"
#undef REVERSED

#if MODE == AG_COLUMNS_KERNEL
    if (alive)
        store_kernel(column, u_columns.x, thread);
#else
    if (gl_WorkGroupID.x == 0u)
        multiply_column_0(column, thread, line);
    else
        multiply(column, u_columns.x, thread);
    for (int i = 0; i < ELEMENTS; ++i)
        v[i] = v[i].yx;
#define REVERSED 1
#include "fft/transform.glsl"
#undef REVERSED
#if COMPACT
    store_compact(column, thread, line, alive);
#else
    store_in_order(column, thread, alive);
#endif
#endif
}
