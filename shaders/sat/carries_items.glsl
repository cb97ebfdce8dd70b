// sat/carries_items.glsl - what comes from other tiles, where a thread takes an item of all planes
//
//   For a lone plane, which has nothing to spread (sat/carries_spread.glsl); where this step adds up the carries
//   itself, FOLDED; and for split's borders and squares, which want all planes at once.
//
//   FOLDED adds up the sums of the first step: a dispatch less, good while there are few tiles. FETCH lines, of all
//   planes, are in flight at once:
//
//        column items   lines 0 .. tile y - 1 of the columns      one column each
//        row items      lines 0 .. tile x - 1 of the rows         one row each
//        corner shares  the totals of tiles left and above        every CORNERth column of tiles each
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_CARRIES_ITEMS_GLSL
#define AG_SAT_CARRIES_ITEMS_GLSL
#include "sat/finish.glsl"

#define ROUNDS ((ITEMS + THREADS - 1) / THREADS)
#define FETCH (PLANES > 4 ? 4 : PLANES > 2 ? 8 : 16)

WIDE g_items[PLANES * ROUNDS];
WIDE g_corner[PLANES]; // FOLDED: 0, as it comes in shares, among the items

#if FOLDED
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
                g_items[p * ROUNDS + round] += only(line + k < lines, WIDE(v[p * FETCH + k]));
    }
}

void fetch_round(const int round, int part)
{
    ivec2 tile = this_tile();
    int item = thread_index() + round * THREADS, columns = columns_at(0, part, tiles().y, 0);
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

WIDE fetch_corner(int plane, int part) { return WIDE(0); }
#else
void fetch_round(const int round, int part)
{
    ivec2 tile = this_tile();
    int item = thread_index() + round * THREADS;
    if (item < TILE_W)
        for (int p = 0; p < PLANES; ++p)
            g_items[p * ROUNDS + round] =
                carried(b_columns[columns_at(p, part, tiles().y + 1, tile.y) + tile.x * TILE_W + item]);
    else if (item < LINES)
        for (int p = 0; p < PLANES; ++p)
            g_items[p * ROUNDS + round] =
                carried(b_rows[rows_at(p, part, tiles().x + 1, tile.x) + tile.y * TILE_H + item - TILE_W]);
}

WIDE fetch_corner(int plane, int part)
{
    ivec2 tile = this_tile();
    return carried(b_columns[columns_at(plane, part, tiles().y + 1, tile.y) + totals_at() + tile.x]);
}
#endif

void fetch_carries(int part)
{
    for (int k = 0; k < PLANES * ROUNDS; ++k)
        g_items[k] = WIDE(0);
    for (int round = 0; round < ROUNDS; ++round)
        fetch_round(round, part);
    for (int p = 0; p < PLANES; ++p)
        g_corner[p] = fetch_corner(p, part);
}

// Squares first: they want the sums as they are.
void take_offset_off()
{
    const int squares = SQUARE * CHANNELS; // planes from a sum to its square
    for (int c = 0; c < CHANNELS; ++c) {
        WIDE m = wide_offset(c);
        for (int round = 0; round < ROUNDS; ++round) {
            int k = c * ROUNDS + round, q = (squares + c) * ROUNDS + round;
            WIDE texels = WIDE(area_of(thread_index() + round * THREADS));
            if (SQUARE != 0)
                g_items[q] = squares_without_offset(g_items[q], g_items[k], m, texels);
            g_items[k] = without_offset(g_items[k], m, texels);
        }
        if (SQUARE != 0 && FOLDED == 0)
            g_corner[squares + c] = squares_without_offset(g_corner[squares + c], g_corner[c], m, corner_area());
        if (FOLDED == 0)
            g_corner[c] = without_offset(g_corner[c], m, corner_area());
    }
}

void fetch_items(int part)
{
    fetch_carries(part);
    if (OFFSET != AG_TABLE_PLAIN)
        take_offset_off();
}

WIDE whole_corner(int plane)
{
    WIDE corner = g_corner[plane];
    for (int k = LINES / RUN; k < RUNS; ++k)
        corner += unpack_wide(s_run[plane * RUNS + k]);
    return corner;
}

void scan_runs(); // runs of RUN items, into g_items; their sums into s_run

// All planes' carries scanned along the tile: every column's A, every row's B + K.
void scan_items()
{
    int thread = thread_index();
    scan_runs();
    for (int round = 0; round < ROUNDS; ++round) {
        int item = thread + round * THREADS, run = item / RUN;
        if (item < LINES)
            for (int p = 0; p < PLANES; ++p) {
                WIDE sum = g_items[p * ROUNDS + round];
                for (int k = 0; k < LINES / RUN; ++k) {
                    bool before = k < run && (k >= TILE_W / RUN || item < TILE_W);
                    sum += only(before, unpack_wide(s_run[p * RUNS + k]));
                }
                sum += only(item >= TILE_W, whole_corner(p));
                s_item[p * ITEMS + item] = pack_line(sum, p, g_corner[p]);
            }
    }
    // A barrier follows before they are read, in scan_planes.
}

#endif
