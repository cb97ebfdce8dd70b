// sat/reduce.comp - a table by tiles, the first step: sums of each tile's columns and rows
//
//   in        the image (sat/tile_texels.glsl)
//   out       b_column_sums, b_row_sums   see sat/tile.glsl
//             b_info.scrubbed             the number of bad texels
//   host sets WIDE_SUMS    1 = SUM is a pair of floats or double
//             BATCH        without subgroups: planes at a time, 1, or 2 where the threads can add
//                          up as many lines at once
//             and the defines of sat/tile_texels.glsl
//   dispatch  tiles x, tiles y, parts; a dispatch a layer
//   cost      a read of each texel; each thread has TEXELS loads in flight
//   source    Nehab et al. 2011, stage 1; docs/sat.md
//
//   sat/tile.glsl draws the algorithm. A thread has texels of ACROSS columns and DOWN rows. Only
//   their sums are exchanged:
//
//             t t t t     g_row[0]
//             t t t t     g_row[1]
//        g_column 0 1 2 3
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef WIDE_SUMS
#error "WIDE_SUMS must be set by the host"
#endif
#include "common/info.glsl"
#include "sat/tile_texels.glsl"
#if WIDE_SUMS
#include "sat/wide.glsl"
#endif

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = AG_SSBO_COLUMN_SUMS) writeonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) writeonly buffer RowSums { SUM b_row_sums[]; };

#define ROW_PLANES (PLANES == 3 ? 4 : PLANES) // whose rows the lanes divide by halves
SUM g_column[PLANES * ACROSS], g_row[ROW_PLANES * DOWN];

#define COLOUR vec4
#if CHANNELS == 1
vec4 unpack_clean(CLEAN k) { return vec4(k, 0.0, 0.0, 1.0); }
#elif MOMENTS
#undef COLOUR
#define COLOUR uvec4
uvec4 unpack_clean(CLEAN k) { return uvec4(k.x & 65535u, k.x >> 16, k.y & 65535u, 0u); }
#elif PACKED_CODES
vec4 unpack_clean(CLEAN k) { return whole_of(k); }
#else
vec4 unpack_clean(CLEAN k) { return k; }
#endif

// Adds up the thread's own texels.
void add_texels(part_frame frame, ivec2 first)
{
    count_bad(scrub_tile(frame, first));
    for (int k = 0; k < PLANES * ACROSS; ++k)
        g_column[k] = SUM(0);
    for (int k = 0; k < ROW_PLANES * DOWN; ++k)
        g_row[k] = SUM(0);
    for (int j = 0; j < DOWN; ++j)
        for (int i = 0; i < ACROSS; ++i) {
            bool inside = all(lessThan(first + READ_STEP(i, j), frame.size));
            // The same value as in the last step: unpacked codes may differ from read ones in the
            // last bit.
            COLOUR c = unpack_clean(clean_texel(j * ACROSS + i));
            for (int p = 0; p < PLANES; ++p) {
                // the offset is taken off the sums later
                SUM v = number(c[p % CHANNELS], false, 0.0, p >= CHANNELS, SUM(0));
                if (OFFSET == AG_TABLE_MEAN) // only the mean includes whole tiles at the edge
                    v = only(inside, v);
                g_column[p * ACROSS + i] = added(g_column[p * ACROSS + i], v);
                g_row[p * DOWN + j] = added(g_row[p * DOWN + j], v);
            }
        }
}

#if SUBGROUPS != AG_SUBGROUPS_NONE
// ---- by subgroups: sums of one float or integer
//
//   cost      10 shuffles for 16 texels of one plane, 22 for 32 of four; 1 barrier for all planes;
//             shared memory PLANES (THREADS / 32) (TILE_W + 1) sums: 2 KiB for 64 x 64 floats and
//             256 threads
//   source    recursive halving: Rabenseifner 2004, reduce-scatter
//
//   A subgroup has whole rows of the tile. The lanes of a half share the sums of its rows, of all
//   planes. Columns are added over the halves of a subgroup, then over all subgroups through shared
//   memory. The tile's total is the sum of its rows, subgroup by subgroup.
//
//   16 lanes with ROWS sums each, by halves (drawn for four lanes with sums a b c d):
//
//        lane 0   a b c d   -- lanes 2 apart give    -->   a b   -- lanes 1 apart -->   a
//        lane 1   a b c d      each other the half         a b                          b
//        lane 2   a b c d      that the other keeps        c d                          c
//        lane 3   a b c d                                  c d                          d
//
//   That takes ROWS / 2 + ROWS / 4 .. shuffles instead of 4 ROWS, and each lane ends with its own
//   sum.

