// sat/finish_warps.glsl - the scan of a tile by warps: part of sat/finish.comp
//
//   cost      6 shuffles a texel, 1 barrier a plane; shared memory 2 (THREADS / 32) TILE_W sums: 4 KiB for
//             64 x 64 and 256 threads
//
//   A warp has WARP_ROWS whole rows and scans them alone, in both directions:
//
//        down      a lane's texels, every second row, in its registers; those between are 16 lanes away
//        across    16 lanes at a time, then what the columns before add up to
//
//   The last row of that is what all rows below get from this warp. Warps exchange it through one of two
//   buffers, so that a barrier a plane is enough.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_FINISH_WARPS_GLSL
#define AG_SAT_FINISH_WARPS_GLSL

shared LOCAL s_last[2 * WARP_COUNT * TILE_W];

LOCAL g_scan[TEXELS];

// Sums down the warp's rows.
void scan_down(const int plane, uint odd) // a mask
{
    for (int i = 0; i < ACROSS; ++i) {
        LOCAL sum = LOCAL(0), other = LOCAL(0);
        for (int j = 0; j < DOWN; ++j) {
            int k = j * ACROSS + i;
            sum += local_value(kept_texel(g_texels[k]), plane, g_offset[plane % CHANNELS]);
            LOCAL next = lane_across(sum, 16u);
            g_scan[k] = sum + choose(odd, other, next); // an even row knows nothing of the odd one below
            other = next;
        }
    }
}

void scan_across(int lane)
{
    int column = lane % GROUP_X;
    for (int k = 0; k < TEXELS; ++k)
        g_scan[k] += only(less_mask(0, column), lane_below(g_scan[k], 1u));
    for (int k = 0; k < TEXELS; ++k)
        g_scan[k] += only(less_mask(1, column), lane_below(g_scan[k], 2u));
    for (int k = 0; k < TEXELS; ++k)
        g_scan[k] += only(less_mask(3, column), lane_below(g_scan[k], 4u));
    for (int k = 0; k < TEXELS; ++k)
        g_scan[k] += only(less_mask(7, column), lane_below(g_scan[k], 8u));
    for (int j = 0; j < DOWN; ++j) {
        LOCAL before = LOCAL(0);
        for (int i = 0; i < ACROSS; ++i) {
            int k = j * ACROSS + i;
            LOCAL all = lane_of(g_scan[k], lane | (GROUP_X - 1));
            g_scan[k] += before;
            before += all;
        }
    }
}

void scan_plane(const int plane)
{
    int lane = warp_lane(), column = lane % GROUP_X, half_warp = lane / GROUP_X, warp = warp_index();
    int buffer_at = plane % 2 * WARP_COUNT * TILE_W + column;
    scan_down(plane, less_mask(0, half_warp));
    scan_across(lane);
    if (half_warp != 0)
        for (int i = 0; i < ACROSS; ++i)
            s_last[buffer_at + warp * TILE_W + i * GROUP_X] = g_scan[(DOWN - 1) * ACROSS + i];
    sync_shared(); // s_item is complete, too
    CELL above[ACROSS], left[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        above[i] = s_item[plane * ITEMS + column + i * GROUP_X];
    for (int j = 0; j < DOWN; ++j)
        left[j] = s_item[plane * ITEMS + TILE_W + warp * WARP_ROWS + half_warp + j * STEP_Y];
    LOCAL over[ACROSS]; // of the warps above: every second each half of the warp
    for (int i = 0; i < ACROSS; ++i) {
        over[i] = LOCAL(0);
        for (int w = 0; w < WARP_COUNT; w += 2) {
            LOCAL last = s_last[buffer_at + (w + half_warp) * TILE_W + i * GROUP_X];
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
