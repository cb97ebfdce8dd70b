// sat/carry_ins.glsl - what lies above and left of a tile: sums of its columns, rows and corner
//
//   in        b_columns, b_rows   FOLDED: what sat/reduce.comp stored; else what sat/carry.comp did
//   out       s_item      of each column A, of each row B + K (drawn in sat/tile.glsl)
//             i_mean      the mean, with OFFSET = mean
//   host sets FOLDED      1 = this step adds up the carry-ins itself, for few tiles and no offset
//             STORAGE     AG_TABLE_*, as for sat/store.glsl
//             PACKED_SUM  type of a sum in memory: uvec2 (two floats, or a double), uint
//             and the defines of sat/tile_texels.glsl
//
//   Shared memory has an item for each column and row of the tile, and, FOLDED, shares of K. They
//   are scanned in runs of RUN items; then each gets the sums of the earlier runs, and rows get K:
//
//        s_item   plane 0   | column 0 .. TILE_W - 1 | row 0 .. TILE_H - 1 | shares |   plane 1 ..
//        s_run              |  run 0  |  run 1  |       ..      | RUNS - 1          |   their sums
//
//   Carry-in k is item k % ITEMS of plane k / ITEMS. A thread has CARRY_ROUNDS of them, THREADS
//   apart, so that all threads work even where there are few items.
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(FOLDED) || !defined(STORAGE) || !defined(PACKED_SUM)
#error "FOLDED, STORAGE and PACKED_SUM must be set by the host"
#endif
#include "sat/tile_texels.glsl"
#include "sat/wide.glsl"

#if SUBGROUPS != AG_SUBGROUPS_NONE
#define RUN 32
#define ALL_RUNS RUNS
#else
#define RUN 8
#define ALL_RUNS ROLLED(RUNS) // too many to unroll
#endif
#define CORNER (64 * FOLDED) // shares of K
#define LINES (TILE_W + TILE_H)
#define ITEMS (LINES + CORNER)
#define RUNS (ITEMS / RUN)
#define CARRY_INS (PLANES * ITEMS)
#define CARRY_ROUNDS ((CARRY_INS + THREADS - 1) / THREADS)

shared PACKED_SUM s_item[CARRY_INS];
shared PACKED_SUM s_run[PLANES * RUNS];

WIDE g_carry_ins[CARRY_ROUNDS];
vec4 g_offset = vec4(0.0); // the current plane's is first

ivec2 this_tile()
{
    // From the last tile on: the first step read that last, and a cache may hold them.
    return tiles() - 1 - ivec2(gl_WorkGroupID.xy);
}

ivec2 tile_corner() { return this_tile() * ivec2(TILE_W, TILE_H); }

int carry_index(int round) { return thread_index() + round * THREADS; }
int item_of(int round) { return carry_index(round) % ITEMS; }
int plane_of(int round) { return min(carry_index(round) / ITEMS, PLANES - 1); }
bool is_carry(int round) { return CARRY_INS % THREADS == 0 || carry_index(round) < CARRY_INS; }

#if FOLDED
// ---- carry-ins as sums of what the first step stored
//
//   A thread adds up one item of all planes, FETCH lines of all planes at once:
//
//        column items   lines 0 .. tile y - 1 of the columns      one column each
//        row items      lines 0 .. tile x - 1 of the rows         one row each
//        corner shares  the totals of tiles left and above        each CORNERth column of tiles

layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_rows[]; };

#define ITEM_ROUNDS ((ITEMS + THREADS - 1) / THREADS)
#define FETCH (PLANES > 4 ? 4 : PLANES > 2 ? 8 : 16)

WIDE g_sums[PLANES * ITEM_ROUNDS];

// A function of its own, because Mesa otherwise warns that g_sums is not initialised.
void clear_sums()
{
    for (int k = 0; k < PLANES * ITEM_ROUNDS; ++k)
        g_sums[k] = WIDE(0);
}

// Adds up `lines` lines, `pitch` apart, of all planes, `next` apart. `rows` selects the buffer; it
// is tested once for FETCH lines, so that no branch separates their loads.
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

void request_items(int part) {} // each of the loads below waits for those before it

void take_items(int part)
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

WIDE stored_corner(int round) { return WIDE(0); } // K is not stored: its shares are items

