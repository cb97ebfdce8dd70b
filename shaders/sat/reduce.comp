// sat/reduce.comp - sums of every column and row of every tile: the first of three steps to a table
//
//   in        the image: sat/source.glsl
//   out       b_column_sums, b_row_sums   see sat/tile.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, TILE_W TILE_H / threads in flight a thread; then what the group's way of
//             exchange costs: sat/reduce_warps.glsl, sat/reduce_shared.glsl
//   source    Nehab, Maximo, Lima, Hoppe 2011, algorithm SAT, stage 1; docs/sat.md
//   why       a thread first adds up its own texels, ACROSS columns and DOWN rows of them; only those sums
//             are exchanged
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/interface.h"
#include "sat/tile.glsl"
#include "common/sync.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = AG_SSBO_COLUMN_SUMS) writeonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) writeonly buffer RowSums { SUM b_row_sums[]; };

SUM g_column[PLANES * ACROSS], g_row[PLANES * DOWN];

// The thread's own texels.
void add_texels(part_frame frame, ivec2 first)
{
    count_bad(scrub_tile(frame, first));
    for (int k = 0; k < PLANES * ACROSS; ++k)
        g_column[k] = SUM(0);
    for (int k = 0; k < PLANES * DOWN; ++k)
        g_row[k] = SUM(0);
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            bool inside = all(lessThan(first + READ_STEP(i, j), frame.size));
            // As finish.comp will see it: taken from codes that waited, a value differs in its last bit.
            vec4 c = kept_texel(keep_texel(texel_colour(j * ACROSS + i)));
            for (int p = 0; p < PLANES; ++p) {
                SUM v = raw_value(c, p);
#if OFFSET == AG_TABLE_MEAN // the mean is the only sum that has all of the last tiles
                v = only(inside, v);
#endif
                g_column[p * ACROSS + i] += v;
                g_row[p * DOWN + j] += v;
            }
        }
}

#if WARPS != AG_WARPS_NONE
#include "sat/reduce_warps.glsl"
#else
#include "sat/reduce_shared.glsl"
#endif

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part, u_src_rect.zw);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_W, TILE_H) + place_in_tile();
    request_tile(frame, first);
    take_tile();
    add_texels(frame, first);
    add_tile(part);
}
