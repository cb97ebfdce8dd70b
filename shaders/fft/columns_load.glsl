// fft/columns_load.glsl - loads a column of the half spectra
//
//   in        b_spectrum  see fft/spectrum.glsl; of one channel, or of all, by gl_WorkGroupID.y
//   out       v           the column's first butterflies, as transform() needs them
//   host sets the defines of fft/line.glsl and fft/spectrum.glsl
//             BORDERED    1 = common/border.glsl maps points to rows, 0 = in order, then zeros,
//                         2 = in order, then a ramp (ramp_weight)
//             PADDED      0 = the rows fill the line, 1 = they may not
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(BORDERED) || !defined(PADDED)
#error "BORDERED (0 .. 2) and PADDED (0 or 1) must be set by the host"
#endif
#include "fft/spectrum.glsl"
#define MIRROR_FIRST false
#define MIRROR_LAST false
#define LEFT_OUT 0
#include "fft/line.glsl"
#include "common/border.glsl"

layout(location = AG_LOC_LINE_Y) uniform ivec4 u_line;
layout(location = AG_LOC_LINE_Y2) uniform ivec4 u_line_more;
layout(std430, binding = AG_SSBO_SPECTRUM) buffer Spectrum {
#if COMPACT
    uint b_spectrum[];
#else
    vec2 b_spectrum[]; // a cell is two of these: rows 2p and 2p + 1
#endif
};

const int FIRST_STEP = N / R0; // distance of a butterfly's elements in the line
const int LAST_STEP = N / LAST; // and in its spectrum

const int RUN_ROWS = COMPACT == 1 ? 4 : 2; // rows of a column that lie side by side

// The place of a row's value, from the start of its column.
int row_place(int row)
{
    return row / RUN_ROWS * (RUN_ROWS * TILE) + row % RUN_ROWS;
}

// The place of row b + k * FIRST_STEP, given that of b: a constant further where FIRST_STEP is
// whole runs of RUN_ROWS rows.
int element_place(int place, int b, int k)
{
    return FIRST_STEP % RUN_ROWS == 0 ? place + k * FIRST_STEP * TILE
                                      : row_place(b + k * FIRST_STEP);
}

int channel_start()
{
    return int(gl_WorkGroupID.y) * CELLS_OF_CHANNEL * (COMPACT == 1 ? 4 : 2);
}

int column_start(int column)
{
    return channel_start() + 2 * cell_index(column, 0);
}

vec2 value_at(int column, int start, int place, int row)
{
#if COMPACT
    int scale = channel_start() + rows_scale(column, 0) + (row >> 1);
    return dequantize(b_spectrum[start + place]) * uintBitsToFloat(b_spectrum[scale]);
#else
    return b_spectrum[start + place];
#endif
}

#if BORDERED == 2
vec2 g_first = vec2(0.0), g_last = vec2(0.0); // of the column
#endif

// Element k of butterfly b of a column; 0 where the line has no row. No branch, so that loads
// overlap.
vec2 element(int column, int start, int b, int first_place, int k)
{
    int row = b + k * FIRST_STEP, place = element_place(first_place, b, k);
    bool inside = true;
#if BORDERED == 2
    inside = row < u_line.x;
    vec2 between = mix(g_last, g_first, ramp_weight(row, u_line));
    row = min(row, u_line.x - 1);
    place = row_place(row);
    return mix(between, value_at(column, start, place, row), bvec2(inside));
#elif BORDERED
    row = source_index(row, u_line, u_line_more);
    inside = row >= 0;
    row = max(row, 0);
    place = row_place(row);
#elif PADDED
    inside = row < 2 * ROW_PAIRS;
    row *= int(inside);
    place *= int(inside);
#endif
    vec2 value = value_at(column, start, place, row);
    return BORDERED + PADDED > 0 ? mix(vec2(0.0), value, bvec2(inside)) : value;
}

void load_column(int column, uint thread)
{
    int start = column_start(column);
#if BORDERED == 2
    g_first = value_at(column, start, row_place(0), 0);
    g_last = value_at(column, start, row_place(u_line.x - 1), u_line.x - 1);
#endif
    for (int i = 0; i < ROUNDS(R0, false); ++i) {
        int b = min(int(thread) + i * THREADS, FIRST_STEP - 1), first_place = row_place(b);
        for (int k = 0; k < R0; ++k)
            v[i * R0 + k] = element(column, start, b, first_place, k);
    }
}
