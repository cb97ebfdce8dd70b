// sat/finish.comp - scans every tile and adds what lies above and left: the last step to a table
//
//   in        i_src                            the image again, in its own format
//             b_column_carry, b_row_carry      from carry.comp; with FOLDED the sums from reduce.comp,
//                                              which this step then adds up itself: a dispatch less,
//                                              good while there are few tiles
//   out       see sat/store.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel, a write of each entry; 5 barriers a plane; shared memory for 64 x 64
//             floats 16.9 KiB + 4 KiB
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
#include "sat/tile.glsl"
#include "sat/store.glsl"
#include "common/sync.glsl"
#ifndef FOLDED
#error "FOLDED must be set by the host"
#endif

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
#if FOLDED
layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_rows[]; };
#else
layout(std430, binding = AG_SSBO_COLUMN_CARRY) readonly buffer ColumnCarry { WIDE b_columns[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) readonly buffer RowCarry { WIDE b_rows[]; };
#endif

// Threads 0 .. TILE_W - 1 each fetch the carry of a column, the next TILE_H of a row, and CORNER ones
// a share of K.
#define CORNER 64
#define ITEMS (TILE_W + TILE_H + CORNER)
#define RUN 8

#define COLUMN_SEGMENTS (THREADS / TILE_W)
#define COLUMN_RUN (TILE_H / COLUMN_SEGMENTS)
#define ROW_SEGMENTS (THREADS / TILE_H)
#define ROW_RUN (TILE_W / ROW_SEGMENTS)

shared LOCAL s_tile[TILE_H * (TILE_W + 1)];
shared LOCAL s_segment[THREADS];
shared WIDE s_carry[ITEMS], s_scanned[TILE_W + TILE_H];

ENTRY g_high[TEXELS], g_square_high[TEXELS];
#if HAS_LOW
vec4 g_low[TEXELS], g_square_low[TEXELS];
#endif
vec4 g_offset = vec4(0.0);

// ---- what comes from other tiles

// The thread's item, without any offset taken off.
WIDE raw_item(const int plane, int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    tile = u_grid.xy - 1 - tile;
    int item = int(gl_LocalInvocationIndex);
    WIDE sum = WIDE(0);
#if FOLDED
    if (item < TILE_W) {
        int at = columns_at(plane, part, u_grid.y, 0) + tile.x * TILE_W + item;
        for (int k = 0; k < tile.y; ++k)
            sum += WIDE(b_columns[at + k * u_grid.z]);
    } else if (item < TILE_W + TILE_H) {
        int at = rows_at(plane, part, u_grid.x, 0) + tile.y * TILE_H + item - TILE_W;
        for (int k = 0; k < tile.x; ++k)
            sum += WIDE(b_rows[at + k * u_grid.w]);
    } else if (item < ITEMS) {
        int at = columns_at(plane, part, u_grid.y, 0) + u_grid.x * TILE_W;
        for (int x = item - TILE_W - TILE_H; x < tile.x; x += CORNER)
            for (int k = 0; k < tile.y; ++k)
                sum += WIDE(b_columns[at + k * u_grid.z + x]);
    }
#else
    if (item < TILE_W)
        sum = b_columns[columns_at(plane, part, u_grid.y + 1, tile.y) + tile.x * TILE_W + item];
    else if (item < TILE_W + TILE_H)
        sum = b_rows[rows_at(plane, part, u_grid.x + 1, tile.x) + tile.y * TILE_H + item - TILE_W];
    else if (item < ITEMS) {
        int at = columns_at(plane, part, u_grid.y + 1, tile.y) + u_grid.x * TILE_W;
        for (int x = item - TILE_W - TILE_H; x < tile.x; x += CORNER)
            sum += b_columns[at + x];
    }
#endif
    return sum;
}

// Texels in the thread's item.
int item_area()
{
    ivec2 tile = u_grid.xy - 1 - ivec2(gl_WorkGroupID.xy);
    int item = int(gl_LocalInvocationIndex), share = item - TILE_W - TILE_H;
    if (item < TILE_W)
        return tile.y * TILE_H;
    if (share < 0)
        return tile.x * TILE_W;
    return share < tile.x ? ((tile.x - 1 - share) / CORNER + 1) * TILE_W * tile.y * TILE_H : 0;
}

WIDE g_items[PLANES];

void fetch_items(int part)
{
    for (int p = 0; p < PLANES; ++p)
        g_items[p] = raw_item(p, part);
#if OFFSET != AG_TABLE_PLAIN
    WIDE area = WIDE(item_area());
    for (int c = 0; c < CHANNELS; ++c) {
        WIDE m = WIDE(g_offset[c]);
#if SQUARE // sum of (x - m)^2 = sum of x^2 - 2 m sum of x + m^2 area
        g_items[CHANNELS + c] += m * (m * area - WIDE(2) * g_items[c]);
#endif
        g_items[c] -= m * area;
    }
#endif
}

// Between two barriers: runs of RUN items become inclusive scans. Corners too, as their last is their sum.
void scan_runs()
{
    int run = int(gl_LocalInvocationIndex);
    if (run < ITEMS / RUN) {
        WIDE sum = WIDE(0);
        for (int k = 0; k < RUN; ++k) {
            sum += s_carry[run * RUN + k];
            s_carry[run * RUN + k] = sum;
        }
    }
}

// Between the next two: every column's A, every row's B + K.
void join_runs()
{
    int item = int(gl_LocalInvocationIndex);
    if (item < TILE_W + TILE_H) {
        WIDE sum = s_carry[item];
        int start = item < TILE_W ? 0 : TILE_W;
        for (int k = start; k + RUN <= item; k += RUN)
            sum += s_carry[k + RUN - 1];
        if (item >= TILE_W)
            for (int k = TILE_W + TILE_H; k < ITEMS; k += RUN)
                sum += s_carry[k + RUN - 1];
        s_scanned[item] = sum;
    }
}

// ---- an entry

#if STORAGE == AG_TABLE_FLOAT32
// One rounding of the large numbers, and those of the small ones beside it.
float add_late(float local, vec2 a, vec2 b)
{
    precise float sum = a.x + b.x; // two-sum: sum + error is exact
    precise float part = sum - a.x;
    precise float error = (a.x - (sum - part)) + (b.x - part);
    precise float small = local + (error + (a.y + b.y));
    precise float all = sum + small;
    return all;
}

vec2 split_double(double d)
{
    float high = float(d);
    return vec2(high, float(d - double(high)));
}
#endif

void keep(const int plane, int k, LOCAL local, WIDE above, WIDE left)
{
#if STORAGE == AG_TABLE_DOUBLE || STORAGE == AG_TABLE_RESIDUAL
    double all = local + (above + left);
    float high = float(all), low = float(all - double(high));
    if (plane < CHANNELS) {
        g_high[k][plane % CHANNELS] = high;
        g_low[k][plane % CHANNELS] = low;
    } else {
        g_square_high[k][plane % CHANNELS] = high;
        g_square_low[k][plane % CHANNELS] = low;
    }
#else
#if STORAGE == AG_TABLE_UINT32
    uint all = local + above + left;
#else
    float all = local;
#endif
    if (plane < CHANNELS)
        g_high[k][plane % CHANNELS] = all;
    else
        g_square_high[k][plane % CHANNELS] = all;
#endif
}

void take_entries(const int plane, ivec2 local)
{
#if STORAGE == AG_TABLE_FLOAT32
    vec2 a[ACROSS];
    for (int i = 0; i < ACROSS; ++i)
        a[i] = split_double(s_scanned[local.x + i * GROUP_X]);
#endif
    for (int j = 0; j < DOWN; ++j) {
        WIDE left = s_scanned[TILE_W + local.y + j * GROUP_Y];
#if STORAGE == AG_TABLE_FLOAT32
        vec2 b = split_double(left);
#endif
        for (int i = 0; i < ACROSS; ++i) {
            int k = j * ACROSS + i;
            LOCAL v = s_tile[(local.y + j * GROUP_Y) * (TILE_W + 1) + local.x + i * GROUP_X];
#if STORAGE == AG_TABLE_FLOAT32
            float all = add_late(v, a[i], b);
            if (plane < CHANNELS)
                g_high[k][plane % CHANNELS] = all;
            else
                g_square_high[k][plane % CHANNELS] = all;
#else
            keep(plane, k, v, s_scanned[local.x + i * GROUP_X], left);
#endif
        }
    }
}

// ---- split: the sums beside the tile go into a texture of their own
//
//   rows of i_low       [0, tiles y)      A + K of tile row y, for every x: high parts
//                       [tiles y, 2 ..)   the same, low parts
//                       then, for every y at x = y, B of tile column x: high parts of all, low parts of all
#if STORAGE == AG_TABLE_SPLIT
vec4 g_border_high, g_border_low, g_border_square_high, g_border_square_low;

void take_border(const int plane)
{
    int item = int(gl_LocalInvocationIndex);
    WIDE corner = WIDE(0);
    for (int k = TILE_W + TILE_H; k < ITEMS; k += RUN)
        corner += s_carry[k + RUN - 1];
    WIDE sum = item < TILE_W ? s_scanned[item] + corner
                             : s_scanned[min(item, TILE_W + TILE_H - 1)] - corner;
    float high = float(sum), low = float(sum - WIDE(high));
    if (plane < CHANNELS) {
        g_border_high[plane % CHANNELS] = high;
        g_border_low[plane % CHANNELS] = low;
    } else {
        g_border_square_high[plane % CHANNELS] = high;
        g_border_square_low[plane % CHANNELS] = low;
    }
}

void store_border(ivec2 size)
{
    ivec2 tile = u_grid.xy - 1 - ivec2(gl_WorkGroupID.xy);
    int item = int(gl_LocalInvocationIndex);
    bool column = item < TILE_W;
    ivec2 at = column ? ivec2(tile.x * TILE_W + item, tile.y)
                      : ivec2(tile.y * TILE_H + item - TILE_W, 2 * u_grid.y + tile.x);
    if (item < TILE_W + TILE_H && at.x < (column ? size.x : size.y)) {
        ivec2 low = at + ivec2(0, column ? u_grid.y : u_grid.x);
        imageStore(i_low, at, g_border_high);
        imageStore(i_low, low, g_border_low);
#if SQUARE
        imageStore(i_squares_low, at, g_border_square_high);
        imageStore(i_squares_low, low, g_border_square_low);
#endif
    }
}
#endif

// ---- the tile

void scan_plane(const int plane, ivec2 first, part_frame frame)
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    int thread = int(gl_LocalInvocationIndex);
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            bool inside = all(lessThan(first + ivec2(i * GROUP_X, j * GROUP_Y), frame.size));
            LOCAL v = local_value(held(g_texels[j * ACROSS + i]), plane, g_offset[plane % CHANNELS]);
            s_tile[(local.y + j * GROUP_Y) * (TILE_W + 1) + local.x + i * GROUP_X] =
                inside ? v : LOCAL(0);
        }
    if (thread < ITEMS)
        s_carry[thread] = g_items[plane];
    sync_shared();

    // Down the columns: a run each thread.
    int column = thread % TILE_W, segment = thread / TILE_W;
    int base = segment * COLUMN_RUN * (TILE_W + 1) + column;
    LOCAL run[COLUMN_RUN];
    run[0] = s_tile[base];
    for (int k = 1; k < COLUMN_RUN; ++k)
        run[k] = run[k - 1] + s_tile[base + k * (TILE_W + 1)];
    s_segment[thread] = run[COLUMN_RUN - 1];
    scan_runs();
    sync_shared();
    LOCAL before = LOCAL(0);
    for (int k = 0; k < COLUMN_SEGMENTS - 1; ++k) {
        LOCAL s = s_segment[k * TILE_W + column];
        before += k < segment ? s : LOCAL(0);
    }
    for (int k = 0; k < COLUMN_RUN; ++k)
        s_tile[base + k * (TILE_W + 1)] = run[k] + before;
    join_runs();
    sync_shared();

    // Along the rows.
    int row = thread % TILE_H;
    segment = thread / TILE_H;
    base = row * (TILE_W + 1) + segment * ROW_RUN;
    LOCAL along[ROW_RUN];
    along[0] = s_tile[base];
    for (int k = 1; k < ROW_RUN; ++k)
        along[k] = along[k - 1] + s_tile[base + k];
    s_segment[thread] = along[ROW_RUN - 1];
    sync_shared();
    before = LOCAL(0);
    for (int k = 0; k < ROW_SEGMENTS - 1; ++k) {
        LOCAL s = s_segment[k * TILE_H + row];
        before += k < segment ? s : LOCAL(0);
    }
    for (int k = 0; k < ROW_RUN; ++k)
        s_tile[base + k] = along[k] + before;
    sync_shared();
    take_entries(plane, local);
