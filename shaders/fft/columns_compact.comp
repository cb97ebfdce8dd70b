// fft/columns_compact.comp - columns.comp where spectra have two bytes a component
//
//   in, out   as columns.comp; b_spectrum in the layout of fft/compact.glsl
//   host sets as for columns.comp
//   dispatch  as columns.comp
//   cost      as columns.comp with about half of the spectrum's bytes; sizes and scales take three barriers more
//   source    docs/convolve.md 6
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/compact_store.glsl"
#include "fft/columns.glsl"

int exact_start(int column)
{
    return channel_start() + exact_place(column, 0);
}

int exact_row(int row) // from there
{
    return row / 2 * (4 * EXACT) + row % 2 * 2;
}

vec2 value_at(int column, int start, int place, int row)
{
    int scale = channel_start() + rows_scale(column, 0) + (row >> 1);
    return from_word(b_spectrum[start + place]) * uintBitsToFloat(b_spectrum[scale]);
}

// The first columns lie apart, as floats: only the first groups ask, so a loop that is not unrolled is good enough.
// Registers are filled from the last one on, as in fft/rows_r2c.glsl.
const int PLACES = ROUNDS(R0, false) * R0;

void load_exact(int column, uint thread)
{
    if (column < EXACT)
        for (int turn = 0; turn < PLACES + NEVER; ++turn) {
            int row = min(int(thread) + turn / R0 * THREADS, FIRST_STEP - 1) + turn % R0 * FIRST_STEP;
#if BORDERED
            row = source_index(row, u_line, u_line_more);
#endif
            bool inside = row >= 0 && row < 2 * PAIRS_OF_ROWS;
            int at = exact_start(column) + int(inside) * exact_row(row);
            for (int e = 0; e < PLACES - 1; ++e)
                v[e] = v[e + 1];
            v[PLACES - 1] = mix(vec2(0.0), uintBitsToFloat(uvec2(b_spectrum[at], b_spectrum[at + 1])), bvec2(inside));
        }
}

void store_exact(int column, uint thread, int rows)
{
    int exact = exact_start(column);
    for (int turn = 0; turn < PLACES + NEVER; ++turn) {
        int i = turn / R0, b = int(thread) + i * THREADS, k = turn % R0;
        int place = exact + exact_row(b + k * FIRST_STEP);
        if (STORED(i, k)) {
            b_spectrum[place] = floatBitsToUint(v[0].y);
            b_spectrum[place + 1] = floatBitsToUint(v[0].x);
        }
        for (int e = 0; e < PLACES - 1; ++e)
            v[e] = v[e + 1];
    }
}

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
        if (column < KEPT)
            b_spectrum[channel_start() + columns_scale(column, quad)] = floatBitsToUint(unit_of(size));
    }
}

// The line comes with real and imaginary parts swapped: this is the inverse. Sizes first, then words by the
// scales that they lead to.
void store_column(int column, uint thread, uint line, bool alive)
{
    // An odd line that is the image's whole height has no second row in its last pair: what shared memory holds
    // in its place must not decide about a scale.
    int start = column_start(column), rows = min(2 * PAIRS_OF_ROWS, N);
    int mine = int(line) * STRIDE, shares = int(line) / SHARE * SHARE * STRIDE;
    uint counts = -uint(alive && column >= EXACT); // all bits: a mask, because ?: is a branch on NVIDIA
    sync_shared(); // the last exchange has been read
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < R0; ++k)
            if (STORED(i, k))
                SHARED_FLOAT(mine + b + k * FIRST_STEP) = uintBitsToFloat(size_of(v[i * R0 + k]) & counts);
    }
    sync_shared();
    find_scales(rows);
    sync_shared();
    if (alive && column < EXACT)
        store_exact(column, thread, rows);
    else if (alive)
        for (int i = 0; i < ROUNDS(R0, false); ++i) {
            int b = int(thread) + i * THREADS, place = row_place(b);
            for (int k = 0; k < R0; ++k)
                if (STORED(i, k)) {
                    float inverse = SHARED_FLOAT(shares + (b + k * FIRST_STEP) / 4 * 4);
                    b_spectrum[start + leg_place(place, b, k)] = to_word(v[i * R0 + k].yx, inverse);
                }
        }
}
