// sat/tile_scan_shared.glsl - the scan of a tile through shared memory, plane by plane
//
//   in        g_texels (sat/entries.glsl), s_item (sat/carry_ins.glsl)
//   out       entries, by set_entry (sat/entries.glsl)
//   host sets the defines of sat/entries.glsl
//   cost      5 barriers a plane; shared memory for 32 x 32 floats 6 KiB, 64 x 64 20 KiB,
//             pairs of floats and doubles twice
//
//   Two rows of a tile lie 16 banks apart, and pairs of rows 17 (mod 32). The accesses of a
//   subgroup fall into 32 banks, whether it accesses a row, a column, or 16 x 2 texels.
//
//        pair 0    row 0, 16 free, row 1, 1 free
//        pair 1    row 2 ...
//
//   A thread scans a run of a column, then of a row. The sums of the runs go through s_segment:
//
//        segment 0   a thread a column   TEXELS texels        + 0
//        segment 1                                            + segment 0's sum
//        ..                                                   + those of segments 0 and 1
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/entries.glsl"

#define ROW_STEP (TILE_W + 16)
#define PAIR_STEP (2 * TILE_W + 17)
#define ROW_AT(y) (((y) >> 1) * PAIR_STEP + ((y) & 1) * ROW_STEP)

shared LOCAL s_tile[TILE_H / 2 * PAIR_STEP];
shared LOCAL s_segment[THREADS];

// Scans the columns or the rows of the tile; there are `lines` of them.
void scan_lines(const int lines, const bool columns)
{
    int thread = int(gl_LocalInvocationIndex), line = thread % lines, segment = thread / lines;
    int base = columns ? ROW_AT(segment * TEXELS) + line : ROW_AT(line) + segment * TEXELS;
    LOCAL run[TEXELS];
    for (int k = 0; k < TEXELS; ++k)
        run[k] = s_tile[base + (columns ? ROW_AT(k) : k)];
    for (int k = 1; k < TEXELS; ++k)
        run[k] = added(run[k], run[k - 1]);
    s_segment[thread] = run[TEXELS - 1];
    sync_shared();
    LOCAL before = LOCAL(0);
    for (int k = 0; k < THREADS / lines - 1; ++k)
        before = added(before, only(k < segment, s_segment[k * lines + line]));
    for (int k = 0; k < TEXELS; ++k)
        s_tile[base + (columns ? ROW_AT(k) : k)] = added(run[k], before);
}

void scan_plane(int plane, const bool squared)
{
    ivec2 local = place_in_tile();
    int base = ROW_AT(local.y) + local.x;
    for (int k = 0; k < TEXELS; ++k)
        s_tile[base + ROW_AT(k / ACROSS * GROUP_Y) + k % ACROSS * GROUP_X] =
            texel_value(k, squared);
    next_plane();
    sync_shared(); // also completes s_item
    scan_lines(TILE_W, true);
    sync_shared();
    scan_lines(TILE_H, false);
    sync_shared();
    PACKED_SUM above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + local.x + i * GROUP_X];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + local.y + j * GROUP_Y];
    // reads only the places that this thread overwrites for the next plane
    for (int k = 0; k < TEXELS; ++k) {
        int i = k % ACROSS, j = k / ACROSS;
        set_entry(k, squared, s_tile[base + ROW_AT(j * GROUP_Y) + i * GROUP_X], above[i], left[j]);
    }
}

void scan_planes()
{
    for (int plane = 0; plane < ROLLED(PLANES / (1 + SQUARE)); ++plane)
        scan_plane(plane, false);
#if MOMENTS
    for (int k = 0; k < TEXELS; ++k)
        append_code(k, first_of(g_texels[k]));
#endif
    if (SQUARE != 0)
        for (int plane = CHANNELS; plane < ROLLED(PLANES); ++plane)
            scan_plane(plane, true);
}
