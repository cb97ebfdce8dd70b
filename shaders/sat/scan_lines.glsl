// sat/scan_lines.glsl - the scan of a chunk of lines, for scan_rows.comp and scan_columns.comp
//
//   cost      3 barriers a chunk and plane; shared memory 8 x 257 x 8 + 2 KiB = 18.1 KiB
//   why       a table in two launches; tiles take three, or two (docs/decisions.md, D44)
//   source    Chen et al. 2018, BRLT-ScanRow: a block's registers go through shared memory so that
//             every thread has a run of a line, which it scans alone; docs/sat.md
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
#pragma optionNV(unroll all)
#include "sat/parts.glsl"
#include "common/sync.glsl"

#define LINES 8
#define RUNS 32
#define RUN 8
#define CHUNK (RUNS * RUN)
#define TEXELS 8

layout(local_size_x = 256) in; // LINES * RUNS
layout(location = AG_LOC_SAT_SPAN) uniform ivec4 u_span;

int longest_column() { return u_span.x; } // of a part
int longest_row() { return u_span.y; }
int line_pitch() { return u_span.z; } // of b_lines
int mean_row() { return u_span.w; }   // of i_mean

shared WIDE s_chunk[LINES][CHUNK + 1];
shared WIDE s_run[RUNS][LINES];

WIDE g_before[PLANES]; // sum of the thread's line in earlier chunks
ivec2 g_size = ivec2(0); // of the part: length of a line, lines

int line_at(int plane, int part, int line)
{
    return ((plane * PARTS + part) * longest_row() + line) * line_pitch();
}

// Scans a plane of the chunk in shared memory.
void scan_chunk(const int plane)
{
    int line = int(gl_LocalInvocationIndex) % LINES, run = int(gl_LocalInvocationIndex) / LINES;
    sync_shared();
    WIDE v[RUN];
    v[0] = s_chunk[line][run * RUN];
    for (int k = 1; k < RUN; ++k)
        v[k] = v[k - 1] + s_chunk[line][run * RUN + k];
    s_run[run][line] = v[RUN - 1];
    sync_shared();
    // The same run, but of a plane: as one for all planes, AMD's ACO kept the 32 comparisons below
    // in 64 scalar registers, and spilled up to 129.
    run += plane * int(no_bits());
    WIDE before = g_before[plane], all = before;
    for (int k = 0; k < RUNS; ++k) {
        WIDE s = s_run[k][line];
        before += k < run ? s : WIDE(0);
        all += s;
    }
    g_before[plane] = all;
    for (int k = 0; k < RUN; ++k)
        s_chunk[line][run * RUN + k] = v[k] + before;
    sync_shared();
}
