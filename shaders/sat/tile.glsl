// sat/tile.glsl - how a work group shares a tile, and how the sums of tiles lie in memory
//
//   host sets TILE_W, TILE_H     texels of a tile, multiples of 32
//             GROUP_X, GROUP_Y   threads: GROUP_X = 16, GROUP_Y even
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
