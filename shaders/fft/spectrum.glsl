// fft/spectrum.glsl - the half spectra between the passes: where cells lie, and what they hold
//   what      rows of N points have frequencies 0 .. N / 2, the columns; KEPT of them are stored
//   set       COMPACT  by the host or the includer: 0 = full storage, four bytes a component;
//                      1 = compact storage, two bytes
//             SHARE    by the host, compact only: columns that share a scale: 2, or 1 where a group
//                      has one line
//             EXACT    by the host, compact only: columns that are kept as floats
//   full      a cell holds one frequency f of two rows: (E.re, E.im, O.re, O.im), rows 2p and 2p +
//             1. Columns are cut into tiles of TILE (docs/decisions.md, D14); in a tile row pair
//             follows row pair:
//
//                 pair 0   f0 f1 f2 f3        a group of rows writes runs of TILE cells (64 bytes),
//                 pair 1   f0 f1 f2 f3        a group of columns reads one run of all pairs
//                 ...
//
//   compact   a word of 4 bytes holds one frequency of one row: its real part in the lower half,
//             its imaginary part in the upper. In a tile four rows follow four rows:
//
//                 rows 0..3   f0: r0 r1 r2 r3   f1: r0 r1 r2 r3   f2 ..   f3 ..     64 bytes
//                 rows 4..7   ..
//
//             Two row pairs then write whole runs, and two columns read whole 32-byte sectors.
//   scales    of compact storage, follow the words of a channel: one for each row pair and tile,
//             for what rows_r2c.comp wrote; then one for each four rows and SHARE columns, for what
//             columns.comp wrote. The magnitudes of components that share a scale meet in shared
//             memory; the thread that finds their scale leaves its inverse there
//   exact     then follow the first EXACT columns as floats, cells of two rows as in full storage,
//             row pair after row pair. Their values are often a hundred times all else, so that
//             others would lose digits in a common scale: docs/convolve.md 6
//   error     of compact storage: half a unit of 1/32767 of the largest component in a scale
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef COMPACT
#error "COMPACT (0, 1) must be set"
#endif
#include "fft/interface.h"

#define TILE AG_FFT_TILE

layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum;
#define ROW_PAIRS u_spectrum.x        // of the image; an odd last row counts as a pair
#define KEPT u_spectrum.y             // columns that are stored: 0 .. KEPT - 1
#define CELLS_OF_CHANNEL u_spectrum.w // from one channel to the next, in cells of 16 bytes

// 0, which no compiler knows: a loop up to n + NEVER is not unrolled, and compiles faster.
#define NEVER min(ROW_PAIRS, 0)

#if !COMPACT

#define ROLLED(count) ((count) + NEVER) // turns of a loop over texels

int cell_index(int column, int pair)
{
    return (column / TILE * ROW_PAIRS + pair) * TILE + column % TILE;
}

// The cell of column + more, given column's: one product away where `more` is a multiple of TILE.
int cell_after(int cell, int column, int more, int pair)
{
    return more % TILE == 0 ? cell + more * ROW_PAIRS : cell_index(column + more, pair);
}

#else
#if !defined(SHARE) || !defined(EXACT)
#error "SHARE (1 or 2) and EXACT must be set by the host"
#endif

// Few groups run at a time: all loads should overlap (docs/decisions.md, D48).
#define ROLLED(count) (count)

// ---- compact storage: places, in words unless said otherwise

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

// Of the scale of a tile and a row pair, which rows_r2c.comp writes.
int rows_scale(int column, int pair)
{
    return RUNS * (4 * TILE) + column / TILE * (2 * ROW_FOURS) + pair;
}

// Of the scale of SHARE columns and four rows, which columns.comp writes.
int columns_scale(int column, int four)
{
    return RUNS * (4 * TILE + 2) + (column / TILE * ROW_FOURS + four) * (TILE / SHARE) +
           column % TILE / SHARE;
}

// Of the four floats of an exact column and a row pair.
int exact_place(int column, int pair)
{
    return RUNS * (4 * TILE + 2 + TILE / SHARE) + (pair * EXACT + column) * 4;
}

// ---- compact storage: values

// The low 16 bits of OFFSET + n are the integer n (offset binary): an addition rounds and converts.
const float OFFSET = 8421376.0; // 2^23 + 2^15

uint quantize(vec2 value, float inverse)
{
    uvec2 bits = floatBitsToUint(value * inverse + OFFSET);
    return bitfieldInsert(bits.x, bits.y, 16, 16);
}

// Both parts, in units of the scale.
vec2 dequantize(uint word)
{
    return uintBitsToFloat(uvec2(word & 0xffffu, word >> 16) | 0x4b000000u) - OFFSET;
}

// Magnitudes are compared as bits, so that NaN and infinity are the largest and reach the scale.
uint magnitude_of(vec2 value)
{
    uvec2 size = floatBitsToUint(value) & 0x7fffffffu;
    return max(size.x, size.y);
}

// The scale as it is stored, and the factor of the values; magnitudes below 1e-33 become 0.
float scale_of(uint size)
{
    return uintBitsToFloat(size) * (1.0 / 32767.0);
}

float inverse_scale_of(uint size)
{
    uint inverse = floatBitsToUint(32767.0 / uintBitsToFloat(size));
    return uintBitsToFloat(inverse & -uint(size >= 0x08a6274cu)); // ?: is a branch on NVIDIA
}

// The order in which thread i reads its four places: neighbours meet in no bank.
int rotated(int k, int i)
{
    return (k + (i >> 3)) & 3;
}

#endif
