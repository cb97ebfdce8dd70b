// sat/carry_in_items.glsl - which thread has which carry-ins
//
//   Carry-in k is item k % ITEMS of plane k / ITEMS (sat/finish.glsl). A thread has CARRY_ROUNDS
//   of them, THREADS apart, so that all threads work even where there are few items.
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"

#define CARRY_INS (PLANES * ITEMS)
#define CARRY_ROUNDS ((CARRY_INS + THREADS - 1) / THREADS)

// FOLDED: corners are 0, their shares are items
WIDE g_carry_ins[CARRY_ROUNDS], g_corners[CARRY_ROUNDS];

int carry_index(int round) { return thread_index() + round * THREADS; }
int item_of(int round) { return carry_index(round) % ITEMS; }
int plane_of(int round) { return min(carry_index(round) / ITEMS, PLANES - 1); }
bool is_carry(int round) { return CARRY_INS % THREADS == 0 || carry_index(round) < CARRY_INS; }

// The number of texels in an item.
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

// The number of texels in the corner; FOLDED: 0, because its shares are items.
WIDE corner_area()
{
    return WIDE(this_tile().x * TILE_W * (1 - FOLDED)) * WIDE(this_tile().y * TILE_H);
}
