// sat/carry_ins_summed.glsl - carry-ins as sums of what the first step stored: no step between
//
//   in        b_columns, b_rows             sat/tile.glsl has their layout
//   cost      for few tiles. FETCH lines of all planes at once; 2 barriers if planes are several
//
//   A thread adds up one item of all planes:
//
//        column items   lines 0 .. tile y - 1 of the columns      one column each
//        row items      lines 0 .. tile x - 1 of the rows         one row each
//        corner shares  the totals of tiles left and above        each CORNERth column of tiles
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/carry_ins.glsl"

layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_rows[]; };

#define ITEM_ROUNDS ((ITEMS + THREADS - 1) / THREADS)
#define FETCH (PLANES > 4 ? 4 : PLANES > 2 ? 8 : 16)

WIDE g_sums[PLANES * ITEM_ROUNDS];

void clear_sums()
{
    for (int k = 0; k < PLANES * ITEM_ROUNDS; ++k)
        g_sums[k] = WIDE(0);
}

// Adds `lines` lines, `pitch` apart, of all planes, `next` apart. `rows` selects the buffer; it is
// tested once for FETCH lines, so that no branch separates their loads.
void add_lines(const int round, bool rows, int from, int lines, int pitch, int next)
{
    for (int line = 0; line < lines; line += FETCH) {
        SUM v[PLANES * FETCH];
        if (rows)
            for (int k = 0; k < PLANES * FETCH; ++k)
                v[k] = b_rows[from + k / FETCH * next + min(line + k % FETCH, lines - 1) * pitch];
        else
            for (int k = 0; k < PLANES * FETCH; ++k)
                v[k] = b_columns[from + k / FETCH * next + min(line + k % FETCH, lines - 1) *
                                 pitch];
        for (int k = 0; k < PLANES * FETCH; ++k)
            g_sums[k / FETCH * ITEM_ROUNDS + round] =
                added(g_sums[k / FETCH * ITEM_ROUNDS + round],
                      only(line + k % FETCH < lines, v[k]));
    }
}

void fetch_round(const int round, int part)
{
    ivec2 tile = this_tile();
    int item = carry_index(round), first = columns_at(0, part, tiles().y, 0),
        from = first + tile.x * TILE_W + item;
    int lines = tile.y, pitch = column_pitch(), next = PARTS * tiles().y * pitch, end = from + 1;
    bool rows = item >= TILE_W && item < LINES;
    if (rows) {
        from = rows_at(0, part, tiles().x, 0) + tile.y * TILE_H + item - TILE_W;
        lines = tile.x;
        pitch = row_pitch();
        next = PARTS * tiles().x * pitch;
        end = from + 1;
    } else if (item >= LINES) { // a share of the totals left of the tile
        from = first + totals_at() + item - LINES;
        end = first + totals_at() + (item < ITEMS ? tile.x : 0);
    }
    for (; from < end; from += CORNER)
        add_lines(round, rows, from, lines, pitch, next);
}

// From threads with one item of all planes to threads with single carry-ins.
void share_planes()
{
    for (int round = 0; round < ITEM_ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p)
            if (carry_index(round) < ITEMS)
                s_item[p * ITEMS + carry_index(round)] = pack_wide(g_sums[p * ITEM_ROUNDS + round]);
    sync_shared();
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        g_carry_ins[round] = unpack_wide(s_item[min(carry_index(round), CARRY_INS - 1)]);
    sync_shared();
}

void fetch_items(int part)
{
    clear_sums();
    for (int round = 0; round < ITEM_ROUNDS; ++round)
        fetch_round(round, part);
    if (PLANES > 1)
        share_planes();
    else
        for (int round = 0; round < CARRY_ROUNDS; ++round)
            g_carry_ins[round] = g_sums[round];
}

WIDE stored_corner(int round) { return WIDE(0); }

// The sum of the corner's shares.
WIDE whole_corner(int round, int plane)
{
    WIDE corner = WIDE(0);
    for (int k = LINES / RUN; k < RUNS + int(no_bits()); ++k)
        corner = added(corner, unpack_wide(s_run[plane * RUNS + k]));
    return corner;
}