#if STORAGE == AG_TABLE_SPLIT
    take_border(plane);
    sync_shared(); // before s_carry is written again
#endif
}

void store_tile(ivec2 first, part_frame frame)
{
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            ivec2 at = first + ivec2(i * GROUP_X, j * GROUP_Y);
            int k = j * ACROSS + i;
            if (all(lessThan(at, frame.size))) {
                ivec2 place = frame.origin + frame.direction * at;
#if HAS_LOW
                store_entry(place, g_high[k], g_low[k]);
                store_square(place, g_square_high[k], g_square_low[k]);
#else
                store_entry(place, g_high[k], vec4(0.0));
                store_square(place, g_square_high[k], vec4(0.0));
#endif
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

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part, u_src_rect.zw);
    // From the last tile to the first: reduce.comp has just read the last ones, and a cache may hold them.
    ivec2 tile = u_grid.xy - 1 - ivec2(gl_WorkGroupID.xy);
    ivec2 first = tile * ivec2(TILE_W, TILE_H) + ivec2(gl_LocalInvocationID.xy);
    load_tile(frame, first);
    g_offset = vec4(u_value.w);
#if OFFSET == AG_TABLE_MEAN
    for (int c = 0; c < CHANNELS; ++c)
        g_offset[c] = float(b_columns[columns_at(PLANES, 0, u_grid.y + 1, 0) + c]);
#endif
    for (int k = 0; k < TEXELS; ++k) {
        g_high[k] = ENTRY(0);
        g_square_high[k] = ENTRY(0);
#if HAS_LOW
        g_low[k] = vec4(0.0);
        g_square_low[k] = vec4(0.0);
#endif
    }
#if STORAGE == AG_TABLE_SPLIT
    g_border_high = g_border_low = g_border_square_high = g_border_square_low = vec4(0.0);
#endif
    fetch_items(part);
    scan_plane(0, first, frame);
#if PLANES > 1
    scan_plane(1, first, frame);
#endif
#if PLANES > 2
    scan_plane(2, first, frame);
    scan_plane(3, first, frame);
#endif
#if PLANES > 4
    scan_plane(4, first, frame);
    scan_plane(5, first, frame);
    scan_plane(6, first, frame);
    scan_plane(7, first, frame);
#endif
    store_tile(first, frame);
#if STORAGE == AG_TABLE_SPLIT
    store_border(frame.size);
#endif
}
