// focus/tiles.glsl - what is known of each tile of 16 x 16 texels
//
//   in, out   b_tiles   2 vec4 a tile: the fill, premultiplied by its weight; its state: x the near
//                       radius; of method = gather also y the largest radius of a lamp, z what it
//                       holds, bits of HOLDS_*, w the number of its own lamps
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/interface.h"

layout(location = AG_LOC_FOCUS_TILES) uniform ivec4 u_tiles;
layout(std430, binding = AG_SSBO_FOCUS_TILES) restrict buffer Tiles { vec4 b_tiles[]; };

ivec2 tile_count() { return u_tiles.xy; }
int tile_place(ivec2 tile) { return 2 * (u_tiles.z + tile.y * u_tiles.x + tile.x); }
ivec2 tile_of(uint number) { return ivec2(number % uint(u_tiles.x), number / uint(u_tiles.x)); }
vec4 tile_fill(ivec2 tile) { return b_tiles[tile_place(tile)]; }
vec4 tile_state(ivec2 tile) { return b_tiles[tile_place(tile) + 1]; }
float tile_near(ivec2 tile) { return tile_state(tile).x; }

const uint HOLDS_SHARP = 1u;   // texels in focus
const uint HOLDS_FAR = 2u;     // that are in the far layer alone
const uint HOLDS_NEAR = 4u;    // in the near layer alone
const uint HOLDS_SMALL = 8u;   // of any other radius
const uint HOLDS_SOME_FAR = 16u; // of these, some in part in the far layer

// A vec4 of the four tiles around a point, in texels, interpolated between their centres:
//
//        +-------+-------+
//        | first |       |       Beyond the image the nearest tile counts twice.
//        +-----p-+-------+
//        |       | last  |
//        +-------+-------+
vec4 around(vec2 p, const int which)
{
    vec2 place = p / float(AG_FOCUS_TILE) - 0.5;
    place = clamp(place, vec2(0.0), vec2(tile_count() - 1));
    ivec2 first = ivec2(place), last = min(first + 1, tile_count() - 1);
    vec2 part = place - vec2(first);
    vec4 above = mix(b_tiles[tile_place(first) + which],
                     b_tiles[tile_place(ivec2(last.x, first.y)) + which], part.x);
    vec4 below = mix(b_tiles[tile_place(ivec2(first.x, last.y)) + which],
                     b_tiles[tile_place(last) + which], part.x);
    return mix(above, below, part.y);
}

vec4 fill_around(ivec2 p) { return around(vec2(p) + 0.5, 0); }
float near_around(ivec2 p) { return around(vec2(p) + 0.5, 1).x; }
