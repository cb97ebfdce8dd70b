// focus/gather.glsl - depth_of_field, method = gather: layers of half resolution, and their levels
//
//   A texel with a small radius is blurred at full resolution, a larger one at half. Those are the
//   near layer, layer u_layer.x of t_layers, and the far layer, the next one: premultiplied colour
//   and weight. t_radii, as large, has weight times radius in texels. Each level has a half of the
//   width and height of the one before:
//
//         8 texels a tile    4         4
//        +------------------+---------+---------+
//        | level 0          | level 1 | fill    |    Of the near layer of t_layers also the fill:
//        |                  |         |         |    what may lie behind near texels, as colour
//        |                  +----+----+---------+    and weight
//        |                  | 2  |fill|
//        |                  +--+-+----+
//        |                  |3 |
//        +------------------+--+
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/tiles.glsl"

layout(location = AG_LOC_GATHER_LAYER) uniform ivec4 u_layer;
#define MAX_RADIUS intBitsToFloat(u_layer.y)

const int HALF_TILE = AG_FOCUS_TILE / 2;
const int LEVELS = 4;
const float SMALL = 2.5; // texels: up to there a radius is small; one texel more, and it is large

// How much of a texel is in the half-resolution layer of its side.
float large_part(float r) { return clamp(abs(r) - SMALL, 0.0, 1.0); }

// Four halves, rounded to nearest on any driver (docs/decisions.md, D6), of what is not NaN and not
// below -65504. Below 2^-14 they may be off by one.
uvec2 pack_layer(vec4 v)
{
    uvec4 bits = floatBitsToUint(min(v, 65504.0)) + 0x1000u & ~0x1fffu;
    vec4 rounded = uintBitsToFloat(bits);
    return uvec2(packHalf2x16(rounded.xy), packHalf2x16(rounded.zw));
}

// HOLDS_* of a texel.
uint kind_of(float r)
{
    uint large = r > 0.0 ? HOLDS_FAR : HOLDS_NEAR;
    uint small = HOLDS_SMALL | (r > SMALL ? HOLDS_SOME_FAR : 0u);
    uint some = abs(r) >= SMALL + 1.0 ? large : small;
    return abs(r) <= 0.5 ? HOLDS_SHARP : some;
}

// Whether texels of these kinds, and those up to 3 texels beside them, need a window.
bool needs_window(uint holds) { return holds > (HOLDS_SHARP | HOLDS_FAR) && holds != HOLDS_NEAR; }

ivec2 level_size(int level) { return tile_count() * (HALF_TILE >> level); }

ivec2 level_place(int level)
{
    ivec2 beside = tile_count() * ivec2(HALF_TILE, HALF_TILE - (2 * HALF_TILE >> level));
    return beside * min(level, 1);
}

// ---- work. Of each layer of src:
//
//      | entries of both lists | tiles to blur | tiles to compose |
//      |<----- 2 words ------->|<- 2 a tile -->|<--- 1 a tile --->|
//
//   An entry is a tile's column and, 16 bits up, its row, with BLUR_FAR for its far layer. Few
//   tiles have much to do, so a dispatch has as many groups as keep a GPU busy, and each takes
//   every so many entries.

const uint BLUR_FAR = 0x80000000u;

uint entry_of(ivec2 tile) { return uint(tile.y << 16 | tile.x); }
ivec2 tile_in(uint entry) { return ivec2(entry & 0xffffu, entry >> 16 & 0x7fffu); }

int work_at()
{
    int tiles = u_tiles.x * u_tiles.y;
    return AG_GATHER_WORK_HEAD * (u_tiles.z / tiles) + 3 * u_tiles.z;
}

// Of level 1 and 2: beside the level's own.
ivec2 fill_place(int level) { return level_place(level) + ivec2(level_size(level).x, 0); }
