// fft/columns.comp - columns of the spectrum: FFT, times the kernel's spectrum, inverse FFT
//
//   in, out   b_spectrum        from rows_forward.comp, overwritten in place
//   in        b_kernel, b_real  the kernel's half spectrum, see fft/kernel_read.glsl
//   host sets the defines of fft/line.glsl (both orders), fft/spectrum.glsl and fft/columns_load.glsl
//   dispatch  ceil(KEPT / LINES), channels
//   cost      reads and writes each cell once, reads the kernel once
//   source    docs/convolve.md 3 to 5. columns_banded.comp is the same for few columns
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/columns_load.glsl"
#include "fft/kernel_read.glsl"

void multiply(int column, uint thread)
{
    kernel_column kernel = column_to_read(column);
    if (KERNEL_FORM == AG_KERNEL_COMPLEX)
        for (int i = 0; i < ROUNDS(LAST, false); ++i) {
            int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
            for (int k = 0; k < LAST; ++k)
                v[i * LAST + k] = cmul(v[i * LAST + k], complex_value(kernel, b + k * LAST_STEP));
        }
    else
        for (int i = 0; i < ROUNDS(LAST, false); ++i) {
            int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
            for (int k = 0; k < LAST; ++k)
                v[i * LAST + k] *= kernel_value(kernel, b + k * LAST_STEP);
        }
}

#define STORED(i, k) (HOLDS(i, FIRST_STEP, false) && (PADDED == 0 || b + (k) * FIRST_STEP < rows))

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
    int exact = exact_start(column);
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
                    b_spectrum[start + leg_place(place, b, k)] = to_word(value, SHARED_FLOAT(shares + row / 4 * 4));
                } else {
                    b_spectrum[exact + exact_row(row)] = floatBitsToUint(value.x);
                    b_spectrum[exact + exact_row(row) + 1] = floatBitsToUint(value.y);
                }
            }
    }
}

#else

// The line comes with real and imaginary parts swapped: this is the inverse.
void store_column(int column, uint thread, uint line, bool alive)
{
    int start = column_start(column), rows = 2 * PAIRS_OF_ROWS;
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS, place = row_place(b);
        for (int k = 0; k < R0; ++k)
            if (alive && STORED(i, k))
                b_spectrum[start + leg_place(place, b, k)] = v[i * R0 + k].yx;
    }
}

#endif

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = column < KEPT;
    column = min(column, KEPT - 1);

    load_column(column, thread);
#define ORDER 0
#include "fft/transform.glsl"
#undef ORDER
    multiply(column, thread);
    for (int i = 0; i < ELEMENTS; ++i)
        v[i] = v[i].yx;
#define ORDER 1
#include "fft/transform.glsl"
#undef ORDER
    store_column(column, thread, line, alive);
}
