// fft/transform.glsl - one forward transform of the line in v, as a statement
//
//   in        v[i * S0 + k] = element b + k * (N / S0) of the line, b = thread + i * THREADS
//   out       v[i * last + k] = frequency b + k * (N / last)
//   set       S0 .. S4 (radices in order), TABLE (first twiddle), thread, line
//   cost      4 barriers a stage but the last
//   SPDX-License-Identifier: MIT

#define RADIX S0
#define BEFORE 1
#define NEXT S1
#define ROW 0
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#if S1 > 1
#define RADIX S1
#define BEFORE S0
#define NEXT S2
#define ROW TABLE
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#endif
#if S2 > 1
#define RADIX S2
#define BEFORE (S0 * S1)
#define NEXT S3
#define ROW (TABLE + S0 * TWIDDLES(S1))
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#endif
#if S3 > 1
#define RADIX S3
#define BEFORE (S0 * S1 * S2)
#define NEXT S4
#define ROW (TABLE + S0 * TWIDDLES(S1) + S0 * S1 * TWIDDLES(S2))
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#endif
#if S4 > 1
#define RADIX S4
#define BEFORE (S0 * S1 * S2 * S3)
#define NEXT 1
#define ROW (TABLE + S0 * TWIDDLES(S1) + S0 * S1 * TWIDDLES(S2) + S0 * S1 * S2 * TWIDDLES(S3))
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#endif
