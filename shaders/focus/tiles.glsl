// focus/tiles.glsl - what is known of each tile of 16 x 16 texels
//
//   in        b_tiles   2 vec4 a tile: the fill, premultiplied by its weight; the near radius in x
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/interface.h"

layout(location = AG_LOC_FOCUS_TILES) uniform ivec4 u_tiles;
layout(std430, binding = AG_SSBO_FOCUS_TILES) restrict buffer Tiles { vec4 b_tiles[]; };

ivec2 tile_count() { return u_tiles.xy; }
int tile_place(ivec2 tile) { return 2 * (u_tiles.z + tile.y * u_tiles.x + tile.x); }
vec4 tile_fill(ivec2 tile) { return b_tiles[tile_place(tile)]; }
float tile_near(ivec2 tile) { return b_tiles[tile_place(tile) + 1].x; }

// The four tiles around a texel, and how far it lies from the centre of the first:
//
//        +-------+-------+
//        | first |       |       Beyond the image the nearest tile counts twice.
//        +-----p-+-------+
//        |       | last  |
//        +-------+-------+
struct tile_square {
    ivec2 first, last;
    vec2 part;
};

tile_square tiles_around(ivec2 p)
{
    vec2 place = (vec2(p) + 0.5) / float(AG_FOCUS_TILE) - 0.5;
    place = clamp(place, vec2(0.0), vec2(tile_count() - 1));
    ivec2 first = ivec2(place);
    return tile_square(first, min(first + 1, tile_count() - 1), place - vec2(first));
}

float near_around(ivec2 p)
{
    tile_square t = tiles_around(p);
    float above = mix(tile_near(t.first), tile_near(ivec2(t.last.x, t.first.y)), t.part.x);
    float below = mix(tile_near(ivec2(t.first.x, t.last.y)), tile_near(t.last), t.part.x);
    return mix(above, below, t.part.y);
}

vec4 fill_around(ivec2 p)
{
    tile_square t = tiles_around(p);
    vec4 above = mix(tile_fill(t.first), tile_fill(ivec2(t.last.x, t.first.y)), t.part.x);
    vec4 below = mix(tile_fill(ivec2(t.first.x, t.last.y)), tile_fill(t.last), t.part.x);
    return mix(above, below, t.part.y);
}
