// ladder/sat/brlt_scanrow_rows.comp - Chen et al.'s BRLT-ScanRow, all in double: rows
//
//   in        ladder/sat/texels.glsl, the image
//   out       b_lines, the scanned rows, transposed
//   host sets the defines of ladder/sat/texels.glsl (LOCAL_IS_UINT)
//   dispatch  ceil(height / LINES)
//   cost      each texel read; 8 bytes a texel and channel written
//   technique D13, D16 of docs/ladder.md
//   source    P. Chen et al. 2018, BRLT-ScanRow: ladder/sat/brlt_scanrow.glsl draws it
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef LOCAL_IS_UINT
#error "LOCAL_IS_UINT must be set by the host"
#endif
#include "ladder/sat/brlt_scanrow.glsl"

layout(std430, binding = AG_SSBO_SCAN_SUMS) writeonly buffer Lines { TOTAL b_lines[]; };

// The thread's texel k of the chunk: a subgroup loads 16 x 2 texels, whole sectors of a texture.
ivec2 place_of(int k)
{
    int t = thread();
    return ivec2(t % 16 + t / 32 * 16 + k % 2 * 128, t / 16 % 2 + k / 2 * 2);
}

TOTAL total_of(LOCAL v)
{
#if LOCAL_IS_UINT
    return v;
#else
    return double(opaque(v)); // docs/decisions.md, D4
#endif
}

void main()
{
    int row = int(gl_WorkGroupID.x) * LINES;
    for (int c = 0; c < CHANNELS; ++c)
        g_before[c] = TOTAL(0);
    for (int x = 0; x < extent().x; x += CHUNK) {
        ivec2 first = ivec2(x, row);
        RAW raw[TEXELS];
        VALUE v[TEXELS];
        uint bad = 0u;
        for (int k = 0; k < TEXELS; ++k)
            raw[k] = fetch_raw(first + place_of(k));
        for (int k = 0; k < TEXELS; ++k)
            v[k] = value_of(raw[k], is_inside(first + place_of(k)), bad);
        count_scrubbed(bad);
        for (int c = 0; c < CHANNELS; ++c) {
            for (int k = 0; k < TEXELS; ++k)
                s_chunk[place_of(k).y][place_of(k).x] = total_of(widened(v[k])[c]);
            scan_chunk(c);
            // Transposed: LINES neighbouring threads store neighbours.
            for (int k = 0; k < RUN; ++k) {
                int at = own_run() + k * RUNS;
                if (x + at < extent().x)
                    b_lines[place_of_line(c, x + at) + row + own_line()] = s_chunk[own_line()][at];
            }
            sync_shared(); // before s_chunk is written again
        }
    }
}
