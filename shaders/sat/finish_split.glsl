// sat/finish_split.glsl - split: entries are sums of the tile alone; those beside it lie apart
//
//   out                 i_low, and i_squares_low for squares
//   rows of i_low       [0, tiles y)      A + K of tile row y, for every x: high parts
//                       [tiles y, 2 ..)   the same, low parts
//                       then, for every y at x = y, B of tile column x: high parts of all, low
//                       parts
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"

layout(binding = AG_IMAGE_LOW) writeonly uniform image2D i_low;
layout(binding = AG_IMAGE_SQUARES_LOW) writeonly uniform image2D i_squares_low;

uvec2 pack_line(WIDE sum, int plane, WIDE corner) { return pack_wide(sum); }
float entry_of(float local, uvec2 above, uvec2 left) { return local; }

shared PACKED_SUM s_corner[PLANES];

void keep_corner(int plane, int item, WIDE corner)
{
    if (item == 0)
        s_corner[plane] = pack_wide(corner);
}

void store_border(ivec2 size)
{
    ivec2 tile = this_tile();
    for (int item = thread_index(); item < LINES; item += THREADS) {
        bool column = item < TILE_W;
        vec4 high[2] = vec4[2](vec4(0.0), vec4(0.0)), low[2] = high; // of texels, of squares
        for (int p = 0; p < PLANES; ++p) {
            WIDE corner = unpack_wide(s_corner[p]);
            WIDE sum = tidy(added(unpack_wide(s_item[p * ITEMS + item]),
                                  column ? corner : -corner));
            high[p / CHANNELS][p % CHANNELS] = nearest(sum);
            low[p / CHANNELS][p % CHANNELS] = nearest_less(sum, nearest(sum));
        }
        ivec2 at = column ? ivec2(tile.x * TILE_W + item, tile.y)
                          : ivec2(tile.y * TILE_H + item - TILE_W, 2 * tiles().y + tile.x);
        if (at.x < (column ? size.x : size.y)) {
            ivec2 below = at + ivec2(0, column ? tiles().y : tiles().x);
            imageStore(i_low, at, high[0]);
            imageStore(i_low, below, low[0]);
            if (SQUARE != 0) {
                imageStore(i_squares_low, at, high[1]);
                imageStore(i_squares_low, below, low[1]);
            }
        }
    }
}
