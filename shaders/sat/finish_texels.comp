// sat/finish_texels.comp - the last step to a table, by warps, a texel a load: a lone plane, FOLDED, or split
//
//   in        sat/source.glsl                  the image again
//             b_column_carry, b_row_carry      from carry.comp; with FOLDED the sums of the first step
//   out       see sat/store.glsl; with OFFSET = mean also i_mean, 1 x 1
//   host sets FOLDED, CELL (sat/finish.glsl), and what sat/warp_tile.glsl, sat/tile.glsl, sat/store.glsl,
//             sat/values.glsl and sat/source.glsl want
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; a barrier while the texels are on their way; then the scan
//             of the tile: sat/finish_warps.glsl
//   source    Nehab et al. 2011, stage 4, but with the carries added late; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define RUN 32
#include "sat/warp_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/carries_items.glsl"
#include "sat/scan_texels.glsl"
#include "sat/finish_warps.glsl"
#include "sat/finish_store.glsl"
#include "sat/split_border.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

// 32 items a run, by the lanes of a warp.
void scan_runs()
{
    int lane = warp_lane();
    for (int round = 0; round < ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p) {
            WIDE sum = g_items[p * ROUNDS + round];
            for (int distance = 1; distance < RUN; distance *= 2)
                sum += unpack_wide(only(less_mask(distance - 1, lane), lane_below(pack_wide(sum), uint(distance))));
            g_items[p * ROUNDS + round] = sum;
            int run = (thread_index() + round * THREADS) / RUN;
            if (lane == RUN - 1 && run < RUNS)
                s_run[p * RUNS + run] = pack_wide(sum);
        }
    sync_shared();
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    request_tile(frame, tile_corner() + place_in_tile());
    take_tile();
    find_offset();
    fetch_items(part);
    scan_items();
    clean_tile(frame, tile_corner() + place_in_tile());
    for (int plane = 0; plane < PLANES; plane += AT_ONCE)
        scan_planes(plane);
    store_tile(frame, tile_corner() + place_to_store());
    store_border(part, frame.size);
    store_mean();
}
