// wavelet/analysis.glsl - one level of the transform of a tile: samples to the four bands
//
//   It makes TILE_WIDTH x TILE_HEIGHT coefficients of each band, in three steps of the includer:
//
//             find_samples()      the includer loads LOADS samples a thread, a part of a column
//             analyse_columns()   64 x SEGMENTS threads filter down the columns, in registers
//             analyse_row()       32 lanes filter along a row, from shared memory; the includer
//                                 stores a coefficient of each band a lane
//
//             64 columns, thread x: halo included       TILE_WIDTH lanes, and rows of both kinds
//               |.|.|.|.|.|.|                             L rows   o o o o   -> LL, HL
//               LOADS samples a thread, y            H rows   o o o o   -> LH, HH
//               -> 4 L and 4 H rows in shared memory
//
//             Columns are stored by parity, so that neighbouring lanes read neighbouring texels;
//             bit 2 of the place of odd columns is flipped, so that they do not share banks with
//             even ones when they are written
//   host sets FILTER, CHANNELS    wavelet/filters.glsl, wavelet/samples.glsl
//   shared    16 rows of 64 texels: 16 KiB with four channels
//   cost      a sample is loaded LOADS / 8 * 64 / (2 TILE_WIDTH) times, mostly from caches
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/filters.glsl"
#include "wavelet/samples.glsl"

const int LOADS = 8 + TAPS - 2; // for four coefficients of both kinds

const int SEGMENTS = AG_WAVELET_SEGMENTS, TILE_HEIGHT = AG_WAVELET_TILE_HEIGHT;
const int ROWS = 2 * SEGMENTS; // of the tile that a group filters at once

shared VALUE s_rows[2 * TILE_HEIGHT][AG_WAVELET_COLUMNS];

struct bands { // a coefficient of each
    VALUE ll, hl, lh, hh; // HL is high in x
};

// The group's first coefficient.
ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT); }

// Where the thread's samples are, of an image of `size`; -1 in x or y: the sample is 0. Samples
// own.x .. own.y - 1 are the thread's own, so that each sample of the image is counted once: they
// are not of the tile's halo. Rows that two threads load belong to the one whose coefficients begin
// there.
void find_samples(ivec2 size, int extend, out ivec2 from[LOADS], out ivec2 own)
{
    int column = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    ivec2 begin = 2 * tile_corner(), first = begin + phase_of(extend) - (TAPS - 1);
    int x = first.x + column, y = first.y + 8 * segment, own_y = begin.y + 8 * segment;
    int from_x = extended(x, size.x, extend);
    bool own_x = x >= begin.x && x < min(begin.x + 2 * TILE_WIDTH, size.x);
    // Modulo takes longer than the filter, so tiles inside the image do without.
    bool inside = first.y >= 0 && first.y + 2 * TILE_HEIGHT + TAPS - 2 <= size.y;
    own = own_x ? ivec2(own_y, min(own_y + 8, size.y)) - y : ivec2(0);
    if (inside) {
        for (int i = 0; i < LOADS; ++i)
            from[i] = ivec2(from_x, y + i);
    } else {
        for (int i = 0; i < LOADS; ++i)
            from[i] = ivec2(from_x, extended(y + i, size.y, extend));
    }
}

int place_of_column(int c)
{
    int odd = c & 1;
    return 32 * odd + (c >> 1 ^ 4 * odd);
}

// Four coefficients of both kinds a thread. A sync must follow.
void analyse_columns(const VALUE samples[LOADS])
{
    int segment = int(gl_LocalInvocationID.y), place = place_of_column(int(gl_LocalInvocationID.x));
    // Two loops: one for both, with 16 taps of four channels, is too large for Mesa's RADV (zink on
    // AMD) to unroll, and `samples` goes to memory, 22 KiB a wave. radeonsi unrolls it.
    for (int r = 0; r < 4; ++r) {
        VALUE low = VALUE(0.0);
        for (int m = 0; m < TAPS; ++m)
            low += analysis_tap(m).x * samples[2 * r + m];
        s_rows[4 * segment + r][place] = low;
    }
    for (int r = 0; r < 4; ++r) {
        VALUE high = VALUE(0.0);
        for (int m = 0; m < TAPS; ++m)
            high += analysis_tap(m).y * samples[2 * r + m];
        s_rows[TILE_HEIGHT + 4 * segment + r][place] = high;
    }
}

// Of row `row` of the tile, which 32 threads take. Lanes from TILE_WIDTH on make nothing of use.
bands analyse_row(int row)
{
    int lane = int(gl_LocalInvocationIndex) & 31;
    bands b = bands(VALUE(0.0), VALUE(0.0), VALUE(0.0), VALUE(0.0));
    for (int m = 0; m < TAPS; ++m) {
        vec2 tap = analysis_tap(m);
        int place = place_of_column(min(2 * lane + m, AG_WAVELET_COLUMNS - 1));
        VALUE low = s_rows[row][place], high = s_rows[TILE_HEIGHT + row][place];
        b.ll += tap.x * low;
        b.hl += tap.y * low;
        b.lh += tap.x * high;
        b.hh += tap.y * high;
    }
    return b;
}
