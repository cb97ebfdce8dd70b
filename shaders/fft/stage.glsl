// fft/stage.glsl - one Stockham stage in registers, and the exchange to the next, as a statement
//
//   set       RADIX, BEFORE (product of the former radices), NEXT (next radix, 1 after the last),
//             ROW (where this stage's twiddles begin),
//             BLOCK, PAD (of the exchange: element j lies at j + j / BLOCK * PAD),
//             MIRROR, MIRROR_NEXT (how this stage and the next choose butterflies: fft/line.glsl),
//             thread, line
//   source    powers 1, 2, 4, 8 from a table, the others at most three products away
//   SPDX-License-Identifier: MIT
{
    const int COUNT = N / RADIX; // butterflies of the line
    for (int i = 0; i < ROUNDS(RADIX, MIRROR); ++i) {
#define V(k) v[i * RADIX + (k)]
#if BEFORE > 1
        uint row = uint(ROW) + BUTTERFLY(i, COUNT, MIRROR) % uint(BEFORE) * uint(TWIDDLES(RADIX));
        vec4 low = b_twiddle[row];
        vec2 w1 = low.xy, w2 = low.zw;
#if RADIX > 4
        vec4 high = b_twiddle[row + 1u];
        vec2 w4 = high.xy, w8 = high.zw;
#endif
#if RADIX == 16
        fft16w(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), V(11), V(12),
               V(13), V(14), V(15), w1, w2, w4, w8);
#elif RADIX == 8
        fft8w(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), w1, w2, w4);
#elif RADIX == 4
        fft4w(V(0), V(1), V(2), V(3), w1, w2);
#elif RADIX == 2
        fft2w(V(0), V(1), w1);
#else
        V(1) = cmul(V(1), w1);
        V(2) = cmul(V(2), w2);
#if RADIX > 3
        vec2 w3 = cmul(w1, w2);
        V(3) = cmul(V(3), w3);
        V(4) = cmul(V(4), w4);
#endif
#if RADIX > 5
        V(5) = cmul(V(5), cmul(w1, w4));
#endif
#if RADIX > 6
        V(6) = cmul(V(6), cmul(w2, w4));
#endif
#if RADIX > 7
        V(7) = cmul(V(7), cmul(w3, w4));
        V(8) = cmul(V(8), w8);
#endif
#if RADIX > 9
        V(9) = cmul(V(9), cmul(w1, w8));
#endif
#if RADIX > 10
        V(10) = cmul(V(10), cmul(w2, w8));
        V(11) = cmul(V(11), cmul(w3, w8));
#endif
#if RADIX > 12
        V(12) = cmul(V(12), cmul(w4, w8));
        V(13) = cmul(V(13), cmul(cmul(w1, w4), w8));
        V(14) = cmul(V(14), cmul(cmul(w2, w4), w8));
#endif
#endif
#endif
#if BEFORE > 1 && (RADIX == 16 || RADIX == 8 || RADIX == 4 || RADIX == 2)
        // turned above
#elif RADIX == 16
        fft16(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), V(11), V(12),
              V(13), V(14), V(15));
#elif RADIX == 15
        fft15(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), V(11), V(12),
              V(13), V(14));
#elif RADIX == 12
        fft12(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), V(11));
#elif RADIX == 10
        fft10(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9));
#elif RADIX == 9
        fft9(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8));
#elif RADIX == 8
        fft8(V(0), V(1), V(2), V(3), V(4), V(5), V(6), V(7));
#elif RADIX == 7
        fft7(V(0), V(1), V(2), V(3), V(4), V(5), V(6));
#elif RADIX == 6
        fft6(V(0), V(1), V(2), V(3), V(4), V(5));
#elif RADIX == 5
        fft5(V(0), V(1), V(2), V(3), V(4));
#elif RADIX == 4
        fft4(V(0), V(1), V(2), V(3));
#elif RADIX == 3
        fft3(V(0), V(1), V(2));
#elif RADIX == 2
        fft2(V(0), V(1));
#else
#error "RADIX must be one of 2..10, 12, 15, 16"
#endif
#undef V
    }
#if NEXT > 1
    // Butterfly b of this stage writes the places to + k BEFORE; butterfly b of the next reads
    // b + k N / NEXT. Of both only the first depends on the thread: the rest are constants, which
    // cost no instruction (docs/rejected.md). BLOCK is a multiple of BEFORE that divides N / NEXT.
    const int STEP = N / (NEXT);
#define TO(i) (BUTTERFLY(i, COUNT, MIRROR) / uint(BEFORE) * uint((BEFORE) * RADIX) + \
               BUTTERFLY(i, COUNT, MIRROR) % uint(BEFORE))
#define PLACE(j) (line * uint(STRIDE) + (j) + (j) / uint(BLOCK) * uint(PAD))
#define WRITE(i, k) s_exchange[PLACE(TO(i)) + uint((k) * (BEFORE) + (k) * (BEFORE) / (BLOCK) * (PAD))]
#define READ(i, k) s_exchange[PLACE(BUTTERFLY(i, STEP, MIRROR_NEXT)) + \
                              uint((k) * (STEP + STEP / (BLOCK) * (PAD)))]
#if SPLIT
    // Real parts first, then imaginary parts, through the same floats. The registers change their
    // layout one component at a time, so no copy is needed.
    sync_shared(); // the former exchange has been read
    for (int i = 0; i < ROUNDS(RADIX, MIRROR); ++i)
        if (HOLDS(i, COUNT, MIRROR))
            for (int k = 0; k < RADIX; ++k)
                WRITE(i, k) = v[i * RADIX + k].x;
    sync_shared();
    for (int i = 0; i < ROUNDS(NEXT, MIRROR_NEXT); ++i)
        if (HOLDS(i, STEP, MIRROR_NEXT))
            for (int k = 0; k < NEXT; ++k)
                v[i * NEXT + k].x = READ(i, k);
    sync_shared();
    for (int i = 0; i < ROUNDS(RADIX, MIRROR); ++i)
        if (HOLDS(i, COUNT, MIRROR))
            for (int k = 0; k < RADIX; ++k)
                WRITE(i, k) = v[i * RADIX + k].y;
    sync_shared();
    for (int i = 0; i < ROUNDS(NEXT, MIRROR_NEXT); ++i)
        if (HOLDS(i, STEP, MIRROR_NEXT))
            for (int k = 0; k < NEXT; ++k)
                v[i * NEXT + k].y = READ(i, k);
#else
    sync_shared(); // the former exchange has been read
    for (int i = 0; i < ROUNDS(RADIX, MIRROR); ++i)
        if (HOLDS(i, COUNT, MIRROR))
            for (int k = 0; k < RADIX; ++k)
                WRITE(i, k) = v[i * RADIX + k];
    sync_shared();
    for (int i = 0; i < ROUNDS(NEXT, MIRROR_NEXT); ++i)
        if (HOLDS(i, STEP, MIRROR_NEXT))
            for (int k = 0; k < NEXT; ++k)
                v[i * NEXT + k] = READ(i, k);
#endif
#undef TO
#undef PLACE
#undef WRITE
#undef READ
#endif
}
