// fft/rows_store.glsl - the end of each R2C row pass: separates two rows' spectra and stores them
//   include   after fft/rows_store_full.glsl or fft/rows_store_compact.glsl, which define
//             b_spectrum, STORE_PHASES, begin_phase, store_frequency, store_nyquist and
//             LAST_STAGE_NEEDED (fft/stage.glsl)
//   in        v           the spectrum Z = E + i O of row 2p (real parts) and row 2p + 1 (imaginary
//                         parts), as fft/transform.glsl leaves it with MIRROR_LAST
//   out       b_spectrum  one range a channel, see fft/spectrum.glsl
//   host sets BAND_LIMITED  1 = frequencies from KEPT on are not stored (docs/bloom.md)
//             NARROW        1 = KEPT is at most THREADS, and at most half the distance of a
//                           thread's frequencies: each thread keeps at most one frequency
//   source    docs/convolve.md 3. One thread has both frequencies of a mirrored pair:
//             2 E(k) = Z(k) + conj Z(n-k), 2 O(k) = -i (Z(k) - conj Z(n-k))
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(BAND_LIMITED) || !defined(NARROW)
#error "BAND_LIMITED and NARROW (0 or 1) must be set by the host"
#endif
#include "fft/line.glsl"

#define MIRROR_FIRST (R1 == 1) // a single stage is both first and last
#define MIRROR_LAST true

const int LAST_STEP = N / LAST; // of the frequencies of a butterfly; also the number of butterflies

// Twice the spectra of both rows at a frequency f, from Z(f) and Z(n - f).
vec4 separate_rows(vec2 z, vec2 m)
{
    return vec4(z.x + m.x, z.y - m.y, z.y + m.y, m.x - z.x);
}

// Stores what butterflies b and LAST_STEP - b hold. Their elements A(k) and B(k) are frequencies
// b + k LAST_STEP and LAST_STEP - b + k LAST_STEP; the mirror image of A(k) is B(LAST - 1 - k).
// Butterflies 0 and LAST_STEP / 2 mirror themselves; thread 0 has both, and frequency n / 2.
void store_frequencies(int phase, int c, uint line, uint thread, int pair, bool alive)
{
    for (int i = 0; i < ROUNDS(LAST, true); i += 2) {
        bool self = i == 0 && thread == 0u;
        int b0 = int(BUTTERFLY(i, LAST_STEP, true)), b1 = int(BUTTERFLY(i + 1, LAST_STEP, true));
        int cell0 = cell_index(b0, pair), cell1 = cell_index(b1, pair);
#define A(k) v[i * LAST + (k)]
#define B(k) v[(i + 1) * LAST + (k)]
        for (int k = 0; k < (NARROW == 1 ? 1 : (LAST + 1) / 2); ++k) {
            vec4 value =
                separate_rows(A(k), mix(B(LAST - 1 - k), A((LAST - k) % LAST), bvec2(self)));
            int f = b0 + k * LAST_STEP, cell = cell_after(cell0, b0, k * LAST_STEP, pair);
            if (alive && HAS_BUTTERFLY(i, LAST_STEP, true) && (BAND_LIMITED == 0 || f < KEPT))
                store_frequency(phase, c, line, pair, f, k * LAST_STEP, cell, value); // D51
        }
        for (int k = 0; k < (NARROW == 1 ? 0 : LAST / 2); ++k) {
            vec4 value = separate_rows(B(k), mix(A(LAST - 1 - k), B(LAST - 1 - k), bvec2(self)));
            int f = b1 + k * LAST_STEP, cell = cell_after(cell1, b1, k * LAST_STEP, pair);
            int lowest = k * LAST_STEP + LAST_STEP / 2;
            if (alive && HAS_BUTTERFLY(i + 1, LAST_STEP, true) && (BAND_LIMITED == 0 || f < KEPT))
                store_frequency(phase, c, line, pair, f, lowest, cell, value);
        }
#if !BAND_LIMITED
        if (self && alive) { // frequency n / 2 is its own mirror image
            vec2 z = LAST % 2 == 0 ? A(LAST / 2) : B(LAST / 2);
            vec4 value = 2.0 * vec4(z.x, 0.0, z.y, 0.0);
            store_nyquist(phase, c, line, pair, cell_index(N / 2, pair), value);
        }
#endif
#undef A
#undef B
    }
}

void store_spectra(int c, uint line, uint thread, int pair, bool alive)
{
    for (int phase = 0; phase < STORE_PHASES; ++phase) {
        begin_phase(phase, c);
        store_frequencies(phase, c, line, thread, pair, alive);
    }
}
