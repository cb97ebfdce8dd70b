// sat/tile_scan_subgroups.glsl - the scan of a tile by shuffles, AT_ONCE planes together
//
//   in        g_texels (sat/entries.glsl), s_item (sat/carry_ins.glsl)
//   out       entries, by set_entry (sat/entries.glsl)
//   host sets the defines of sat/entries.glsl
//   cost      2.5 shuffles a texel and plane for four rows a thread: 1 across, 0.5 halves, 1
//             places; 1 barrier for AT_ONCE planes; shared memory (THREADS / 32) TILE_W sums for
//             each of those planes, twice if there are more: 2 KiB for 64 x 64 and 256 threads, and
//             for four planes of 32 x 32 and 128 threads
//
//   A subgroup has SUBGROUP_ROWS whole rows and scans them alone, in both directions. The last row
//   of that is what the subgroup adds to all rows below. With more planes, two buffers take turns,
//   so that one barrier a turn is enough:
//
//        subgroup 0   rows 0 ..              scanned               s_last[0]  its last row
//        subgroup 1   rows SUBGROUP_ROWS ..  scanned  + s_last[0]  s_last[1]  ..
//        subgroup 2                          scanned  + s_last[0] + s_last[1]
//
//   A subgroup's rows:
//
//        down      along a lane's texels, DOWN rows of them, in its registers
//        across    pairs of columns, 16 lanes at a time; the lanes share the rows of all planes
//        halves    the lower half of the rows gets the last row of the upper half
//        places    columns 16 apart and rows DOWN apart go to registers, neighbours to lanes, so
//                  that stores cover whole sectors of the table:
//
//             x = 32 m + 2 c + b     lane bit 3 of c <-> b    then x = 16 i + 2 (c & 7) + (c >> 3)
//             y = DOWN h + 2 t + a   lane bit h     <-> a     then y = DOWN (j & 1) + (j & ~1) + h
//
//   Across is a tree of sums, up and down again (drawn for four lanes with rows a b c d):
//
//        up    lane 0   a b c d   -- lanes 1 apart give    a b    -- lanes 2 apart --> a sums of
//              lane 1   a b c d      each other half of    c d  of                     c all four
//              lane 2   a b c d      the rows, add, note   a b  pairs                  b lanes
//              lane 3   a b c d      the left sums  -->    c d                         d
//        down  the same steps back: the right one of two lanes adds the left one's sum
//
//   16 rows take 15 shuffles up and 15 down, 8 rows 8 and 7. A scan of each row alone, by doubling
//   distances, takes 5 a row. A single row takes one shuffle for each step up, and none down.
//   source    tree scan: Blelloch 1990. Shared rows: recursive halving and doubling, Rabenseifner
//             2004. The exchange of lane bits with register bits: Johnsson and Ho 1988,
//             transposition in hypercubes
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/entries.glsl"

// The planes in a turn of the loop over planes, so that a thread has 32 values at most. With four
// planes the lanes would share more rows, but the program would be larger.
#if PLANES > 1 && PLANES % 2 == 0 && TEXELS <= 16
#define AT_ONCE 2
#else
#define AT_ONCE 1
#endif
#define TURNS (PLANES / AT_ONCE)
#define LAST_ROWS (AT_ONCE * SUBGROUP_COUNT * TILE_W)
const int ROWS = AT_ONCE * DOWN;     // row j of the turn's plane p is p * DOWN + j
// rows that a lane keeps after exchanges at distances 1, 2, 4, 8
const int ROWS_2 = HALF_OF(ROWS);
const int ROWS_4 = HALF_OF(ROWS_2);
const int ROWS_8 = HALF_OF(ROWS_4);
const int ROWS_16 = HALF_OF(ROWS_8);

shared LOCAL s_last[LAST_ROWS * (TURNS > 1 ? 2 : 1)];

LOCAL g_scan[AT_ONCE * TEXELS];
LOCAL g_node[ROWS];                              // the tree's nodes of this lane
LOCAL g_left[ROWS_2 + ROWS_4 + ROWS_8 + ROWS_16]; // sums of their left children

