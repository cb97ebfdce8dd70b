// sat/carry_ins.glsl - takes the offset off carry-ins, and scans them along the tile
//
//   in        g_carry_ins, g_corners   carry_ins_stored.glsl or carry_ins_summed.glsl, before this
//   out       s_item                   A of each column, B + K of each row (sat/finish.glsl)
//   includer  scan_runs: by subgroups (sat/finish_subgroups.glsl) or by threads
//             (sat/finish_shared.glsl)
//
//   RUN neighbouring carry-ins are a run:
//
//        carry-in 0 .. 31 | 32 .. 63 | 64 ..         scan_runs: scans each run alone, its sum to
//        s_run
//        plane 0  columns | rows     | plane 1 ..    scan_items: adds earlier runs; to rows K
//   SPDX-License-Identifier: MIT
#pragma once

// ---- the offset

void find_offset()
{
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = float(wide_offset(c));
}

#if SQUARE == 0 // else sat/carry_ins_squares.glsl, included before
void take_offset_off()
{
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        WIDE m = wide_offset(plane_of(round));
        g_carry_ins[round] = without_offset(g_carry_ins[round], m, WIDE(area_of(item_of(round))));
        g_corners[round] = without_offset(g_corners[round], m, corner_area());
    }
}
#endif

// ---- the scan

// Scans runs of RUN carry-ins into g_carry_ins, and their sums into s_run. Ends with a barrier.
void scan_runs();

WIDE whole_corner(int plane, WIDE corner)
{
    for (int k = LINES / RUN; k < RUNS + int(no_bits()); ++k)
        corner += unpack_wide(s_run[plane * RUNS + k]);
    return corner;
}

#if STORAGE == AG_TABLE_SPLIT
shared PACKED_SUM s_corner[PLANES];
#endif

void scan_items()
{
    if (OFFSET != AG_TABLE_PLAIN)
        take_offset_off();
    scan_runs();
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round), run = item / RUN;
        if (is_carry(round) && (FOLDED == 0 || item < LINES)) {
            WIDE sum = g_carry_ins[round], corner = g_corners[round];
            if (FOLDED != 0)
                corner = whole_corner(plane, corner);
            if (TILE_W > RUN || TILE_H > RUN) // add the earlier runs of the same kind
                for (int k = TILE_W / RUN * int(item >= TILE_W); k < run; ++k)
                    sum += unpack_wide(s_run[plane * RUNS + k]);
            sum += only(item >= TILE_W, corner);
            s_item[carry_index(round)] = pack_line(sum, plane, g_corners[round]);
#if STORAGE == AG_TABLE_SPLIT
            if (item == 0)
                s_corner[plane] = pack_wide(corner);
#endif
        }
    }
    // scan_planes has a barrier before it reads them.
}
