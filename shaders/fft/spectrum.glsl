// fft/spectrum.glsl - where the half spectra of the rows lie between the passes, and in what form
//
//   host sets TILE     columns side by side
//             COMPACT  1 = two bytes a component, see fft/compact.glsl; else as follows
//   layout    a cell holds one frequency f of two rows: (E.re, E.im, O.re, O.im), rows 2p and 2p + 1.
//             There are N / 2 + 1 columns: frequencies 0 .. N / 2 of rows of N points. They are cut into
//             tiles of TILE; in a tile row pair after row pair:
//
//                 pair 0   f0 f1 f2 f3        a group of rows writes runs of TILE cells (64 bytes),
//                 pair 1   f0 f1 f2 f3        a group of columns reads one run of all pairs
//                 ...
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_SPECTRUM_GLSL
#define AG_FFT_SPECTRUM_GLSL
#if !defined(TILE) || !defined(COMPACT)
#error "TILE and COMPACT (0 or 1) must be set by the host"
#endif
#include "fft/interface.h"

layout(location = AG_LOC_SPECTRUM) uniform ivec4 u_spectrum;
#define PAIRS_OF_ROWS u_spectrum.x    // of the image, an odd last row included
#define KEPT u_spectrum.y             // columns that are stored: 0 .. KEPT - 1
#define CELLS_OF_CHANNEL u_spectrum.w // from one channel to the next, in cells of 16 bytes

// Turns of a loop that the compiler must not unroll, because a smaller program is compiled sooner: a bound that only we
// know to be constant. Of few groups at a time, as in compact storage, all turns' loads should be under way together.
#if COMPACT
#define ROLLED(turns) (turns)
#else
#define ROLLED(turns) ((turns) + min(PAIRS_OF_ROWS, 0))
#endif

#if COMPACT // fft/compact.glsl, which the entry includes, has them
int cell_index(int column, int pair);
int cell_after(int cell, int column, int more, int pair);
#else

int cell_index(int column, int pair)
{
    return (column / TILE * PAIRS_OF_ROWS + pair) * TILE + column % TILE;
}

// The cell of column + more, given column's: one product away where `more` is whole tiles.
int cell_after(int cell, int column, int more, int pair)
{
    return more % TILE == 0 ? cell + more * PAIRS_OF_ROWS : cell_index(column + more, pair);
}

#endif
#endif
