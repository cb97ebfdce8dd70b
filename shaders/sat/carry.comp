// sat/carry.comp - running sums over tiles: the second of three steps to a table
//
//   in        b_column_sums, b_row_sums     of each tile, see sat/tile.glsl
//   out       b_column_carry, b_row_carry   exclusive sums of them down, and to the right; the last line
//                                           is the sum of all
//             with OFFSET = mean: i_dst, the mean of each channel, 1 x 1 texel; and the same after the
//             last of b_column_carry
//   dispatch  pitch of columns / 32 + pitch of rows / 32 (+ 1 for the mean), parts, planes
//
//   A group is 32 columns wide and 8 segments high. It goes down the lines 64 at a time: each thread
//   loads 8 lines at once (one latency), adds them, and the segments exchange their sums:
//
//        segment 0   lines 0..7    s0          + 0
//        segment 1   lines 8..15   s1    ->    + s0            exclusive, in double
//        ...                                   + s0 + s1
//
//   cost      2/TILE sums read and written a texel; 2 barriers for 64 lines; shared memory 2 KiB
//   source    Nehab et al. 2011, stages 2 and 3, in one step; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/tile.glsl"
#include "common/sync.glsl"

#define LANES 32
#define SEGMENTS 8
#define BATCH 8

layout(local_size_x = LANES, local_size_y = SEGMENTS) in;
layout(std430, binding = AG_SSBO_COLUMN_SUMS) readonly buffer ColumnSums { SUM b_column_sums[]; };
layout(std430, binding = AG_SSBO_ROW_SUMS) readonly buffer RowSums { SUM b_row_sums[]; };
layout(std430, binding = AG_SSBO_COLUMN_CARRY) writeonly buffer ColumnCarry { WIDE b_column_carry[]; };
layout(std430, binding = AG_SSBO_ROW_CARRY) writeonly buffer RowCarry { WIDE b_row_carry[]; };
#if OFFSET == AG_TABLE_MEAN
layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
#endif

shared WIDE s_segment[SEGMENTS][LANES];

// Lines `from`, `from + pitch`, ... of the sums into lines of the carries.
void scan(bool columns, int from, int to, int lines, int pitch)
{
    int lane = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    WIDE above = WIDE(0);
    for (int chunk = 0; chunk < lines; chunk += SEGMENTS * BATCH) {
        int line = chunk + segment * BATCH;
        SUM v[BATCH];
        for (int k = 0; k < BATCH; ++k) {
            int at = from + min(line + k, lines - 1) * pitch;
            v[k] = columns ? b_column_sums[at] : b_row_sums[at];
        }
        WIDE sum = WIDE(0);
        for (int k = 0; k < BATCH; ++k)
            sum += line + k < lines ? WIDE(v[k]) : WIDE(0);
        s_segment[segment][lane] = sum;
        sync_shared();
        WIDE before = above;
        for (int k = 0; k < SEGMENTS; ++k) {
            WIDE s = s_segment[k][lane];
            before += k < segment ? s : WIDE(0);
            above += s;
        }
        sync_shared(); // before the next chunk's sums
        for (int k = 0; k < BATCH; ++k) {
            int at = to + (line + k) * pitch;
            if (line + k < lines) {
                if (columns)
                    b_column_carry[at] = before;
                else
                    b_row_carry[at] = before;
                before += WIDE(v[k]);
            }
        }
    }
    if (segment == 0) {
        if (columns)
            b_column_carry[to + lines * pitch] = above;
        else
            b_row_carry[to + lines * pitch] = above;
    }
}

#if OFFSET == AG_TABLE_MEAN
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span; // w: row of i_dst
shared WIDE s_sum[LANES * SEGMENTS];

// The sum of all tiles of all parts, and what a texel's share of it is.
float mean_of(const int channel)
{
    int thread = int(gl_LocalInvocationIndex), tiles = u_grid.x * u_grid.y;
    WIDE sum = WIDE(0);
    for (int part = 0; part < PARTS; ++part)
        for (int i = thread; i < tiles; i += LANES * SEGMENTS) {
            int y = i / u_grid.x, x = i - y * u_grid.x;
            sum += WIDE(b_column_sums[columns_at(channel, part, u_grid.y, y) + u_grid.x * TILE_W + x]);
        }
    s_sum[thread] = sum;
    sync_shared();
    for (int lower = LANES * SEGMENTS / 2; lower > 0; lower /= 2) {
        if (thread < lower)
            s_sum[thread] += s_sum[thread + lower];
        sync_shared();
    }
    WIDE all = s_sum[0];
    sync_shared(); // before the next channel's
    return float(all / (WIDE(u_src_rect.z) * WIDE(u_src_rect.w)));
}
#endif

void main()
{
    int part = int(gl_WorkGroupID.y), plane = int(gl_WorkGroupID.z), lane = int(gl_LocalInvocationID.x);
    int group = int(gl_WorkGroupID.x), column_groups = u_grid.z / LANES;
    int row_groups = u_grid.w / LANES;
    if (group < column_groups)
        scan(true, columns_at(plane, part, u_grid.y, 0) + group * LANES + lane,
             columns_at(plane, part, u_grid.y + 1, 0) + group * LANES + lane, u_grid.y, u_grid.z);
    else if (group < column_groups + row_groups)
        scan(false, rows_at(plane, part, u_grid.x, 0) + (group - column_groups) * LANES + lane,
             rows_at(plane, part, u_grid.x + 1, 0) + (group - column_groups) * LANES + lane, u_grid.x,
             u_grid.w);
#if OFFSET == AG_TABLE_MEAN
    else if (part == 0 && plane == 0) {
        vec4 mean = vec4(0.0);
        mean.x = mean_of(0);
#if CHANNELS > 1
        mean.y = mean_of(1);
#endif
#if CHANNELS > 2
        mean.z = mean_of(2);
        mean.w = mean_of(3);
#endif
        if (gl_LocalInvocationIndex == 0u) {
            imageStore(i_dst, ivec2(0, u_span.w), mean);
            int end = columns_at(PLANES, 0, u_grid.y + 1, 0);
            for (int c = 0; c < CHANNELS; ++c)
                b_column_carry[end + c] = WIDE(mean[c]);
        }
    }
#endif
}
