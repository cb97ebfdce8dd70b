// sat/finish.comp - scans every tile and adds what lies above and left: the last step to a table
//
//   in        sat/source.glsl                  the image again
//             b_column_carry, b_row_carry      from carry.comp; with FOLDED the sums from reduce.comp,
//                                              which this step then adds up itself: a dispatch less,
//                                              good while there are few tiles
//   out       see sat/store.glsl; with OFFSET = mean also i_mean, 1 x 1
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 2 barriers (by warps 1) while the texels are on their
//             way; then what the scan of a tile costs: sat/finish_warps.glsl, sat/finish_shared.glsl
//   source    Nehab et al. 2011, stage 4, but with the carries added late; docs/sat.md
//
//   Of an entry at (x, y) of the tile, everything above and left is one of four sums:
//
//        K | A      A = the columns up to x above the tile       (scan of column carries)
//        --+--      B = the rows up to y left of it              (scan of row carries)
//        B | L      K = all that is above and left               (sum of tile totals)
//                   L = the scan of the tile
//
//   S = L + (A + (B + K)): the tile is scanned alone, in small numbers, and the large ones come last and in
//   twice the precision, so that S is rounded once. Starting the scan with them costs the same and is 3 to
//   5 times less exact.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/interface.h"
#include "sat/tile.glsl"
#include "sat/store.glsl"
#include "common/sync.glsl"
#ifndef FOLDED
#error "FOLDED must be set by the host"
#endif

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#if OFFSET == AG_TABLE_MEAN
layout(binding = AG_IMAGE_TOOK_OFF) writeonly uniform image2D i_mean;
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span; // w: row of i_mean
#endif
#if STORAGE == AG_TABLE_UINT32
#define CELL uint
#define pack_wide(x) (x)
#define unpack_wide(x) (x)
#else
#define CELL uvec2 // a double, or two floats
#define pack_wide(x) unpackDouble2x32(x)
#define unpack_wide(x) packDouble2x32(x)
#endif
#if FOLDED
layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_rows[]; };
#else
layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer ColumnCarry { CELL b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowCarry { CELL b_rows[]; };
#if STORAGE == AG_TABLE_UINT32
#define carried(cell) (cell)
#else
#define carried(cell) settled(cell)
#endif
#endif

// ---- shared memory
//
// What comes from other tiles: a carry a column, then a row; FOLDED: then shares of the corner K.
#if FOLDED
#define CORNER 64
#else
#define CORNER 0
#endif
#define LINES (TILE_W + TILE_H)
#define ITEMS (LINES + CORNER)
#define ROUNDS ((ITEMS + THREADS - 1) / THREADS)
#if WARPS != AG_WARPS_NONE
#define RUN 32 // items that a warp scans
#else
#define RUN 8 // items that a thread adds up alone
#endif
#define RUNS (ITEMS / RUN)
#define FETCH (PLANES > 4 ? 4 : PLANES > 2 ? 8 : 16) // lines whose loads, of all planes, are in flight at once

shared CELL s_item[PLANES * ITEMS]; // carries; then, for each line, what lies beyond it in other tiles
shared CELL s_run[PLANES * RUNS];

ENTRY g_high[TEXELS], g_square_high[TEXELS];
#if HAS_LOW
vec4 g_low[TEXELS], g_square_low[TEXELS];
#endif
vec4 g_offset = vec4(0.0);

ivec2 this_tile()
{
    // From the last tile to the first: reduce.comp has just read the last ones, and a cache may hold them.
    return u_grid.xy - 1 - ivec2(gl_WorkGroupID.xy);
}

// ---- what comes from other tiles

// Whether an item's planes go to threads of their own. A lone plane has no others; where this step adds up the
// carries, a thread has the lines of all planes in flight; split's borders and squares want all planes at once.
#define SPREAD (WARPS != AG_WARPS_NONE && PLANES > 1 && !SQUARE && !FOLDED && STORAGE != AG_TABLE_SPLIT)

#if !SPREAD
WIDE g_items[PLANES * ROUNDS];
WIDE g_corner[PLANES];

#if FOLDED
// Sums of `lines` lines, `pitch` apart, of all planes, `next` apart.
#define ADD_LINES(sums, from, lines, pitch, next)                                     \
    for (int line = 0; line < (lines); line += FETCH) {                               \
        SUM v[PLANES * FETCH];                                                        \
        for (int p = 0; p < PLANES; ++p)                                              \
            for (int k = 0; k < FETCH; ++k)                                           \
                v[p * FETCH + k] = sums[(from) + p * (next) + min(line + k, (lines) - 1) * (pitch)]; \
        for (int p = 0; p < PLANES; ++p)                                              \
            for (int k = 0; k < FETCH; ++k)                                           \
                g_items[p * ROUNDS + round] += only(line + k < (lines), WIDE(v[p * FETCH + k])); \
    }

void fetch_round(const int round, int part)
{
    ivec2 tile = this_tile();
    int item = thread_index() + round * THREADS, columns = columns_at(0, part, u_grid.y, 0);
    int next_column = PARTS * u_grid.y * u_grid.z, next_row = PARTS * u_grid.x * u_grid.w;
    if (item < TILE_W) {
        ADD_LINES(b_columns, columns + tile.x * TILE_W + item, tile.y, u_grid.z, next_column)
    } else if (item < LINES) {
        int from = rows_at(0, part, u_grid.x, 0) + tile.y * TILE_H + item - TILE_W;
        ADD_LINES(b_rows, from, tile.x, u_grid.w, next_row)
    } else if (item < ITEMS) {
        for (int x = item - LINES; x < tile.x; x += CORNER) {
            ADD_LINES(b_columns, columns + u_grid.x * TILE_W + x, tile.y, u_grid.z, next_column)
        }
    }
}
#else
void fetch_round(const int round, int part)
{
    ivec2 tile = this_tile();
    int item = thread_index() + round * THREADS;
    if (item < TILE_W)
        for (int p = 0; p < PLANES; ++p)
            g_items[p * ROUNDS + round] =
                carried(b_columns[columns_at(p, part, u_grid.y + 1, tile.y) + tile.x * TILE_W + item]);
    else if (item < LINES)
        for (int p = 0; p < PLANES; ++p)
            g_items[p * ROUNDS + round] =
                carried(b_rows[rows_at(p, part, u_grid.x + 1, tile.x) + tile.y * TILE_H + item - TILE_W]);
}
#endif

#endif

// Texels in an item.
int area_of(int item)
{
    ivec2 tile = this_tile();
    int share = item - LINES;
    if (item < TILE_W)
        return tile.y * TILE_H;
    if (share < 0)
        return tile.x * TILE_W;
    return share < tile.x ? ((tile.x - 1 - share) / max(CORNER, 1) + 1) * TILE_W * tile.y * TILE_H : 0;
}

#if OFFSET != AG_TABLE_PLAIN
WIDE wide_offset(int channel)
{
#if OFFSET == AG_TABLE_MEAN
    return carried(b_columns[columns_at(PLANES, 0, u_grid.y + 1, 0) + channel]);
#else
    return WIDE(u_value.w);
#endif
}
#endif

#if !SPREAD
void fetch_items(int part)
{
    ivec2 tile = this_tile();
    for (int k = 0; k < PLANES * ROUNDS; ++k)
        g_items[k] = WIDE(0);
    for (int round = 0; round < ROUNDS; ++round)
        fetch_round(round, part);
    for (int p = 0; p < PLANES; ++p)
#if FOLDED
        g_corner[p] = WIDE(0); // in shares, among the items
#else
        g_corner[p] = carried(b_columns[columns_at(p, part, u_grid.y + 1, tile.y) + u_grid.x * TILE_W + tile.x]);
#endif
#if OFFSET != AG_TABLE_PLAIN // squares first: they want the sums as they are
    for (int c = 0; c < CHANNELS; ++c) {
        WIDE m = wide_offset(c);
        for (int round = 0; round < ROUNDS; ++round) {
            int k = c * ROUNDS + round;
            WIDE texels = WIDE(area_of(thread_index() + round * THREADS));
#if SQUARE
            int q = (CHANNELS + c) * ROUNDS + round;
            g_items[q] = squares_without_offset(g_items[q], g_items[k], m, texels);
#endif
            g_items[k] = without_offset(g_items[k], m, texels);
        }
#if !FOLDED
        WIDE area = WIDE(tile.x * TILE_W) * WIDE(tile.y * TILE_H);
#if SQUARE
        g_corner[CHANNELS + c] = squares_without_offset(g_corner[CHANNELS + c], g_corner[c], m, area);
#endif
        g_corner[c] = without_offset(g_corner[c], m, area);
#endif
    }
#endif
}

// Runs of RUN items are scanned first, into g_items; their sums into s_run.
#if WARPS != AG_WARPS_NONE
void scan_runs()
{
    int lane = warp_lane();
    for (int round = 0; round < ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p) {
            WIDE sum = g_items[p * ROUNDS + round];
            for (int distance = 1; distance < RUN; distance *= 2)
                sum += unpack_wide(only(less_mask(distance - 1, lane), lane_below(pack_wide(sum), uint(distance))));
            g_items[p * ROUNDS + round] = sum;
            int run = (thread_index() + round * THREADS) / RUN;
            if (lane == RUN - 1 && run < RUNS)
                s_run[p * RUNS + run] = pack_wide(sum);
        }
    sync_shared();
}
#else
void scan_runs()
{
    int thread = thread_index();
    for (int round = 0; round < ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p)
            if (thread + round * THREADS < ITEMS)
                s_item[p * ITEMS + thread + round * THREADS] = pack_wide(g_items[p * ROUNDS + round]);
    sync_shared();
    for (int first = 0; first < PLANES * RUNS; first += THREADS) {
        int run = first + thread;
        if (run < PLANES * RUNS) {
            CELL cells[RUN];
            for (int k = 0; k < RUN; ++k)
                cells[k] = s_item[run * RUN + k];
            WIDE sum = unpack_wide(cells[0]);
            for (int k = 1; k < RUN; ++k) {
                sum += unpack_wide(cells[k]);
                s_item[run * RUN + k] = pack_wide(sum);
            }
            s_run[run] = pack_wide(sum);
        }
    }
    sync_shared();
    for (int round = 0; round < ROUNDS; ++round)
        for (int p = 0; p < PLANES; ++p)
            g_items[p * ROUNDS + round] =
                unpack_wide(s_item[p * ITEMS + min(thread + round * THREADS, ITEMS - 1)]);
}
#endif

#endif

// A line's sum d is kept as two floats: h, a multiple of a grid that all lines of the tile and plane share, and what
// is left of it. The sum of two h has no more digits than a float holds: an entry takes four additions instead of ten.
//
//        h = (d + M) - M, M = 1.5 * 2^(e + 11): a multiple of 2^(e - 12), and |d - h| <= 2^(e - 13)
//
// where 2^e is the power of two of the largest among the runs' sums and the corner. Sums of two h are exact while
// lines stay below 2^(e + 10), as they do where texels are positive. Where lines of both signs cancel out along a
// run, some may be larger: then h + h' is rounded, too, by half of its last place. It is in ag_sat_error: a line that
// cancels out within a run of 32 reaches at most half of the largest entry that the bound takes for granted, so two
// halves of its last place are no more than that entry's one.
//   source    splitting by a large constant: Rump, Ogita, Oishi 2008, ExtractScalar
#if STORAGE == AG_TABLE_FLOAT32
float grid_of(int plane, double corner) // M
{
    // High words of doubles, which are in the order of their sizes. What is not finite has no say.
    uint peak = unpackDouble2x32(corner).y & 0x7fffffffu;
    peak *= uint(peak < 0x7ff00000u);
    for (int k = 0; k < RUNS; ++k) {
        uint size = s_run[plane * RUNS + k].y & 0x7fffffffu;
        peak = max(peak, size * uint(size < 0x7ff00000u));
    }
    int exponent = clamp(int(peak >> 20) - 1023 + 127, 1, 230) + 11;
    return uintBitsToFloat(uint(exponent) << 23 | 0x400000u);
}

CELL pack_line(double d, int plane, double corner)
{
    float grid = grid_of(plane, corner);
    precise float shifted = float(d) + grid, high = shifted - grid;
    return floatBitsToUint(vec2(high, float(d - double(high))));
}
#else
#define pack_line(x, plane, corner) pack_wide(x)
#endif

#if SPREAD
#include "sat/spread_items.glsl"
#else
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
                WIDE corner = g_corner[p];
                for (int k = LINES / RUN; k < RUNS; ++k)
                    corner += unpack_wide(s_run[p * RUNS + k]);
                sum += only(item >= TILE_W, corner);
                s_item[p * ITEMS + item] = pack_line(sum, p, g_corner[p]);
            }
    }
    // A barrier follows before they are read, in scan_planes.
}
#endif

