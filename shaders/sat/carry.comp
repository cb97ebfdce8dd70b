// sat/carry.comp - a table by tiles, the second of three steps: running sums over tiles
//
//   in        b_column_sums, b_row_sums     of each tile
//   out       b_column_carry, b_row_carry   A, B and K of each tile (sat/tile.glsl): exclusive
//                                           sums, down and to the right; the last line is the sum
//                                           of all lines
//             with OFFSET = mean: the mean of each channel, after the last line of b_column_carry
//   host sets BATCH    lines that a thread loads at once: 8, or 16 where there are more than 64
//                      lines
//             and the defines of sat/tile.glsl and sat/types.glsl
//   dispatch  (1 for the mean +) tiles y + columns / 32 + pitch of rows / 32, parts, planes
//   cost      2 / TILE_W sums read and written a texel; 2 barriers for 8 BATCH lines; shared memory
//             2 KiB
//   source    Nehab et al. 2011, stages 2 and 3, in one step; docs/sat.md
//
//   A group has 32 columns and 8 segments. It goes down the lines, 8 BATCH at a time. A thread
//   loads BATCH lines at once and adds them up; then the segments exchange their sums:
//
//        segment 0   lines 0..7    s0          + 0
//        segment 1   lines 8..15   s1    ->    + s0            exclusive
//        ...                                   + s0 + s1
//
//   Each row of tiles has a group for the corners, which adds up all totals above. The mean of a
//   channel has one group, which adds up the totals of all tiles. These groups take longest, so
//   they come first.
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/tile.glsl"
#include "sat/wide.glsl"
#include "common/sync.glsl"

#define LANES 32
#define SEGMENTS 8
#ifndef BATCH
#error "BATCH must be set by the host"
#endif

layout(local_size_x = LANES, local_size_y = SEGMENTS) in;
layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_row_sums[]; };
layout(std430, binding = AG_SSBO_COLUMN_CARRY) writeonly buffer Prefixes { WIDE b_column_carry[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) writeonly buffer RowPrefixes { WIDE b_row_carry[]; };

shared WIDE s_segment[SEGMENTS][LANES];
shared WIDE s_above[LANES];

SUM g_sums[BATCH];      // of the thread; 0 where there is no line
WIDE g_above = WIDE(0); // sum of all earlier lines

// This is a function, and comes first, because Mesa otherwise warns that g_sums is not initialised.
void take_line(int k, SUM sum) { g_sums[k] = sum; }

// The sum of all lines before the thread's BATCH in g_sums.
WIDE sum_before()
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    WIDE sum = added(WIDE(0), g_sums[0]);
    for (int k = 1; k < BATCH; ++k)
        sum = added(sum, g_sums[k]);
    s_segment[segment][lane] = sum;
    sync_shared();
    WIDE before = g_above;
    for (int k = 0; k < SEGMENTS; ++k) {
        g_above = added(g_above, s_segment[k][lane]);
        if (k + 1 == segment)
            before = g_above;
    }
    g_above = tidy(g_above);
    sync_shared(); // before s_segment is written again
    return before;
}

// From lines `from`, `from + pitch`, ... of the sums to lines of the block prefixes. `rows` selects
// the buffers; it is tested once for BATCH loads and once for their stores, so that no branch
// separates them.
void scan_sums(bool rows, int from, int to, int lines, int pitch)
{
    for (int chunk = 0; chunk < lines; chunk += SEGMENTS * BATCH) {
        int line = chunk + int(gl_LocalInvocationID.y) * BATCH;
        SUM v[BATCH];
        if (rows)
            for (int k = 0; k < BATCH; ++k)
                v[k] = b_row_sums[from + min(line + k, lines - 1) * pitch];
        else
            for (int k = 0; k < BATCH; ++k)
                v[k] = b_column_sums[from + min(line + k, lines - 1) * pitch];
        for (int k = 0; k < BATCH; ++k)
            take_line(k, only(line + k < lines, v[k]));
        WIDE before = sum_before();
        if (rows)
            for (int k = 0; k < BATCH; ++k) {
                if (line + k < lines)
                    b_row_carry[to + (line + k) * pitch] = before;
                before = added(before, g_sums[k]);
            }
        else
            for (int k = 0; k < BATCH; ++k) {
                if (line + k < lines)
                    b_column_carry[to + (line + k) * pitch] = before;
                before = added(before, g_sums[k]);
            }
    }
    if (gl_LocalInvocationID.y == 0u && rows)
        b_row_carry[to + lines * pitch] = g_above;
    else if (gl_LocalInvocationID.y == 0u)
        b_column_carry[to + lines * pitch] = g_above;
}

