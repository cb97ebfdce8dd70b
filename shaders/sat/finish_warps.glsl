// sat/finish_warps.glsl - the scan of a tile by warps: part of sat/finish.comp
//
//   cost      what the scan of a warp's rows takes, and 1 barrier a plane; shared memory
//             2 (THREADS / 32) TILE_W sums: 4 KiB for 64 x 64 and 256 threads
//
//   A warp has WARP_ROWS whole rows and scans them alone, in both directions (sat/scan_texels.glsl,
//   sat/scan_quads.glsl). The last row of that is what all rows below get from this warp. Warps exchange it
//   through one of two buffers, so that a barrier a plane is enough.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_FINISH_WARPS_GLSL
#define AG_SAT_FINISH_WARPS_GLSL

shared LOCAL s_last[2 * WARP_COUNT * TILE_W];

LOCAL g_scan[TEXELS];

#if QUADS
#include "sat/scan_quads.glsl"
#else
#include "sat/scan_texels.glsl"
#endif

void scan_plane(const int plane)
{
    ivec2 place = place_to_store();
    int half_warp = warp_lane() / GROUP_X, warp = warp_index(), buffer_at = plane % 2 * WARP_COUNT * TILE_W;
    scan_warp(plane, buffer_at + warp * TILE_W);
    sync_shared(); // s_item is complete, too
    CELL above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + place.x + STORE_STEP(i, 0).x];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + place.y + STORE_STEP(0, j).y];
    LOCAL over[ACROSS]; // of the warps above: every second each half of the warp
    for (int i = 0; i < ACROSS; ++i) {
        over[i] = LOCAL(0);
        for (int w = 0; w < WARP_COUNT; w += 2) {
            LOCAL last = s_last[buffer_at + (w + half_warp) * TILE_W + place.x + STORE_STEP(i, 0).x];
            over[i] += only(w + half_warp < warp, last);
        }
    }
    for (int i = 0; i < ACROSS; ++i)
        over[i] += lane_across(over[i], 16u);
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i)
            keep(plane, j * ACROSS + i, g_scan[j * ACROSS + i] + over[i], above[i], left[j]);
}

#endif