// Scans the current plane down the lane's texels, then from column 2 i to 2 i + 1.
void scan_down(const int at)
{
    for (int k = 0; k < TEXELS; ++k)
        g_scan[at + k] = texel_value(k, false);
    for (int k = 0; k < TEXELS - ACROSS; ++k)
        g_scan[at + k + ACROSS] += g_scan[at + k];
    for (int k = 0; k < TEXELS / 2; ++k)
        g_scan[at + 2 * k + 1] += g_scan[at + 2 * k];
}

// The leaves of the tree: pairs of columns, of the 32 columns from 16 i on. A function of its own,
// because Mesa otherwise warns that g_node is not initialised.
void take_pairs(const int i)
{
    for (int r = 0; r < ROWS; ++r)
        g_node[r] = g_scan[r * ACROSS + i + 1];
}

// Adds `count` nodes of two lanes; each lane keeps half of the rows.
void climb(int lane, const int count, const int at, const uint bit)
{
    uint right = lane_mask(lane, bit);
    const int left = HALF_OF(count);
    for (int k = 0; k < left; ++k) {
        LOCAL mine = g_node[k], other = g_node[k];
        if (count > 1) {
            mine = choose(right, g_node[k], g_node[k + count / 2]);
            other = choose(right, g_node[k + count / 2], g_node[k]);
        }
        LOCAL came = lane_across(other, bit);
        g_left[at + k] = choose(right, mine, came);
        g_node[k] = mine + came;
    }
}

// The way back, with the sum of what lies left of each node.
void descend(int lane, const int count, const int at, const uint bit)
{
    uint right = lane_mask(lane, bit);
    const int left = HALF_OF(count);
    for (int k = 0; k < left; ++k) {
        LOCAL outer = g_node[k], inner = outer + g_left[at + k], mine = choose(right, outer, inner);
        g_node[k] = mine;
        if (count > 1) {
            LOCAL came = lane_across(choose(right, inner, outer), bit);
            g_node[k] = choose(right, mine, came);
            g_node[k + count / 2] = choose(right, came, mine);
        }
    }
}

// 32 columns at a time.
void scan_across(int lane)
{
    LOCAL before[ROWS_16]; // sum of all columns to the left
    for (int k = 0; k < ROWS_16; ++k)
        before[k] = LOCAL(0);
    for (int i = 0; i < ACROSS; i += 2) {
        take_pairs(i);
        climb(lane, ROWS, 0, 1u);
        climb(lane, ROWS_2, ROWS_2, 2u);
        climb(lane, ROWS_4, ROWS_2 + ROWS_4, 4u);
        climb(lane, ROWS_8, ROWS_2 + ROWS_4 + ROWS_8, 8u);
        for (int k = 0; k < ROWS_16; ++k) {
            LOCAL all = g_node[k];
            g_node[k] = before[k];
            before[k] += all;
        }
        descend(lane, ROWS_8, ROWS_2 + ROWS_4 + ROWS_8, 8u);
        descend(lane, ROWS_4, ROWS_2 + ROWS_4, 4u);
        descend(lane, ROWS_2, ROWS_2, 2u);
        descend(lane, ROWS, 0, 1u);
        for (int r = 0; r < ROWS; ++r) {
            g_scan[r * ACROSS + i] += g_node[r];
            g_scan[r * ACROSS + i + 1] += g_node[r];
        }
    }
}

// Exchanges register b of lanes whose `bit` is 0 with register a of their partners.
void swap_places(const int a, const int b, uint mask, const uint bit)
{
    LOCAL came = lane_across(choose(mask, g_scan[b], g_scan[a]), bit);
    g_scan[a] = choose(mask, g_scan[a], came);
    g_scan[b] = choose(mask, came, g_scan[b]);
}

