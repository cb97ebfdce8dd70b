// sat/reduce_warps.glsl - a tile's sums of columns and rows by warps: part of sat/reduce.comp
//
//   cost      less than a shuffle a texel; 1 barrier for all planes; shared memory
//             PLANES (THREADS / 32) (TILE_W + 1) sums: 2.1 KiB for 64 x 64 floats and 256 threads
//
//   A warp has whole rows of the tile. Rows: 16 lanes add up what each has of one. Columns: both halves of
//   the warp, then all warps through shared memory. The tile's total: its rows, warp by warp.
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_REDUCE_WARPS_GLSL
#define AG_SAT_REDUCE_WARPS_GLSL
#include "common/warps.glsl"

shared SUM s_column[PLANES * WARP_COUNT * TILE_W];
shared SUM s_total[PLANES * WARP_COUNT];

void share_plane(const int plane, int part)
{
    int lane = warp_lane(), half_warp = lane / GROUP_X, warp = warp_index();
    ivec2 place = place_in_tile();
    int base = (plane * WARP_COUNT + warp) * TILE_W + place.x;
    uint odd = less_mask(0, half_warp);
    // Either half of the warp adds up half of the columns, and passes on what it has of the others.
    SUM pair[ACROSS];
    for (int i = 0; i < ACROSS; i += 2) {
        SUM first = g_column[plane * ACROSS + i], second = g_column[plane * ACROSS + i + 1];
        pair[i] = choose(odd, first, second);
        pair[i + 1] = lane_across(choose(odd, second, first), 16u);
    }
    for (int i = 0; i < ACROSS; i += 2)
        s_column[base + READ_STEP(i, 0).x + half_warp * READ_STEP(1, 0).x] = pair[i] + pair[i + 1];
    for (int j = 0; j < DOWN; ++j)
        g_row[plane * DOWN + j] += lane_across(g_row[plane * DOWN + j], 8u);
    for (int j = 0; j < DOWN; ++j)
        g_row[plane * DOWN + j] += lane_across(g_row[plane * DOWN + j], 4u);
    for (int j = 0; j < DOWN; ++j)
        g_row[plane * DOWN + j] += lane_across(g_row[plane * DOWN + j], 2u);
    for (int j = 0; j < DOWN; ++j)
        g_row[plane * DOWN + j] += lane_across(g_row[plane * DOWN + j], 1u);
    // Lanes that have the same store the same: no condition on what shuffles brought.
    int mine = lane % DOWN;
    SUM sum = SUM(0), all = SUM(0);
    for (int j = 0; j < DOWN; ++j) {
        all += g_row[plane * DOWN + j];
        sum = choose(equal_mask(mine, j), sum, g_row[plane * DOWN + j]);
    }
    all += lane_across(all, 16u);
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int row = place.y + mine * READ_STEP(0, 1).y;
    b_row_sums[rows_at(plane, part, u_grid.x, tile.x) + tile.y * TILE_H + row] = sum;
    s_total[plane * WARP_COUNT + warp] = all;
}

void add_warps(int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    for (int first = 0; first < PLANES * TILE_W; first += THREADS) {
        int item = first + thread, plane = item / TILE_W, x = item % TILE_W;
        if (item < PLANES * TILE_W) {
            SUM sum = s_column[plane * WARP_COUNT * TILE_W + x];
            for (int w = 1; w < WARP_COUNT; ++w)
                sum += s_column[(plane * WARP_COUNT + w) * TILE_W + x];
            b_column_sums[columns_at(plane, part, u_grid.y, tile.y) + tile.x * TILE_W + x] = sum;
        }
    }
    // By the last threads, which most often have nothing else to do.
    int plane = THREADS - 1 - thread;
    if (plane < PLANES) {
        SUM sum = s_total[plane * WARP_COUNT];
        for (int w = 1; w < WARP_COUNT; ++w)
            sum += s_total[plane * WARP_COUNT + w];
        b_column_sums[columns_at(plane, part, u_grid.y, tile.y) + u_grid.x * TILE_W + tile.x] = sum;
    }
}

void add_tile(int part)
{
    for (int plane = 0; plane < PLANES; ++plane)
        share_plane(plane, part);
    sync_shared();
    add_warps(part);
}

#endif
