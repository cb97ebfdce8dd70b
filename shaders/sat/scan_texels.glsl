// sat/scan_texels.glsl - the scan of a warp's rows, a texel a load: for sat/finish_warps.glsl
//
//   cost      6.25 shuffles a texel
//
//        down      a lane's texels, every second row, in its registers; those between are 16 lanes away
//        across    16 lanes at a time, then what the columns before add up to
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_SCAN_TEXELS_GLSL
#define AG_SAT_SCAN_TEXELS_GLSL

#define AT_ONCE 1 // plane
#define LAST_ROWS (WARP_COUNT * TILE_W)
#define STORE_STEP READ_STEP
ivec2 place_to_store() { return place_in_tile(); }

shared LOCAL s_last[LAST_ROWS * (PLANES > AT_ONCE ? 2 : 1)];

LOCAL g_scan[TEXELS];

void scan_down(const int plane, uint odd) // a mask
{
    for (int i = 0; i < ACROSS; ++i) {
        LOCAL sum = LOCAL(0), other = LOCAL(0);
        for (int j = 0; j < DOWN; ++j) {
            int k = j * ACROSS + i;
            sum += texel_value(k, plane);
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

// Into g_scan, and the last row into s_last from `last` on.
void scan_warp(const int plane, int last)
{
    int lane = warp_lane(), half_warp = lane / GROUP_X;
    scan_down(plane, less_mask(0, half_warp));
    scan_across(lane);
    if (half_warp != 0)
        for (int i = 0; i < ACROSS; ++i)
            s_last[last + lane % GROUP_X + i * GROUP_X] = g_scan[(DOWN - 1) * ACROSS + i];
}

#endif
