// sat/scan_lines.comp - scans lines of an image and writes them transposed: half a table in one step
//
//   STAGE 0   rows of i_src        -> b_lines [plane][part][x][y]
//   STAGE 1   lines of b_lines     -> the table: sat/store.glsl; with OFFSET = mean also i_mean
//   u_span    longest column and row of a part, pitch of b_lines, row of i_mean
//   dispatch  lines / LINES rounded up, parts; a dispatch a layer
//   cost      of a W x H image: 8 bytes a plane written and read beside the texels themselves; one group
//             goes along LINES lines CHUNK places at a time, with 3 barriers a chunk and plane; shared
//             memory 8 x 257 x 8 + 2 KiB = 18.1 KiB
//   why       two launches, against three for tiles: for images so small that launches are all
//   source    Chen et al. 2018, BRLT-ScanRow: a block's registers go through shared memory so that every
//             thread has a run of a line, which it scans alone; docs/sat.md
//
//   A chunk in shared memory, and who scans it: threads of a warp in different lines and runs
//
//              place 0..7   8..15        ... 255
//     line 0   thread 0     thread 8         thread 248      each adds up its run; then the sums of the
//     line 1   thread 1     thread 9         thread 249      runs before it, and of the chunks before
//      ...
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef STAGE
#error "STAGE must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "sat/interface.h"
#include "sat/store.glsl"
#include "common/sync.glsl"

#define LINES 8
#define RUNS 32
#define RUN 8
#define CHUNK (RUNS * RUN)
#define TEXELS 8

layout(local_size_x = 256) in; // LINES * RUNS
#if STAGE == 0
layout(std430, binding = AG_SSBO_LINES) writeonly buffer Lines { WIDE b_lines[]; };
#else
layout(std430, binding = AG_SSBO_LINES) readonly buffer Lines { WIDE b_lines[]; };
#if OFFSET == AG_TABLE_MEAN
layout(binding = AG_IMAGE_SRC) writeonly uniform image2D i_mean; // nothing else is read here
#endif
#endif
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

shared WIDE s_chunk[LINES][CHUNK + 1];
shared WIDE s_run[RUNS][LINES];

WIDE g_before[PLANES]; // of the thread's line, from chunks before
ivec2 g_size = ivec2(0); // of the part: length of a line, lines

int line_at(int plane, int part, int line)
{
    return ((plane * PARTS + part) * u_span.y + line) * u_span.z;
}

// Scans a plane of the chunk in shared memory.
void scan_chunk(const int plane)
{
    int line = int(gl_LocalInvocationIndex) % LINES, run = int(gl_LocalInvocationIndex) / LINES;
    sync_shared();
    WIDE v[RUN];
    v[0] = s_chunk[line][run * RUN];
    for (int k = 1; k < RUN; ++k)
        v[k] = v[k - 1] + s_chunk[line][run * RUN + k];
    s_run[run][line] = v[RUN - 1];
    sync_shared();
    WIDE before = g_before[plane], all = before;
    for (int k = 0; k < RUNS; ++k) {
        WIDE s = s_run[k][line];
        before += k < run ? s : WIDE(0);
        all += s;
    }
    g_before[plane] = all;
    for (int k = 0; k < RUN; ++k)
        s_chunk[line][run * RUN + k] = v[k] + before;
    sync_shared();
}

#if STAGE == 0
HELD g_texels[TEXELS];

// Thread -> texels of the chunk: 16 x 2 a warp, whole sectors of a texture.
ivec2 place_of(int k)
{
    int t = int(gl_LocalInvocationIndex);
    return ivec2(t % 16 + t / 32 * 16 + k % 2 * 128, t / 16 % 2 + k / 2 * 2);
}

void load_chunk(part_frame frame, ivec2 first)
{
    uint bad = 0u;
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = first + place_of(k);
        ivec2 place = frame.origin + frame.direction * min(at, frame.size - 1);
        bool here;
        g_texels[k] = hold(clean_colour(source_texel(max(place, ivec2(0))), here));
        bad += uint(here) * uint(all(lessThan(at, frame.size)));
    }
    count_bad(bad);
}

void rows_of_plane(const int plane, int part, ivec2 first)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = place_of(k);
        bool inside = all(lessThan(first + at, g_size));
        WIDE v = wide_value(waiting(g_texels[k]), plane);
        s_chunk[at.y][at.x] = inside ? v : WIDE(0);
    }
    scan_chunk(plane);
    // Transposed: LINES neighbours in memory.
    int line = int(gl_LocalInvocationIndex) % LINES, run = int(gl_LocalInvocationIndex) / LINES;
    for (int k = 0; k < RUN; ++k) {
        int x = run + k * RUNS;
        if (first.x + x < g_size.x)
            b_lines[line_at(plane, part, first.x + x) + first.y + line] = s_chunk[line][x];
    }
    sync_shared(); // before the next plane is written there
}

void main()
{
    int part = int(gl_WorkGroupID.y);
    part_frame frame = frame_of_part(part, u_src_rect.zw);
    g_size = frame.size;
    for (int p = 0; p < PLANES; ++p)
        g_before[p] = WIDE(0);
    for (int x = 0; x < u_span.y; x += CHUNK) {
        ivec2 first = ivec2(x, int(gl_WorkGroupID.x) * LINES);
        load_chunk(frame, first);
        rows_of_plane(0, part, first);
#if PLANES > 1
        rows_of_plane(1, part, first);
#endif
#if PLANES > 2
        rows_of_plane(2, part, first);
        rows_of_plane(3, part, first);
#endif
#if PLANES > 4
        rows_of_plane(4, part, first);
        rows_of_plane(5, part, first);
        rows_of_plane(6, part, first);
        rows_of_plane(7, part, first);
#endif
    }
}

