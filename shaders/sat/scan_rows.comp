// sat/scan_rows.comp - scans rows, and writes them transposed: the first of two steps by lines
//
//   in        sat/source.glsl
//   out       b_lines [plane][part][x][y]; b_info.scrubbed
//   host sets the defines of sat/types.glsl, sat/source.glsl and common/packed_texel.glsl
//   dispatch  rows / LINES rounded up, parts; a dispatch a layer
//   cost      reads each texel, writes 8 bytes a texel and plane; a group walks along LINES rows,
//             CHUNK places at a time: sat/scan_lines.glsl
//   source    sat/scan_lines.glsl
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "sat/scan_lines.glsl"
#include "common/packed_texel.glsl"
#include "sat/values_uint.glsl"
#include "sat/source.glsl"
#include "common/texel.glsl"

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

// The thread's texel k of the chunk: a subgroup loads 16 x 2, whole sectors of a texture.
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
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}

// The value in the scan. The offset is taken off the sums of rows later.
WIDE wide_value(vec4 c, const int plane)
{
    return number(c[plane % CHANNELS], false, 0.0, plane >= CHANNELS, WIDE(0));
}

void rows_of_plane(const int plane, int part, ivec2 first)
{
    for (int k = 0; k < TEXELS; ++k) {
        ivec2 at = place_of(k);
        bool inside = all(lessThan(first + at, g_size));
        WIDE v = wide_value(unpack_codes(g_texels[k]), plane);
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

void main()
{
    int part = int(gl_WorkGroupID.y);
    part_frame frame = frame_of_part(part);
    g_size = frame.size;
    for (int p = 0; p < PLANES; ++p)
        g_before[p] = WIDE(0);
    for (int x = 0; x < longest_row(); x += CHUNK) {
        ivec2 first = ivec2(x, int(gl_WorkGroupID.x) * LINES);
        load_chunk(frame, first);
        for (int plane = 0; plane < PLANES; ++plane)
            rows_of_plane(plane, part, first);
    }
}
