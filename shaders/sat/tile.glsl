// sat/tile.glsl - how a work group shares a tile, and how the sums of tiles lie in memory
//
//   host sets TILE_W, TILE_H     texels of a tile, multiples of 32
//             GROUP_X, GROUP_Y   threads; GROUP_X * GROUP_Y >= TILE_W + TILE_H + 64
//
//   Thread (x, y) has the texels (x + GROUP_X i, y + GROUP_Y j): a warp reads 16 x 2 texels at once, which
//   are whole sectors of a texture in every format (docs/rejected.md has what other shapes cost).
//
//   sums of columns   [plane][part][tile y][pitch]   at TILE_W tile x + column; then, from
//                                                    TILE_W tiles_x on, the total of each tile
//   sums of rows      [plane][part][tile x][pitch]   at TILE_H tile y + row
//   carries           the same with tiles_y + 1 and tiles_x + 1: exclusive sums of those, and the whole
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_TILE_GLSL
#define AG_SAT_TILE_GLSL
#if !defined(TILE_W) || !defined(TILE_H) || !defined(GROUP_X) || !defined(GROUP_Y)
#error "TILE_W, TILE_H, GROUP_X and GROUP_Y must be set by the host"
#endif
#include "sat/values.glsl"

#define ACROSS (TILE_W / GROUP_X)
#define DOWN (TILE_H / GROUP_Y)
#define TEXELS (ACROSS * DOWN)
#define THREADS (GROUP_X * GROUP_Y)

layout(location = AG_LOC_SAT_GRID) uniform ivec4 u_grid; // tiles x, y, pitch of columns, of rows

int columns_at(int plane, int part, int lines, int tile_y)
{
    return ((plane * PARTS + part) * lines + tile_y) * u_grid.z;
}

int rows_at(int plane, int part, int lines, int tile_x)
{
    return ((plane * PARTS + part) * lines + tile_x) * u_grid.w;
}

// The thread's texels in registers. Those beyond the image read its last one: see `inside`.
HELD g_texels[TEXELS];

uint load_tile(part_frame frame, ivec2 first)
{
    uint bad = 0u;
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = first + ivec2(i * GROUP_X, j * GROUP_Y);
            ivec2 place = frame.origin + frame.direction * min(at, frame.size - 1);
            uint here = 0u;
            g_texels[j * ACROSS + i] = hold(load_texel(max(place, ivec2(0)), here));
            bad += here * uint(all(lessThan(at, frame.size)));
        }
    return bad;
}

#endif
