// fft/columns.comp - column pass: forward FFT, product with the kernel's spectrum, inverse FFT
//
//   in, out   b_spectrum        from rows_r2c.comp, overwritten in place
//   in        b_kernel, b_real  the kernel's half spectrum, see fft/kernel_read.glsl
//   host sets the defines of fft/line.glsl (both orders), fft/spectrum.glsl and
//             fft/columns_load.glsl
//   dispatch  ceil(KEPT / LINES), channels; one dispatch a channel where a storage block cannot
//             hold all
//   cost      reads and writes each cell once, reads the kernel's spectrum once
//   limits    registers: 48 VGPRs, 10 waves a SIMD on RDNA 2; 48, 5 on GCN 5 (docs/gpus.md)
//   source    docs/convolve.md 3 to 5. columns_band_limited.comp is for few columns,
//             columns_compact.comp for compact storage
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/full.glsl"
#include "fft/columns.glsl"

void load_exact(int column, uint thread) {} // full storage keeps no columns elsewhere

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
