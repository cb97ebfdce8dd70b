// fft/rows_load_compact.glsl - how a C2R row pass loads spectra in compact storage
//   does      defines what fft/rows_load.glsl needs
//   layout    fft/compact.glsl; `at` is a cell (one word for each of two rows) or two scales
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/compact_load.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum {
    uvec2 at[];
} b_spectrum[CHANNEL_BUFFERS];
#if PER_CHANNEL // all channels are in the first buffer; CELLS_OF_CHANNEL counts 16 bytes
#define CELL(c, place) b_spectrum[0].at[2 * c * CELLS_OF_CHANNEL + place]
#else
#define CELL(c, place) b_spectrum[c].at[place]
#endif

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

#include "fft/rows_load.glsl"
