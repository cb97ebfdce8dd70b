// ladder/sat/brlt_scanrow_columns.comp - BRLT-ScanRow's second pass: columns, rounded once
//
//   in        b_lines, which ladder/sat/brlt_scanrow_rows.comp wrote
//   out       i_dst
//   host sets the defines of ladder/sat/texels.glsl
//   dispatch  ceil(width / LINES)
//   cost      8 bytes a texel and channel read, each entry written
//   technique D13, D16 of docs/ladder.md
//   source    P. Chen et al. 2018, BRLT-ScanRow: ladder/sat/brlt_scanrow.glsl draws it
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/sat/brlt_scanrow.glsl"

layout(std430, binding = AG_SSBO_SCAN_SUMS) readonly buffer Lines { TOTAL b_lines[]; };

// The thread's entry k of the chunk, as (line, place): a subgroup stores 8 x 4 entries.
ivec2 place_of(int k) { return ivec2(own_line(), own_run() + k * RUNS); }

void main()
{
    int column = int(gl_WorkGroupID.x) * LINES;
    for (int c = 0; c < CHANNELS; ++c)
        g_before[c] = TOTAL(0);
    for (int y = 0; y < extent().y; y += CHUNK) {
        LOCAL entries[TEXELS][CHANNELS];
        for (int c = 0; c < CHANNELS; ++c) {
            for (int line = 0; line < LINES; ++line) {
                ivec2 p = ivec2(min(column + line, extent().x - 1), y + thread());
                TOTAL v = b_lines[place_of_line(c, p.x) + min(p.y, u_scan.w - 1)];
                s_chunk[line][thread()] = p.y < extent().y ? v : TOTAL(0);
            }
            scan_chunk(c);
            for (int k = 0; k < TEXELS; ++k)
                entries[k][c] = LOCAL(s_chunk[place_of(k).x][place_of(k).y]);
            sync_shared(); // before s_chunk is written again
        }
        for (int k = 0; k < TEXELS; ++k) {
            ivec2 p = ivec2(column, y) + place_of(k);
            if (is_inside(p))
                store_value(p, joined(entries[k]));
        }
    }
}