// Places: first columns, then rows.
void exchange_places(int lane)
{
    uint lower = lane_mask(lane, 16u), right = lane_mask(lane, 8u);
    for (int k = 0; k < AT_ONCE * TEXELS / 2; ++k)
        swap_places(2 * k, 2 * k + 1, right, 8u);
    for (int k = 0; k < AT_ONCE * TEXELS / 2; ++k)
        swap_places(k / ACROSS * 2 * ACROSS + k % ACROSS,
                    k / ACROSS * 2 * ACROSS + ACROSS + k % ACROSS, lower, 16u);
}

// Scans the planes of a turn into g_scan, and stores their last rows in s_last from `last` on.
void scan_subgroup(int last)
{
    int lane = subgroup_lane(), half_subgroup = lane / GROUP_X, column = 2 * (lane % GROUP_X);
    uint lower = lane_mask(lane, 16u);
    for (int p = 0; p < AT_ONCE; ++p) {
        scan_down(p * TEXELS);
        next_plane();
    }
    scan_across(lane);
    // The upper half of the rows adds to the lower half; the last row goes to the subgroups below.
    LOCAL upper[AT_ONCE * ACROSS];
    for (int k = 0; k < AT_ONCE * ACROSS; ++k)
        upper[k] = only(lower,
                        lane_across(g_scan[k / ACROSS * TEXELS + TEXELS - ACROSS + k % ACROSS],
                                    16u));
    for (int k = 0; k < AT_ONCE * TEXELS; ++k)
        g_scan[k] += upper[k / TEXELS * ACROSS + k % ACROSS];
    if (half_subgroup != 0)
        for (int k = 0; k < AT_ONCE * ACROSS; ++k)
            s_last[last + k / ACROSS * SUBGROUP_COUNT * TILE_W + column +
                   READ_STEP(k % ACROSS, 0).x] =
                g_scan[k / ACROSS * TEXELS + TEXELS - ACROSS + k % ACROSS];
    exchange_places(lane);
}

// The entries of plane `plane`, the turn's p-th: its scan, the subgroups above, and the carry-ins.
void finish_plane(int plane, const int p, int last)
{
    ivec2 place = place_to_store();
    int half_subgroup = subgroup_lane() / GROUP_X, subgroup = subgroup_index();
    PACKED_SUM above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + place.x + STORE_STEP(i, 0).x];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + place.y + STORE_STEP(0, j).y];
    LOCAL over[ACROSS]; // sum of the subgroups above; each half adds every second one
    for (int i = 0; i < ACROSS; ++i) {
        over[i] = LOCAL(0);
        for (int w = 0; w < SUBGROUP_COUNT; w += 2) {
            LOCAL row = s_last[last + (w + half_subgroup) * TILE_W + place.x + STORE_STEP(i, 0).x];
            over[i] += only(w + half_subgroup < subgroup, row);
        }
    }
    for (int i = 0; i < ACROSS; ++i)
        over[i] += lane_across(over[i], 16u);
    for (int k = 0; k < TEXELS; ++k)
        set_entry(k, false, g_scan[p * TEXELS + k] + over[k % ACROSS], above[k % ACROSS],
                  left[k / ACROSS]);
}

// A turn does AT_ONCE planes.
void scan_planes()
{
#if TURNS > 1
    for (int turn = 0; turn < ROLLED(TURNS); ++turn) {
#else
    const int turn = 0; {
#endif
        int last = turn % 2 * LAST_ROWS;
        scan_subgroup(last + subgroup_index() * TILE_W);
        sync_shared(); // also completes s_item
        for (int p = 0; p < AT_ONCE; ++p)
            finish_plane(turn * AT_ONCE + p, p, last + p * SUBGROUP_COUNT * TILE_W);
    }
#if MOMENTS
    for (int k = 0; k < TEXELS; ++k)
        g_scan[k] = first_of(g_texels[k]);
    exchange_places(subgroup_lane());
    for (int k = 0; k < TEXELS; ++k)
        append_code(k, g_scan[k]);
#endif
}
