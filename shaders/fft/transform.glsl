// fft/transform.glsl - one forward transform of the line in v, as a statement
//   set       MIRROR_FIRST, MIRROR_LAST  true = that stage has MIRROR, see fft/line.glsl
//             thread, line, and LAST_STAGE_NEEDED, see fft/stage.glsl
//   in        v[i * first + k] = element b + k * (N / first) of the line, b = BUTTERFLY(i, ..)
//   out       v[i * last + k] = frequency b + k * (N / last)
//   cost      2 barriers a stage but the last, 4 with SPLIT
//   how       of 2304 = 9 x 8 x 8 x 4 points, 288 threads of 9 or 8 registers:
//   v -> DFTs of 9 -> exchange -> DFTs of 8 -> exchange -> DFTs of 8 -> exchange -> DFTs of 4 -> v
//        256 threads              288                      288                      288, two each
//   SPDX-License-Identifier: MIT
#define STAGES R_STAGES

#define STAGE 0
#define RADIX R0
#define NEXT R1
#define AFTER R2
#include "fft/stage.glsl"
#define STAGE 1
#define RADIX R1
#define NEXT R2
#define AFTER R3
#include "fft/stage.glsl"
#define STAGE 2
#define RADIX R2
#define NEXT R3
#define AFTER R4
#include "fft/stage.glsl"
#define STAGE 3
#define RADIX R3
#define NEXT R4
#define AFTER 1
#include "fft/stage.glsl"
#define STAGE 4
#define RADIX R4
#define NEXT 1
#define AFTER 1
#include "fft/stage.glsl"

#undef STAGES
