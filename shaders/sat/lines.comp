// sat/lines.comp - a table by lines: scans rows, then columns, in two dispatches
//
//   in        AXIS 0: the image (sat/source.glsl)
//             AXIS 1: b_lines
//   out       AXIS 0: b_lines [plane][part][x][y], the scanned rows, transposed; b_info.scrubbed
//             AXIS 1: the table (sat/store.glsl); with OFFSET = mean also i_mean
//   host sets AXIS     0 = rows, 1 = columns
//             AXIS 0: the defines of sat/source.glsl and common/packed_texel.glsl
//             AXIS 1: the defines of sat/store.glsl
//   dispatch  ceil(lines / LINES), parts; a dispatch a layer
//   cost      Rows: reads each texel, writes 8 bytes a texel and plane. Columns: reads these bytes,
//             twice with squares and an offset, and writes each entry. A group walks along LINES
//             lines, CHUNK places at a time: 3 barriers a chunk and plane; shared memory 8 x 257 x
//             8 + 2 KiB = 18.1 KiB, columns 2 KiB more
//   why       a table in two launches; tiles take three, or two (docs/decisions.md, D44)
//   source    Chen et al. 2018, BRLT-ScanRow: a block's registers go through shared memory so that
//             every thread has a run of a line, which it scans alone; docs/sat.md
//
//   A chunk in shared memory, and the thread that scans each run: the threads of a subgroup have
//   different lines and runs.
//
//              place 0..7   8..15        ... 255
//     line 0   thread 0     thread 8         thread 248      each scans its run, then adds the sums
//     line 1   thread 1     thread 9         thread 249      of the runs and chunks before it
//      ...
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef AXIS
#error "AXIS must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "common/sync.glsl"
#if AXIS == 0
#include "common/info.glsl"
#include "common/packed_texel.glsl"
#include "sat/source.glsl"
#else
#include "sat/store.glsl"
#include "sat/wide.glsl"
#endif

#define LINES 8
#define RUNS 32
#define RUN 8
#define CHUNK (RUNS * RUN)
#define TEXELS 8

layout(local_size_x = 256) in; // LINES * RUNS
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int longest_column() { return u_span.x; } // of a part
int longest_row() { return u_span.y; }
int line_pitch() { return u_span.z; } // of b_lines
int mean_row() { return u_span.w; }   // of i_mean

shared WIDE s_chunk[LINES][CHUNK + 1];
shared WIDE s_run[RUNS][LINES];

WIDE g_before[PLANES]; // sum of the thread's line in earlier chunks
ivec2 g_size = ivec2(0); // of the part: length of a line, lines

int line_at(int plane, int part, int line)
{
    return ((plane * PARTS + part) * longest_row() + line) * line_pitch();
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
    // The same number, but compilers see one for each plane: with one for all planes AMD's ACO kept
    // the 32 comparisons below in 64 scalar registers, and spilled up to 129.
    run += plane * int(no_bits());
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

#if AXIS == 0
// ---- rows

layout(std430, binding = AG_SSBO_LINES) writeonly buffer Lines { WIDE b_lines[]; };

TEXEL g_texels[TEXELS]; // packed (docs/decisions.md, D40)

// 8-bit codes are unpacked by shifts (docs/decisions.md, D4).
#if SRC_TEXEL == AG_TEXEL_UNORM8
vec4 unpack_codes(TEXEL h)
{
    return quotient(vec4(h & 255u, h >> 8 & 255u, h >> 16 & 255u, h >> 24), vec4(255.0));
}
#else
vec4 unpack_codes(TEXEL h) { return unpack_texel(h); }
#endif

// The thread's texel k of the chunk: a subgroup loads 16 x 2 texels, whole sectors of a texture.
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
        g_texels[k] = pack_texel(linear_colour(scrubbed(source_texel(max(place, ivec2(0))), here)));
        bad += uint(here) * uint(all(lessThan(at, frame.size)));
    }
    count_bad(bad);
}

void rows_of_plane(const int plane, int part, ivec2 first)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = place_of(k);
        bool inside = all(lessThan(first + at, g_size));
        // the offset is taken off the sums of rows later
        float x = unpack_codes(g_texels[k])[plane % CHANNELS];
        WIDE v = number(x, false, 0.0, plane >= CHANNELS, WIDE(0));
        s_chunk[at.y][at.x] = inside ? v : WIDE(0);
    }
    scan_chunk(plane);
    // Transposed: LINES neighbouring threads store neighbours.
    int line = int(gl_LocalInvocationIndex) % LINES, run = int(gl_LocalInvocationIndex) / LINES;
    for (int k = 0; k < RUN; ++k) {
        int x = run + k * RUNS;
        if (first.x + x < g_size.x)
            b_lines[line_at(plane, part, first.x + x) + first.y + line] = s_chunk[line][x];
    }
    sync_shared(); // before s_chunk is written again
}

