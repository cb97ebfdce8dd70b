// sat/reduce_shared.comp - sums of columns and rows of tiles, by shared memory: the first step
//
//   in        the image: sat/tile_loads.glsl
//   out       b_column_sums, b_row_sums   see sat/tile.glsl
//   host sets BATCH    planes at a time: 1, or 2 where the threads can add up as many lines at once
//             and the defines of sat/reduce.glsl, sat/tile.glsl, sat/types.glsl and
//             sat/tile_loads.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, TILE_W TILE_H / threads loads in flight a thread; 2 barriers
//             for BATCH planes, 2 at the end
//   shared    BATCH (GROUP_Y (TILE_W + 1) + GROUP_X (TILE_H + 1)) sums: 8.1 KiB for 64 x 64 floats
//   limits    registers and shared memory alike on RDNA 2: 56 VGPRs, 7 KiB, 9 waves a SIMD; shared
//             memory on GCN 5, 4 waves (docs/gpus.md)
//   why       sums in pairs of floats or double, drivers without subgroups, and images that no
//             texture unit reads
//
//        s_column   a row of threads      a sum for each column of the tile:   GROUP_Y to add
//        s_row      a column of threads   a sum for each row:                  GROUP_X to add
//   source    Nehab, Maximo, Lima, Hoppe 2011, algorithm SAT, stage 1; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef BATCH
#error "BATCH must be set by the host"
#endif
#include "sat/shared_tile.glsl"
#include "sat/tile_loads.glsl"
#include "sat/reduce.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

#define LINES (TILE_W + TILE_H)
#define ROUNDS ((BATCH * LINES + THREADS - 1) / THREADS)
#define SHARES 8 // of a tile's total

// One more than a tile, so that neighbours along the other axis fall into different banks.
#define COLUMN_PART (GROUP_Y * (TILE_W + 1))
#define ROW_PART (GROUP_X * (TILE_H + 1))
shared SUM s_column[BATCH * COLUMN_PART];
shared SUM s_row[BATCH * ROW_PART];
shared SUM s_sum[PLANES * (TILE_W + 1)]; // of columns
shared SUM s_share[PLANES * SHARES];

// Shares the sums of the first BATCH planes, and moves those of the next planes to their place.
void share_planes()
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    for (int k = 0; k < BATCH * ACROSS; ++k)
        s_column[k / ACROSS * COLUMN_PART + local.y * (TILE_W + 1) + local.x + k % ACROSS *
                 GROUP_X] = g_column[k];
    for (int k = 0; k < BATCH * DOWN; ++k)
        s_row[k / DOWN * ROW_PART + local.x * (TILE_H + 1) + local.y + k % DOWN * GROUP_Y] =
            g_row[k];
#if PLANES > BATCH
    for (int k = 0; k < (PLANES - BATCH) * ACROSS; ++k)
        g_column[k] = g_column[k + BATCH * ACROSS];
    for (int k = 0; k < (PLANES - BATCH) * DOWN; ++k)
        g_row[k] = g_row[k + BATCH * DOWN];
#endif
}

// Each thread adds up a line of the tile, of BATCH planes from `first` on.
void add_lines(int first, int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    for (int round = 0; round < ROUNDS; ++round) {
        int line = int(gl_LocalInvocationIndex) + round * THREADS;
        if (line < BATCH * TILE_W) {
            int b = line / TILE_W, x = line % TILE_W, at = b * COLUMN_PART + x;
            SUM sum = s_column[at];
            for (int k = 1; k < GROUP_Y; ++k)
                sum = added(sum, s_column[at + k * (TILE_W + 1)]);
            s_sum[(first + b) * (TILE_W + 1) + x] = sum;
            b_column_sums[columns_at(first + b, part, tiles().y, tile.y) + tile.x * TILE_W + x] =
                sum;
        } else if (line < BATCH * LINES) {
            int b = (line - BATCH * TILE_W) / TILE_H, y = (line - BATCH * TILE_W) % TILE_H;
            int at = b * ROW_PART + y;
            SUM sum = s_row[at];
            for (int k = 1; k < GROUP_X; ++k)
                sum = added(sum, s_row[at + k * (TILE_H + 1)]);
            b_row_sums[rows_at(first + b, part, tiles().x, tile.x) + tile.y * TILE_H + y] = sum;
        }
    }
}

// The total of every plane, from its columns.
void add_totals(int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    if (thread < PLANES * SHARES) {
        int at = thread / SHARES * (TILE_W + 1) + thread % SHARES;
        SUM sum = s_sum[at];
        for (int k = 1; k < TILE_W / SHARES; ++k)
            sum = added(sum, s_sum[at + k * SHARES]);
        s_share[thread] = sum;
    }
    sync_shared();
    if (thread < PLANES) {
        SUM sum = s_share[thread * SHARES];
        for (int k = 1; k < SHARES; ++k)
            sum = added(sum, s_share[thread * SHARES + k]);
        b_column_sums[columns_at(thread, part, tiles().y, tile.y) + totals_at() + tile.x] = sum;
    }
}

void add_tile(int part)
{
    for (int plane = 0; plane < ROLLED(PLANES); plane += BATCH) { // not unrolled
        share_planes();
        sync_shared();
        add_lines(plane, part);
        sync_shared(); // before s_column and s_row are written again; completes s_sum
    }
    add_totals(part);
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_W, TILE_H) + place_in_tile();
    request_tile(frame, first);
    add_texels(frame, first);
    add_tile(part);
}
