// fft/line.glsl - what all transforms of lines share: registers, shared memory, twiddle factors
//   host sets N                   points a line
//             R0 .. R4            radices in their order, product N; 1 where there are fewer stages
//             R_STAGES            int[20]: before, row, block, pad of each stage (fft/stage.glsl)
//             LAST                the last of these radices
//             Q0 .. Q4, Q_STAGES  column pass only: the same for the inverse, from last to first
//             THREADS             threads a line
//             ELEMENTS            complex values a thread
//             LINES               lines a work group
//             GROUP               THREADS * LINES, as a literal, which GLSL 4.30 requires
//             TILE                columns side by side in the spectrum
//             STRIDE              places of shared memory a line
//             SPLIT               0 = places are complex, 1 = floats (docs/decisions.md, D18)
//   shared    LINES * STRIDE * (SPLIT ? 4 : 8) bytes, at most 32768
//   source    Stockham autosort stages held in registers: Govindaraju et al. 2008. Each stage reads
//             with stride N / radix; the first stage reads and the last writes a line in order
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(N) || !defined(R0) || !defined(R_STAGES) || !defined(LAST) || !defined(THREADS) || \
    !defined(ELEMENTS) || !defined(LINES) || !defined(GROUP) || !defined(STRIDE) || \
    !defined(SPLIT) || !defined(TILE)
#error "N, R0.., R_STAGES, LAST, THREADS .. GROUP, TILE, STRIDE and SPLIT must be set by the host"
#endif
#pragma optionNV(unroll all)
#include "fft/interface.h"
#include "common/sync.glsl"

vec2 v[ELEMENTS]; // v[i * radix + k] = element k of the thread's butterfly i
#include "fft/butterfly.glsl"

layout(local_size_x = GROUP) in;
layout(std430, binding = AG_SSBO_TWIDDLE) readonly buffer Twiddle {
    vec4 b_twiddle[]; // ag_fft_twiddles in fft_line.h describes them
};
#if SPLIT
shared float s_exchange[LINES * STRIDE];
#else
shared vec2 s_exchange[LINES * STRIDE];
#endif

// Neighbouring threads have neighbouring lines, because lines lie side by side in memory.
#define LINE (gl_LocalInvocationID.x % uint(LINES))
#define THREAD (gl_LocalInvocationID.x / uint(LINES))

#define TWIDDLES(radix) ((radix) > 4 ? 2 : 1) // table entries of a butterfly

// A thread has butterflies thread, thread + THREADS, .. With MIRROR it has pairs m and count - m
// (0 and count / 2), so that it holds each frequency and its mirror image:
//
//   butterfly   0   1   2   ...  c/2  ...  c-2  c-1       element k of m      mirrors
//   of thread   0   1   2         0         2    1        element radix - 1 - k of count - m
#define PAIRS(count) ((count) / 2 + (count) % 2)
#define ROUNDS(radix, mirror) \
    ((mirror) ? (PAIRS(N / (radix)) + THREADS - 1) / THREADS * 2 \
              : (N / (radix) + THREADS - 1) / THREADS)

// A macro: NVIDIA's compiler makes loops of functions that return early (docs/decisions.md, D13).
#define BUTTERFLY(i, count, mirror) \
    (!(mirror)      ? thread + uint((i) * THREADS) \
     : (i) % 2 == 0 ? thread + uint((i) / 2 * THREADS) \
                    : mirror_of(thread + uint((i) / 2 * THREADS), uint(count)))

// False where a round has more threads than butterflies.
#define HAS_BUTTERFLY(i, count, mirror) \
    ((mirror) ? (PAIRS(count) % THREADS == 0 || \
                 thread + uint((i) / 2 * THREADS) < uint(PAIRS(count))) && \
                    ((count) % 2 == 0 || (i) % 2 == 0 || thread + uint((i) / 2 * THREADS) > 0u) \
              : (count) % THREADS == 0 || thread + uint((i) * THREADS) < uint(count))

uint mirror_of(uint m, uint count)
{
    return count - m - (count - count / 2u) * uint(m == 0u); // ?: is a branch on NVIDIA
}
