// wavelet/synthesis.glsl - one level of the inverse transform of a tile: the four bands to samples
//
//   It makes TILE_WIDTH x TILE_HEIGHT pairs of samples in x and y, in two steps of the includer:
//
//             find_coefficients()    the includer loads LOADS coefficients of two bands a thread
//             synthesise()           channel by channel 64 x SEGMENTS threads filter up the
//                                    columns, in registers; then 32 lanes filter along each of
//                                    PAIRS rows, from shared memory. The includer stores PAIRS
//                                    pairs a lane
//
//             32 columns of LL and LH, 32 of HL and HH      TILE_WIDTH lanes, 4 rows each
//               LOADS coefficients of both bands a thread     low columns   o o o o   -> 2 samples
//               -> 8 rows in shared memory                    high columns  o o o o
//
//   host sets FILTER, CHANNELS    wavelet/filters.glsl, wavelet/samples.glsl
//   shared    16 rows of 64 floats: 4 KiB. All channels at once take four times
//             that, and a multiprocessor of NVIDIA then has fewer groups (docs/decisions.md, D78)
//   cost      a coefficient is loaded LOADS / 4 * 32 / TILE_WIDTH times
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/sync.glsl"
#include "wavelet/filters.glsl"
#include "wavelet/samples.glsl"

const int LOADS = 4 + TAPS / 2 - 1; // for four pairs of samples

const int SEGMENTS = AG_WAVELET_SEGMENTS, TILE_HEIGHT = AG_WAVELET_TILE_HEIGHT;
const int PAIRS = 4; // rows of pairs of a lane

shared float s_rows[2 * TILE_HEIGHT][AG_WAVELET_COLUMNS];

#if CHANNELS == 1
#define PART(value, c) (value)
#else
#define PART(value, c) (value)[c]
#endif

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
    bool last_y = gl_WorkGroupID.y == gl_NumWorkGroups.y - 1u && segment == SEGMENTS - 1;
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

// Four pairs of samples a thread, of channel c of coefficients that are low and high in y. A sync
// must follow.
void synthesise_columns(const VALUE low[LOADS], const VALUE high[LOADS], const int c)
{
    int column = int(gl_LocalInvocationID.x), segment = int(gl_LocalInvocationID.y);
    for (int r = 0; r < 4; ++r) {
        float even = 0.0, odd = 0.0;
        for (int j = 0; j < TAPS / 2; ++j) {
            vec2 e = synthesis_tap(2 * j), o = synthesis_tap(2 * j + 1);
            int i = r + TAPS / 2 - 1 - j;
            even += e.x * PART(low[i], c) + e.y * PART(high[i], c);
            odd += o.x * PART(low[i], c) + o.y * PART(high[i], c);
        }
        s_rows[8 * segment + 2 * r][column] = even;
        s_rows[8 * segment + 2 * r + 1][column] = odd;
    }
}

// The row of the tile of a thread's pair.
int row_of_pair(int pair) { return int(gl_LocalInvocationIndex) / 32 + 2 * SEGMENTS * pair; }

// Two samples of a row: the even and the odd one.
vec2 synthesise_row(int row)
{
    int lane = int(gl_LocalInvocationIndex) & 31;
    vec2 pair = vec2(0.0);
    for (int j = 0; j < TAPS / 2; ++j) {
        vec2 e = synthesis_tap(2 * j), o = synthesis_tap(2 * j + 1);
        int i = min(lane + TAPS / 2 - 1 - j, 31);
        float low = s_rows[row][i], high = s_rows[row][32 + i];
        pair.x += e.x * low + e.y * high;
        pair.y += o.x * low + o.y * high;
    }
    return pair;
}

// PAIRS pairs of samples a lane, from place_of_pair() on. Lanes from TILE_WIDTH on make nothing of
// use.
void synthesise(const VALUE low[LOADS], const VALUE high[LOADS], out VALUE even[PAIRS],
                out VALUE odd[PAIRS])
{
    for (int c = 0; c < CHANNELS; ++c) {
        if (c > 0)
            sync_shared();
        synthesise_columns(low, high, c);
        sync_shared();
        for (int pair = 0; pair < PAIRS; ++pair) {
            vec2 made = synthesise_row(row_of_pair(pair));
            PART(even[pair], c) = made.x;
            PART(odd[pair], c) = made.y;
        }
    }
}

ivec2 place_of_pair(int pair, int extend)
{
    int lane = int(gl_LocalInvocationIndex) & 31;
    return 2 * tile_corner() + shift_of(extend) + ivec2(2 * lane, row_of_pair(pair));
}