// The sum of every SEGMENTS-th total above tile_y, of one column of tiles.
WIDE add_totals(int from, int tile_y)
{
    WIDE sum = WIDE(0);
    for (int line = int(gl_LocalInvocationID.y); line < tile_y; line += SEGMENTS * BATCH) {
        SUM v[BATCH];
        for (int k = 0; k < BATCH; ++k)
            v[k] = b_column_sums[from + min(line + k * SEGMENTS, tile_y - 1) * column_pitch()];
        for (int k = 0; k < BATCH; ++k)
            sum = added(sum, only(line + k * SEGMENTS < tile_y, v[k]));
    }
    return sum;
}

// Adds the sums of the segments, into s_above.
void add_segments()
{
    int lane = int(gl_LocalInvocationID.x);
    sync_shared();
    if (gl_LocalInvocationID.y == 0u) {
        WIDE above = s_segment[0][lane];
        for (int k = 1; k < SEGMENTS; ++k)
            above = added(above, s_segment[k][lane]);
        s_above[lane] = above;
    }
    sync_shared();
}

// The sum over all lanes, and in `before` the sum over the first `count` lanes. Four partial sums
// each: otherwise each addition would wait for the one before.
WIDE add_lanes(int count, out WIDE before)
{
    WIDE all[4], some[4];
    for (int j = 0; j < 4; ++j)
        all[j] = some[j] = WIDE(0);
    for (int k = 0; k < ROLLED(LANES); k += 4)
        for (int j = 0; j < 4; ++j) {
            WIDE above = s_above[k + j];
            all[j] = added(all[j], above);
            some[j] = added(some[j], only(k + j < count, above));
        }
    before = added(added(some[0], some[1]), added(some[2], some[3]));
    return added(added(all[0], all[1]), added(all[2], all[3]));
}

// The corners of a row of tiles: adds the totals above it, 32 tiles at a time, then those to the
// left.
void find_corners(int plane, int part, int tile_y)
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    int from = columns_at(plane, part, tiles().y, 0) + totals_at();
    int to = columns_at(plane, part, tiles().y + 1, tile_y) + totals_at();
    WIDE left = WIDE(0); // used by segment 0 alone
    for (int first = 0; first < tiles().x; first += LANES) {
        int x = min(first + lane, tiles().x - 1);
        s_segment[segment][lane] = add_totals(from + x, tile_y);
        add_segments();
        if (segment == 0) {
            WIDE before, all = add_lanes(lane, before);
            if (first + lane < tiles().x)
                b_column_carry[to + x] = added(left, before);
            left = tidy(added(left, all));
        }
        // The next turn writes s_segment at once, and s_above only after a barrier.
    }
}

// The mean of a channel, from the totals of all parts (docs/decisions.md, D45).
void find_mean(int channel)
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    WIDE sum = WIDE(0);
    for (int part = 0; part < PARTS; ++part) {
        int from = columns_at(channel, part, tiles().y, 0) + totals_at();
        for (int first = 0; first < tiles().x; first += LANES) {
            WIDE totals = add_totals(from + min(first + lane, tiles().x - 1), tiles().y);
            sum = tidy(added(sum, only(first + lane < tiles().x, totals)));
        }
    }
    s_segment[segment][lane] = sum;
    add_segments();
    if (gl_LocalInvocationIndex == 0u) {
        WIDE before, all = add_lanes(LANES, before);
        WIDE texels = product(image_size().x, image_size().y, WIDE(0));
        float mean = opaque(nearest(divide(all, texels))); // Mesa 25 stores the mean itself
        b_column_carry[columns_at(PLANES, 0, tiles().y + 1, 0) + channel] = wide(mean, WIDE(0));
    }
}

void main()
{
    int part = int(gl_WorkGroupID.y), plane = int(gl_WorkGroupID.z),
        lane = int(gl_LocalInvocationID.x);
    int corner = int(gl_WorkGroupID.x) - int(OFFSET == AG_TABLE_MEAN),
        column_groups = totals_at() / LANES;
    int group = corner - tiles().y;
    bool rows = group >= column_groups;
    if (group >= 0) {
        int at = group * LANES + lane, lines = tiles().y, pitch = column_pitch();
        int from = columns_at(plane, part, lines, 0), to = columns_at(plane, part, lines + 1, 0);
        if (rows) {
            at -= column_groups * LANES;
            lines = tiles().x;
            pitch = row_pitch();
            from = rows_at(plane, part, lines, 0);
            to = rows_at(plane, part, lines + 1, 0);
        }
        scan_sums(rows, from + at, to + at, lines, pitch);
    } else if (corner >= 0)
        find_corners(plane, part, tiles().y - 1 - corner);
    else if (OFFSET == AG_TABLE_MEAN && part == 0 && plane < CHANNELS)
        find_mean(plane);
}
