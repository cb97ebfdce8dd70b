// fft/full.glsl - full storage of half spectra, four bytes a component: layout
//   layout    a cell holds one frequency f of two rows: (E.re, E.im, O.re, O.im), rows 2p and 2p +
//             1. Columns are cut into tiles of TILE (docs/decisions.md, D14); in a tile row pair
//             follows row pair:
//
//                 pair 0   f0 f1 f2 f3        a group of rows writes runs of TILE cells (64 bytes),
//                 pair 1   f0 f1 f2 f3        a group of columns reads one run of all pairs
//                 ...
//   SPDX-License-Identifier: MIT
#pragma once
#define COMPACT 0
#include "fft/spectrum.glsl"

#define ROLLED(count) ((count) + NEVER)

int cell_index(int column, int pair)
{
    return (column / TILE * ROW_PAIRS + pair) * TILE + column % TILE;
}

// The cell of column + more, given column's: one product away where `more` is a multiple of TILE.
int cell_after(int cell, int column, int more, int pair)
{
    return more % TILE == 0 ? cell + more * ROW_PAIRS : cell_index(column + more, pair);
}
