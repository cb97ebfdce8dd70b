// ladder/sat/brlt_scanrow.glsl - scans a chunk of LINES lines: shared memory turns registers around
//
//   includer  a pass whose groups walk along LINES lines, CHUNK places at a time
//   shared    a chunk, and the sums of its runs: 18.1 KiB of doubles
//   cost      3 barriers a chunk and channel, 2 additions a place
//   host sets the defines of ladder/sat/texels.glsl (LOCAL_IS_UINT)
//   source    P. Chen et al. 2018, "Efficient algorithms for the summed area tables primitive on
//             GPUs", BRLT-ScanRow (block-register-local-transpose): a block's registers go through
//             shared memory so that every thread has a run of a line, which it scans alone
//
//   A chunk in shared memory, and the thread that scans each run: the threads of a subgroup have
//   different lines and runs.
//
//              place 0..7   8..15        ... 255
//     line 0   thread 0     thread 8         thread 248      each scans its run, then adds the sums
//     line 1   thread 1     thread 9         thread 249      of the runs and chunks before it
//      ...
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef LOCAL_IS_UINT
#error "LOCAL_IS_UINT must be set by the host or defined by the includer"
#endif
#pragma optionNV(unroll all)
#include "common/sync.glsl"
#include "ladder/sat/texels.glsl"

#define LINES 8
#define RUNS 32
#define RUN 8
#define CHUNK (RUNS * RUN)
#define TEXELS 8 // a thread's, of a chunk
#if LOCAL_IS_UINT
#define TOTAL uint
#else
#define TOTAL double
#endif

layout(local_size_x = 256) in; // LINES * RUNS
shared TOTAL s_chunk[LINES][CHUNK + 1];
shared TOTAL s_run[RUNS][LINES];

TOTAL g_before[CHANNELS]; // sum of the thread's line in earlier chunks

int thread() { return int(gl_LocalInvocationIndex); }
int own_line() { return thread() % LINES; }
int own_run() { return thread() / LINES; }

// Rows that are scanned, transposed: b_lines [channel][x][y], of u_scan.w places each.
int place_of_line(int channel, int x) { return (channel * extent().x + x) * u_scan.w; }

void scan_chunk(const int channel)
{
    int line = own_line(), run = own_run();
    sync_shared();
    TOTAL v[RUN];
    v[0] = s_chunk[line][run * RUN];
    for (int k = 1; k < RUN; ++k)
        v[k] = v[k - 1] + s_chunk[line][run * RUN + k];
    s_run[run][line] = v[RUN - 1];
    sync_shared();
    // The same number, but compilers see one for each channel: with one for all, AMD's ACO kept the
    // 32 comparisons below in 64 scalar registers, and spilled up to 129.
    run += channel * int(no_bits());
    TOTAL before = g_before[channel], all = before;
    for (int k = 0; k < RUNS; ++k) {
        TOTAL s = s_run[k][line];
        before += k < run ? s : TOTAL(0);
        all += s;
    }
    g_before[channel] = all;
    for (int k = 0; k < RUN; ++k)
        s_chunk[line][run * RUN + k] = v[k] + before;
    sync_shared();
}
