// fft/compact.glsl - the half spectra of the rows in two bytes a component: layout, and unpacking
//
//   layout    of a channel, in words of 4 bytes; a word holds one frequency of one row: real part in its
//             lower half, imaginary part in its upper. Columns are cut into tiles of TILE; in a tile four
//             rows after four rows:
//
//                 rows 0..3   f0: r0 r1 r2 r3   f1: r0 r1 r2 r3   f2 ..   f3 ..     64 bytes
//                 rows 4..7   ..
//
//             so two pairs of rows write whole runs, and two columns read whole 32-byte sectors.
//   scales    behind them: one of each pair of rows and tile, for what rows_r2c.comp wrote; one of each
//             four rows and SHARE columns, for what columns.comp wrote. 16 components share a scale
//             (two to a side, when SHARE is 1: 8)
//   exact     behind those: the first EXACT columns as floats, cells of two rows as in full storage, a pair
//             of rows after another. Column 0 holds the sums of the rows, often a hundred times all else: in
//             a shared scale its neighbours would lose that much. And the first few hold all that a wide
//             blur leaves of a scene of noise, also where a clamped border has made them large
//   error     half a unit of 1/32767 of the largest of those that share a scale. docs/convolve.md 6
//   host sets SHARE  columns that share a scale, 2, or 1 when a group has one line
//             EXACT  columns that are kept as floats
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_COMPACT_GLSL
#define AG_FFT_COMPACT_GLSL
#if !defined(SHARE) || !defined(EXACT)
#error "SHARE (1 or 2) and EXACT must be set by the host"
#endif
#define COMPACT 1
#include "fft/spectrum.glsl"

// A float that is this plus an integer of -32768 .. 32767 has its 16 bits (offset binary) as its lowest:
// adding it rounds and converts in one instruction, and there is none for the way back.
const float OFFSET = 8421376.0; // 2^23 + 2^15

// In units of the scale.
vec2 from_word(uint word)
{
    return uintBitsToFloat(uvec2(word & 0xffffu, word >> 16) | 0x4b000000u) - OFFSET;
}

// ---- where things lie, in words

#define GATHERS_2X2 ((PAIRS_OF_ROWS + 1) / 2)             // of rows
#define RUNS ((KEPT + TILE - 1) / TILE * GATHERS_2X2)     // of 64 bytes

// Of the cell of a frequency and a pair of rows, in units of two words.
int cell_index(int column, int pair)
{
    return ((column / TILE * GATHERS_2X2 + pair / 2) * TILE + column % TILE) * 2 + pair % 2;
}

int cell_after(int cell, int column, int more, int pair)
{
    return more % TILE == 0 ? cell + more * (2 * GATHERS_2X2) : cell_index(column + more, pair);
}

// Of the scale of SHARE columns and four rows, which columns.comp writes.
int columns_scale(int column, int quad)
{
    return RUNS * (4 * TILE + 2) + (column / TILE * GATHERS_2X2 + quad) * (TILE / SHARE) + column % TILE / SHARE;
}

// Of the four floats of one of the first columns and a pair of rows.
int exact_place(int column, int pair)
{
    return RUNS * (4 * TILE + 2 + TILE / SHARE) + (pair * EXACT + column) * 4;
}

#endif
