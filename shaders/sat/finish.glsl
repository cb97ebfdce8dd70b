// sat/finish.glsl - what all forms of the last step share: carry-ins, the offset, an entry
//
//   The entry at (x, y) of the tile is the sum of four parts:
//
//        K | A      A = the columns up to x above the tile       (scan of column carry-ins)
//        --+--      B = the rows up to y left of it              (scan of row carry-ins)
//        B | L      K = all that is above and left               (sum of tile totals)
//                   L = the scan of the tile
//
//   S = L + (A + (B + K)): finish_single.glsl, finish_low.glsl; split keeps L and the rest apart.
//   The tile is scanned alone, in small numbers. The large numbers are added last, in twice the
//   precision, so S is rounded once. A scan that starts from them is 3 to 5 times less exact.
//
//   Shared memory has an item for each column and row of the tile, and, FOLDED, shares of K. They
//   are scanned in runs of RUN items (sat/carry_ins.glsl):
//
//        s_item   plane 0   | column 0 .. TILE_W - 1 | row 0 .. TILE_H - 1 | shares |   plane 1 ..
//        s_run              |  run 0  |  run 1  |       ..      | RUNS - 1          |   their sums
//
//   Planes take turns in a rolled loop (docs/decisions.md, D48). No array is indexed by the plane,
//   so arrays stay in registers: the current channel is a texel's first, a new entry is appended:
//
//        texel       r g b a  ->  g b a .  ->  b a . .  ->  a . . .
//        entries     . . . .  ->  . . . r  ->  . . r g  ->  . r g b  ->  r g b a
//
//   includer  FOLDED      1 = this step adds up the carry-ins itself
//             RUN         items of a run: 32 or 8
//   host sets PACKED_SUM  type of a sum in memory: uvec2 (two floats, or a double), uint
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(FOLDED) || !defined(RUN) || !defined(PACKED_SUM)
#error "PACKED_SUM must be set by the host, FOLDED and RUN by the includer"
#endif
#include "sat/store.glsl"
#include "sat/tile_texels.glsl"
#include "sat/wide.glsl"
#include "common/sync.glsl"

#define CORNER (64 * FOLDED) // shares of K
#define LINES (TILE_W + TILE_H)
#define ITEMS (LINES + CORNER)
#define RUNS (ITEMS / RUN)

shared PACKED_SUM s_item[PLANES * ITEMS]; // carry-ins; then A of each column, B + K of each row
shared PACKED_SUM s_run[PLANES * RUNS];

vec4 g_offset = vec4(0.0); // the current plane's is first

ivec2 this_tile()
{
    // From the last tile on: the first step read that last, and a cache may hold them.
    return tiles() - 1 - ivec2(gl_WorkGroupID.xy);
}

ivec2 tile_corner() { return this_tile() * ivec2(TILE_W, TILE_H); }

// ---- the tile's texels

CLEAN g_texels[TEXELS];

void clear_entry(int k); // sat/finish_plain.glsl, sat/finish_squares.glsl, sat/finish_low.glsl

void clean_tile(part_frame frame, ivec2 first)
{
    scrub_tile(frame, first); // the first step has counted them
    for (int k = 0; k < TEXELS; ++k) {
        g_texels[k] = clean_texel(k);
        clear_entry(k);
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
