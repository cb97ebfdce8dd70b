// fft/stage.glsl - one Stockham stage in registers, and the exchange to the next, as a statement
//
//   set       RADIX, BEFORE (product of the former radices), NEXT (next radix, 1 after the last),
//             ROW (where this stage's twiddles begin), thread, line
//   source    powers 1, 2, 4, 8 from a table, the others at most three products away
//   SPDX-License-Identifier: MIT
{
    const int COUNT = N / RADIX; // butterflies of the line
    for (int i = 0; i < ROUNDS(RADIX); ++i) {
#define V(k) v[i * RADIX + (k)]
#if BEFORE > 1
        uint row = uint(ROW) + (thread + uint(i * THREADS)) % uint(BEFORE) * uint(TWIDDLES(RADIX));
        vec4 low = b_twiddle[row];
        vec2 w1 = low.xy, w2 = low.zw;
        V(1) = cmul(V(1), w1);
#if RADIX > 2
        V(2) = cmul(V(2), w2);
#endif
#if RADIX > 3
        vec2 w3 = cmul(w1, w2);
        V(3) = cmul(V(3), w3);
#endif
#if RADIX > 4
        vec4 high = b_twiddle[row + 1u];
        vec2 w4 = high.xy, w8 = high.zw;
        V(4) = cmul(V(4), w4);
#endif
#if RADIX > 5
        vec2 w5 = cmul(w1, w4);
        V(5) = cmul(V(5), w5);
#endif
#if RADIX > 6
        vec2 w6 = cmul(w2, w4);
        V(6) = cmul(V(6), w6);
#endif
#if RADIX > 7
        vec2 w7 = cmul(w3, w4);
        V(7) = cmul(V(7), w7);
#endif
#if RADIX > 8
        V(8) = cmul(V(8), w8);
#endif
#if RADIX > 9
        vec2 w9 = cmul(w1, w8);
        V(9) = cmul(V(9), w9);
#endif
#if RADIX > 10
        vec2 w10 = cmul(w2, w8);
        V(10) = cmul(V(10), w10);
#endif
#if RADIX > 11
        vec2 w11 = cmul(w3, w8);
        V(11) = cmul(V(11), w11);
#endif
#if RADIX > 12
        vec2 w12 = cmul(w4, w8);
        V(12) = cmul(V(12), w12);
#endif
#if RADIX > 13
        vec2 w13 = cmul(w5, w8);
        V(13) = cmul(V(13), w13);
#endif
#if RADIX > 14
        vec2 w14 = cmul(w6, w8);
        V(14) = cmul(V(14), w14);
#endif
#if RADIX > 15
        vec2 w15 = cmul(w7, w8);
        V(15) = cmul(V(15), w15);
#endif
#endif
#if RADIX == 16
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
    // Real parts first, then imaginary parts, through the same floats. The registers change their
    // layout one component at a time, so no copy is needed.
    sync_shared(); // the former exchange has been read
    for (int i = 0; i < ROUNDS(RADIX); ++i) {
        uint b = thread + uint(i * THREADS);
        uint to = b / uint(BEFORE) * uint((BEFORE) * RADIX) + b % uint(BEFORE);
        if (COUNT % THREADS == 0 || b < uint(COUNT))
            for (int k = 0; k < RADIX; ++k)
                s_exchange[shared_index(line, to + uint(k * (BEFORE)))] = v[i * RADIX + k].x;
    }
    sync_shared();
    for (int i = 0; i < ROUNDS(NEXT); ++i) {
        uint b = thread + uint(i * THREADS);
        if ((N / NEXT) % THREADS == 0 || b < uint(N / NEXT))
            for (int k = 0; k < NEXT; ++k)
                v[i * NEXT + k].x = s_exchange[shared_index(line, b + uint(k * (N / NEXT)))];
    }
    sync_shared();
    for (int i = 0; i < ROUNDS(RADIX); ++i) {
        uint b = thread + uint(i * THREADS);
        uint to = b / uint(BEFORE) * uint((BEFORE) * RADIX) + b % uint(BEFORE);
        if (COUNT % THREADS == 0 || b < uint(COUNT))
            for (int k = 0; k < RADIX; ++k)
                s_exchange[shared_index(line, to + uint(k * (BEFORE)))] = v[i * RADIX + k].y;
    }
    sync_shared();
    for (int i = 0; i < ROUNDS(NEXT); ++i) {
        uint b = thread + uint(i * THREADS);
        if ((N / NEXT) % THREADS == 0 || b < uint(N / NEXT))
            for (int k = 0; k < NEXT; ++k)
                v[i * NEXT + k].y = s_exchange[shared_index(line, b + uint(k * (N / NEXT)))];
    }
#endif
}