// ---- an entry

#if STORAGE == AG_TABLE_FLOAT32
// The large numbers exactly; the small ones, rounded as they are added; then one rounding of all.
float add_late(float local, vec2 a, vec2 b)
{
    precise float large = a.x + b.x, small = (a.y + b.y) + local, all = large + small;
    return all;
}
#endif

void keep(const int plane, int k, LOCAL local, CELL above, CELL left)
{
    float low = 0.0;
#if STORAGE == AG_TABLE_DOUBLE || STORAGE == AG_TABLE_RESIDUAL
    double all = local + (unpack_wide(above) + unpack_wide(left));
    float high = float(all);
    low = float(all - double(high));
#elif STORAGE == AG_TABLE_UINT32
    uint high = local + above + left;
#elif STORAGE == AG_TABLE_FLOAT32
    float high = add_late(local, uintBitsToFloat(above), uintBitsToFloat(left));
#else
    float high = local;
#endif
    if (plane < CHANNELS)
        g_high[k][plane % CHANNELS] = high;
    else
        g_square_high[k][plane % CHANNELS] = high;
#if HAS_LOW
    if (plane < CHANNELS)
        g_low[k][plane % CHANNELS] = low;
    else
        g_square_low[k][plane % CHANNELS] = low;
#endif
}

