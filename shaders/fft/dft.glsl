// fft/dft.glsl - the DFT of the RADIX elements v[e] .. of a butterfly, as a statement
//   set       RADIX     2 .. 10, 12, 15 or 16
//             TWIDDLED  1 = times w1^k; w1, w2 = w1^2 and, above radix 4, w4 and w8 are set
//             e         a constant once loops are unrolled: no variable can index a register
//   out       v[e + k] = sum of in[n] exp(-2 pi i n k / RADIX), in natural order
//   cost      see fft/butterfly.glsl. Twiddle factors of powers of two cost no extra instruction
//   source    Good 1958 for 6, 10, 12, 15; Cooley and Tukey 1965 for 8, 9, 16; Linzer and Feig 1993
//             for twiddled powers of two
//   SPDX-License-Identifier: MIT

// ---- 1. twiddle factors of radices with an odd factor: w^k of w, w^2, w^4, w^8, in three products

#if TWIDDLED && (RADIX % 3 == 0 || RADIX % 5 == 0 || RADIX == 7)
{
    vec2 w[16];
    w[1] = w1;
    w[2] = w2;
#if RADIX > 4
    w[4] = w4;
    w[8] = w8;
#endif
    for (int k = 1; k < RADIX; ++k) {
        if ((k & k - 1) > 0) // no power of two: k without its lowest bit, times that bit's power
            w[k] = cmul(w[k & k - 1], w[k & -k]);
        v[e + k] = cmul(v[e + k], w[k]);
    }
}
#endif

// ---- 2. twiddled powers of two: P(z) = sum of in[n] z^n at z = w exp(-2 pi i k / RADIX)
//
// P(z) = even(z z) + z odd(z z): each level computes a + t b and 2 a - (a + t b) of pairs, and has
// twice as many points as the level before. Of RADIX 8, with t beside each block:
//
//     distance 4   | 0   1   2   3   4   5   6   7 |   w4
//     distance 2   | 0   1   2   3 |   w2     | 4   5   6   7 |   -i w2
//     distance 1   | 0   1 | w  | 2   3 | -i w | 4   5 | w_8 | 6   7 | -i w_8
//
// Here w_8 = w exp(-2 pi i / 8). The values end in bit-reversed order; a loop reorders them.

#if TWIDDLED && (RADIX == 2 || RADIX == 4 || RADIX == 8 || RADIX == 16)
#define LEVEL(distance, w)                                                                        \
    {                                                                                             \
        vec2 t[4] = vec2[4](w, cmul(w, SIXTEENTHS[2]), cmul(w, SIXTEENTHS[1]),                    \
                            cmul(w, SIXTEENTHS[3]));                                              \
        for (int p = 0; p < RADIX / 2; ++p) {                                                     \
            int block = p / (distance), at = e + block * 2 * (distance) + p % (distance);         \
            if (block % 2 == 0)                                                                   \
                butterfly_twiddled(v[at], v[at + (distance)], t[block / 2]);                      \
            else                                                                                  \
                butterfly_twiddled(v[at], v[at + (distance)], times_minus_i(t[block / 2]));       \
        }                                                                                         \
    }
#if RADIX > 8
LEVEL(8, w8)
#endif
#if RADIX > 4
LEVEL(4, w4)
#endif
#if RADIX > 2
LEVEL(2, w2)
#endif
LEVEL(1, w1)
#undef LEVEL
for (int k = 0; k < RADIX; ++k) {
    int reversed = ((k & 1) * 8 + (k & 2) * 2 + (k & 4) / 2 + (k & 8) / 8) / (16 / RADIX);
    if (k < reversed) {
        vec2 other = v[e + reversed];
        v[e + reversed] = v[e + k];
        v[e + k] = other;
    }
}

// ---- 3. a radix of one factor

#elif RADIX == 2
fft2(v[e], v[e + 1]);
#elif RADIX == 3
fft3(v[e], v[e + 1], v[e + 2]);
#elif RADIX == 4
fft4(v[e], v[e + 1], v[e + 2], v[e + 3]);
#elif RADIX == 5
fft5(v[e], v[e + 1], v[e + 2], v[e + 3], v[e + 4]);
#elif RADIX == 7
fft7(e);
#else

// ---- 4. a radix of two factors: SECOND DFTs of FIRST elements, then FIRST DFTs of SECOND, in
// place
//
// Where the factors are coprime, element n = (a SECOND + b FIRST) mod RADIX stands at (a, b), and
// there are no twiddle factors (Good 1958). Else n = a SECOND + b, and element (a, b) is multiplied
// by exp(-2 pi i a b / RADIX) between the two. Of RADIX 6:
//
//              a = 0  1  2                          a = 0  1  2
//     b = 0    n = 0  2  4    DFT of each row     k =   0  4  2    of each column: out[k] stands at
//     b = 1    n = 3  5  1                              3  1  5    (k mod FIRST, k mod SECOND)

#if RADIX % 5 == 0
#define FIRST 5
#elif RADIX % 4 == 0
#define FIRST 4
#else
#define FIRST 3
#endif
#define SECOND (RADIX / FIRST)
#define AT(a, b) v[e + (COPRIME ? ((a) * SECOND + (b) * FIRST) % RADIX : (a) * SECOND + (b))]
{
    const bool COPRIME = RADIX == 6 || RADIX == 10 || RADIX == 12 || RADIX == 15;
    for (int b = 0; b < SECOND; ++b) // the rows
#if FIRST == 5
        fft5(AT(0, b), AT(1, b), AT(2, b), AT(3, b), AT(4, b));
#elif FIRST == 4
        fft4(AT(0, b), AT(1, b), AT(2, b), AT(3, b));
#else
        fft3(AT(0, b), AT(1, b), AT(2, b));
#endif
    if (!COPRIME) // the twiddle factors between, powers of exp(-2 pi i / RADIX)
        for (int p = 0; p < RADIX; ++p) {
            int power = p / SECOND * (p % SECOND);
            if (4 * power == RADIX)
                v[e + p] = times_minus_i(v[e + p]);
            else if (power > 0)
                v[e + p] = cmul(v[e + p], RADIX == 9 ? NINTHS[power % 5]
                                                     : SIXTEENTHS[power * 16 / RADIX % 10]);
        }
    for (int a = 0; a < FIRST; ++a) // the columns
#if RADIX == FIRST * 2
        fft2(AT(a, 0), AT(a, 1));
#elif RADIX == FIRST * 3
        fft3(AT(a, 0), AT(a, 1), AT(a, 2));
#else
        fft4(AT(a, 0), AT(a, 1), AT(a, 2), AT(a, 3));
#endif
    vec2 spectrum[RADIX]; // into natural order
    for (int k = 0; k < RADIX; ++k)
        spectrum[k] = AT(k % FIRST, COPRIME ? k % SECOND : k / FIRST);
    for (int k = 0; k < RADIX; ++k)
        v[e + k] = spectrum[k];
}
#undef FIRST
#undef SECOND
#undef AT
#endif
