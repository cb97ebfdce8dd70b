// sat/entries.glsl - the texels of a thread in the last step, and the entries that they become
//
//   in        g_raw (sat/tile_texels.glsl), the scan of the tile, s_item (sat/carry_ins.glsl)
//   out       the table: sat/store.glsl
//   host sets the defines of sat/carry_ins.glsl and sat/store.glsl
//
//   Planes take turns in a rolled loop (docs/decisions.md, D48). No array is indexed by the plane,
//   so arrays stay in registers: the current channel is a texel's first, a new entry is appended:
//
//        texel       r g b a  ->  g b a .  ->  b a . .  ->  a . . .
//        entries     . . . .  ->  . . . r  ->  . . r g  ->  . r g b  ->  r g b a
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_ins.glsl"
#include "sat/store.glsl"

CLEAN g_texels[TEXELS];
ENTRY g_high[TEXELS], g_low[TEXELS], g_square_high[TEXELS], g_square_low[TEXELS];

void clean_tile(part_frame frame, ivec2 first)
{
    scrub_tile(frame, first); // the first step has counted them
    for (int k = 0; k < TEXELS; ++k) {
        g_texels[k] = clean_texel(k);
        g_high[k] = g_square_high[k] = ENTRY(0);
        g_low[k] = g_square_low[k] = ENTRY(0);
    }
}

// The value that the scan of the current plane adds up.
LOCAL texel_value(int k, const bool squared)
{
    return number(first_of(g_texels[k]), OFFSET != AG_TABLE_PLAIN, g_offset.x, squared, LOCAL(0));
}

void next_plane()
{
    for (int k = 0; k < TEXELS; ++k)
        g_texels[k] = next(g_texels[k]);
#if OFFSET != AG_TABLE_PLAIN && CHANNELS > 1 // after all planes it is rotated back, for store_mean
    g_offset = CHANNELS == 4 ? g_offset.yzwx : g_offset.yxzw;
#endif
}

// ---- an entry

// Appends the next channel of an entry.
#if CHANNELS == 4
ENTRY pushed(ENTRY entry, COMPONENT x) { return ENTRY(entry.yzw, x); }
#elif CHANNELS == 2
ENTRY pushed(ENTRY entry, COMPONENT x) { return ENTRY(entry.y, x, 0, 0); }
#else
ENTRY pushed(ENTRY entry, COMPONENT x) { return ENTRY(x, 0, 0, 0); }
#endif

// Of texel k: from the current plane's scan of the tile, and the carry-ins of its column and row.
void set_entry(int k, const bool squared, LOCAL local, PACKED_SUM above, PACKED_SUM left)
{
#if HAS_LOW // the nearest float, and what its rounding left out
    WIDE sum = tidy(added(local, added(unpack_wide(above), unpack_wide(left))));
    float high = nearest(sum), low = nearest_less(sum, high);
#elif STORAGE == AG_TABLE_UINT32
    uint high = local + above + left;
#elif STORAGE == AG_TABLE_SPLIT // store_border stores what lies beside the tile
    float high = local;
#else
    // The large parts add up exactly, and the sum is rounded once. Without products or cancelling
    // sums compilers cannot change the result; not `precise`: D28.
    vec2 a = uintBitsToFloat(above), b = uintBitsToFloat(left);
    float high = (a.x + b.x) + ((a.y + b.y) + local);
#endif
    if (squared)
        g_square_high[k] = pushed(g_square_high[k], high);
    else
        g_high[k] = pushed(g_high[k], high);
#if HAS_LOW
    if (squared)
        g_square_low[k] = pushed(g_square_low[k], low);
    else
        g_low[k] = pushed(g_low[k], low);
#endif
}

#if MOMENTS // after the sums, which leaves z the current channel
void append_code(int k, uint z) { g_high[k] = pushed(g_high[k], z); }
#endif

// ---- storing

void store_entry(ivec2 place, int k)
{
    store_texel(place, g_high[k], g_low[k], g_square_high[k], g_square_low[k]);
}

#if STORAGE == AG_TABLE_SPLIT
// Stores what lies beside the tile, in i_low, and of squares in i_squares_low:
//
//   rows of i_low    [0, tiles y)        A + K of tile row y, for every x: high parts
//                    [tiles y, 2 ..)     the same, low parts
//                    then, for every y at x = y, B of tile column x: high parts of all, low parts
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
#if SQUARE
            imageStore(i_squares_low, at, high[1]);
            imageStore(i_squares_low, below, low[1]);
#endif
        }
    }
}
#endif
