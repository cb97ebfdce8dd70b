// sat/carries_folded.glsl - the carries from the sums of the first step: no step between, good while there are few tiles
//
//   in        b_column_sums, b_row_sums     sat/tile.glsl has their places
//
//   A thread adds up an item of all planes. FETCH lines of all planes are in flight at once:
//
//        column items   lines 0 .. tile y - 1 of the columns      one column each
//        row items      lines 0 .. tile x - 1 of the rows         one row each
//        corner shares  the totals of tiles left and above        every CORNERth column of tiles each
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_CARRIES_FOLDED_GLSL
#define AG_SAT_CARRIES_FOLDED_GLSL
#include "sat/lots.glsl"

layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_rows[]; };

#define ITEM_ROUNDS ((ITEMS + THREADS - 1) / THREADS)
#define FETCH (PLANES > 4 ? 4 : PLANES > 2 ? 8 : 16)

WIDE g_sums[PLANES * ITEM_ROUNDS];

WIDE wide_offset(int channel) { return WIDE(fixed_offset()); } // no mean: it is not known yet
#if SQUARE
WIDE sum_beside(int round) { return WIDE(0); } // corners are 0
#endif

// Sums of `lines` lines, `pitch` apart, of all planes, `next` apart.
void add_lines(const bool rows, const int round, int from, int lines, int pitch, int next)
{
    for (int line = 0; line < lines; line += FETCH) {
        SUM v[PLANES * FETCH];
        for (int p = 0; p < PLANES; ++p)
            for (int k = 0; k < FETCH; ++k) {
                int at = from + p * next + min(line + k, lines - 1) * pitch;
                if (rows)
                    v[p * FETCH + k] = b_rows[at];
                else
                    v[p * FETCH + k] = b_columns[at];
            }
        for (int p = 0; p < PLANES; ++p)
            for (int k = 0; k < FETCH; ++k)
                g_sums[p * ITEM_ROUNDS + round] += WIDE(only(line + k < lines, v[p * FETCH + k]));
    }
}

void fetch_round(const int round, int part)
{
    ivec2 tile = this_tile();
    int item = lot_of(round), columns = columns_at(0, part, tiles().y, 0);
    int next_column = PARTS * tiles().y * column_pitch(), next_row = PARTS * tiles().x * row_pitch();
    if (item >= TILE_W && item < LINES) {
        int row = rows_at(0, part, tiles().x, 0) + tile.y * TILE_H + item - TILE_W;
        add_lines(true, round, row, tile.x, row_pitch(), next_row);
    } else if (item < ITEMS) { // a column of the tile, or a share of the totals left of it
        int x = tile.x * TILE_W + item, end = x + 1;
        if (item >= LINES) {
            x = totals_at() + item - LINES;
            end = totals_at() + tile.x;
        }
        for (; x < end; x += CORNER)
            add_lines(false, round, columns + x, tile.y, column_pitch(), next_column);
    }
}

// From threads that have an item of all planes to those that have its lots.
void share_planes()
{
    for (int round = 0; round < ITEM_ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p)
            if (lot_of(round) < ITEMS)
                s_item[p * ITEMS + lot_of(round)] = pack_wide(g_sums[p * ITEM_ROUNDS + round]);
    sync_shared();
    for (int round = 0; round < LOT_ROUNDS; ++round)
        g_lots[round] = unpack_wide(s_item[min(lot_of(round), LOTS - 1)]);
    sync_shared();
}

void fetch_items(int part)
{
    for (int k = 0; k < PLANES * ITEM_ROUNDS; ++k)
        g_sums[k] = WIDE(0);
    for (int round = 0; round < ITEM_ROUNDS; ++round)
        fetch_round(round, part);
    for (int round = 0; round < LOT_ROUNDS; ++round)
        g_corners[round] = WIDE(0);
#if PLANES > 1
    share_planes();
#else
    for (int round = 0; round < LOT_ROUNDS; ++round)
        g_lots[round] = g_sums[round];
#endif
}

#endif
