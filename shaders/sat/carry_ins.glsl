// sat/carry_ins.glsl - finds the offset, and scans the carry-ins along the tile
//
//   in        g_carry_ins, g_corners   carry_ins_stored.glsl or carry_ins_summed.glsl, before this
//             take_offset_off          finish_plain.glsl or finish_sections.glsl, before this
//   out       s_item                   A of each column, B + K of each row (sat/finish.glsl)
//   includer  scan_runs: by subgroups (sat/finish_subgroups.glsl) or by threads
//             (sat/finish_shared.glsl)
//
//   scan_runs scans each run of RUN carry-ins alone (drawn in sat/finish.glsl), its sum to s_run.
//   scan_items adds the earlier runs, and K to rows.
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

// ---- the scan

// Scans runs of RUN carry-ins into g_carry_ins, and their sums into s_run. Ends with a barrier.
void scan_runs();

void scan_items()
{
    if (OFFSET != AG_TABLE_PLAIN)
        take_offset_off();
    scan_runs();
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round), run = item / RUN;
        if (is_carry(round) && (FOLDED == 0 || item < LINES)) {
            WIDE sum = g_carry_ins[round], corner = whole_corner(round, plane);
            if (TILE_W > RUN || TILE_H > RUN) // add the earlier runs of the same kind
                for (int k = TILE_W / RUN * int(item >= TILE_W); k < run; ++k)
                    sum += unpack_wide(s_run[plane * RUNS + k]);
            sum += only(item >= TILE_W, corner);
            s_item[carry_index(round)] = pack_line(sum, plane, g_corners[round]);
            keep_corner(plane, item, corner);
        }
    }
    // scan_planes has a barrier before it reads them.
}