#define ROWS (ROW_PLANES * DOWN) // sums of a lane: row j of plane p is p * DOWN + j
#define COPIES (ROWS < 16 ? 16 / ROWS : 1) // lanes that end with the same sum
#define OWN (ROWS < 16 ? 1 : ROWS / 16)    // sums that a lane ends with

shared SUM s_column[PLANES * SUBGROUP_COUNT * TILE_W];
shared SUM s_total[ROW_PLANES * SUBGROUP_COUNT];

// Both halves of the subgroup have every column. Each completes half of them, and gives away its
// sums of the others.
void share_columns(int lane)
{
    int half_subgroup = lane / GROUP_X;
    uint lower = lane_mask(lane, 16u);
    for (int plane = 0; plane < PLANES; ++plane) {
        int base = (plane * SUBGROUP_COUNT + subgroup_index()) * TILE_W + place_in_tile().x;
        for (int i = 0; i < ACROSS; i += 2) {
            SUM first = g_column[plane * ACROSS + i], second = g_column[plane * ACROSS + i + 1];
            SUM other = lane_across(choose(lower, second, first), 16u);
            s_column[base + READ_STEP(i, 0).x + half_subgroup * READ_STEP(1, 0).x] =
                choose(lower, first, second) + other;
        }
    }
}

// Lanes `bit` apart add up `count` sums of g_row. If there are two or more, each keeps half of
// them.
void fold_rows(int lane, const int count, const uint bit)
{
    uint upper = lane_mask(lane, bit);
    const int left = HALF_OF(count);
    for (int k = 0; k < left; ++k) {
        SUM mine = g_row[k], other = g_row[k];
        if (count > 1) {
            mine = choose(upper, g_row[k], g_row[k + count / 2]);
            other = choose(upper, g_row[k + count / 2], g_row[k]);
        }
        g_row[k] = mine + lane_across(other, bit);
    }
}

void share_rows(int part, int lane)
{
    fold_rows(lane, ROWS, 8u);
    fold_rows(lane, HALF_OF(ROWS), 4u);
    fold_rows(lane, HALF_OF(HALF_OF(ROWS)), 2u);
    fold_rows(lane, HALF_OF(HALF_OF(HALF_OF(ROWS))), 1u);
    // Lanes with the same sum store the same value: no condition depends on shuffled values (D9).
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int first = lane % 16 / COPIES * OWN;
    for (int k = 0; k < OWN; ++k) {
        int plane = (first + k) / DOWN,
            row = place_in_tile().y + (first + k) % DOWN * READ_STEP(0, 1).y;
        if (PLANES == ROW_PLANES || plane < PLANES)
            b_row_sums[rows_at(plane, part, tiles().x, tile.x) + tile.y * TILE_H + row] = g_row[k];
    }
    // The totals: over the lanes of one plane, then over both halves of the subgroup.
    SUM all = g_row[0];
    for (int k = 1; k < OWN; ++k)
        all += g_row[k];
    for (int bit = COPIES; bit < COPIES * DOWN / OWN; bit *= 2)
        all += lane_across(all, uint(bit));
    all += lane_across(all, 16u);
    s_total[first / DOWN * SUBGROUP_COUNT + subgroup_index()] = all;
}

void add_subgroups(int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    for (int first = 0; first < PLANES * TILE_W; first += THREADS) {
        int item = first + thread, plane = item / TILE_W, x = item % TILE_W;
        if (item < PLANES * TILE_W) {
            SUM sum = s_column[plane * SUBGROUP_COUNT * TILE_W + x];
            for (int w = 1; w < SUBGROUP_COUNT; ++w)
                sum += s_column[(plane * SUBGROUP_COUNT + w) * TILE_W + x];
            b_column_sums[columns_at(plane, part, tiles().y, tile.y) + tile.x * TILE_W + x] = sum;
        }
    }
    // The last threads do this, because they are mostly idle.
    int plane = THREADS - 1 - thread;
    if (plane < PLANES) {
        SUM sum = s_total[plane * SUBGROUP_COUNT];
        for (int w = 1; w < SUBGROUP_COUNT; ++w)
            sum += s_total[plane * SUBGROUP_COUNT + w];
        b_column_sums[columns_at(plane, part, tiles().y, tile.y) + totals_at() + tile.x] = sum;
    }
}

void add_tile(int part)
{
    int lane = subgroup_lane();
    share_columns(lane);
    share_rows(part, lane);
    sync_shared();
    add_subgroups(part);
}

