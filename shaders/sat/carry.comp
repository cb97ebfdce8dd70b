// sat/carry.comp - running sums over tiles: the second of three steps to a table
//
//   in        b_column_sums, b_row_sums     of each tile, see sat/tile.glsl
//   out       b_column_carry, b_row_carry   exclusive sums of them down, and to the right; the last line
//                                           is the sum of all. In place of a tile's total, that of all
//                                           tiles left of it and above
//             with OFFSET = mean: the mean of each channel, after the last of b_column_carry
//   host sets BATCH    lines that a thread has at once: 8, or 16 where there are more than 64
//   dispatch  (1 for the mean +) tiles y + columns / 32 + pitch of rows / 32, parts, planes
//
//   A group is 32 columns wide and 8 segments high. It goes down the lines 8 BATCH at a time: each thread
//   loads BATCH lines at once (one latency), adds them, and the segments exchange their sums:
//
//        segment 0   lines 0..7    s0          + 0
//        segment 1   lines 8..15   s1    ->    + s0            exclusive, in double
//        ...                                   + s0 + s1
//
//   A row of tiles has a group for the corners: it adds up all totals above, each row anew, as they are few.
//   The mean of a channel is that of a row below the last, over all its tiles. Those groups take longest, and
//   begin first.
//
//   cost      2/TILE sums read and written a texel; 2 barriers for 8 BATCH lines; shared memory 2 KiB
//   source    Nehab et al. 2011, stages 2 and 3, in one step; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/tile.glsl"
#include "common/sync.glsl"

#define LANES 32
#define SEGMENTS 8
#ifndef BATCH
#error "BATCH must be set by the host"
#endif

layout(local_size_x = LANES, local_size_y = SEGMENTS) in;
layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_row_sums[]; };
layout(std430, binding = AG_SSBO_COLUMN_CARRY) writeonly buffer ColumnCarry { WIDE b_column_carry[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) writeonly buffer RowCarry { WIDE b_row_carry[]; };

shared WIDE s_segment[SEGMENTS][LANES];
shared WIDE s_above[LANES];

WIDE g_lines[BATCH]; // of the thread: sums, then what comes before each
WIDE g_above = WIDE(0); // of all lines so far

// g_lines are BATCH lines' sums, 0 where there are none: turns them into exclusive ones.
void scan_lines()
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    WIDE sum = g_lines[0];
    for (int k = 1; k < BATCH; ++k)
        sum += g_lines[k];
    s_segment[segment][lane] = sum;
    sync_shared();
    WIDE before = g_above;
    for (int k = 0; k < SEGMENTS; ++k) {
        WIDE s = s_segment[k][lane];
        before += only(k < segment, s);
        g_above += s;
    }
    sync_shared(); // before the next lines' sums
    for (int k = 0; k < BATCH; ++k) {
        WIDE line = g_lines[k];
        g_lines[k] = before;
        before += line;
    }
}

// Lines `from`, `from + pitch`, ... of the sums into lines of the carries. `rows`, which buffers those are, is asked once for
// BATCH loads and once for their stores: a choice for each would stand between them.
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
            g_lines[k] = WIDE(only(line + k < lines, v[k]));
        scan_lines();
        if (rows) {
            for (int k = 0; k < BATCH; ++k)
                if (line + k < lines)
                    b_row_carry[to + (line + k) * pitch] = g_lines[k];
        } else {
            for (int k = 0; k < BATCH; ++k)
                if (line + k < lines)
                    b_column_carry[to + (line + k) * pitch] = g_lines[k];
        }
    }
    if (gl_LocalInvocationID.y == 0u && rows)
        b_row_carry[to + lines * pitch] = g_above;
    else if (gl_LocalInvocationID.y == 0u)
        b_column_carry[to + lines * pitch] = g_above;
}

// Every SEGMENTSth of a column of totals above tile_y.
WIDE add_totals(int from, int tile_y)
{
    WIDE sum = WIDE(0);
    for (int line = int(gl_LocalInvocationID.y); line < tile_y; line += SEGMENTS * BATCH) {
        SUM v[BATCH];
        for (int k = 0; k < BATCH; ++k)
            v[k] = b_column_sums[from + min(line + k * SEGMENTS, tile_y - 1) * column_pitch()];
        for (int k = 0; k < BATCH; ++k)
            sum += WIDE(only(line + k * SEGMENTS < tile_y, v[k]));
    }
    return sum;
}

// What the segments have, into s_above.
void add_segments()
{
    int lane = int(gl_LocalInvocationID.x);
    sync_shared();
    if (gl_LocalInvocationID.y == 0u) {
        WIDE above = s_segment[0][lane];
        for (int k = 1; k < SEGMENTS; ++k)
            above += s_segment[k][lane];
        s_above[lane] = above;
    }
    sync_shared();
}

// What all lanes have, and into `before` what the first `count` of them have. Four of each at once: each addition waits
// for the one before.
WIDE add_lanes(int count, out WIDE before)
{
    WIDE all[4], some[4];
    for (int j = 0; j < 4; ++j)
        all[j] = some[j] = WIDE(0);
    for (int k = 0; k < ROLLED(LANES); k += 4)
        for (int j = 0; j < 4; ++j) {
            WIDE above = s_above[k + j];
            all[j] += above;
            some[j] += only(k + j < count, above);
        }
    before = (some[0] + some[1]) + (some[2] + some[3]);
    return (all[0] + all[1]) + (all[2] + all[3]);
}

// Corners of the tiles of a row: totals above it, 32 tiles at a time, and then left.
void find_corners(int plane, int part, int tile_y)
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    int from = columns_at(plane, part, tiles().y, 0) + totals_at();
    int to = columns_at(plane, part, tiles().y + 1, tile_y) + totals_at();
    WIDE left = WIDE(0); // segment 0's alone
    for (int first = 0; first < tiles().x; first += LANES) {
        int x = min(first + lane, tiles().x - 1);
        s_segment[segment][lane] = add_totals(from + x, tile_y);
        add_segments();
        if (segment == 0) {
            WIDE before, all = add_lanes(lane, before);
            if (first + lane < tiles().x)
                b_column_carry[to + x] = left + before;
            left += all;
        }
        // The next tiles' sums are written to s_segment at once, and to s_above after a barrier.
    }
}

// Of the totals of all parts. A group a channel, and no division for a total's place: one group for all
// channels, dividing, took longer than all the rest of this dispatch.
void find_mean(int channel)
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    WIDE sum = WIDE(0);
    for (int part = 0; part < PARTS; ++part) {
        int from = columns_at(channel, part, tiles().y, 0) + totals_at();
        for (int first = 0; first < tiles().x; first += LANES) {
            WIDE totals = add_totals(from + min(first + lane, tiles().x - 1), tiles().y);
            sum += only(first + lane < tiles().x, totals);
        }
    }
    s_segment[segment][lane] = sum;
    add_segments();
    if (gl_LocalInvocationIndex == 0u) {
        WIDE before, mean = add_lanes(LANES, before) / (WIDE(image_size().x) * WIDE(image_size().y));
        b_column_carry[columns_at(PLANES, 0, tiles().y + 1, 0) + channel] = WIDE(float(mean));
    }
}

void main()
{
    int part = int(gl_WorkGroupID.y), plane = int(gl_WorkGroupID.z), lane = int(gl_LocalInvocationID.x);
    int corner = int(gl_WorkGroupID.x) - int(OFFSET == AG_TABLE_MEAN), column_groups = totals_at() / LANES;
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
