// wavelet/synthesis.glsl - one level of the inverse transform of a tile: the four bands to samples
//
//   host sets FILTER, CHANNELS   wavelet/filters.glsl, wavelet/texel.glsl
//   includer defines load_pair() and store_sample(), below
//   shared    32 rows of 64 texels: 32 KiB with four channels
//   group     64 x 4 threads for TILE_WIDTH x 16 pairs of samples, 2 x 2 samples each
//   how       first up the columns, from registers, then along the rows, from shared memory:
//
//             32 columns of LL and LH, 32 of HL and HH      TILE_WIDTH lanes, 4 rows each
//               4 + TAPS / 2 - 1 coefficients of both bands   low columns   o o o o   -> 2 samples
//               a thread -> 8 rows in shared memory           high columns  o o o o
//
//   cost      a coefficient is loaded (4 + TAPS / 2 - 1) / 4 * 32 / TILE_WIDTH times
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "wavelet/extend.glsl"
#include "wavelet/filters.glsl"
#include "wavelet/texel.glsl"

// Coefficient o, inside of the bands, of LL and LH, or with `high_x` of HL and HH. `own`: as in
// wavelet/analysis.glsl.
void load_pair(ivec2 o, bool high_x, bool own, out VALUE low_y, out VALUE high_y);
// Sample t, which may lie beyond the image.
void store_sample(ivec2 t, VALUE c);

shared VALUE s_rows[2 * AG_WAVELET_TILE_HEIGHT][AG_WAVELET_COLUMNS];

// Up the columns: 4 pairs of samples a thread.
void synthesise_columns(ivec2 tile, ivec2 count, int extend)
{
    const int LOADS = 4 + TAPS / 2 - 1;
    int column = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    ivec2 first = tile + last_of(extend) - (TAPS / 2 - 1);
    int x = first.x + (column & 31), y = first.y + 4 * segment;
    ivec2 last = ivec2(TILE_WIDTH, TILE_HEIGHT) + tile;
    bool wraps = extend == AG_EXTEND_PERIODIZATION;
    int from_x = wraps ? modulo(x, count.x) : clamp(x, 0, count.x - 1), from_y[LOADS];
    if (first.y >= 0 && first.y + TILE_HEIGHT + TAPS / 2 - 1 <= count.y) {
        for (int i = 0; i < LOADS; ++i)
            from_y[i] = y + i;
    } else {
        for (int i = 0; i < LOADS; ++i)
            from_y[i] = wraps ? modulo(y + i, count.y) : clamp(y + i, 0, count.y - 1);
    }
    // Beyond the last pair of samples there are coefficients of other borders: of the last tile.
    bool last_x = gl_WorkGroupID.x == gl_NumWorkGroups.x - 1u;
    bool last_y = gl_WorkGroupID.y == gl_NumWorkGroups.y - 1u && segment == AG_WAVELET_SEGMENTS - 1;
    bool own_x = x >= tile.x && x < count.x && (last_x || x < last.x);
    VALUE low[LOADS], high[LOADS];
    for (int i = 0; i < LOADS; ++i) {
        int begin = tile.y + 4 * segment;
        bool own_y = y + i >= begin && y + i < count.y && (last_y || y + i < begin + 4);
        load_pair(ivec2(from_x, from_y[i]), column > 31, own_x && own_y, low[i], high[i]);
    }
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

// Along the rows: two samples of four rows a lane.
void synthesise_rows(ivec2 tile, int extend)
{
    int thread = int(gl_LocalInvocationIndex), lane = thread & 31;
    ivec2 begin = 2 * tile + shift_of(extend);
    for (int row = thread >> 5; row < 2 * TILE_HEIGHT; row += 8) {
        VALUE even = VALUE(0.0), odd = even;
        for (int j = 0; j < TAPS / 2; ++j) {
            vec2 e = synthesis_tap(2 * j), o = synthesis_tap(2 * j + 1);
            int i = min(lane + TAPS / 2 - 1 - j, 31);
            VALUE low = s_rows[row][i], high = s_rows[row][32 + i];
            even += e.x * low + e.y * high;
            odd += o.x * low + o.y * high;
        }
        if (lane < TILE_WIDTH) {
            store_sample(begin + ivec2(2 * lane, row), even);
            store_sample(begin + ivec2(2 * lane + 1, row), odd);
        }
    }
}

// `tile`: its first pair of samples. `count`: coefficients of a band in x and y.
void synthesise_tile(ivec2 tile, ivec2 count, int extend)
{
    synthesise_columns(tile, count, extend);
    sync_shared();
    synthesise_rows(tile, extend);
}
