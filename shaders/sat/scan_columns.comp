// sat/scan_columns.comp - scans columns of scanned rows: the second of two steps by lines
//
//   in        b_lines [plane][part][x][y], from sat/scan_rows.comp
//   out       the table: sat/store.glsl; with OFFSET = mean also i_mean
//   host sets the defines of sat/types.glsl and sat/store.glsl
//   dispatch  columns / LINES rounded up, parts; a dispatch a layer
//   cost      8 bytes read a texel and plane, 16 with squares and an offset; a group walks along
//             LINES columns, CHUNK places at a time: sat/scan_lines.glsl
//   source    sat/scan_lines.glsl
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/scan_lines.glsl"
#include "sat/store.glsl"
#include "sat/store_sections.glsl"
#include "sat/wide.glsl"

layout(std430, binding = AG_SSBO_LINES) readonly buffer Lines { WIDE b_lines[]; };
// the unit is free: no image is read here
layout(binding = AG_IMAGE_SRC) writeonly uniform image2D i_mean;

ENTRY g_high[TEXELS], g_square_high[TEXELS], g_low[TEXELS], g_square_low[TEXELS];
vec4 g_offset = vec4(0.0);

shared WIDE s_sum[LINES * RUNS];

// The last line of each part holds the sums of its rows.
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

#if DOUBLES
void split_sum(double sum, out float high, out float low)
{
    high = float(sum);
    low = nearest_less(sum, high);
}
#endif

void split_sum(uint sum, out uint high, out uint low)
{
    high = sum;
    low = 0u;
}

void set_entry(const int plane, int k, WIDE sum)
{
    COMPONENT high, low;
    split_sum(sum, high, low);
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

void main()
{
    int part = int(gl_WorkGroupID.y);
    part_frame frame = frame_of_part(part);
    g_size = frame.size;
    for (int p = 0; p < PLANES; ++p)
        g_before[p] = WIDE(0);
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
