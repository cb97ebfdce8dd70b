// sat/carries_ready.glsl - the carries as sat/carry.comp has made them
//
//   in        b_column_carry, b_row_carry     sat/tile.glsl has their places; with OFFSET = mean also the mean
//   why       all loads are on their way before any is used, beside those of texels
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_CARRIES_READY_GLSL
#define AG_SAT_CARRIES_READY_GLSL
#include "sat/lots.glsl"

layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer ColumnCarry { CELL b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowCarry { CELL b_rows[]; };

CELL g_cells[LOT_ROUNDS], g_corner_cells[LOT_ROUNDS]; // as they come

WIDE wide_offset(int channel)
{
    WIDE m = WIDE(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        m = carried(b_columns[columns_at(PLANES, 0, tiles().y + 1, 0) + channel]);
    return m;
}

int corner_at(int plane)
{
    ivec2 tile = this_tile();
    return columns_at(plane, int(gl_WorkGroupID.z), tiles().y + 1, tile.y) + totals_at() + tile.x;
}

#if SQUARE // the corner of the plane whose squares the round's plane has
WIDE sum_beside(int round) { return carried(b_columns[corner_at(plane_of(round) - CHANNELS)]); }
#endif

void request_items(int part)
{
    ivec2 tile = this_tile();
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round);
        g_cells[round] = CELL(0);
        if (is_lot(round) && item < TILE_W)
            g_cells[round] = b_columns[columns_at(plane, part, tiles().y + 1, tile.y) + tile.x * TILE_W + item];
        else if (is_lot(round))
            g_cells[round] = b_rows[rows_at(plane, part, tiles().x + 1, tile.x) + tile.y * TILE_H + item - TILE_W];
        g_corner_cells[round] = b_columns[corner_at(plane)];
    }
}

void take_items()
{
    for (int round = 0; round < LOT_ROUNDS; ++round) {
        g_lots[round] = carried(g_cells[round]);
        g_corners[round] = carried(g_corner_cells[round]);
    }
}

#endif
