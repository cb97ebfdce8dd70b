// fft/line.glsl - transforms lines of points in registers and shared memory: transform()
//   host sets N                   points a line
//             R0 .. R4            radices in their order, product N; 1 where there are fewer stages
//             R_STAGES            int[20]: before, row, block, pad of each stage (fft/stage.glsl)
//             LAST                the last of these radices
//             Q0 .. Q4, Q_STAGES  the same from last to first, for transform_back(); else not set
//             THREADS             threads a line
//             ELEMENTS            complex values a thread
//             LINES               lines a work group
//             GROUP               THREADS * LINES, as a literal, which GLSL 4.30 requires
//             STRIDE              places of shared memory a line
//             SPLIT               0 = places are complex, 1 = floats (docs/decisions.md, D18)
//   includer defines  MIRROR_FIRST, MIRROR_LAST  true = threads of that stage have pairs of
//                                                mirrored butterflies, see below
//                     LEFT_OUT  the stage that the includer does itself: 0 none; 1 the first, and
//                               v has what the second needs; 2 the last: take_last(line, thread,
//                               part) reads what the last exchange has written, part 0 real parts,
//                               1 imaginary parts, or with SPLIT 0 both at once. Of such a stage
//                               the radix may be any number
//   in        v[i * first + k] = element b + k * (N / first) of the line, b = BUTTERFLY(i, ..)
//   out       v[i * last + k] = frequency b + k * (N / last)
//   how       of 2304 = 9 x 8 x 8 x 4 points, 288 threads of 9 or 8 registers:
//   v -> DFTs of 9 -> exchange -> DFTs of 8 -> exchange -> DFTs of 8 -> exchange -> DFTs of 4 -> v
//        256 threads              288                      288                      288, two each
//   cost      2 barriers a stage but the last, 4 with SPLIT
//   shared    LINES * STRIDE * (SPLIT ? 4 : 8) bytes, at most 32768
//   source    Stockham autosort stages held in registers: Govindaraju et al. 2008. Each stage reads
//             with stride N / radix; the first stage reads and the last writes a line in order
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(N) || !defined(R0) || !defined(R_STAGES) || !defined(LAST) || !defined(THREADS) || \
    !defined(ELEMENTS) || !defined(LINES) || !defined(GROUP) || !defined(STRIDE) || \
    !defined(SPLIT)
#error "N, R0.., R_STAGES, LAST, THREADS .. GROUP, STRIDE and SPLIT must be set by the host"
#endif
#if !defined(R1) || !defined(R2) || !defined(R3) || !defined(R4)
#error "R0 .. R4 must be set by the host"
#endif
#ifdef Q0
#if !defined(Q1) || !defined(Q2) || !defined(Q3) || !defined(Q4) || !defined(Q_STAGES)
#error "Q0 .. Q4 and Q_STAGES must be set by the host, or none"
#endif
#endif
#if !defined(MIRROR_FIRST) || !defined(MIRROR_LAST) || !defined(LEFT_OUT)
#error "MIRROR_FIRST, MIRROR_LAST and LEFT_OUT (0 .. 2) must be defined by the includer"
#endif
#pragma optionNV(unroll all)
#include "fft/interface.h"

vec2 v[ELEMENTS]; // v[i * radix + k] = element k of the thread's butterfly i

layout(local_size_x = GROUP) in;
layout(std430, binding = AG_SSBO_TWIDDLE) readonly buffer Twiddle {
    vec4 b_twiddle[]; // ag_fft_twiddles in fft_line.h describes them
};
#if SPLIT
shared float s_exchange[LINES * STRIDE];
#define SHARED_FLOAT(place) s_exchange[place] // for what else threads tell each other
#else
shared vec2 s_exchange[LINES * STRIDE];
#define SHARED_FLOAT(place) s_exchange[place].x
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

// ---- the stages, a function each (fft/stage.glsl), and the transform ----------------------------

#define STAGES R_STAGES
#define RUN stage_0
#define DFT dft_0
#define STAGE 0
#define RADIX R0
#define NEXT R1
#define AFTER R2
#include "fft/stage.glsl"
#define RUN stage_1
#define DFT dft_1
#define STAGE 1
#define RADIX R1
#define NEXT R2
#define AFTER R3
#include "fft/stage.glsl"
#define RUN stage_2
#define DFT dft_2
#define STAGE 2
#define RADIX R2
#define NEXT R3
#define AFTER R4
#include "fft/stage.glsl"
#define RUN stage_3
#define DFT dft_3
#define STAGE 3
#define RADIX R3
#define NEXT R4
#define AFTER 1
#include "fft/stage.glsl"
#define RUN stage_4
#define DFT dft_4
#define STAGE 4
#define RADIX R4
#define NEXT 1
#define AFTER 1
#include "fft/stage.glsl"
#undef STAGES

// One forward transform of the line in v.
void transform(uint line, uint thread)
{
    stage_0(line, thread);
    stage_1(line, thread);
    stage_2(line, thread);
    stage_3(line, thread);
    stage_4(line, thread);
}

#ifdef Q0
#define STAGES Q_STAGES
#define RUN back_stage_0
#define DFT back_dft_0
#define STAGE 0
#define RADIX Q0
#define NEXT Q1
#define AFTER Q2
#include "fft/stage.glsl"
#define RUN back_stage_1
#define DFT back_dft_1
#define STAGE 1
#define RADIX Q1
#define NEXT Q2
#define AFTER Q3
#include "fft/stage.glsl"
#define RUN back_stage_2
#define DFT back_dft_2
#define STAGE 2
#define RADIX Q2
#define NEXT Q3
#define AFTER Q4
#include "fft/stage.glsl"
#define RUN back_stage_3
#define DFT back_dft_3
#define STAGE 3
#define RADIX Q3
#define NEXT Q4
#define AFTER 1
#include "fft/stage.glsl"
#define RUN back_stage_4
#define DFT back_dft_4
#define STAGE 4
#define RADIX Q4
#define NEXT 1
#define AFTER 1
#include "fft/stage.glsl"
#undef STAGES

// The same with the radices Q0, Q1 ..: for an inverse, the caller swaps real and imaginary parts
// before and after.
void transform_back(uint line, uint thread)
{
    back_stage_0(line, thread);
    back_stage_1(line, thread);
    back_stage_2(line, thread);
    back_stage_3(line, thread);
    back_stage_4(line, thread);
}
#endif