// ---- split: the sums beside the tile go into a texture of their own
//
//   rows of i_low       [0, tiles y)      A + K of tile row y, for every x: high parts
//                       [tiles y, 2 ..)   the same, low parts
//                       then, for every y at x = y, B of tile column x: high parts of all, low parts of all
#if STORAGE == AG_TABLE_SPLIT
void store_border(int part, ivec2 size)
{
    ivec2 tile = this_tile();
    for (int round = 0; round < ROUNDS; ++round) {
        int item = thread_index() + round * THREADS;
        bool column = item < TILE_W;
        vec4 high[2] = vec4[2](vec4(0.0), vec4(0.0)), low[2] = high; // of texels, of squares
        if (item < LINES)
            for (int p = 0; p < PLANES; ++p) {
                WIDE corner = g_corner[p];
                for (int k = LINES / RUN; k < RUNS; ++k)
                    corner += unpack_wide(s_run[p * RUNS + k]);
                WIDE sum = unpack_wide(s_item[p * ITEMS + item]) + (column ? corner : -corner);
                high[p / CHANNELS][p % CHANNELS] = float(sum);
                low[p / CHANNELS][p % CHANNELS] = float(sum - WIDE(float(sum)));
            }
        ivec2 at = column ? ivec2(tile.x * TILE_W + item, tile.y)
                          : ivec2(tile.y * TILE_H + item - TILE_W, 2 * u_grid.y + tile.x);
        if (item < LINES && at.x < (column ? size.x : size.y)) {
            ivec2 below = at + ivec2(0, column ? u_grid.y : u_grid.x);
            imageStore(i_low, at, high[0]);
            imageStore(i_low, below, low[0]);
#if SQUARE
            imageStore(i_squares_low, at, high[1]);
            imageStore(i_squares_low, below, low[1]);
#endif
        }
    }
}
#endif

