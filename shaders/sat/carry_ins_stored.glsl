// sat/carry_ins_stored.glsl - carry-ins as sat/carry.comp stored them
//
//   in        b_columns, b_rows             layout: sat/tile.glsl
//   why       all loads are issued before any result is used, together with those of the texels
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_ins.glsl"

layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer Prefixes { PACKED_SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowPrefixes { PACKED_SUM b_rows[]; };

PACKED_SUM g_loaded[CARRY_ROUNDS], g_loaded_corners[CARRY_ROUNDS]; // as loaded
WIDE g_corners[CARRY_ROUNDS];

int corner_at(int plane)
{
    ivec2 tile = this_tile();
    return columns_at(plane, int(gl_WorkGroupID.z), tiles().y + 1, tile.y) + totals_at() + tile.x;
}

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

WIDE stored_corner(int round) { return g_corners[round]; }
WIDE whole_corner(int round, int plane) { return stored_corner(round); }
