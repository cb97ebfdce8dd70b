// fft/rows_store.glsl - the end of each R2C row pass: separates two rows' spectra and stores them
//   in        v           the spectrum Z = E + i O of row 2p (real parts) and row 2p + 1 (imaginary
//                         parts), as transform() of fft/line.glsl leaves it with MIRROR_LAST
//   out       b_spectrum  one range a channel, see fft/spectrum.glsl; compact storage is written in
//                         single words (docs/decisions.md, D3)
//   host sets the defines of fft/line.glsl and fft/spectrum.glsl, and
//             BAND_LIMITED  1 = frequencies from KEPT on are not stored (docs/bloom.md)
//             NARROW        1 = KEPT is at most half of THREADS and of N / LAST: instead of the
//                           last stage's butterflies a thread computes one frequency, from parts of
//                           the line that were transformed. LAST may be any number; main calls
//                           begin_last. In full storage only
//   includer defines CHANNEL_BUFFERS: bindings of b_spectrum, 4 unless b_alpha has the last one
//   how       full storage: a cell is stored as it is. Compact storage: phase 0 notes magnitudes in
//             shared memory; then each tile of the group's rows gets a scale; phase 1 stores the
//             quantized values
//   source    docs/convolve.md 3. One thread has both frequencies of a mirrored pair:
//             2 E(k) = Z(k) + conj Z(n-k), 2 O(k) = -i (Z(k) - conj Z(n-k))
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(BAND_LIMITED) || !defined(NARROW)
#error "BAND_LIMITED and NARROW (0 or 1) must be set by the host"
#endif
#ifndef CHANNEL_BUFFERS
#error "CHANNEL_BUFFERS (3 or 4) must be defined by the includer"
#endif
#include "common/sync.glsl"
#include "fft/spectrum.glsl"

#define MIRROR_FIRST (R1 == 1) // a single stage is both first and last
#define MIRROR_LAST true
#define LEFT_OUT (2 * NARROW)
#if NARROW
void take_last(uint line, uint thread, int part);
#endif
#include "fft/line.glsl"

layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum {
#if COMPACT
    uint at[];
#else
    vec4 at[];
#endif
} b_spectrum[CHANNEL_BUFFERS];

// ---- a frequency of both rows -------------------------------------------------------------------

#if !COMPACT

#define STORE_PHASES 1
void begin_phase(int phase, int c) {}

// `least`: a constant, at most f.
void store_frequency(int phase, int c, uint line, int pair, int f, int least, int cell, vec4 value)
{
    b_spectrum[c].at[cell] = value;
}

// Frequency n / 2.
void store_nyquist(int phase, int c, uint line, int pair, int cell, vec4 value)
{
    b_spectrum[c].at[cell] = value;
}

#else

// Whether n / 2 is alone in its tile and its scale; a column that is kept as floats has none.
const bool OWN_TILE = N / 2 % TILE == 0 && N / 2 >= EXACT;

// Both rows at a frequency.
void store_quantized(int c, int cell, vec4 value, float inverse)
{
    b_spectrum[c].at[2 * cell] = quantize(value.xy, inverse);
    b_spectrum[c].at[2 * cell + 1] = quantize(value.zw, inverse);
}

// The scale of each tile, from the magnitudes in shared memory; leaves its inverse there.
void find_scales(int c)
{
    const int TILES = OWN_TILE ? N / 2 / TILE : (N / 2 + TILE) / TILE;
    for (int i = int(gl_LocalInvocationID.x); i < TILES * LINES; i += GROUP) {
        int tile = i / LINES, row = i % LINES * STRIDE,
            pair = int(gl_WorkGroupID.x) * LINES + i % LINES;
        uint size = 0u;
        for (int k = 0; k < TILE; ++k)
            size = max(size, floatBitsToUint(SHARED_FLOAT(
                                 row + min(tile * TILE + rotated(k, tile), N / 2))));
        SHARED_FLOAT(row + tile * TILE) = inverse_scale_of(size);
        if (pair < ROW_PAIRS)
            b_spectrum[c].at[rows_scale(tile * TILE, pair)] = floatBitsToUint(scale_of(size));
    }
}

#define STORE_PHASES 2

void begin_phase(int phase, int c)
{
    sync_shared(); // the last exchange has been read
    if (phase == 1) {
        find_scales(c);
        sync_shared();
    }
}

// Phase 0 notes magnitudes, phase 1 stores values. `least`: a constant, at most f.
void store_frequency(int phase, int c, uint line, int pair, int f, int least, int cell, vec4 value)
{
    int row = int(line) * STRIDE;
    if (phase == 0) {
        uint size = max(magnitude_of(value.xy), magnitude_of(value.zw));
        if (least < EXACT)
            size &= -uint(f >= EXACT);
        SHARED_FLOAT(row + f) = uintBitsToFloat(size);
    } else if (least < EXACT && f < EXACT) {
        int exact = exact_place(f, pair);
        for (int i = 0; i < 4; ++i)
            b_spectrum[c].at[exact + i] = floatBitsToUint(value[i]);
    } else {
        store_quantized(c, cell, value, SHARED_FLOAT(row + f / TILE * TILE));
    }
}

