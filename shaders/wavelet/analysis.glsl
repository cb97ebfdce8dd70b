// wavelet/analysis.glsl - one level of the transform of a tile: samples to the four bands
//
//   host sets FILTER, CHANNELS   wavelet/filters.glsl, wavelet/texel.glsl
//   includer defines load_sample() and store_bands(), below
//   shared    32 rows of 64 texels: 32 KiB with four channels
//   group     64 x 4 threads for TILE_WIDTH x 16 coefficients of each band
//   how       first down the columns, from registers, then along the rows, from shared memory:
//
//             64 columns, thread x: halo included       TILE_WIDTH lanes, and rows of both kinds
//               |.|.|.|.|.|.|                             L rows   o o o o   -> LL, HL
//               8 + TAPS - 2 samples a thread, y of 4     H rows   o o o o   -> LH, HH
//               -> 4 L and 4 H rows in shared memory
//
//             Columns are stored by parity, so that neighbouring lanes read neighbouring texels;
//             bit 2 of the place of odd columns is flipped, so that they do not share banks with
//             even ones when they are written
//   cost      a sample is loaded (8 + TAPS - 2) / 8 * 64 / (2 TILE_WIDTH) times, mostly from caches
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "wavelet/extend.glsl"
#include "wavelet/filters.glsl"
#include "wavelet/texel.glsl"

// The sample at a place inside the image. `own`: the place is in this tile and not in its halo or
// beyond the image, which is true of each place once in a dispatch.
VALUE load_sample(ivec2 place, bool own);
// Coefficient o of each band, which may lie beyond the band. HL is high in x.
void store_bands(ivec2 o, VALUE ll, VALUE hl, VALUE lh, VALUE hh);

shared VALUE s_rows[2 * AG_WAVELET_TILE_HEIGHT][AG_WAVELET_COLUMNS];

int place_of_column(int c)
{
    int odd = c & 1;
    return 32 * odd + (c >> 1 ^ 4 * odd);
}

// Down the columns: 4 coefficients of both kinds a thread.
void analyse_columns(ivec2 tile, ivec2 size, int extend)
{
    const int LOADS = 8 + TAPS - 2;
    int column = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    ivec2 begin = 2 * tile, first = begin + phase_of(extend) - (TAPS - 1);
    ivec2 end = begin + 2 * ivec2(TILE_WIDTH, TILE_HEIGHT);
    int x = first.x + column, y = first.y + 8 * segment;
    int from_x = extended(x, size.x, extend), from_y[LOADS];
    // Modulo takes longer than the filter, so tiles inside the image do without.
    if (first.y >= 0 && first.y + 2 * TILE_HEIGHT + TAPS - 2 <= size.y) {
        for (int i = 0; i < LOADS; ++i)
            from_y[i] = y + i;
    } else {
        for (int i = 0; i < LOADS; ++i)
            from_y[i] = extended(y + i, size.y, extend);
    }
    VALUE window[LOADS];
    bool own_x = x >= begin.x && x < min(end.x, size.x);
    for (int i = 0; i < LOADS; ++i) {
        ivec2 from = ivec2(from_x, from_y[i]);
        // Rows that two threads load belong to the one whose coefficients begin there.
        int own = begin.y + 8 * segment;
        bool own_y = y + i >= own && y + i < min(own + 8, size.y);
        VALUE c = load_sample(max(from, 0), own_x && own_y);
        window[i] = from.x < 0 || from.y < 0 ? VALUE(0.0) : c;
    }
    int place = place_of_column(column);
    // Two loops: one for both, with 16 taps of four channels, is too large for Mesa's RADV (zink on
    // AMD) to unroll, and `window` goes to memory, 22 KiB a wave. radeonsi unrolls it.
    for (int r = 0; r < 4; ++r) {
        VALUE low = VALUE(0.0);
        for (int m = 0; m < TAPS; ++m)
            low += analysis_tap(m).x * window[2 * r + m];
        s_rows[4 * segment + r][place] = low;
    }
    for (int r = 0; r < 4; ++r) {
        VALUE high = VALUE(0.0);
        for (int m = 0; m < TAPS; ++m)
            high += analysis_tap(m).y * window[2 * r + m];
        s_rows[TILE_HEIGHT + 4 * segment + r][place] = high;
    }
}

// Along the rows: two coefficients of each band a lane.
void analyse_rows(ivec2 tile)
{
    int thread = int(gl_LocalInvocationIndex), lane = thread & 31;
    for (int j = thread >> 5; j < TILE_HEIGHT; j += 8) {
        VALUE ll = VALUE(0.0), hl = ll, lh = ll, hh = ll;
        for (int m = 0; m < TAPS; ++m) {
            vec2 tap = analysis_tap(m);
            int place = place_of_column(min(2 * lane + m, AG_WAVELET_COLUMNS - 1));
            VALUE low = s_rows[j][place], high = s_rows[TILE_HEIGHT + j][place];
            ll += tap.x * low;
            hl += tap.y * low;
            lh += tap.x * high;
            hh += tap.y * high;
        }
        if (lane < TILE_WIDTH)
            store_bands(tile + ivec2(lane, j), ll, hl, lh, hh);
    }
}

// `tile`: its first coefficient. `size`: samples in x and y.
void analyse_tile(ivec2 tile, ivec2 size, int extend)
{
    analyse_columns(tile, size, extend);
    sync_shared();
    analyse_rows(tile);
}
