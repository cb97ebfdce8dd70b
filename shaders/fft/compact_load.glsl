// fft/compact_load.glsl - unpacks half spectra of compact storage, and finds scales of columns
//   layout    fft/compact.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/compact.glsl"

// Both parts, in units of the scale.
vec2 dequantize(uint word)
{
    return uintBitsToFloat(uvec2(word & 0xffffu, word >> 16) | 0x4b000000u) - OFFSET;
}

// Of the scale of SHARE columns and four rows, which columns.comp writes.
int columns_scale(int column, int four)
{
    return RUNS * (4 * TILE + 2) + (column / TILE * ROW_FOURS + four) * (TILE / SHARE) +
           column % TILE / SHARE;
}