// K: the sum of its shares, after scan_runs.
WIDE whole_corner(int round, int plane)
{
    WIDE corner = WIDE(0);
    for (int k = LINES / RUN; k < RUNS + int(no_bits()); ++k)
        corner = added(corner, unpack_wide(s_run[plane * RUNS + k]));
    return corner;
}

#else
// ---- carry-ins as the second step stored them

layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer Prefixes { PACKED_SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowPrefixes { PACKED_SUM b_rows[]; };

PACKED_SUM g_loaded[CARRY_ROUNDS], g_loaded_corners[CARRY_ROUNDS]; // as loaded
WIDE g_corners[CARRY_ROUNDS];

int corner_at(int plane)
{
    ivec2 tile = this_tile();
    return columns_at(plane, int(gl_WorkGroupID.z), tiles().y + 1, tile.y) + totals_at() + tile.x;
}

// These stand before what reads the arrays, because Mesa otherwise warns that they are not
// initialised.
void load_items(int part)
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

void unpack_items()
{
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        g_carry_ins[round] = load_wide(g_loaded[round]);
        g_corners[round] = load_wide(g_loaded_corners[round]);
    }
}

#if OFFSET != AG_TABLE_PLAIN
// Texels are less the offset when the tile is scanned. Carry-ins are sums of whole texels: the
// offset comes off them once for each texel. It comes off a sum of squares by the sum itself, which
// is an item of another plane.

layout(location = AG_LOC_SAT_MEAN) uniform ivec4 u_mean;

int mean_row() { return u_mean.x; } // of i_mean

WIDE wide_offset(int channel)
{
    WIDE m = wide(fixed_offset(), WIDE(0));
    if (OFFSET == AG_TABLE_MEAN)
        m = load_wide(b_columns[columns_at(PLANES, 0, tiles().y + 1, 0) + channel]);
    return m;
}

// The number of texels in an item of the tile, and in its corner.
WIDE area_of(int item)
{
    ivec2 corner = tile_corner();
    return wide(item < TILE_W ? corner.y : corner.x, WIDE(0));
}

WIDE corner_area()
{
    ivec2 corner = tile_corner();
    return product(corner.x, corner.y, WIDE(0));
}

void take_offset_off()
{
#if SQUARE // squares need the sums with their offset, CHANNELS planes before
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        if (is_carry(round))
            s_item[carry_index(round)] = pack_wide(g_carry_ins[round]);
    sync_shared();
    WIDE sums[CARRY_ROUNDS];
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        sums[round] = unpack_wide(s_item[clamp(carry_index(round) - CHANNELS * ITEMS, 0,
                                               CARRY_INS - 1)]);
    sync_shared();
#endif
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), channel = SQUARE != 0 ? plane % CHANNELS : plane;
        WIDE m = wide_offset(channel), texels = area_of(item_of(round));
#if SQUARE
        if (plane >= CHANNELS) {
            g_carry_ins[round] = squares_without_offset(g_carry_ins[round], sums[round], m, texels);
            WIDE beside = load_wide(b_columns[corner_at(plane - CHANNELS)]);
            g_corners[round] = squares_without_offset(g_corners[round], beside, m, corner_area());
        } else
#endif
        {
            g_carry_ins[round] = without_offset(g_carry_ins[round], m, texels);
            g_corners[round] = without_offset(g_corners[round], m, corner_area());
        }
    }
}

#if OFFSET == AG_TABLE_MEAN
layout(binding = AG_IMAGE_MEAN) writeonly uniform image2D i_mean;

// After all planes had their turn, which leaves the first channel first.
void store_mean()
{
    if (thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, mean_row()), g_offset);
}
#endif
#endif

// All loads are issued before any result is used, beside those of the texels.
void request_items(int part)
{
    load_items(part);
#if OFFSET != AG_TABLE_PLAIN
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN)
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = nearest(wide_offset(c));
#endif
}

void take_items(int part)
{
    unpack_items();
#if OFFSET != AG_TABLE_PLAIN
    take_offset_off();
#endif
}

WIDE stored_corner(int round) { return g_corners[round]; }            // K
WIDE whole_corner(int round, int plane) { return g_corners[round]; } // K
#endif

// ---- the scan of carry-ins

