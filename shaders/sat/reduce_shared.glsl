// sat/reduce_shared.glsl - a tile's sums of columns and rows by shared memory: part of sat/reduce.comp
//
//   cost      2 barriers for BATCH planes, 2 at the end; shared memory
//             BATCH (GROUP_Y (TILE_W + 1) + GROUP_X (TILE_H + 1)) sums: 8.1 KiB for 64 x 64 floats
//
//        s_column   of each row of threads    a sum for each column of the tile:   GROUP_Y to add
//        s_row      of each column of threads a sum for each row:                  GROUP_X to add
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_REDUCE_SHARED_GLSL
#define AG_SAT_REDUCE_SHARED_GLSL

// Planes at a time: as many as the threads can add up at once, if shared memory holds them.
#if PLANES > 1 && THREADS >= 2 * (TILE_W + TILE_H) && !SUM_IS_DOUBLE
#define BATCH 2
#else
#define BATCH 1
#endif
#define LINES (TILE_W + TILE_H)
#define ROUNDS ((BATCH * LINES + THREADS - 1) / THREADS)
#define SHARES 8 // of a tile's total

// One more than a tile, so that neighbours in the other direction fall into other banks.
#define COLUMN_PART (GROUP_Y * (TILE_W + 1))
#define ROW_PART (GROUP_X * (TILE_H + 1))
shared SUM s_column[BATCH * COLUMN_PART];
shared SUM s_row[BATCH * ROW_PART];
shared SUM s_sum[PLANES * (TILE_W + 1)]; // of columns
shared SUM s_share[PLANES * SHARES];

void share_plane(const int plane)
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    const int b = plane % BATCH;
    for (int i = 0; i < ACROSS; ++i)
        s_column[b * COLUMN_PART + local.y * (TILE_W + 1) + local.x + i * GROUP_X] =
            g_column[plane * ACROSS + i];
    for (int j = 0; j < DOWN; ++j)
        s_row[b * ROW_PART + local.x * (TILE_H + 1) + local.y + j * GROUP_Y] = g_row[plane * DOWN + j];
}

// BATCH planes from `first` on: a line of the tile each thread.
void add_lines(const int first, int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    for (int round = 0; round < ROUNDS; ++round) {
        int line = int(gl_LocalInvocationIndex) + round * THREADS;
        if (line < BATCH * TILE_W) {
            int b = line / TILE_W, x = line % TILE_W, at = b * COLUMN_PART + x;
            SUM sum = s_column[at];
            for (int k = 1; k < GROUP_Y; ++k)
                sum += s_column[at + k * (TILE_W + 1)];
            s_sum[(first + b) * (TILE_W + 1) + x] = sum;
            b_column_sums[columns_at(first + b, part, u_grid.y, tile.y) + tile.x * TILE_W + x] = sum;
        } else if (line < BATCH * LINES) {
            int b = (line - BATCH * TILE_W) / TILE_H, y = (line - BATCH * TILE_W) % TILE_H;
            int at = b * ROW_PART + y;
            SUM sum = s_row[at];
            for (int k = 1; k < GROUP_X; ++k)
                sum += s_row[at + k * (TILE_H + 1)];
            b_row_sums[rows_at(first + b, part, u_grid.x, tile.x) + tile.y * TILE_H + y] = sum;
        }
    }
}

// Every plane's total, from its columns.
void add_totals(int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    if (thread < PLANES * SHARES) {
        int at = thread / SHARES * (TILE_W + 1) + thread % SHARES;
        SUM sum = s_sum[at];
        for (int k = 1; k < TILE_W / SHARES; ++k)
            sum += s_sum[at + k * SHARES];
        s_share[thread] = sum;
    }
    sync_shared();
    if (thread < PLANES) {
        SUM sum = s_share[thread * SHARES];
        for (int k = 1; k < SHARES; ++k)
            sum += s_share[thread * SHARES + k];
        b_column_sums[columns_at(thread, part, u_grid.y, tile.y) + u_grid.x * TILE_W + tile.x] = sum;
    }
}

void add_tile(int part)
{
    for (int plane = 0; plane < PLANES; plane += BATCH) {
        share_plane(plane);
#if BATCH > 1
        share_plane(plane + 1);
#endif
        sync_shared();
        add_lines(plane, part);
        sync_shared(); // the next planes overwrite s_column and s_row; s_sum is complete
    }
    add_totals(part);
}

#endif
