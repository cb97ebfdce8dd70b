// sat/carry_ins.glsl - the carry-ins of a tile: which thread has which, and their scan
//
//   in        g_carry_ins              sat/carry_ins_stored.glsl or sat/carry_ins_summed.glsl
//   out       s_item                   A of each column, B + K of each row (sat/finish.glsl)
//   includer  scan_runs                sat/finish_subgroups.glsl or sat/scan_shared.glsl
//   before it pack_line, keep_corner   sat/finish_single.glsl, _low.glsl or _split.glsl
//
//   Carry-in k is item k % ITEMS of plane k / ITEMS (sat/finish.glsl). A thread has CARRY_ROUNDS
//   of them, THREADS apart, so that all threads work even where there are few items.
//   scan_runs scans each run of RUN carry-ins alone (drawn in sat/finish.glsl), its sum to s_run.
//   scan_items adds the earlier runs, and K to rows.
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/finish.glsl"

#define CARRY_INS (PLANES * ITEMS)
#define CARRY_ROUNDS ((CARRY_INS + THREADS - 1) / THREADS)

WIDE g_carry_ins[CARRY_ROUNDS];

int carry_index(int round) { return thread_index() + round * THREADS; }
int item_of(int round) { return carry_index(round) % ITEMS; }
int plane_of(int round) { return min(carry_index(round) / ITEMS, PLANES - 1); }
bool is_carry(int round) { return CARRY_INS % THREADS == 0 || carry_index(round) < CARRY_INS; }

WIDE whole_corner(int round, int plane); // K, after scan_runs
WIDE stored_corner(int round);           // K, or 0 where its shares are items

// Scans runs of RUN carry-ins into g_carry_ins, and their sums into s_run. Ends with a barrier.
void scan_runs();

void scan_items()
{
    scan_runs();
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round), run = item / RUN;
        if (is_carry(round) && (FOLDED == 0 || item < LINES)) {
            WIDE sum = g_carry_ins[round], corner = whole_corner(round, plane);
            if (TILE_W > RUN || TILE_H > RUN) // add the earlier runs of the same kind
                for (int k = TILE_W / RUN * int(item >= TILE_W); k < run; ++k)
                    sum = added(sum, unpack_wide(s_run[plane * RUNS + k]));
            sum = added(sum, only(item >= TILE_W, corner));
            s_item[carry_index(round)] = pack_line(sum, plane, stored_corner(round));
            keep_corner(plane, item, corner);
        }
    }
    // scan_planes has a barrier before it reads them.
}
