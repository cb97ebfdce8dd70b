// sat/finish_subgroups.glsl - the scan of a tile by subgroups: part of the last step
//
//   cost      the shuffles of sat/scan_gathers.glsl, and 1 barrier for AT_ONCE planes; shared
//             memory (THREADS / 32) TILE_W sums for each of those planes, twice if there are more:
//             2 KiB for 64 x 64 and 256 threads, and for four planes of 32 x 32 and 128 threads
//
//   A subgroup has SUBGROUP_ROWS whole rows and scans them alone, in both directions, AT_ONCE
//   planes together (sat/scan_gathers.glsl: scan_subgroup, STORE_STEP). The last row of that is
//   what the subgroup adds to all rows below. With more planes, two buffers take turns, so that one
//   barrier a turn is enough:
//
//        subgroup 0   rows 0 ..              scanned               s_last[0]  its last row
//        subgroup 1   rows SUBGROUP_ROWS ..  scanned  + s_last[0]  s_last[1]  ..
//        subgroup 2                          scanned  + s_last[0] + s_last[1]
//   SPDX-License-Identifier: MIT
#pragma once

// A subgroup scans a run of 32 carry-ins: each lane adds those 1, 2, 4, 8, 16 lanes before it.
void scan_runs()
{
    int lane = subgroup_lane();
    for (int distance = 1; distance < ROLLED(RUN); distance *= 2)
        for (int round = 0; round < CARRY_ROUNDS; ++round) {
            PACKED_SUM before = lane_below(pack_wide(g_carry_ins[round]), uint(distance));
            g_carry_ins[round] = added(g_carry_ins[round],
                                       unpack_wide(only(less_mask(distance - 1, lane), before)));
        }
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        if (lane == RUN - 1 && is_carry(round))
            s_run[carry_index(round) / RUN] = pack_wide(g_carry_ins[round]);
    sync_shared();
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
        set_entry(k, g_scan[p * TEXELS + k] + over[k % ACROSS], above[k % ACROSS],
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
}