// Scans runs of RUN carry-ins into g_carry_ins, and their sums into s_run. Ends with a barrier.
#if SUBGROUPS != AG_SUBGROUPS_NONE
// A subgroup scans a run of 32 carry-ins: each lane adds those 1, 2, 4, 8, 16 lanes before it.
void scan_runs()
{
    int lane = subgroup_lane();
    for (int distance = 1; distance < ROLLED(RUN); distance *= 2)
        for (int round = 0; round < CARRY_ROUNDS; ++round) {
            PACKED_SUM before = lane_below(pack_wide(g_carry_ins[round]), uint(distance));
            g_carry_ins[round] = added(g_carry_ins[round],
                                       unpack_wide(only(less_mask(distance - 1, lane), before)));
        }
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        if (lane == RUN - 1 && is_carry(round))
            s_run[carry_index(round) / RUN] = pack_wide(g_carry_ins[round]);
    sync_shared();
}
#else
// A thread scans a run of 8 carry-ins.
void scan_runs()
{
    int thread = thread_index();
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        if (is_carry(round))
            s_item[carry_index(round)] = pack_wide(g_carry_ins[round]);
    sync_shared();
    for (int run = thread; run < CARRY_INS / RUN; run += THREADS) {
        PACKED_SUM loaded[RUN];
        for (int k = 0; k < RUN; ++k)
            loaded[k] = s_item[run * RUN + k];
        WIDE sum = unpack_wide(loaded[0]);
        for (int k = 1; k < RUN; ++k) {
            sum = added(sum, unpack_wide(loaded[k]));
            s_item[run * RUN + k] = pack_wide(sum);
        }
        s_run[run] = pack_wide(sum);
    }
    sync_shared();
    for (int round = 0; round < CARRY_ROUNDS; ++round)
        g_carry_ins[round] = unpack_wide(s_item[min(carry_index(round), CARRY_INS - 1)]);
}
#endif

// How a sum d of a line goes to shared memory. float32 holds it as two floats: h, a multiple of a
// grid that all lines of the tile and plane share, and d - h. The sum of two h is exact: an entry
// takes four additions instead of ten (docs/decisions.md, D39).
//
//      h = (d + M) - M, M = 1.5 * 2^(e + 11): a multiple of 2^(e - 12), and |d - h| <= 2^(e - 13)
//
// 2^e is the power of two of the largest run sum or corner. Lines that cancel along a run may
// exceed 2^(e + 10); h + h' is rounded then (ag_sat_error includes it). Rump, Ogita, Oishi 2008.
#if STORAGE == AG_TABLE_FLOAT32
float grid_of(int plane, WIDE corner) // M
{
    uint peak = size_of(pack_wide(corner));
    for (int k = 0; k < ALL_RUNS; ++k)
        peak = max(peak, size_of(s_run[plane * RUNS + k]));
    int exponent = clamp(exponent_of(peak) + 127, 1, 230) + 11;
    return uintBitsToFloat(uint(exponent) << 23 | 0x400000u);
}

uvec2 pack_line(WIDE d, int plane, WIDE corner)
{
    // not simplified to d; any float near d will do
    float grid = grid_of(plane, corner), high = opaque(nearest(d) + grid) - grid;
    return floatBitsToUint(vec2(high, nearest_less(d, high)));
}
#else
PACKED_SUM pack_line(WIDE sum, int plane, WIDE corner) { return pack_wide(sum); }
#endif

#if STORAGE == AG_TABLE_SPLIT
shared PACKED_SUM s_corner[PLANES]; // K
#endif

// Ends without a barrier.
void scan_items()
{
    scan_runs();
    for (int round = 0; round < CARRY_ROUNDS; ++round) {
        int plane = plane_of(round), item = item_of(round), run = item / RUN;
        if (is_carry(round) && (FOLDED == 0 || item < LINES)) {
            WIDE sum = g_carry_ins[round], corner = whole_corner(round, plane);
            if (TILE_W > RUN || TILE_H > RUN) // add the earlier runs of the same kind
                for (int k = TILE_W / RUN * int(item >= TILE_W); k < run; ++k)
                    sum = added(sum, unpack_wide(s_run[plane * RUNS + k]));
            sum = added(sum, only(item >= TILE_W, corner));
            s_item[carry_index(round)] = pack_line(sum, plane, stored_corner(round));
#if STORAGE == AG_TABLE_SPLIT
            if (item == 0)
                s_corner[plane] = pack_wide(corner);
#endif
        }
    }
    // The scan of the tile has a barrier before it reads them.
}
