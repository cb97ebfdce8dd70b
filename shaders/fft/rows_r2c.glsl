// fft/rows_r2c.glsl - the body of rows_r2c.comp and rows_r2c_compact.comp
//   SPDX-License-Identifier: MIT
#ifndef BORDERED
#error "BORDERED must be set by the host"
#endif
#include "common/border.glsl"
#include "common/info.glsl"
#include "fft/rows_columns.glsl"

layout(location = AG_LOC_LINE_X2) uniform ivec4 u_line_more;

// The column of the texel that fills a place of a row; where there is none, one of the image.
int column_of(int place, out bool inside)
{
#if BORDERED
    int x = source_index(place, u_line, u_line_more);
    inside = x >= 0;
    return max(x, 0);
#else
    return column_in_order(place, inside);
#endif
}

#define FILTERABLE 0
#include "fft/rows_texels.glsl"

void ramp_rows(int c, int pair, uint thread); // BORDERED 2: fft/rows_ramp.glsl

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    int begin = PER_CHANNEL == 1 ? int(gl_WorkGroupID.y) : 0, end = begin + CHANNELS + NEVER;
    // Loads before the loop overlap, loads in a branch do not (D13).
    uint bad = load_rows(begin, true, pair, thread, alive);
    if (begin == 0 && alive && SCRUBS != 0)
        count_bad(bad);
    // Not unrolled: one copy of the transform stays in the instruction cache (docs/decisions.md,
    // D48).
    for (int c = begin; c < end; ++c) {
#if BORDERED == 2
        ramp_rows(c, pair, thread);
#endif
#include "fft/transform.glsl"
        store_spectra(c, line, thread, pair, alive);
        unpack_next_channel(); // after the last channel its result is not used
    }
}