#else
// ---- through shared memory
//
//   cost      2 barriers for BATCH planes, 2 at the end; shared memory BATCH (GROUP_Y (TILE_W + 1)
//             + GROUP_X (TILE_H + 1)) sums: 8.1 KiB for 64 x 64 floats
//   limits    registers and shared memory alike on RDNA 2: 56 VGPRs, 7 KiB, 9 waves a SIMD; shared
//             memory on GCN 5, 4 waves (docs/gpus.md)
//   why       sums in pairs of floats or double, drivers without subgroups, and images that no
//             texture unit reads
//
//        s_column   a row of threads      a sum for each column of the tile:   GROUP_Y to add
//        s_row      a column of threads   a sum for each row:                  GROUP_X to add
#ifndef BATCH
#error "BATCH must be set by the host"
#endif

#define LINES (TILE_W + TILE_H)
#define ROUNDS ((BATCH * LINES + THREADS - 1) / THREADS)
#define SHARES 8 // of a tile's total

// One more than a tile, so that neighbours along the other axis fall into different banks.
#define COLUMN_PART (GROUP_Y * (TILE_W + 1))
#define ROW_PART (GROUP_X * (TILE_H + 1))
shared SUM s_column[BATCH * COLUMN_PART];
shared SUM s_row[BATCH * ROW_PART];
shared SUM s_sum[PLANES * (TILE_W + 1)]; // of columns
shared SUM s_share[PLANES * SHARES];

// Shares the sums of the first BATCH planes, and moves those of the next planes to their place.
void share_planes()
{
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    for (int k = 0; k < BATCH * ACROSS; ++k)
        s_column[k / ACROSS * COLUMN_PART + local.y * (TILE_W + 1) + local.x + k % ACROSS *
                 GROUP_X] = g_column[k];
    for (int k = 0; k < BATCH * DOWN; ++k)
        s_row[k / DOWN * ROW_PART + local.x * (TILE_H + 1) + local.y + k % DOWN * GROUP_Y] =
            g_row[k];
#if PLANES > BATCH
    for (int k = 0; k < (PLANES - BATCH) * ACROSS; ++k)
        g_column[k] = g_column[k + BATCH * ACROSS];
    for (int k = 0; k < (PLANES - BATCH) * DOWN; ++k)
        g_row[k] = g_row[k + BATCH * DOWN];
#endif
}

// Each thread adds up a line of the tile, of BATCH planes from `first` on.
void add_lines(int first, int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    for (int round = 0; round < ROUNDS; ++round) {
        int line = int(gl_LocalInvocationIndex) + round * THREADS;
        if (line < BATCH * TILE_W) {
            int b = line / TILE_W, x = line % TILE_W, at = b * COLUMN_PART + x;
            SUM sum = s_column[at];
            for (int k = 1; k < GROUP_Y; ++k)
                sum = added(sum, s_column[at + k * (TILE_W + 1)]);
            s_sum[(first + b) * (TILE_W + 1) + x] = sum;
            b_column_sums[columns_at(first + b, part, tiles().y, tile.y) + tile.x * TILE_W + x] =
                sum;
        } else if (line < BATCH * LINES) {
            int b = (line - BATCH * TILE_W) / TILE_H, y = (line - BATCH * TILE_W) % TILE_H;
            int at = b * ROW_PART + y;
            SUM sum = s_row[at];
            for (int k = 1; k < GROUP_X; ++k)
                sum = added(sum, s_row[at + k * (TILE_H + 1)]);
            b_row_sums[rows_at(first + b, part, tiles().x, tile.x) + tile.y * TILE_H + y] = sum;
        }
    }
}

// The total of every plane, from its columns.
void add_totals(int part)
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy);
    int thread = int(gl_LocalInvocationIndex);
    if (thread < PLANES * SHARES) {
        int at = thread / SHARES * (TILE_W + 1) + thread % SHARES;
        SUM sum = s_sum[at];
        for (int k = 1; k < TILE_W / SHARES; ++k)
            sum = added(sum, s_sum[at + k * SHARES]);
        s_share[thread] = sum;
    }
    sync_shared();
    if (thread < PLANES) {
        SUM sum = s_share[thread * SHARES];
        for (int k = 1; k < SHARES; ++k)
            sum = added(sum, s_share[thread * SHARES + k]);
        b_column_sums[columns_at(thread, part, tiles().y, tile.y) + totals_at() + tile.x] = sum;
    }
}

void add_tile(int part)
{
    for (int plane = 0; plane < ROLLED(PLANES); plane += BATCH) { // not unrolled
        share_planes();
        sync_shared();
        add_lines(plane, part);
        sync_shared(); // before s_column and s_row are written again; completes s_sum
    }
    add_totals(part);
}
#endif

void main()
{
    int part = int(gl_WorkGroupID.z);
    part_frame frame = frame_of_part(part);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_W, TILE_H) + place_in_tile();
    request_tile(frame, first);
    take_tile();
    add_texels(frame, first);
    add_tile(part);
}