// ---- the tile

KEPT g_texels[TEXELS];

void clean_tile(part_frame frame, ivec2 first)
{
    scrub_tile(frame, first); // reduce.comp has counted them
    for (int k = 0; k < TEXELS; ++k) {
        g_texels[k] = keep_texel(texel_colour(k));
        g_high[k] = g_square_high[k] = ENTRY(0);
#if HAS_LOW
        g_low[k] = g_square_low[k] = vec4(0.0);
#endif
    }
}

#if WARPS != AG_WARPS_NONE
#include "sat/finish_warps.glsl"
#else
#include "sat/finish_shared.glsl"
#endif

void store_at(ivec2 place, int k)
{
#if HAS_LOW
    store_entry(place, g_high[k], g_low[k]);
    store_square(place, g_square_high[k], g_square_low[k]);
#else
    store_entry(place, g_high[k], vec4(0.0));
    store_square(place, g_square_high[k], vec4(0.0));
#endif
}

#if ASKED == AG_ASK_IMAGE && !EDGE
// What lies beyond the image goes to (-32768, -32768) from the rectangle's corner, which is left of every texture, as
// none is wider, and GL stores nothing there. Of several planes a condition is quicker (docs/rejected.md).
void store_tile(ivec2 first, part_frame frame)
{
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = first + STORE_STEP(i, j), place = frame.origin + frame.direction * at;
#if PLANES == 1
            ivec2 room = frame.size - 1 - at;
            int beyond = (room.x | room.y) >> 31; // all ones, or 0
            store_at((place & ~beyond) | (beyond & -32768), j * ACROSS + i);
#else
            if (all(lessThan(at, frame.size)))
                store_at(place, j * ACROSS + i);
#endif
        }
}
#else
void store_tile(ivec2 first, part_frame frame)
{
    ivec2 corner = this_tile() * ivec2(TILE_W, TILE_H);
    bool whole = all(lessThanEqual(corner + ivec2(TILE_W, TILE_H), frame.size));
#if EDGE
    whole = whole && all(greaterThan(corner, ivec2(0)));
#endif
    if (whole) { // the same for all threads, and true for nearly all groups
        for (int j = 0; j < DOWN; ++j)
            for (int i = 0; i < ACROSS; ++i)
                store_at(frame.origin + frame.direction * (first + STORE_STEP(i, j)),
                         j * ACROSS + i);
    } else {
        for (int j = 0; j < DOWN; ++j)
            for (int i = 0; i < ACROSS; ++i) {
                ivec2 at = first + STORE_STEP(i, j);
                if (all(lessThan(at, frame.size))) {
                    store_at(frame.origin + frame.direction * at, j * ACROSS + i);
#if EDGE
                    if (at.x == 0)
                        store_zero(ivec2(0, at.y + 1));
                    if (at.y == 0)
                        store_zero(ivec2(at.x + 1, 0));
                    if (at == ivec2(0))
                        store_zero(ivec2(0));
#endif
                }
            }
    }
}
#endif

void find_offset()
{
    g_offset = vec4(u_value.w);
#if OFFSET == AG_TABLE_MEAN
    for (int c = 0; c < CHANNELS; ++c)
        g_offset[c] = float(wide_offset(c));
#endif
}

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part, u_src_rect.zw);
    ivec2 first = this_tile() * ivec2(TILE_W, TILE_H) + place_in_tile();
    request_tile(frame, first);
#if SPREAD
    request_items(part); // beside the texels
    find_offset();
    take_tile();
    take_items();
#else
    take_tile();
    find_offset();
    fetch_items(part);
#endif
    scan_items();
    clean_tile(frame, first);
    for (int plane = 0; plane < PLANES; plane += AT_ONCE)
        scan_planes(plane);
    store_tile(this_tile() * ivec2(TILE_W, TILE_H) + place_to_store(), frame);
#if STORAGE == AG_TABLE_SPLIT
    store_border(part, frame.size);
#endif
#if OFFSET == AG_TABLE_MEAN
    if (thread_index() == 0 && gl_WorkGroupID == uvec3(0u))
        imageStore(i_mean, ivec2(0, u_span.w), g_offset);
#endif
}
