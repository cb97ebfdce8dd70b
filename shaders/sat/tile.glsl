// sat/tile.glsl - a table by tiles: the algorithm, and how the sums of tiles lie in memory
//
//   host sets TILE_W, TILE_H     texels of a tile, multiples of 32
//             GROUP_X, GROUP_Y   threads: GROUP_X = 16, GROUP_Y even
//   source    Nehab, Maximo, Lima, Hoppe 2011, algorithm SAT; docs/sat.md
//
//   An entry of the table is the sum of all texels left of a texel and above it, its own included.
//   Three dispatches make the table from tiles of the image:
//
//        1  reduce.comp adds up each tile:        2  carry.comp adds these sums up over tiles: for
//           columns c, rows r, and all, t            each tile those above, left, and both
//
//              . . . .  r                               K K K | A A A A     A: of columns, c
//              . . . .  r                               ------+--------
//              . . . .  r                               B B B | . . . .     B: of rows, r
//              . . . .  r                               B B B | . . . .
//              c c c c  t                               B B B | . . . .     K: of totals, t
//                                                       B B B | . . . .
//
//        3  finish.comp scans each tile, L, and adds what lies beside it:
//
//              entry (x, y)  =  L (x, y)  +  A (0) + .. + A (x)  +  B (0) + .. + B (y)  +  K
//
//   Steps 1 and 3 read each texel. Step 2 reads and writes sums alone, about 2 / TILE_W a texel.
//   Where tiles are few, step 3 does without step 2 and adds up the sums of step 1 itself: FOLDED.
//
//   sums of columns   [plane][part][tile y][pitch]   at TILE_W tile x + column; then, from
//                                                    TILE_W tiles_x on, the total of each tile
//   sums of rows      [plane][part][tile x][pitch]   at TILE_H tile y + row
//   block prefixes    the same with tiles_y + 1 and tiles_x + 1 lines: exclusive sums, and the sum
//                     of all; in place of a tile's total, the sum of all tiles left of it and above
//
//        tile row 0    columns of tile 0 | of tile 1 | .. | totals of tiles 0, 1 .. | free
//        tile row 1    columns of tile 0 | of tile 1 | .. | totals of tiles 0, 1 .. | free
//
//   Lines are column_pitch() apart. Code on tiles has no branches: loops have constant bounds and
//   are unrolled, so that arrays stay in registers. No code tests whether a texel lies in the
//   image: an entry is the sum of what lies left and above, and texels beyond the image do neither.
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(TILE_W) || !defined(TILE_H) || !defined(GROUP_X) || !defined(GROUP_Y)
#error "TILE_W, TILE_H, GROUP_X and GROUP_Y must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "sat/types.glsl"

#define ACROSS (TILE_W / GROUP_X)
#define DOWN (TILE_H / GROUP_Y)
#define TEXELS (ACROSS * DOWN)
#define THREADS (GROUP_X * GROUP_Y)

layout(location = AG_LOC_SAT_GRID) uniform ivec4 u_grid;

ivec2 tiles() { return u_grid.xy; }
int column_pitch() { return u_grid.z; }
int row_pitch() { return u_grid.w; }

int columns_at(int plane, int part, int lines, int tile_y)
{
    return ((plane * PARTS + part) * lines + tile_y) * column_pitch();
}

int rows_at(int plane, int part, int lines, int tile_x)
{
    return ((plane * PARTS + part) * lines + tile_x) * row_pitch();
}

// Where the totals of tiles begin in a line of columns.
int totals_at() { return tiles().x * TILE_W; }
