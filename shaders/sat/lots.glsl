// sat/lots.glsl - who has what of the lines beyond the tile
//
//   Lot k is item k % ITEMS of plane k / ITEMS (sat/finish.glsl). A thread has lots THREADS apart, LOT_ROUNDS of them: by
//   items of all planes, 64 of 128 threads would have all of the work on a tile of 32 x 32, and the others none.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_LOTS_GLSL
#define AG_SAT_LOTS_GLSL
#include "sat/finish.glsl"

#define LOTS (PLANES * ITEMS)
#define LOT_ROUNDS ((LOTS + THREADS - 1) / THREADS)

WIDE g_lots[LOT_ROUNDS], g_corners[LOT_ROUNDS]; // FOLDED: corners are 0, as they come in shares, among the items

int lot_of(int round) { return thread_index() + round * THREADS; }
int item_of(int round) { return lot_of(round) % ITEMS; }
int plane_of(int round) { return min(lot_of(round) / ITEMS, PLANES - 1); }
bool is_lot(int round) { return LOTS % THREADS == 0 || lot_of(round) < LOTS; }

// Texels in an item.
int area_of(int item)
{
    ivec2 tile = this_tile();
    int share = item - LINES, texels = 0;
    if (item < TILE_W)
        texels = tile.y * TILE_H;
    else if (share < 0)
        texels = tile.x * TILE_W;
    else if (share < tile.x)
        texels = ((tile.x - 1 - share) / max(CORNER, 1) + 1) * TILE_W * tile.y * TILE_H;
    return texels;
}

// And in the corner; FOLDED none, as its shares are items.
WIDE corner_area() { return WIDE(this_tile().x * TILE_W * (1 - FOLDED)) * WIDE(this_tile().y * TILE_H); }

#endif
