// fft/transform.glsl - one forward transform of the line in v, as a statement
//
//   set       REVERSED (0: radices R0, R1 ..; 1: Q0, Q1 ..), MIRROR_FIRST, MIRROR_LAST (true or false:
//             how the first and the last stage choose butterflies, see fft/line.glsl), thread, line
//   in        v[i * first + k] = element b + k * (N / first) of the line, b = BUTTERFLY(i, ..)
//   out       v[i * last + k] = frequency b + k * (N / last)
//   cost      2 barriers a stage but the last, 4 when SPLIT
//   SPDX-License-Identifier: MIT
#if REVERSED
#define S0 Q0
#define S1 Q1
#define S2 Q2
#define S3 Q3
#define S4 Q4
#define TABLE BACK
#else
#define S0 R0
#define S1 R1
#define S2 R2
#define S3 R3
#define S4 R4
#define TABLE 0
#endif

#define RADIX S0
#define BEFORE 1
#define NEXT S1
#define ROW 0
#if REVERSED
#define BLOCK Q_BLOCK0
#define PAD Q_PAD0
#else
#define BLOCK R_BLOCK0
#define PAD R_PAD0
#endif
#define MIRROR (MIRROR_FIRST || (MIRROR_LAST && S1 == 1))
#define MIRROR_NEXT (MIRROR_LAST && S2 == 1)
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#undef BLOCK
#undef PAD
#undef MIRROR
#undef MIRROR_NEXT
#if S1 > 1
#define RADIX S1
#define BEFORE S0
#define NEXT S2
#define ROW TABLE
#if REVERSED
#define BLOCK Q_BLOCK1
#define PAD Q_PAD1
#else
#define BLOCK R_BLOCK1
#define PAD R_PAD1
#endif
#define MIRROR (MIRROR_LAST && NEXT == 1)
#define MIRROR_NEXT (MIRROR_LAST && S3 == 1)
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#undef BLOCK
#undef PAD
#undef MIRROR
#undef MIRROR_NEXT
#endif
#if S2 > 1
#define RADIX S2
#define BEFORE (S0 * S1)
#define NEXT S3
#define ROW (TABLE + S0 * TWIDDLES(S1))
#if REVERSED
#define BLOCK Q_BLOCK2
#define PAD Q_PAD2
#else
#define BLOCK R_BLOCK2
#define PAD R_PAD2
#endif
#define MIRROR (MIRROR_LAST && NEXT == 1)
#define MIRROR_NEXT (MIRROR_LAST && S4 == 1)
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#undef BLOCK
#undef PAD
#undef MIRROR
#undef MIRROR_NEXT
#endif
#if S3 > 1
#define RADIX S3
#define BEFORE (S0 * S1 * S2)
#define NEXT S4
#define ROW (TABLE + S0 * TWIDDLES(S1) + S0 * S1 * TWIDDLES(S2))
#if REVERSED
#define BLOCK Q_BLOCK3
#define PAD Q_PAD3
#else
#define BLOCK R_BLOCK3
#define PAD R_PAD3
#endif
#define MIRROR (MIRROR_LAST && NEXT == 1)
#define MIRROR_NEXT (MIRROR_LAST && 1 == 1)
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#undef BLOCK
#undef PAD
#undef MIRROR
#undef MIRROR_NEXT
#endif
#if S4 > 1
#define RADIX S4
#define BEFORE (S0 * S1 * S2 * S3)
#define NEXT 1
#define ROW (TABLE + S0 * TWIDDLES(S1) + S0 * S1 * TWIDDLES(S2) + S0 * S1 * S2 * TWIDDLES(S3))
#define BLOCK 1
#define PAD 0
#define MIRROR MIRROR_LAST
#define MIRROR_NEXT false
#include "fft/stage.glsl"
#undef RADIX
#undef BEFORE
#undef NEXT
#undef ROW
#undef BLOCK
#undef PAD
#undef MIRROR
#undef MIRROR_NEXT
#endif
#undef S0
#undef S1
#undef S2
#undef S3
#undef S4
#undef TABLE
