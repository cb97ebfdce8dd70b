// fft/transform_back.glsl - fft/transform.glsl with the radices Q0, Q1 ..: the inverse of columns
//   set       as for fft/transform.glsl. The caller swaps real and imaginary parts before and after
//   SPDX-License-Identifier: MIT
#define STAGES Q_STAGES

#define STAGE 0
#define RADIX Q0
#define NEXT Q1
#define AFTER Q2
#include "fft/stage.glsl"
#define STAGE 1
#define RADIX Q1
#define NEXT Q2
#define AFTER Q3
#include "fft/stage.glsl"
#define STAGE 2
#define RADIX Q2
#define NEXT Q3
#define AFTER Q4
#include "fft/stage.glsl"
#define STAGE 3
#define RADIX Q3
#define NEXT Q4
#define AFTER 1
#include "fft/stage.glsl"
#define STAGE 4
#define RADIX Q4
#define NEXT 1
#define AFTER 1
#include "fft/stage.glsl"

#undef STAGES
