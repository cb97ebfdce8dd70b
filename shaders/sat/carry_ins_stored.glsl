// sat/carry_ins_stored.glsl - carry-ins as sat/carry.comp stored them
//
//   in        b_column_carry, b_row_carry   layout: sat/tile.glsl; the mean, with OFFSET = mean
//   out       i_mean                        the mean, with OFFSET = mean
//   why       all loads are issued before any result is used, together with those of the texels
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_in_items.glsl"

layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer Prefixes { PACKED_SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowPrefixes { PACKED_SUM b_rows[]; };

layout(binding = AG_IMAGE_MEAN) writeonly uniform image2D i_mean;
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int mean_row() { return u_span.w; } // of i_mean

PACKED_SUM g_loaded[CARRY_ROUNDS], g_loaded_corners[CARRY_ROUNDS]; // as loaded

WIDE wide_offset(int channel)
{
    WIDE m = WIDE(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        m = load_wide(b_columns[columns_at(PLANES, 0, tiles().y + 1, 0) + channel]);
    return m;
}

// After scan_planes, which leaves the first channel first.
void store_mean()
{
    if (OFFSET == AG_TABLE_MEAN && thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, mean_row()), g_offset);
}

int corner_at(int plane)
{
    ivec2 tile = this_tile();
    return columns_at(plane, int(gl_WorkGroupID.z), tiles().y + 1, tile.y) + totals_at() + tile.x;
}

// The corner of the plane that this plane has the squares of.
WIDE sum_beside(int round) { return load_wide(b_columns[corner_at(plane_of(round) - CHANNELS)]); }
WIDE whole_corner(int round, int plane) { return g_corners[round]; }

void request_items(int part)
{
    ivec2 tile = this_tile();
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round);
        g_loaded[round] = PACKED_SUM(0);
        if (is_carry(round) && item < TILE_W)
            g_loaded[round] =
                b_columns[columns_at(plane, part, tiles().y + 1, tile.y) + tile.x * TILE_W + item];
        else if (is_carry(round))
            g_loaded[round] =
                b_rows[rows_at(plane, part, tiles().x + 1, tile.x) + tile.y * TILE_H + item -
                       TILE_W];
        g_loaded_corners[round] = b_columns[corner_at(plane)];
    }
}

void take_items()
{
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        g_carry_ins[round] = load_wide(g_loaded[round]);
        g_corners[round] = load_wide(g_loaded_corners[round]);
    }
}
