// sat/carries_spread.glsl - what comes from other tiles, of several planes, each plane's to threads of its own
//
//   why       by items a tile of 32 x 32 has work for 64 of 128 threads, on four planes each, while the other warps
//             run the same instructions for nothing. All loads are on their way before any is used
//
//   Lot k is item k % ITEMS of plane k / ITEMS; a warp has 32 lots of one plane, which are a run.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_CARRIES_SPREAD_GLSL
#define AG_SAT_CARRIES_SPREAD_GLSL

#include "sat/finish.glsl"

#define LOTS (PLANES * ITEMS)
#define LOT_ROUNDS ((LOTS + THREADS - 1) / THREADS)

CELL g_cells[LOT_ROUNDS], g_corner_cells[LOT_ROUNDS]; // a round's, as they come
WIDE g_lots[LOT_ROUNDS], g_corners[LOT_ROUNDS];

int lot_of(int round) { return thread_index() + round * THREADS; }
int item_of(int round) { return lot_of(round) % ITEMS; }
int plane_of(int round) { return min(lot_of(round) / ITEMS, PLANES - 1); }

void request_items(int part)
{
    ivec2 tile = this_tile();
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        int item = item_of(round), columns = columns_at(plane_of(round), part, tiles().y + 1, tile.y);
        int rows = rows_at(plane_of(round), part, tiles().x + 1, tile.x);
        g_cells[round] = CELL(0);
        if (lot_of(round) < LOTS && item < TILE_W)
            g_cells[round] = b_columns[columns + tile.x * TILE_W + item];
        else if (lot_of(round) < LOTS)
            g_cells[round] = b_rows[rows + tile.y * TILE_H + item - TILE_W];
        g_corner_cells[round] = b_columns[columns + totals_at() + tile.x];
    }
}

void take_items()
{
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        g_lots[round] = carried(g_cells[round]);
        g_corners[round] = carried(g_corner_cells[round]);
        if (OFFSET != AG_TABLE_PLAIN) {
            WIDE m = wide_offset(plane_of(round));
            g_lots[round] = without_offset(g_lots[round], m, WIDE(area_of(item_of(round))));
            g_corners[round] = without_offset(g_corners[round], m, corner_area());
        }
    }
}

// Every column's A, every row's B + K.
void scan_items()
{
    int lane = warp_lane();
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        WIDE sum = g_lots[round];
        for (int distance = 1; distance < RUN; distance *= 2)
            sum += unpack_wide(only(less_mask(distance - 1, lane), lane_below(pack_wide(sum), uint(distance))));
        g_lots[round] = sum;
        if (lane == RUN - 1 && lot_of(round) < LOTS)
            s_run[lot_of(round) / RUN] = pack_wide(sum);
    }
    sync_shared();
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round), run = item / RUN;
        if (lot_of(round) < LOTS) {
            WIDE sum = g_lots[round];
            for (int k = 0; k < RUNS; ++k) {
                bool before = k < run && (k >= TILE_W / RUN || item < TILE_W);
                sum += only(before, unpack_wide(s_run[plane * RUNS + k]));
            }
            sum += only(item >= TILE_W, g_corners[round]);
            s_item[lot_of(round)] = pack_line(sum, plane, g_corners[round]);
        }
    }
    // A barrier follows before they are read, in scan_planes.
}

#endif
