// wavelet/synthesis.glsl - one level of the inverse transform of a tile: the four bands to samples
//
//   It makes TILE_WIDTH x 16 pairs of samples in x and y, in three steps of the includer:
//
//             find_coefficients()    the includer loads LOADS coefficients of two bands a thread
//             synthesise_columns()   64 x 4 threads filter up the columns, in registers
//             synthesise_row()       32 lanes filter along a row, from shared memory; the includer
//                                    stores a pair of samples a lane
//
//             32 columns of LL and LH, 32 of HL and HH      TILE_WIDTH lanes, 4 rows each
//               LOADS coefficients of both bands a thread     low columns   o o o o   -> 2 samples
//               -> 8 rows in shared memory                    high columns  o o o o
//
//   host sets FILTER, CHANNELS    wavelet/filters.glsl, wavelet/samples.glsl
//   shared    32 rows of 64 texels: 32 KiB with four channels
//   cost      a coefficient is loaded LOADS / 4 * 32 / TILE_WIDTH times
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/filters.glsl"
#include "wavelet/samples.glsl"

const int LOADS = 4 + TAPS / 2 - 1; // for four pairs of samples

shared VALUE s_rows[2 * AG_WAVELET_TILE_HEIGHT][AG_WAVELET_COLUMNS];

// The group's first pair of samples.
ivec2 tile_corner() { return ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT); }

// Whether the thread has columns of HL and HH, and not of LL and LH.
bool is_high_in_x() { return gl_LocalInvocationID.x > 31u; }

// Where the thread's coefficients are, in bands of `count`. `own`: as in wavelet/analysis.glsl.
// Without periodization bands go on beyond the last pair of samples; that part is the last tile's.
void find_coefficients(ivec2 count, int extend, out ivec2 from[LOADS], out ivec2 own)
{
    int column = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    ivec2 tile = tile_corner(), first = tile + last_of(extend) - (TAPS / 2 - 1);
    int x = first.x + (column & 31), y = first.y + 4 * segment, own_y = tile.y + 4 * segment;
    bool last_x = gl_WorkGroupID.x == gl_NumWorkGroups.x - 1u;
    bool last_y = gl_WorkGroupID.y == gl_NumWorkGroups.y - 1u && segment == AG_WAVELET_SEGMENTS - 1;
    bool own_x = x >= tile.x && x < count.x && (last_x || x < tile.x + TILE_WIDTH);
    own = own_x ? ivec2(own_y, last_y ? count.y : min(own_y + 4, count.y)) - y : ivec2(0);
    bool wraps = extend == AG_EXTEND_PERIODIZATION;
    int from_x = wraps ? modulo(x, count.x) : clamp(x, 0, count.x - 1);
    if (first.y >= 0 && first.y + TILE_HEIGHT + TAPS / 2 - 1 <= count.y) {
        for (int i = 0; i < LOADS; ++i)
            from[i] = ivec2(from_x, y + i);
    } else {
        for (int i = 0; i < LOADS; ++i)
            from[i] = ivec2(from_x, wraps ? modulo(y + i, count.y) : clamp(y + i, 0, count.y - 1));
    }
}

// Four pairs of samples a thread, of coefficients that are low and high in y. A sync must follow.
void synthesise_columns(const VALUE low[LOADS], const VALUE high[LOADS])
{
    int column = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    for (int r = 0; r < 4; ++r) {
        VALUE even = VALUE(0.0), odd = even;
        for (int j = 0; j < TAPS / 2; ++j) {
            vec2 e = synthesis_tap(2 * j), o = synthesis_tap(2 * j + 1);
            int i = r + TAPS / 2 - 1 - j;
            even += e.x * low[i] + e.y * high[i];
            odd += o.x * low[i] + o.y * high[i];
        }
        s_rows[8 * segment + 2 * r][column] = even;
        s_rows[8 * segment + 2 * r + 1][column] = odd;
    }
}

// Of row `row` of the tile, which 32 threads take: two samples a lane, from place_of_pair() on.
// Lanes from TILE_WIDTH on make nothing of use.
void synthesise_row(int row, out VALUE even, out VALUE odd)
{
    int lane = int(gl_LocalInvocationIndex) & 31;
    even = odd = VALUE(0.0);
    for (int j = 0; j < TAPS / 2; ++j) {
        vec2 e = synthesis_tap(2 * j), o = synthesis_tap(2 * j + 1);
        int i = min(lane + TAPS / 2 - 1 - j, 31);
        VALUE low = s_rows[row][i], high = s_rows[row][32 + i];
        even += e.x * low + e.y * high;
        odd += o.x * low + o.y * high;
    }
}

ivec2 place_of_pair(int row, int extend)
{
    int lane = int(gl_LocalInvocationIndex) & 31;
    return 2 * tile_corner() + shift_of(extend) + ivec2(2 * lane, row);
}
