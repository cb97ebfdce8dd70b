// sat/carries.glsl - what comes from other tiles: less the offset, and scanned along the tile
//
//   in        g_lots, g_corners   the carries: sat/carries_ready.glsl or sat/carries_folded.glsl, included before
//   out       s_item              of every column A, of every row B + K (sat/finish.glsl has the picture)
//   includer  scan_runs: by subgroups (sat/finish_subgroups.glsl) or by threads (sat/finish_shared.glsl)
//
//   RUN neighbouring lots are a run:
//
//        lot      0 .. 31 | 32 .. 63 | 64 ..         scan_runs: each run by itself, its whole into s_run
//        plane 0  columns | rows     | plane 1 ..    scan_items: adds the runs before, of rows also the corner
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_CARRIES_GLSL
#define AG_SAT_CARRIES_GLSL

// ---- the offset

void find_offset()
{
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = float(wide_offset(c));
}

void store_mean()
{
    if (OFFSET == AG_TABLE_MEAN && thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, mean_row()), g_offset);
}

#if SQUARE == 0 // else sat/carries_squares.glsl, included before
void take_offset_off()
{
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        WIDE m = wide_offset(plane_of(round));
        g_lots[round] = without_offset(g_lots[round], m, WIDE(area_of(item_of(round))));
        g_corners[round] = without_offset(g_corners[round], m, corner_area());
    }
}
#endif

// ---- the scan

// Runs of RUN lots, into g_lots; their sums into s_run. Ends with a barrier.
void scan_runs();

WIDE whole_corner(int plane, WIDE corner)
{
    for (int k = LINES / RUN; k < RUNS + int(no_bits()); ++k)
        corner += unpack_wide(s_run[plane * RUNS + k]);
    return corner;
}

#if STORAGE == AG_TABLE_SPLIT
shared CELL s_corner[PLANES];
#endif

void scan_items()
{
    if (OFFSET != AG_TABLE_PLAIN)
        take_offset_off();
    scan_runs();
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round), run = item / RUN;
        if (is_lot(round) && (FOLDED == 0 || item < LINES)) {
            WIDE sum = g_lots[round], corner = g_corners[round];
            if (FOLDED != 0)
                corner = whole_corner(plane, corner);
            if (TILE_W > RUN || TILE_H > RUN) // runs of the same kind before
                for (int k = TILE_W / RUN * int(item >= TILE_W); k < run; ++k)
                    sum += unpack_wide(s_run[plane * RUNS + k]);
            sum += only(item >= TILE_W, corner);
            s_item[lot_of(round)] = pack_line(sum, plane, g_corners[round]);
#if STORAGE == AG_TABLE_SPLIT
            if (item == 0)
                s_corner[plane] = pack_wide(corner);
#endif
        }
    }
    // A barrier follows before they are read, in scan_planes.
}

#endif