// Frequency n / 2.
void store_nyquist(int phase, int c, uint line, int pair, int cell, vec4 value)
{
    if (!OWN_TILE) {
        store_frequency(phase, c, line, pair, N / 2, N / 2, cell, value);
    } else if (phase == 1) {
        uint size = max(magnitude_of(value.xy), magnitude_of(value.zw));
        b_spectrum[c].at[rows_scale(N / 2, pair)] = floatBitsToUint(scale_of(size));
        store_quantized(c, cell, value, inverse_scale_of(size));
    }
}

#endif

// ---- all frequencies ----------------------------------------------------------------------------

const int LAST_STEP = N / LAST; // of the frequencies of a butterfly; also the number of butterflies

// Twice the spectra of both rows at a frequency f, from Z(f) and Z(n - f).
vec4 separate_rows(vec2 z, vec2 m)
{
    return vec4(z.x + m.x, z.y - m.y, z.y + m.y, m.x - z.x);
}

#if NARROW

// Threads f < KEPT compute frequency f, those after them N - f.
#define OF_MIRRORED (int(thread) >= KEPT)
#define FREQUENCY (int(thread) - KEPT * int(OF_MIRRORED))

const int CHAINS = LAST % 4 == 0 ? 4 : LAST % 3 == 0 ? 3 : LAST % 2 == 0 ? 2 : 1;
const int LAST_STAGE = R4 > 1 ? 4 : R3 > 1 ? 3 : R2 > 1 ? 2 : 1;
vec2 g_turn, g_turns; // w and its power CHAINS
vec2 g_sum = vec2(0.0);

// The last stage. Its butterfly f has LAST values Y(k), frequency f of the points k, k + LAST, ..
// of the line, butterfly LAST_STEP - f those of frequency -f. With w = exp(-2 pi i f / N)
//
//   Z(f) = sum of w^k Y(k), k < LAST        Z(N - f) = sum of conj(w^k) Y'(k)
//
// CHAINS sums of each CHAINS-th value, by Horner's rule, have fewer roundings than one of all.
// Called once, because a load within a stage would be waited for.
void begin_last(uint thread)
{
    int row = R_STAGES[4 * LAST_STAGE + 1] + min(FREQUENCY, KEPT) * TWIDDLES(LAST);
    vec4 low = b_twiddle[row], high = LAST > 4 ? b_twiddle[row + 1] : vec4(0.0);
    g_turn = low.xy;
    g_turns = CHAINS == 4   ? high.xy
              : CHAINS == 3 ? cmul(low.xy, low.zw)
              : CHAINS == 2 ? low.zw
                            : low.xy;
    float sign = OF_MIRRORED ? -1.0 : 1.0;
    g_turn.y *= sign;
    g_turns.y *= sign;
}

// A value that the last exchange wrote: with SPLIT one of its parts.
vec2 written(int place)
{
#if SPLIT
    return vec2(s_exchange[place], 0.0);
#else
    return s_exchange[place];
#endif
}

void take_last(uint line, uint thread, int part)
{
    const int BLOCK = R_STAGES[4 * LAST_STAGE - 2], PAD = R_STAGES[4 * LAST_STAGE - 1];
    const int NEXT_VALUE = LAST_STEP + LAST_STEP / BLOCK * PAD;
    int f = FREQUENCY;
    if (f < KEPT) {
        int b = OF_MIRRORED && f > 0 ? LAST_STEP - f : f;
        int at = int(line) * STRIDE + b + b / BLOCK * PAD;
        vec2 all = vec2(0.0);
        for (int chain = CHAINS - 1; chain >= 0; --chain) {
            vec2 sum = vec2(0.0);
            for (int k = LAST - CHAINS + chain; k >= 0; k -= CHAINS)
                sum = cmul(sum, g_turns) + written(at + k * NEXT_VALUE);
            all = cmul(all, g_turn) + sum;
        }
        g_sum = part == 0 ? all : g_sum + vec2(-all.y, all.x);
    }
}

void store_spectra(int c, uint line, uint thread, int pair, bool alive)
{
    int f = FREQUENCY, at = int(line) * STRIDE + 2 * f;
    sync_shared(); // the last stage has read what was written
    if (OF_MIRRORED && f < KEPT) {
        SHARED_FLOAT(at) = g_sum.x;
        SHARED_FLOAT(at + 1) = g_sum.y;
    }
    sync_shared();
    if (!OF_MIRRORED && alive)
        b_spectrum[c].at[cell_index(f, pair)] =
            separate_rows(g_sum, vec2(SHARED_FLOAT(at), SHARED_FLOAT(at + 1)));
}

#else

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
        for (int k = 0; k < (LAST + 1) / 2; ++k) {
            vec4 value =
                separate_rows(A(k), mix(B(LAST - 1 - k), A((LAST - k) % LAST), bvec2(self)));
            int f = b0 + k * LAST_STEP, cell = cell_after(cell0, b0, k * LAST_STEP, pair);
            if (alive && HAS_BUTTERFLY(i, LAST_STEP, true) && (BAND_LIMITED == 0 || f < KEPT))
                store_frequency(phase, c, line, pair, f, k * LAST_STEP, cell, value);
        }
        for (int k = 0; k < LAST / 2; ++k) {
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

#endif