void scan_part(part_frame frame, int part)
{
    for (int x = 0; x < longest_row(); x += CHUNK) {
        ivec2 first = ivec2(x, int(gl_WorkGroupID.x) * LINES);
        load_chunk(frame, first);
        for (int plane = 0; plane < PLANES; ++plane)
            rows_of_plane(plane, part, first);
    }
}

#else
// ---- columns

layout(std430, binding = AG_SSBO_LINES) readonly buffer Lines { WIDE b_lines[]; };
// the unit is free: no image is read here
layout(binding = AG_IMAGE_SRC) writeonly uniform image2D i_mean;

ENTRY g_high[TEXELS], g_square_high[TEXELS], g_low[TEXELS], g_square_low[TEXELS];
vec4 g_offset = vec4(0.0);

shared WIDE s_sum[LINES * RUNS];

// The mean of a channel: the last line of each part holds the sums of its rows.
float mean_of(const int channel)
{
    int thread = int(gl_LocalInvocationIndex);
    WIDE sum = WIDE(0);
    for (int part = 0; part < PARTS; ++part) {
        ivec2 size = frame_of_part(part).size;
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
    sync_shared(); // before s_sum is written again
    return float(all / (WIDE(image_size().x) * WIDE(image_size().y)));
}

// The thread's entry k of the chunk, as (line, place): a subgroup stores 8 x 4 entries.
ivec2 place_of(int k)
{
    int t = int(gl_LocalInvocationIndex);
    return ivec2(t % LINES, t / LINES + k * RUNS);
}

// The sum of texels 0 .. x of a row, without the offset. It is taken off here and not from entries,
// because squares would then need the entries of another plane.
WIDE row_sum(const int plane, int part, int x, int y)
{
    WIDE sum = b_lines[line_at(plane, part, x) + y];
    if (OFFSET != AG_TABLE_PLAIN) {
        WIDE m = WIDE(opaque(g_offset[plane % CHANNELS])), texels = WIDE(x + 1);
        if (plane < CHANNELS)
            sum = without_offset(sum, m, texels);
        else
            sum = squares_without_offset(sum, b_lines[line_at(plane % CHANNELS, part, x) + y], m,
                                         texels);
    }
    return sum;
}

void set_entry(const int plane, int k, WIDE sum)
{
#if STORAGE == AG_TABLE_UINT32
    uint high = sum, low = 0u;
#else
    float high = nearest(sum), low = nearest_less(sum, high);
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
        int x = min(first.x + line, longest_row() - 1), y = first.y + thread;
        WIDE v = row_sum(plane, part, x, min(y, line_pitch() - 1));
        s_chunk[line][thread] = y < g_size.y ? v : WIDE(0);
    }
    scan_chunk(plane);
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = place_of(k);
        set_entry(plane, k, s_chunk[at.x][at.y]);
    }
    sync_shared(); // before s_chunk is written again
}

void store_chunk(part_frame frame, ivec2 first)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = first + place_of(k);
        if (all(lessThan(at, frame.size))) {
            ivec2 place = frame.origin + frame.direction * at;
            store_texel(place, g_high[k], g_low[k], g_square_high[k], g_square_low[k]);
            if (EDGE != 0)
                store_zeros(at);
        }
    }
}

void scan_part(part_frame frame, int part)
{
    g_offset = vec4(fixed_offset());
    if (OFFSET == AG_TABLE_MEAN) {
        for (int c = 0; c < CHANNELS; ++c)
            g_offset[c] = mean_of(c);
        if (gl_LocalInvocationIndex == 0u && gl_WorkGroupID.xy == uvec2(0))
            imageStore(i_mean, ivec2(0, mean_row()), g_offset);
    }
    for (int k = 0; k < TEXELS; ++k) {
        g_high[k] = g_square_high[k] = ENTRY(0);
        g_low[k] = g_square_low[k] = ENTRY(0);
    }
    for (int y = 0; y < longest_column(); y += CHUNK) {
        ivec2 first = ivec2(int(gl_WorkGroupID.x) * LINES, y);
        for (int plane = 0; plane < PLANES; ++plane)
            columns_of_plane(plane, part, first);
        store_chunk(frame, first);
    }
}
#endif

void main()
{
    int part = int(gl_WorkGroupID.y);
    part_frame frame = frame_of_part(part);
    g_size = frame.size;
    for (int p = 0; p < PLANES; ++p)
        g_before[p] = WIDE(0);
    scan_part(frame, part);
}
