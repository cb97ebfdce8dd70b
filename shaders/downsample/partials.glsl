// downsample/partials.glsl - where the sum of a part of a cell waits for the sums of the others
//
//   in, out   b_partials   two vec4s, hi and lo, for each part of a texel (downsample/weights.glsl)
//   what      a tile of the source has sums only of those cells that reach beyond it: they lie in
//             its first or last row of cells, or in its first or last column. Each tile has four
//             strips for them:
//
//                | NX: first row | NX: last row | NY: first column | NY: last column |
//
//             NX and NY are the most cells of a tile, each way
//   SPDX-License-Identifier: MIT
#pragma once
layout(std430, binding = AG_SSBO_PARTIALS) buffer Partials { vec4 b_partials[]; };
// rows of a tile, tiles in x, in y; where the layer begins
layout(location = AG_LOC_DOWN_TILE) uniform ivec4 u_tile;

struct Tile {
    ivec2 number, first, end;       // which; its texels
    ivec2 first_cell, last_cell;    // of a target
};

Tile tile_of(Axis ax, Axis ay, ivec2 number)
{
    ivec2 size = ivec2(AG_DOWN_SUMS_WIDTH, u_tile.x), first = number * size;
    ivec2 end = min(first + size, u_src_rect.zw);
    return Tile(number, first, end, ivec2(cell_at(ax, first.x), cell_at(ay, first.y)),
                ivec2(cell_before(ax, end.x), cell_before(ay, end.y)));
}

// Where the sums of a tile's cell begin. `share`: of the target.
int place_of(Tile t, ivec2 cell, ivec4 share)
{
    int strips = 2 * (share.z + share.w);
    ivec2 in_tile = cell - t.first_cell;
    int entry = cell.y == t.first_cell.y  ? in_tile.x
                : cell.y == t.last_cell.y ? share.z + in_tile.x
                : cell.x == t.first_cell.x ? 2 * share.z + in_tile.y
                                           : 2 * share.z + share.w + in_tile.y;
    return 2 * PARTS * (u_tile.w + share.y + (t.number.y * u_tile.y + t.number.x) * strips + entry);
}
