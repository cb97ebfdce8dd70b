// fft/rows_load_compact.glsl - how a row pass back loads spectra of two bytes a component
//
//   does      what fft/rows_load.glsl asks for; layout: fft/compact.glsl
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_ROWS_LOAD_COMPACT_GLSL
#define AG_FFT_ROWS_LOAD_COMPACT_GLSL
#include "fft/compact.glsl"
#include "fft/rows_load.glsl"

vec4 frequency(int c, int f, int least, int pair, int cell)
{
    int place = columns_scale(f, pair / 2);
    uvec2 words = CELL(c, cell), both = CELL(c, place / 2);
    uint scale = place % 2 == 0 ? both.x : both.y;
    vec4 value = vec4(from_word(words.x), from_word(words.y)) * uintBitsToFloat(scale);
    if (least < EXACT && f < EXACT) {
        int exact = exact_place(f, pair) / 2;
        value = uintBitsToFloat(uvec4(CELL(c, exact), CELL(c, exact + 1)));
    }
    return value; // once, at the end: see fft/line.glsl on functions that return early
}

#endif
