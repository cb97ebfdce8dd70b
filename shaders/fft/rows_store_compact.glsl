// fft/rows_store_compact.glsl - how an R2C row pass stores spectra in compact storage
//   does      phase 0 notes magnitudes in shared memory; then each tile of the group's rows gets a
//             scale; phase 1 stores the quantized values
//   layout    fft/compact.glsl, stored as single words (docs/decisions.md, D3)
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/compact_store.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum {
    uint at[];
} b_spectrum[CHANNEL_BUFFERS];

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

#define LAST_STAGE_NEEDED true // all frequencies are kept
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

#include "fft/rows_store.glsl"
