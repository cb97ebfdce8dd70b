// sat/finish_warps.glsl - the scan of a tile by warps: part of the last step
//
//   cost      what the scan of a warp's rows takes, and 1 barrier for AT_ONCE planes; shared memory
//             (THREADS / 32) TILE_W sums for each of those planes, twice if there are more: 2 KiB for 64 x 64 and 256
//             threads, and for four planes of 32 x 32 and 128
//
//   A warp has WARP_ROWS whole rows and scans them alone, in both directions, AT_ONCE planes together
//   (sat/scan_texels.glsl, sat/scan_quads.glsl: scan_warp, STORE_STEP). The last row of that is what all rows below get
//   from this warp. Where there are more planes, warps exchange it through one of two buffers, so that one barrier is
//   enough:
//
//        warp 0   rows 0 ..            scanned           s_last[0]  its last row
//        warp 1   rows WARP_ROWS ..    scanned  + s_last[0]         s_last[1]  ..
//        warp 2                        scanned  + s_last[0] + s_last[1]
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_FINISH_WARPS_GLSL
#define AG_SAT_FINISH_WARPS_GLSL

void keep_plane(const int plane, const int at, int last)
{
    ivec2 place = place_to_store();
    int half_warp = warp_lane() / GROUP_X, warp = warp_index();
    CELL above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + place.x + STORE_STEP(i, 0).x];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + place.y + STORE_STEP(0, j).y];
    LOCAL over[ACROSS]; // of the warps above: every second each half of the warp
    for (int i = 0; i < ACROSS; ++i) {
        over[i] = LOCAL(0);
        for (int w = 0; w < WARP_COUNT; w += 2) {
            LOCAL row = s_last[last + (w + half_warp) * TILE_W + place.x + STORE_STEP(i, 0).x];
            over[i] += only(w + half_warp < warp, row);
        }
    }
    for (int i = 0; i < ACROSS; ++i)
        over[i] += lane_across(over[i], 16u);
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i)
            keep(plane, j * ACROSS + i, g_scan[at + j * ACROSS + i] + over[i], above[i], left[j]);
}

// AT_ONCE planes from `first` on.
void scan_planes(const int first)
{
    int last = first / AT_ONCE % 2 * LAST_ROWS;
    scan_warp(first, last + warp_index() * TILE_W);
    sync_shared(); // s_item is complete, too
    for (int p = 0; p < AT_ONCE; ++p)
        keep_plane(first + p, p * TEXELS, last + p * WARP_COUNT * TILE_W);
}

#endif
