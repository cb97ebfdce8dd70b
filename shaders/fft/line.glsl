// fft/line.glsl - what every line transform shares: registers, shared memory, twiddles, identity
//
//   host sets N            points a line
//             R0 .. R4     radices in their order, product N, 1 where there are fewer stages
//             R_STAGES     int[20](before, row, block, pad, ..) of each stage, see fft/stage.glsl
//             LAST         the last of these radices
//             Q0 .. Q4, Q_STAGES  columns: the same of the way back, from last to first
//             THREADS      threads a line
//             ELEMENTS     complex values a thread
//             LINES        lines a work group
//             GROUP        THREADS * LINES, as a literal: GLSL 4.30 takes no expression here
//             TILE         columns side by side in the spectrum
//             STRIDE       places of shared memory a line
//             SPLIT        1 = a place is a float, real and imaginary parts take turns; 0 = a complex value
//   shared    LINES * STRIDE * (SPLIT ? 4 : 8) bytes, at most 32768
//   source    Stockham autosort stages held in registers: Govindaraju et al. 2008. Each stage reads
//             with stride N / radix, so the first reads and the last writes a line in order
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_LINE_GLSL
#define AG_FFT_LINE_GLSL
#if !defined(N) || !defined(R0) || !defined(R_STAGES) || !defined(LAST) || !defined(THREADS) || \
    !defined(ELEMENTS) || !defined(LINES) || !defined(GROUP) || !defined(STRIDE) || !defined(SPLIT) || !defined(TILE)
#error "N, R0.., R_STAGES, LAST, THREADS, ELEMENTS, LINES, GROUP, TILE, STRIDE and SPLIT must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "fft/interface.h"
#include "common/sync.glsl"

vec2 v[ELEMENTS]; // v[i * radix + k] = element k of the thread's butterfly i
#include "fft/butterfly.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = AG_SSBO_TWIDDLE) readonly buffer Twiddle {
    vec4 b_twiddle[]; // ag_fft_twiddles: per stage and m w(m), w(2m); above radix 4 w(4m), w(8m)
};
#if SPLIT
shared float s_exchange[LINES * STRIDE];
#else
shared vec2 s_exchange[LINES * STRIDE];
#endif

// Neighbouring threads take neighbouring lines: the lines lie side by side in memory.
#define LINE (gl_LocalInvocationID.x % uint(LINES))
#define THREAD (gl_LocalInvocationID.x / uint(LINES))

// Entries of a butterfly in the table.
#define TWIDDLES(radix) ((radix) > 4 ? 2 : 1)

// Which butterflies of a stage a thread holds: thread, thread + THREADS, ...
// With MIRROR they come in pairs, m and count - m for m = thread, thread + THREADS, ... (0 goes with
// count / 2), because then each frequency and its mirror image are registers of one thread:
//
//   butterfly   0   1   2   ...  c/2  ...  c-2  c-1       element k of m      mirrors
//   of thread   0   1   2         0         2    1        element radix - 1 - k of count - m
#define PAIRS(count) ((count) / 2 + (count) % 2)
#define ROUNDS(radix, mirror) \
    ((mirror) ? (PAIRS(N / (radix)) + THREADS - 1) / THREADS * 2 : (N / (radix) + THREADS - 1) / THREADS)

// Macros: NVIDIA's compiler turns a function that returns early into a loop, and keeps it.
#define BUTTERFLY(i, count, mirror) \
    (!(mirror)      ? thread + uint((i) * THREADS) \
     : (i) % 2 == 0 ? thread + uint((i) / 2 * THREADS) \
                    : mirror_of(thread + uint((i) / 2 * THREADS), uint(count)))

// False where a round has more threads than butterflies.
#define HAS_BUTTERFLY(i, count, mirror) \
    ((mirror) ? (PAIRS(count) % THREADS == 0 || thread + uint((i) / 2 * THREADS) < uint(PAIRS(count))) && \
                    ((count) % 2 == 0 || (i) % 2 == 0 || thread + uint((i) / 2 * THREADS) > 0u) \
              : (count) % THREADS == 0 || thread + uint((i) * THREADS) < uint(count))

uint mirror_of(uint m, uint count)
{
    return count - m - (count - count / 2u) * uint(m == 0u); // no ?:, which is a branch on NVIDIA
}

#endif
