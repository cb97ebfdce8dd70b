// fft/rows_load.glsl - the start of each C2R row pass: combines the half spectra of two rows
//   in        b_spectrum  from the column pass, one range a channel, see fft/spectrum.glsl
//   out       v           Z = E + i O of two rows, parts swapped, for an inverse transform. After
//                         transform() imaginary parts hold row 2p, real parts row 2p + 1
//   host sets the defines of fft/line.glsl (radices from last to first) and fft/spectrum.glsl, and
//             BAND_LIMITED  1 = frequencies from KEPT on are zero, in full storage only
//             NARROW        1 = a thread has at most one of the others, see fft/rows_store.glsl
//             PER_CHANNEL   1 = a group's lines are the channels of one row pair, in one range
//   includer defines CHANNEL_BUFFERS: bindings of b_spectrum, 4 unless b_alpha has the last one
//   source    docs/convolve.md 3
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(BAND_LIMITED) || !defined(NARROW) || !defined(PER_CHANNEL)
#error "BAND_LIMITED, NARROW and PER_CHANNEL (0 or 1) must be set by the host"
#endif
#ifndef CHANNEL_BUFFERS
#error "CHANNEL_BUFFERS (3 or 4) must be defined by the includer"
#endif
#include "fft/spectrum.glsl"

#define MIRROR_FIRST true
#define MIRROR_LAST false
#define MIRROR_OUT (R1 == 1) // a single stage is both first and last
#include "fft/line.glsl"

layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
#if COMPACT
    uvec2 at[]; // a cell, one word for each of two rows; or two scales
#else
    vec4 at[];
#endif
} b_spectrum[CHANNEL_BUFFERS];
#if PER_CHANNEL // all channels are in the first buffer
#if COMPACT // CELLS_OF_CHANNEL counts 16 bytes
#define CELL(c, place) b_spectrum[0].at[2 * c * CELLS_OF_CHANNEL + place]
#else
#define CELL(c, place) b_spectrum[0].at[c * CELLS_OF_CHANNEL + place]
#endif
#else
#define CELL(c, place) b_spectrum[c].at[place]
#endif

// ---- a frequency of both rows -------------------------------------------------------------------

#if !COMPACT

// Frequency f of channel c: its cell, or 0 where none was stored. It always loads from inside the
// buffer, so that no load needs a branch.
vec4 frequency(int c, int f, int pair, int cell)
{
#if BAND_LIMITED
    bool inside = f < KEPT;
    return mix(vec4(0.0), CELL(c, int(inside) * cell), bvec4(inside));
#else
    return CELL(c, cell);
#endif
}

#define EXACT_COLUMNS 0 // full storage keeps no columns elsewhere
#define exact(c, f, pair) vec4(0.0)

#else

// Frequency f of channel c. No branch and no ?:, which is one (docs/decisions.md, D13).
vec4 frequency(int c, int f, int pair, int cell)
{
    int place = columns_scale(f, pair / 2);
    uvec2 words = CELL(c, cell), both = CELL(c, place / 2);
    uint scale = both.x ^ ((both.x ^ both.y) & -uint(place & 1));
    return vec4(dequantize(words.x), dequantize(words.y)) * uintBitsToFloat(scale);
}

#define EXACT_COLUMNS EXACT

// Frequency f < EXACT, stored as floats.
vec4 exact(int c, int f, int pair)
{
    int place = exact_place(f, pair) / 2;
    return uintBitsToFloat(uvec4(CELL(c, place), CELL(c, place + 1)));
}

#endif

// ---- all frequencies ----------------------------------------------------------------------------

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
