// sat/scan_quads.glsl - the scan of a warp's rows, four texels a gather: part of sat/finish_warps.glsl
//
//   cost      4 shuffles a texel: 2.5 across, 0.25 for the columns before, 0.25 for the rows above, 1 to change places
//
//        down      a lane's texels, DOWN rows of them, in its registers
//        across    pairs of columns, 16 lanes at a time, then what the columns before add up to
//        halves    the lower half of the rows gets the last row of the upper one
//        places    columns 16 apart and rows DOWN apart go to registers, neighbours to lanes, so that stores
//                  cover whole sectors of the table:
//
//                          x = 32 m + 2 c + b      lane bit 3 of c <-> b      then x = 16 i + 2 (c & 7) + (c >> 3)
//                          y = DOWN h + 2 t + a    lane bit h     <-> a      then y = DOWN (j & 1) + (j & ~1) + h
//   source    the exchange of lane bits with register bits: Johnsson and Ho 1988, transposition in hypercubes
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_SCAN_QUADS_GLSL
#define AG_SAT_SCAN_QUADS_GLSL

#define STORE_STEP(i, j) ivec2((i) * 16, (j) % 2 * DOWN + (j) / 2 * 2)
ivec2 place_to_store()
{
    int lane = warp_lane(), c = lane % GROUP_X;
    return ivec2(2 * (c & 7) + (c >> 3), warp_index() * WARP_ROWS + lane / GROUP_X);
}

void scan_down(const int plane)
{
    for (int k = 0; k < TEXELS; ++k)
        g_scan[k] = local_value(kept_texel(g_texels[k]), plane, g_offset[plane % CHANNELS]);
    for (int k = ACROSS; k < TEXELS; ++k)
        g_scan[k] += g_scan[k - ACROSS];
    for (int k = 0; k < TEXELS; k += 2)
        g_scan[k + 1] += g_scan[k];
}

// 16 lanes' pairs, of DOWN rows at once.
void scan_across(int lane)
{
    int column = lane % GROUP_X;
    LOCAL before[DOWN]; // all columns left of the 32
    for (int j = 0; j < DOWN; ++j)
        before[j] = LOCAL(0);
    for (int i = 0; i < ACROSS; i += 2) {
        LOCAL left[DOWN]; // pairs left of this lane's
        for (int j = 0; j < DOWN; ++j)
            left[j] = only(less_mask(0, column), lane_below(g_scan[j * ACROSS + i + 1], 1u));
        for (int j = 0; j < DOWN; ++j)
            left[j] += only(less_mask(0, column), lane_below(left[j], 1u));
        for (int j = 0; j < DOWN; ++j)
            left[j] += only(less_mask(1, column), lane_below(left[j], 2u));
        for (int j = 0; j < DOWN; ++j)
            left[j] += only(less_mask(3, column), lane_below(left[j], 4u));
        for (int j = 0; j < DOWN; ++j)
            left[j] += only(less_mask(7, column), lane_below(left[j], 8u));
        for (int j = 0; j < DOWN; ++j) {
            int k = j * ACROSS + i;
            LOCAL base = left[j] + before[j];
            g_scan[k] += base;
            g_scan[k + 1] += base;
            before[j] = lane_of(g_scan[k + 1], lane | (GROUP_X - 1));
        }
    }
}

// Registers a and b: where `bit` of the lane is 0, b goes over and comes back as the partner's a; else a does.
void swap_places(int a, int b, uint mask, const uint bit)
{
    LOCAL came = lane_across(choose(mask, g_scan[b], g_scan[a]), bit);
    g_scan[a] = choose(mask, g_scan[a], came);
    g_scan[b] = choose(mask, came, g_scan[b]);
}

// Into g_scan, and the last row into s_last from `last` on.
void scan_warp(const int plane, int last)
{
    int lane = warp_lane(), half_warp = lane / GROUP_X, column = 2 * (lane % GROUP_X);
    uint lower = less_mask(0, half_warp);
    scan_down(plane);
    scan_across(lane);
    for (int i = 0; i < ACROSS; ++i) {
        LOCAL above = only(lower, lane_across(g_scan[(DOWN - 1) * ACROSS + i], 16u));
        for (int j = 0; j < DOWN; ++j)
            g_scan[j * ACROSS + i] += above;
    }
    if (half_warp != 0)
        for (int i = 0; i < ACROSS; ++i)
            s_last[last + column + READ_STEP(i, 0).x] = g_scan[(DOWN - 1) * ACROSS + i];
    uint right = less_mask(7, lane % GROUP_X);
    for (int k = 0; k < TEXELS; k += 2)
        swap_places(k, k + 1, right, 8u);
    for (int j = 0; j < DOWN; j += 2)
        for (int i = 0; i < ACROSS; ++i)
            swap_places(j * ACROSS + i, (j + 1) * ACROSS + i, lower, 16u);
}

#endif
