// fft/rows_load.glsl - the start of each C2R row pass: combines the half spectra of two rows
//   include   after fft/rows_load_full.glsl or fft/rows_load_compact.glsl, which define b_spectrum,
//             frequency and exact
//   in        b_spectrum  from the column pass, one range a channel, see fft/spectrum.glsl
//   out       v           Z = E + i O of two rows, parts swapped, for an inverse transform. After
//                         fft/transform.glsl imaginary parts hold row 2p, real parts row 2p + 1
//   host sets BAND_LIMITED  1 = frequencies from KEPT on are zero
//             NARROW        1 = a thread has at most one of the others, see fft/rows_store.glsl
//             PER_CHANNEL   1 = a group's lines are the channels of one row pair, in one range
//   source    docs/convolve.md 3
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(BAND_LIMITED) || !defined(NARROW)
#error "BAND_LIMITED and NARROW (0 or 1) must be set by the host"
#endif
#include "fft/line.glsl"

#define MIRROR_FIRST true
#define MIRROR_LAST false
#define MIRROR_OUT (R1 == 1) // a single stage is both first and last
#define LAST_STAGE_NEEDED true

const int FIRST_STEP = N / R0; // of a first butterfly's frequencies; also the number of those
const int OUT_STEP = N / LAST;  // of the texels of a last butterfly
const int PLACES = ROUNDS(LAST, MIRROR_OUT) * LAST; // texels of a row in a thread's registers

// As in fft/rows_store.glsl, a[k] is frequency b + k FIRST_STEP, b[k] is FIRST_STEP - b + k
// FIRST_STEP. Those above N / 2 follow from the mirrored ones of the other butterfly.
void load_spectra(int c, uint thread, int pair)
{
    for (int i = 0; i < ROUNDS(R0, true); i += 2) {
        bool self = i == 0 && thread == 0u; // butterflies 0 and FIRST_STEP / 2 mirror themselves
        // threads without a butterfly load another's, so that no load needs a branch
        int b0 = min(int(BUTTERFLY(i, FIRST_STEP, true)), FIRST_STEP - 1);
        int b1 = min(max(int(BUTTERFLY(i + 1, FIRST_STEP, true)), 0), FIRST_STEP - 1);
        int cell0 = cell_index(b0, pair), cell1 = cell_index(b1, pair);
        vec4 a[R0], b[R0], last;
        for (int k = 0; k < R0; ++k) {
            a[k] = vec4(0.0);
            b[k] = vec4(0.0);
        }
        for (int k = 0; k < (NARROW == 1 ? 1 : (R0 + 1) / 2); ++k)
            a[k] = frequency(c, b0 + k * FIRST_STEP, pair,
                             cell_after(cell0, b0, k * FIRST_STEP, pair));
        for (int k = 0; k < (NARROW == 1 ? 0 : R0 / 2); ++k)
            b[k] = frequency(c, b1 + k * FIRST_STEP, pair,
                             cell_after(cell1, b1, k * FIRST_STEP, pair));
        if (BAND_LIMITED == 0 && i == 0) // all load n / 2, one needs it: docs/decisions.md, D21
            last = frequency(c, N / 2, pair, cell_index(N / 2, pair));
        // The exact columns of compact storage. Few threads load them, in branches: these loads are
        // last.
        for (int k = 0; k < (R0 + 1) / 2; ++k)
            if (k * FIRST_STEP < EXACT_COLUMNS && b0 + k * FIRST_STEP < EXACT_COLUMNS)
                a[k] = exact(c, b0 + k * FIRST_STEP, pair);
        for (int k = 0; k < R0 / 2; ++k)
            if (k * FIRST_STEP + FIRST_STEP / 2 < EXACT_COLUMNS &&
                b1 + k * FIRST_STEP < EXACT_COLUMNS)
                b[k] = exact(c, b1 + k * FIRST_STEP, pair);
        if (i == 0 && N / 2 < EXACT_COLUMNS)
            last = exact(c, N / 2, pair);
        // Z(f) = E + i O and Z(n - f) = conj E + i conj O, real and imaginary parts swapped
        for (int k = 0; k < R0; ++k) {
            if (k < (R0 + 1) / 2) {
                v[i * R0 + k] = vec2(a[k].y + a[k].z, a[k].x - a[k].w);
            } else {
                vec4 m = mix(b[R0 - 1 - k], a[R0 - k], bvec4(self));
                v[i * R0 + k] = vec2(m.z - m.y, m.x + m.w);
            }
            if (k < R0 / 2) {
                v[(i + 1) * R0 + k] = vec2(b[k].y + b[k].z, b[k].x - b[k].w);
            } else {
                vec4 m = mix(a[R0 - 1 - k], b[R0 - 1 - k], bvec4(self));
                v[(i + 1) * R0 + k] = vec2(m.z - m.y, m.x + m.w);
            }
        }
        // Frequency n / 2 is its own mirror image. With BAND_LIMITED its place holds 0 already.
        if (BAND_LIMITED == 0 && i == 0) {
            const int NYQUIST = R0 % 2 == 0 ? R0 / 2 : R0 + R0 / 2;
            v[NYQUIST] = mix(v[NYQUIST], last.zx, bvec2(self));
        }
    }
}
