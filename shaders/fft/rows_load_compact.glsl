// fft/rows_load_compact.glsl - how a row pass back loads spectra of two bytes a component
//
//   does      what fft/rows_load.glsl asks for
//   layout    fft/compact.glsl; `at` is a cell, the words of both rows, or two neighbouring scales
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_ROWS_LOAD_COMPACT_GLSL
#define AG_FFT_ROWS_LOAD_COMPACT_GLSL
#include "fft/compact.glsl"

#ifndef CHANNEL_BUFFERS
#define CHANNEL_BUFFERS 4
#endif
layout(std430, binding = AG_SSBO_SPECTRUM) readonly buffer Spectrum { uvec2 at[]; } b_spectrum[CHANNEL_BUFFERS];
#if PER_CHANNEL // all channels are in the first; a cell of full storage is two of these
#define CELL(c, place) b_spectrum[0].at[2 * c * CELLS_OF_CHANNEL + place]
#else
#define CELL(c, place) b_spectrum[c].at[place]
#endif

// Frequency f of channel c. Free of branches, and of ?:, which is one: each would make the next load wait for this.
vec4 frequency(int c, int f, int pair, int cell)
{
    int place = columns_scale(f, pair / 2);
    uvec2 words = CELL(c, cell), both = CELL(c, place / 2);
    uint scale = both.x ^ ((both.x ^ both.y) & -uint(place & 1));
    return vec4(from_word(words.x), from_word(words.y)) * uintBitsToFloat(scale);
}

#define EXACT_COLUMNS EXACT

// Frequency f < EXACT, stored as floats.
vec4 exact(int c, int f, int pair)
{
    int place = exact_place(f, pair) / 2;
    return uintBitsToFloat(uvec4(CELL(c, place), CELL(c, place + 1)));
}

#include "fft/rows_load.glsl"

#endif
