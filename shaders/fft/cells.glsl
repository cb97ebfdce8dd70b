// fft/cells.glsl - complex texels between the dispatches of the effect fft
//   layout    a cell holds CHANNELS complex values. Columns are cut into tiles of CELL_TILE; in a
//             tile, row follows row:
//
//                 row 0    x0 x1 x2 x3        lines along x touch runs of CELL_TILE cells (128
//                 row 1    x0 x1 x2 x3        bytes of four channels), lines along y whole sectors
//                 ...                         of one tile
//   host sets CHANNELS
//   SPDX-License-Identifier: MIT
#pragma once
#include "fft/interface.h"

layout(location = AG_LOC_CELLS) uniform ivec4 u_cells;
#define CELL_ROWS u_cells.x // cells of a tile's column
#define KEPT u_cells.y      // positions of a line that are stored
const int CELL_TILE = 4;

#if CHANNELS % 2 == 0 && !defined(SPREAD) // a cell's words: two channels each
#define CELL_WORD vec4
const int CELL_WORDS = CHANNELS / 2;
#else
#define CELL_WORD vec2
const int CELL_WORDS = CHANNELS;
#endif

// The first word of a cell.
int cell_at(ivec2 p)
{
    return ((p.x / CELL_TILE * CELL_ROWS + p.y) * CELL_TILE + p.x % CELL_TILE) * CELL_WORDS;
}
