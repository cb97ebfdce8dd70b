// ladder/sat/lookback_scan.glsl - the table of a tile: columns, then rows
//
//   includer  256 threads, 32 x 8; a thread has DOWN rows of one column
//   before it ladder/sat/texels.glsl, with CHANNELS and LOCAL
//   shared    ROWS x 33 numbers, and 256 more
//   cost      4 DOWN - 2 additions a thread and channel, and those of up to 7 and 256 / ROWS - 1
//             partial sums; 1 barrier, and 4 a channel
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(CHANNELS) || !defined(DOWN) || !defined(LOCAL)
#error "CHANNELS, DOWN and LOCAL must be set by the host or defined by the includer"
#endif
#include "ladder/sat/lookback_words.glsl"
#include "common/sync.glsl"

#define SEGMENTS (256 / ROWS) // of a row, DOWN texels each

shared LOCAL s_tile[ROWS * 33], s_part[256]; // of one channel

int thread() { return int(gl_LocalInvocationIndex); }

// A warp stores 16 texels of two rows: textures keep pairs of rows together, and a store of one row
// writes half of each sector. These are the first of a thread's entries; the others lie below it,
// two rows apart.
//
//     rows      0  threads  0 .. 15 of warp 0 | 0 .. 15 of warp 1        DOWN 8: warps 2 and 3 have
//               1          16 .. 31           | 16 .. 31                 rows 16 and more
ivec2 place_to_store()
{
    int x = int(gl_LocalInvocationID.x), own = int(gl_LocalInvocationID.y);
    return ivec2(x % 16 + own % 2 * 16, own / 2 * 2 * DOWN + x / 16);
}

// Odd rows have their halves exchanged: then 16 texels of two rows lie in 31 banks.
int place_in_tile(int x, int y) { return y * 33 + (x ^ (y % 2 * 16)); }

// Columns, each thread DOWN rows of one; all channels at once.
void scan_columns(inout LOCAL v[CHANNELS][DOWN])
{
    int x = int(gl_LocalInvocationID.x), own = int(gl_LocalInvocationID.y);
    for (int c = 0; c < CHANNELS; ++c) {
        for (int j = 1; j < DOWN; ++j)
            v[c][j] += v[c][j - 1];
        s_tile[c * 256 + thread()] = v[c][DOWN - 1];
    }
    sync_shared();
    LOCAL before[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c)
        before[c] = LOCAL(0);
    for (int k = 0; k < own; ++k)
        for (int c = 0; c < CHANNELS; ++c)
            before[c] += s_tile[c * 256 + k * 32 + x];
    for (int c = 0; c < CHANNELS; ++c)
        for (int j = 0; j < DOWN; ++j)
            v[c][j] += before[c];
}

// Rows of one channel, through shared memory: a thread has a segment of one there, the first ROWS
// threads the last segments. Leaves the entries that the thread stores, and returns the row's sum
// up to the segment's end.
//
//     threads   192 ..   128 ..   64 ..    0 ..           DOWN 8
//     texels    0 .. 7   8 .. 15  16 .. 23 24 .. 31
LOCAL scan_rows(inout LOCAL v[DOWN])
{
    int x = int(gl_LocalInvocationID.x), y = int(gl_LocalInvocationID.y) * DOWN;
    int after = thread() / ROWS; // segments
    int segment = place_in_tile((SEGMENTS - 1 - after) * DOWN, thread() % ROWS);
    int stored = place_in_tile(place_to_store().x, place_to_store().y);
    sync_shared(); // the last channel is read
    for (int j = 0; j < DOWN; ++j)
        s_tile[place_in_tile(x, y + j)] = v[j];
    sync_shared();
    LOCAL run[DOWN], before = LOCAL(0);
    run[0] = s_tile[segment];
    for (int k = 1; k < DOWN; ++k)
        run[k] = run[k - 1] + s_tile[segment + k];
    s_part[thread()] = run[DOWN - 1];
    sync_shared();
    for (int k = 1; after + k < SEGMENTS; ++k)
        before += s_part[thread() + k * ROWS];
    for (int k = 0; k < DOWN; ++k)
        s_tile[segment + k] = before + run[k];
    sync_shared();
    for (int j = 0; j < DOWN; ++j)
        v[j] = s_tile[stored + 66 * j];
    return before + run[DOWN - 1];
}
