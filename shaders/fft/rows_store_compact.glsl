// fft/rows_store_compact.glsl - how a forward row pass stores spectra in two bytes a component
//
//   does      what fft/rows_store.glsl asks for, in two turns: sizes of all frequencies of the group's rows meet in
//             shared memory, each tile of them gets a scale; then words follow from the scales
//   layout    fft/compact.glsl. Single words: one of two neighbouring scales that two threads store as the components of
//             a vector was lost on NVIDIA's driver (docs/decisions.md, D3)
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_ROWS_STORE_COMPACT_GLSL
#define AG_FFT_ROWS_STORE_COMPACT_GLSL
#include "fft/compact_store.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) writeonly buffer Spectrum { uint at[]; } b_spectrum[CHANNEL_BUFFERS];

const bool OWN_TILE = N / 2 % TILE == 0; // frequency n / 2 shares its tile, and so its scale, with no other

// The words of both rows at a frequency.
void store_words(int c, int cell, vec4 value, float inverse)
{
    b_spectrum[c].at[2 * cell] = to_word(value.xy, inverse);
    b_spectrum[c].at[2 * cell + 1] = to_word(value.zw, inverse);
}

// The scales of each tile of the group's rows but that of n / 2 alone, from the sizes in shared memory; leaves their
// inverses there.
void find_scales(int c)
{
    const int TILES = OWN_TILE ? N / 2 / TILE : (N / 2 + TILE) / TILE;
    for (int i = int(gl_LocalInvocationID.x); i < TILES * LINES; i += GROUP) {
        int tile = i / LINES, row = i % LINES * STRIDE, pair = int(gl_WorkGroupID.x) * LINES + i % LINES;
        uint size = 0u;
        for (int k = 0; k < TILE; ++k)
            size = max(size, floatBitsToUint(SHARED_FLOAT(row + min(tile * TILE + rotated(k, tile), N / 2))));
        SHARED_FLOAT(row + tile * TILE) = inverse_of(size);
        if (pair < PAIRS_OF_ROWS)
            b_spectrum[c].at[rows_scale(tile * TILE, pair)] = floatBitsToUint(unit_of(size));
    }
}

#define PUT_TURNS 2

void begin_turn(int turn, int c)
{
    sync_shared(); // the last exchange has been read
    if (turn == 1) {
        find_scales(c);
        sync_shared();
    }
}

// Turn 0: notes the size of both rows at a frequency. Turn 1: stores them. `least`: what f is at least, a constant, so
// that only few ask whether f is one of the first columns, which are exact.
void put(int turn, int c, uint line, int pair, int f, int least, int cell, vec4 value)
{
    int row = int(line) * STRIDE;
    if (turn == 0) {
        uint size = max(size_of(value.xy), size_of(value.zw));
        if (least < EXACT)
            size &= -uint(f >= EXACT);
        SHARED_FLOAT(row + f) = uintBitsToFloat(size);
    } else if (least < EXACT && f < EXACT) {
        int exact = exact_place(f, pair);
        for (int i = 0; i < 4; ++i)
            b_spectrum[c].at[exact + i] = floatBitsToUint(value[i]);
    } else {
        store_words(c, cell, value, SHARED_FLOAT(row + f / TILE * TILE));
    }
}

// Frequency n / 2.
void put_last(int turn, int c, uint line, int pair, int cell, vec4 value)
{
    if (!OWN_TILE) {
        put(turn, c, line, pair, N / 2, N / 2, cell, value);
    } else if (turn == 1) {
        uint size = max(size_of(value.xy), size_of(value.zw));
        b_spectrum[c].at[rows_scale(N / 2, pair)] = floatBitsToUint(unit_of(size));
        store_words(c, cell, value, inverse_of(size));
    }
}

#include "fft/rows_store.glsl"

#endif
