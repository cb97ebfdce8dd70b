// fft/compact.glsl - compact storage of half spectra, two bytes a component: layout
//   layout    of a channel, in words of 4 bytes; a word holds one frequency of one row: its real
//             part in the lower half, its imaginary part in the upper. Columns are cut into tiles
//             of TILE; in a tile four rows follow four rows:
//
//                 rows 0..3   f0: r0 r1 r2 r3   f1: r0 r1 r2 r3   f2 ..   f3 ..     64 bytes
//                 rows 4..7   ..
//
//             Two row pairs then write whole runs, and two columns read whole 32-byte sectors.
//   scales    follow the words: one for each row pair and tile, for what rows_r2c.comp wrote; then
//             one for each four rows and SHARE columns, for what columns.comp wrote
//   exact     then follow the first EXACT columns as floats, cells of two rows as in full storage,
//             row pair after row pair. Their values are often a hundred times all else, so that
//             others would lose digits in a common scale: docs/convolve.md 6
//   error     half a unit of 1/32767 of the largest component in a scale
//   host sets SHARE  columns that share a scale: 2, or 1 where a group has one line
//             EXACT  columns that are kept as floats
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SHARE) || !defined(EXACT)
#error "SHARE (1 or 2) and EXACT must be set by the host"
#endif
#define COMPACT 1
#include "fft/spectrum.glsl"

// Few groups run at a time: all loads should overlap (docs/decisions.md, D48).
#define ROLLED(count) (count)

// The low 16 bits of OFFSET + n are the integer n (offset binary): an addition rounds and converts.
const float OFFSET = 8421376.0; // 2^23 + 2^15

// ---- the layout, in words

#define ROW_FOURS ((ROW_PAIRS + 1) / 2)             // groups of four rows
#define RUNS ((KEPT + TILE - 1) / TILE * ROW_FOURS) // of 64 bytes

// Of the cell of a frequency and a row pair, in units of two words.
int cell_index(int column, int pair)
{
    return ((column / TILE * ROW_FOURS + pair / 2) * TILE + column % TILE) * 2 + pair % 2;
}

int cell_after(int cell, int column, int more, int pair)
{
    return more % TILE == 0 ? cell + more * (2 * ROW_FOURS) : cell_index(column + more, pair);
}

// Of the four floats of an exact column and a row pair.
int exact_place(int column, int pair)
{
    return RUNS * (4 * TILE + 2 + TILE / SHARE) + (pair * EXACT + column) * 4;
}
