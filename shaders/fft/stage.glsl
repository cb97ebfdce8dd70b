// fft/stage.glsl - one Stockham stage in registers, and the exchange to the next: each include
// defines one, as a function
//   includer  fft/line.glsl, of which this is a part. It defines the following; all but STAGES are
//             undefined at the end
//             RUN     the name of the function; DFT: a name for its DFT
//             STAGE   0 .. 4
//             RADIX   of this stage; NEXT, AFTER: of the next two; 1 where there is none
//             STAGES  of each stage BEFORE, ROW (of b_twiddle, its first), BLOCK and PAD: see below
//             It also has N, STRIDE, SPLIT, MIRROR_FIRST, MIRROR_LAST, LEFT_OUT, TWIDDLES, ROUNDS,
//             BUTTERFLY and HAS_BUTTERFLY
//   does      butterflies of RADIX elements, thread by thread (radix 1: nothing); then each element
//             goes through shared memory to the butterfly of the next stage that needs it:
//               b writes: b / BEFORE * BEFORE * RADIX + b % BEFORE + k BEFORE,  k < RADIX
//               b reads:  b + k N / NEXT,                                       k < NEXT
//
//             of 12 = 3 x 4 points, stage 0 to stage 1 (BEFORE 1, NEXT 4):
//               b = 0 writes  0  1  2 | b = 1:  3  4  5 | b = 2:  6  7  8 | b = 3:  9 10 11
//               b = 0 reads   0  3  6  9          b = 1:  1  4  7 10        b = 2:  2  5  8 11
//
//             Only the first terms depend on the thread (docs/decisions.md, D19). Element j lies at
//             j + j / BLOCK * PAD; BLOCK is a multiple of BEFORE that divides N / NEXT.
//   source    Govindaraju et al. 2008. Twiddle factors: docs/decisions.md, D29
//   SPDX-License-Identifier: MIT
#include "common/sync.glsl"
#if !defined(RUN) || !defined(DFT) || !defined(STAGE) || !defined(RADIX) || !defined(NEXT) || \
    !defined(AFTER) || !defined(STAGES)
#error "fft/line.glsl must define RUN, DFT, STAGE, RADIX, NEXT, AFTER and STAGES"
#endif
#if !defined(N) || !defined(STRIDE) || !defined(SPLIT) || !defined(MIRROR_FIRST) || \
    !defined(MIRROR_LAST) || !defined(LEFT_OUT) || !defined(ROUNDS) || \
    !defined(BUTTERFLY) || !defined(HAS_BUTTERFLY) || !defined(TWIDDLES)
#error "this file is a part of fft/line.glsl"
#endif

#if STAGE == 0 && LEFT_OUT != 1 || STAGE > 0 && RADIX > 1 && (NEXT > 1 || LEFT_OUT != 2)
#define TWIDDLED (STAGE > 0)
#include "fft/dft.glsl"
#undef TWIDDLED
#define MIRROR (STAGE == 0 && MIRROR_FIRST || NEXT == 1 && MIRROR_LAST)

void RUN(uint line, uint thread)
{
    const int COUNT = N / RADIX; // butterflies of the line
    const int BEFORE = STAGES[4 * STAGE], ROW = STAGES[4 * STAGE + 1]; // former radices; twiddles
    // 1. twiddle factors from the table, butterflies in registers
    for (int i = 0; i < ROUNDS(RADIX, MIRROR); ++i) {
#if STAGE == 0
        DFT(i * RADIX);
#else
        // the butterfly's place in a former block selects w; two entries hold its powers
        uint row = uint(ROW) + BUTTERFLY(i, COUNT, MIRROR) % uint(BEFORE) * uint(TWIDDLES(RADIX));
#if RADIX > 4
        DFT(i * RADIX, b_twiddle[row], b_twiddle[row + 1u]);
#else
        DFT(i * RADIX, b_twiddle[row], vec4(0.0));
#endif
#endif
    }
#if NEXT > 1
    // 2. through shared memory
    const int STEP = N / (NEXT), BLOCK = STAGES[4 * STAGE + 2], PAD = STAGES[4 * STAGE + 3];
    const bool MIRROR_NEXT = AFTER == 1 && MIRROR_LAST;
#define TO(i) (BUTTERFLY(i, COUNT, MIRROR) / uint(BEFORE) * uint(BEFORE * RADIX) + \
               BUTTERFLY(i, COUNT, MIRROR) % uint(BEFORE))
#define PLACE(j) (line * uint(STRIDE) + (j) + (j) / uint(BLOCK) * uint(PAD))
#define WRITE(i, k) s_exchange[PLACE(TO(i)) + uint((k) * BEFORE + (k) * BEFORE / BLOCK * PAD)]
#define READ(i, k) \
    s_exchange[PLACE(BUTTERFLY(i, STEP, MIRROR_NEXT)) + uint((k) * (STEP + STEP / BLOCK * PAD))]
#if LEFT_OUT == 2 && AFTER == 1
#define TAKE(part, at) take_last(line, thread, at);
#else
#define TAKE(part, at)                                                      \
    for (int i = 0; i < ROUNDS(NEXT, MIRROR_NEXT); ++i)                     \
        if (HAS_BUTTERFLY(i, STEP, MIRROR_NEXT))                            \
            for (int k = 0; k < NEXT; ++k)                                  \
                v[i * NEXT + k] part = READ(i, k);
#endif
#define MOVE(part, at)                                                      \
    sync_shared(); /* the former exchange has been read */                  \
    for (int i = 0; i < ROUNDS(RADIX, MIRROR); ++i)                         \
        if (HAS_BUTTERFLY(i, COUNT, MIRROR))                                \
            for (int k = 0; k < RADIX; ++k)                                 \
                WRITE(i, k) = v[i * RADIX + k] part;                        \
    sync_shared();                                                          \
    TAKE(part, at)
#if SPLIT
    // Real parts first, then imaginary parts, through the same floats. No copy is needed.
    MOVE(.x, 0)
    MOVE(.y, 1)
#else
    MOVE(.xy, 0)
#endif
#undef MOVE
#undef TAKE
#undef TO
#undef PLACE
#undef WRITE
#undef READ
#endif
}
#undef MIRROR
#else
void RUN(uint line, uint thread) {}
#endif
#undef RUN
#undef DFT
#undef STAGE
#undef RADIX
#undef NEXT
#undef AFTER
