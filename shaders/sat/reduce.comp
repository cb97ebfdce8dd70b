// sat/reduce.comp - sums of every column and row of every tile: the first of three steps to a table
//
//   in        i_src           the image
//   out       b_column_sums, b_row_sums   see sat/tile.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel; 2 barriers a plane; shared memory (GROUP_Y (TILE_W + 1) +
//             GROUP_X (TILE_H + 1)) sums: 8.5 KiB for 64 x 64 floats
//   source    Nehab, Maximo, Lima, Hoppe 2011, algorithm SAT, stage 1; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/tile.glsl"
#include "common/sync.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = AG_SSBO_COLUMN_SUMS) writeonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) writeonly buffer RowSums { SUM b_row_sums[]; };

// A row of these a row of threads, or a column: each thread adds its own texels first. One more than
// a tile, so that neighbours in the other direction fall into other banks.
shared SUM s_column[GROUP_Y * (TILE_W + 1)];
shared SUM s_row[GROUP_X * (TILE_H + 1)];
shared SUM s_total[GROUP_Y];

void add_plane(const int plane, int part, ivec2 first, part_frame frame)
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy), tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    SUM column[ACROSS], row[DOWN];
    for (int i = 0; i < ACROSS; ++i)
        column[i] = SUM(0);
    for (int j = 0; j < DOWN; ++j) {
        row[j] = SUM(0);
        for (int i = 0; i < ACROSS; ++i) {
            bool inside = all(lessThan(first + ivec2(i * GROUP_X, j * GROUP_Y), frame.size));
            SUM v = raw_value(held(g_texels[j * ACROSS + i]), plane);
            v = inside ? v : SUM(0);
            column[i] += v;
            row[j] += v;
        }
    }
    for (int i = 0; i < ACROSS; ++i)
        s_column[local.y * (TILE_W + 1) + local.x + i * GROUP_X] = column[i];
    for (int j = 0; j < DOWN; ++j)
        s_row[local.x * (TILE_H + 1) + local.y + j * GROUP_Y] = row[j];
    sync_shared();
    if (thread < TILE_W) {
        SUM sum = SUM(0);
        for (int k = 0; k < GROUP_Y; ++k)
            sum += s_column[k * (TILE_W + 1) + thread];
        b_column_sums[columns_at(plane, part, u_grid.y, tile.y) + tile.x * TILE_W + thread] = sum;
    } else if (thread < TILE_W + TILE_H) {
        SUM sum = SUM(0);
        for (int k = 0; k < GROUP_X; ++k)
            sum += s_row[k * (TILE_H + 1) + thread - TILE_W];
        b_row_sums[rows_at(plane, part, u_grid.x, tile.x) + tile.y * TILE_H + thread - TILE_W] = sum;
    } else if (thread < TILE_W + TILE_H + GROUP_Y) {
        SUM sum = SUM(0);
        for (int k = 0; k < TILE_W; ++k)
            sum += s_column[(thread - TILE_W - TILE_H) * (TILE_W + 1) + k];
        s_total[thread - TILE_W - TILE_H] = sum;
    }
    sync_shared(); // the next plane overwrites s_column and s_row, and s_total is complete
    if (thread == 0) {
        SUM sum = SUM(0);
        for (int k = 0; k < GROUP_Y; ++k)
            sum += s_total[k];
        b_column_sums[columns_at(plane, part, u_grid.y, tile.y) + u_grid.x * TILE_W + tile.x] = sum;
    }
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part, u_src_rect.zw);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_W, TILE_H) + ivec2(gl_LocalInvocationID.xy);
    count_bad(load_tile(frame, first));
    add_plane(0, part, first, frame);
#if PLANES > 1
    add_plane(1, part, first, frame);
#endif
#if PLANES > 2
    add_plane(2, part, first, frame);
    add_plane(3, part, first, frame);
#endif
#if PLANES > 4
    add_plane(4, part, first, frame);
    add_plane(5, part, first, frame);
    add_plane(6, part, first, frame);
    add_plane(7, part, first, frame);
#endif
}
