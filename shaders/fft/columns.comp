// fft/columns.comp - column pass: forward FFT, product with the kernel's spectrum, inverse FFT
//
//   in, out   b_spectrum        from rows_r2c.comp, overwritten in place
//   in        b_kernel, b_real  the kernel's half spectrum, see fft/kernel_spectrum.glsl
//   host sets the defines of fft/columns_load.glsl, with Q0 .. Q4 of fft/line.glsl
//   dispatch  ceil(KEPT / LINES), channels; one dispatch a channel where a storage block cannot
//             hold all
//   cost      reads and writes each cell once, reads the kernel's spectrum once. Compact storage
//             has about half of these bytes, and three barriers more
//   limits    registers: 48 VGPRs, 10 waves a SIMD on RDNA 2; 48, 5 on GCN 5 (docs/gpus.md)
//   source    docs/convolve.md 3 to 6. columns_band_limited.comp is for few columns
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/sync.glsl"
#include "fft/columns_load.glsl"
#include "fft/kernel_spectrum.glsl"

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

// Whether a thread stores an element: a row of the image, in a butterfly that it has.
#define STORED(i, k) \
    (HAS_BUTTERFLY(i, FIRST_STEP, false) && (PADDED == 0 || b + (k) * FIRST_STEP < rows))

#if !COMPACT

// Real and imaginary parts of the line are swapped: this is the inverse transform.
void store_column(int column, uint thread, uint line, bool alive)
{
    int start = column_start(column), rows = 2 * ROW_PAIRS;
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS, place = row_place(b);
        for (int k = 0; k < R0; ++k)
            if (alive && STORED(i, k))
                b_spectrum[start + element_place(place, b, k)] = v[i * R0 + k].yx;
    }
}

#else

int exact_start(int column)
{
    return channel_start() + exact_place(column, 0);
}

int exact_row(int row) // relative to exact_start
{
    return row / 2 * (4 * EXACT) + row % 2 * 2;
}

// Loads one of the exact columns, which are stored as floats. Only the first groups do so, so the
// loop is not unrolled. It fills the registers from the last one on, as fft/rows_r2c.comp draws.
const int PLACES = ROUNDS(R0, false) * R0;

void load_exact(int column, uint thread)
{
    if (column < EXACT)
        for (int batch = 0; batch < PLACES + NEVER; ++batch) {
            int row = min(int(thread) + batch / R0 * THREADS, FIRST_STEP - 1) +
                      batch % R0 * FIRST_STEP;
#if BORDERED
            row = source_index(row, u_line, u_line_more);
#endif
            bool inside = row >= 0 && row < 2 * ROW_PAIRS;
            int at = exact_start(column) + int(inside) * exact_row(row);
            for (int e = 0; e < PLACES - 1; ++e)
                v[e] = v[e + 1];
            v[PLACES - 1] =
                mix(vec2(0.0), uintBitsToFloat(uvec2(b_spectrum[at], b_spectrum[at + 1])),
                    bvec2(inside));
        }
}

void store_exact(int column, uint thread, int rows)
{
    int exact = exact_start(column);
    for (int batch = 0; batch < PLACES + NEVER; ++batch) {
        int i = batch / R0, b = int(thread) + i * THREADS, k = batch % R0;
        int place = exact + exact_row(b + k * FIRST_STEP);
        if (STORED(i, k)) {
            b_spectrum[place] = floatBitsToUint(v[0].y);
            b_spectrum[place + 1] = floatBitsToUint(v[0].x);
        }
        for (int e = 0; e < PLACES - 1; ++e)
            v[e] = v[e + 1];
    }
}

// Finds the scales of four rows each from the magnitudes in shared memory, and leaves their
// inverses there.
void find_scales(int rows)
{
    const int SCALES = LINES / SHARE;
    for (int i = int(gl_LocalInvocationID.x); i < (rows + 3) / 4 * SCALES; i += GROUP) {
        int four = i / SCALES, first = i % SCALES * SHARE,
            column = int(gl_WorkGroupID.x) * LINES + first;
        uint size = 0u;
        for (int l = 0; l < SHARE; ++l)
            for (int k = 0; k < 4; ++k)
                size = max(size, floatBitsToUint(SHARED_FLOAT(
                       (first + l) * STRIDE + min(4 * four + rotated(k, four), rows - 1))));
        SHARED_FLOAT(first * STRIDE + 4 * four) = inverse_scale_of(size);
        if (column < KEPT)
            b_spectrum[channel_start() + columns_scale(column, four)] =
                floatBitsToUint(scale_of(size));
    }
}

// Stores a line whose real and imaginary parts are swapped (the inverse transform). The magnitudes
// go through shared memory first; the scales follow from them, and the quantized values from the
// scales.
void store_column(int column, uint thread, uint line, bool alive)
{
    // Where an odd line is the image's whole height, its last row pair has no second row: what
    // shared memory holds in its place must not change a scale.
    int start = column_start(column), rows = min(2 * ROW_PAIRS, N);
    int mine = int(line) * STRIDE, shares = int(line) / SHARE * SHARE * STRIDE;
    uint counts = -uint(alive && column >= EXACT); // a mask, because ?: is a branch on NVIDIA
    sync_shared(); // the last exchange has been read
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = int(thread) + i * THREADS;
        for (int k = 0; k < R0; ++k)
            if (STORED(i, k))
                SHARED_FLOAT(mine + b + k * FIRST_STEP) =
                    uintBitsToFloat(magnitude_of(v[i * R0 + k]) & counts);
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
                    b_spectrum[start + element_place(place, b, k)] =
                        quantize(v[i * R0 + k].yx, inverse);
                }
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
#if COMPACT
    load_exact(column, thread);
#endif
    transform(line, thread);
    multiply(column, thread);
    for (int i = 0; i < ELEMENTS; ++i)
        v[i] = v[i].yx;
    transform_back(line, thread);
    store_column(column, thread, line, alive);
}
