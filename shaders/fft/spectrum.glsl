// fft/spectrum.glsl - where the half spectra of the rows lie between the passes, and in what form
//
//   host sets TILE     columns side by side
//             COMPACT  1 = two bytes a component, see fft/compact.glsl; else as follows
//   layout    a cell holds one frequency f of two rows: (E.re, E.im, O.re, O.im), rows 2p and 2p + 1.
//             Columns are cut into tiles of TILE; in a tile row pair after row pair:
//
//                 pair 0   f0 f1 f2 f3        a group of rows writes runs of TILE cells (64 bytes),
//                 pair 1   f0 f1 f2 f3        a group of columns reads one run of all pairs
//                 ...
//             Column 0 holds two real values in place of one complex: frequencies 0 and n / 2.
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_SPECTRUM_GLSL
#define AG_FFT_SPECTRUM_GLSL
#if !defined(TILE) || !defined(COMPACT)
#error "TILE and COMPACT (0 or 1) must be set by the host"
#endif
#if COMPACT
#include "fft/compact.glsl"

#define SPECTRUM_CELL uvec2 // the words of both rows, half of a frequency of four

int cell_index(int column, int pair, int pairs)
{
    return ((column / TILE * quads_of(pairs) + pair / 2) * TILE + column % TILE) * 2 + pair % 2;
}

int cell_after(int cell, int column, int more, int pair, int pairs)
{
    return more % TILE == 0 ? cell + more * (2 * quads_of(pairs)) : cell_index(column + more, pair, pairs);
}

#else

#define SPECTRUM_CELL vec4

vec4 to_cell(vec4 value)
{
    return value;
}

vec4 from_cell(vec4 cell)
{
    return cell;
}

int cell_index(int column, int pair, int pairs)
{
    return (column / TILE * pairs + pair) * TILE + column % TILE;
}

// The cell of column + more, given column's: one product away where `more` is whole tiles.
int cell_after(int cell, int column, int more, int pair, int pairs)
{
    return more % TILE == 0 ? cell + more * pairs : cell_index(column + more, pair, pairs);
}

#endif
#endif
