// fft/transform.glsl - one forward transform of the line in v, as a statement
//   set       MIRROR_FIRST, MIRROR_LAST  true = that stage has MIRROR, see fft/line.glsl
//             ORDER      0: the radices R0, R1 ..; 1: Q0, Q1 .. (the inverse of the column pass)
//             thread, line, and LAST_STAGE_NEEDED, see fft/stage.glsl
//   in        v[i * first + k] = element b + k * (N / first) of the line, b = BUTTERFLY(i, ..)
//   out       v[i * last + k] = frequency b + k * (N / last)
//   cost      2 barriers a stage but the last, 4 with SPLIT
//   how       of 2304 = 9 x 8 x 8 x 4 points, 288 threads of 9 or 8 registers:
//   v -> DFTs of 9 -> exchange -> DFTs of 8 -> exchange -> DFTs of 8 -> exchange -> DFTs of 4 -> v
//        256 threads              288                      288                      288, two each
//   SPDX-License-Identifier: MIT
#if ORDER == 0
#define S0 R0
#define S1 R1
#define S2 R2
#define S3 R3
#define S4 R4
#define STAGES R_STAGES
#else
#define S0 Q0
#define S1 Q1
#define S2 Q2
#define S3 Q3
#define S4 Q4
#define STAGES Q_STAGES
#endif

#define STAGE 0
#include "fft/stage.glsl"
#define STAGE 1
#include "fft/stage.glsl"
#define STAGE 2
#include "fft/stage.glsl"
#define STAGE 3
#include "fft/stage.glsl"
#define STAGE 4
#include "fft/stage.glsl"

#undef S0
#undef S1
#undef S2
#undef S3
#undef S4
#undef STAGES