#else // STAGE 1

ENTRY g_high[TEXELS], g_square_high[TEXELS];
vec4 g_low[TEXELS], g_square_low[TEXELS];
vec4 g_offset = vec4(0.0);

#if OFFSET == AG_TABLE_MEAN
shared WIDE s_sum[LINES * RUNS];

// The last line of each part holds the sums of its rows.
float mean_of(const int channel)
{
    int thread = int(gl_LocalInvocationIndex);
    WIDE sum = WIDE(0);
    for (int part = 0; part < PARTS; ++part) {
        ivec2 size = frame_of_part(part, u_src_rect.zw).size;
        for (int y = thread; y < size.y && size.x > 0; y += LINES * RUNS)
            sum += b_lines[line_at(channel, part, size.x - 1) + y];
    }
    s_sum[thread] = sum;
    sync_shared();
    for (int lower = LINES * RUNS / 2; lower > 0; lower /= 2) {
        if (thread < lower)
            s_sum[thread] += s_sum[thread + lower];
        sync_shared();
    }
    WIDE all = s_sum[0];
    sync_shared(); // before the next channel's
    return float(all / (WIDE(u_src_rect.z) * WIDE(u_src_rect.w)));
}
#endif

// Thread -> entries of the chunk, as (line, place): 8 x 4 a warp in the table.
ivec2 entry_of(int k)
{
    int t = int(gl_LocalInvocationIndex);
    return ivec2(t % LINES, t / LINES + k * RUNS);
}

// What a row of texels 0 .. x adds up to, without the offset. Taken off here, where it is a matter of one
// place, and not off the table's entries: squares would want the sums of another plane then.
WIDE row_sum(const int plane, int part, int x, int y)
{
    WIDE sum = b_lines[line_at(plane, part, x) + y];
#if STORAGE != AG_TABLE_UINT32 && OFFSET != AG_TABLE_PLAIN
    WIDE m = WIDE(settled(g_offset[plane % CHANNELS])), texels = WIDE(x + 1);
#if SQUARE
    if (plane >= CHANNELS) {
        WIDE plain = b_lines[line_at(plane % CHANNELS, part, x) + y];
        return squares_without_offset(sum, plain, m, texels);
    }
#endif
    return without_offset(sum, m, texels);
#else
    return sum;
#endif
}

void keep(const int plane, int k, WIDE sum)
{
#if STORAGE == AG_TABLE_UINT32
    uint high = sum;
    float low = 0.0;
#else
    float high = float(sum), low = float(sum - WIDE(high));
#endif
    if (plane < CHANNELS) {
        g_high[k][plane % CHANNELS] = high;
        g_low[k][plane % CHANNELS] = low;
    } else {
        g_square_high[k][plane % CHANNELS] = high;
        g_square_low[k][plane % CHANNELS] = low;
    }
}

void columns_of_plane(const int plane, int part, ivec2 first)
{
    int thread = int(gl_LocalInvocationIndex);
    for (int line = 0; line < LINES; ++line) {
        int x = min(first.x + line, u_span.y - 1), y = first.y + thread;
        WIDE v = row_sum(plane, part, x, min(y, u_span.z - 1));
        s_chunk[line][thread] = y < g_size.y ? v : WIDE(0);
    }
    scan_chunk(plane);
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = entry_of(k);
        keep(plane, k, s_chunk[at.x][at.y]);
    }
    sync_shared(); // before the next plane is written there
}

void store_chunk(part_frame frame, ivec2 first)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = first + entry_of(k);
        if (all(lessThan(at, frame.size))) {
            ivec2 place = frame.origin + frame.direction * at;
            store_entry(place, g_high[k], g_low[k]);
            store_square(place, g_square_high[k], g_square_low[k]);
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
    int part = int(gl_WorkGroupID.y);
    part_frame frame = frame_of_part(part, u_src_rect.zw);
    g_size = frame.size;
    for (int p = 0; p < PLANES; ++p)
        g_before[p] = WIDE(0);
    g_offset = vec4(u_value.w);
#if OFFSET == AG_TABLE_MEAN
    vec4 mean = vec4(0.0);
    mean.x = mean_of(0);
#if CHANNELS > 1
    mean.y = mean_of(1);
#endif
#if CHANNELS > 2
    mean.z = mean_of(2);
    mean.w = mean_of(3);
#endif
    g_offset = mean;
    if (gl_LocalInvocationIndex == 0u && gl_WorkGroupID.xy == uvec2(0))
        imageStore(i_mean, ivec2(0, u_span.w), mean);
#endif
    for (int k = 0; k < TEXELS; ++k) {
        g_high[k] = g_square_high[k] = ENTRY(0);
        g_low[k] = g_square_low[k] = vec4(0.0);
    }
    for (int y = 0; y < u_span.x; y += CHUNK) {
        ivec2 first = ivec2(int(gl_WorkGroupID.x) * LINES, y);
        columns_of_plane(0, part, first);
#if PLANES > 1
        columns_of_plane(1, part, first);
#endif
#if PLANES > 2
        columns_of_plane(2, part, first);
        columns_of_plane(3, part, first);
#endif
#if PLANES > 4
        columns_of_plane(4, part, first);
        columns_of_plane(5, part, first);
        columns_of_plane(6, part, first);
        columns_of_plane(7, part, first);
#endif
        store_chunk(frame, first);
    }
}
#endif
