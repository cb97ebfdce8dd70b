// fft/dft.glsl - DFTs of few values in registers: each include defines one of them, as a function
//   includer defines  vec2 v[]  the registers, of (real, imaginary)
//                     RADIX     2 .. 10, 12, 15 or 16
//                     TWIDDLED  1 = the values are multiplied by the powers of a twiddle factor
//                     DFT       the name of the function
//   defines   void DFT(int e), or with TWIDDLED void DFT(int e, vec4 low, vec4 high):
//             v[e + k] = sum of v[e + n] w^n exp(-2 pi i n k / RADIX), in natural order. low is
//             (w, w^2), high is (w^4, w^8), which radices up to 4 do not read; w is 1 without them
//             e is a constant once loops are unrolled, because no variable can index a register
//   inverse   swap real and imaginary parts before and after
//   cost      counted in instructions in engine_plugin/src/effects/fft/fft_line.c. Twiddle factors
//             of powers of two cost no extra instruction
//   source    3, 5, 7: sums and differences of mirrored pairs, after Winograd 1978. Good 1958 for
//             6, 10, 12, 15; Cooley and Tukey 1965 for 8, 9, 16; Linzer and Feig 1993 for twiddled
//             powers of two
//   SPDX-License-Identifier: MIT
#if !defined(RADIX) || !defined(TWIDDLED) || !defined(DFT)
#error "RADIX, TWIDDLED (0, 1) and DFT (a name) must be defined by the includer"
#endif

// ---- DFTs of 2, 3, 4, 5 and 7 values, and products, once ----------------------------------------

#ifndef HAS_FFT2
#define HAS_FFT2
// exp(-2 pi i m / 16) and exp(-2 pi i m / 9), as far as butterflies need them
const vec2 SIXTEENTHS[10] = vec2[10](
    vec2(1.0, 0.0), vec2(0.923879532511, -0.382683432365), vec2(0.707106781187, -0.707106781187),
    vec2(0.382683432365, -0.923879532511), vec2(0.0, -1.0), vec2(-0.382683432365, -0.923879532511),
    vec2(-0.707106781187, -0.707106781187), vec2(-0.923879532511, -0.382683432365), vec2(-1.0, 0.0),
    vec2(-0.923879532511, 0.382683432365));
const vec2 NINTHS[5] = vec2[5](vec2(1.0, 0.0), vec2(0.766044443119, -0.642787609687),
                               vec2(0.173648177667, -0.984807753012), vec2(-0.5, -0.866025403784),
                               vec2(-0.939692620786, -0.342020143326));

vec2 cmul(vec2 a, vec2 b)
{
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

vec2 times_minus_i(vec2 a)
{
    return vec2(a.y, -a.x);
}

void fft2(inout vec2 a, inout vec2 b)
{
    vec2 t = a - b;
    a += b;
    b = t;
}

void fft3(inout vec2 a, inout vec2 b, inout vec2 c)
{
    vec2 sum = b + c;                                      // of the mirrored pair 1, 2
    vec2 twiddled = times_minus_i(b - c) * 0.866025403784; // sin(2 pi / 3)
    vec2 middle = a - 0.5 * sum;                           // cos(2 pi / 3) = -1/2
    a += sum;                                              // frequency 0
    b = middle + twiddled;                                 // 1 and 2 differ in the sine's sign
    c = middle - twiddled;
}

void fft4(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d)
{
    vec2 s0 = a + c, d0 = a - c;                // even elements: a DFT of two
    // odd elements, their difference twiddled by a quarter circle
    vec2 s1 = b + d, d1 = times_minus_i(b - d);
    a = s0 + s1;                                // frequency 0; 1, 2, 3 follow
    b = d0 + d1;
    c = s0 - s1;
    d = d0 - d1;
}

void fft5(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e)
{
    const float C1 = 0.309016994375, C2 = -0.809016994375; // cos(2 pi k / 5)
    const float S1 = 0.951056516295, S2 = 0.587785252292; // sin(2 pi k / 5)
    vec2 s1 = b + e, s2 = c + d; // sums and differences of mirrored pairs n, 5 - n
    vec2 d1 = times_minus_i(b - e), d2 = times_minus_i(c - d);
    vec2 m1 = a + C1 * s1 + C2 * s2, m2 = a + C2 * s1 + C1 * s2; // cosines: what k and 5 - k share
    vec2 n1 = S1 * d1 + S2 * d2, n2 = S2 * d1 - S1 * d2;         // sines: where they differ in sign
    a += s1 + s2;
    b = m1 + n1;
    c = m2 + n2;
    d = m2 - n2;
    e = m1 - n1;
}

void fft7(int e)
{
    const float C1 = 0.623489801859, C2 = -0.222520933956, C3 = -0.900968867902; // cos(2 pi k / 7)
    const float S1 = 0.781831482468, S2 = 0.974927912182, S3 = 0.433883739118;   // sin(2 pi k / 7)
    vec2 s1 = v[e + 1] + v[e + 6], s2 = v[e + 2] + v[e + 5], s3 = v[e + 3] + v[e + 4];
    vec2 d1 = times_minus_i(v[e + 1] - v[e + 6]), d2 = times_minus_i(v[e + 2] - v[e + 5]);
    vec2 d3 = times_minus_i(v[e + 3] - v[e + 4]);
    vec2 m1 = v[e] + C1 * s1 + C2 * s2 + C3 * s3; // cosines of k n, as in fft5
    vec2 m2 = v[e] + C2 * s1 + C3 * s2 + C1 * s3;
    vec2 m3 = v[e] + C3 * s1 + C1 * s2 + C2 * s3;
    vec2 n1 = S1 * d1 + S2 * d2 + S3 * d3; // sines
    vec2 n2 = S2 * d1 - S3 * d2 - S1 * d3;
    vec2 n3 = S3 * d1 - S1 * d2 + S2 * d3;
    v[e] += s1 + s2 + s3;
    v[e + 1] = m1 + n1;
    v[e + 2] = m2 + n2;
    v[e + 3] = m3 + n3;
    v[e + 4] = m3 - n3;
    v[e + 5] = m2 - n2;
    v[e + 6] = m1 - n1;
}

// a + t b and a - t b in six multiply-adds, as 2 a - (a + t b); a product and two sums would take
// ten instructions.
void butterfly_twiddled(inout vec2 a, inout vec2 b, vec2 t)
{
    vec2 sum = vec2(a.x + t.x * b.x - t.y * b.y, a.y + t.x * b.y + t.y * b.x);
    b = 2.0 * a - sum;
    a = sum;
}

// One level of a DFT of `radix` twiddled values, below: P(z) = even(z z) + z odd(z z).
void twiddled_level(int e, const int radix, const int distance, vec2 w)
{
    vec2 t[4] =
        vec2[4](w, cmul(w, SIXTEENTHS[2]), cmul(w, SIXTEENTHS[1]), cmul(w, SIXTEENTHS[3]));
    for (int p = 0; p < radix / 2; ++p) {
        int block = p / distance, at = e + block * 2 * distance + p % distance;
        if (block % 2 == 0)
            butterfly_twiddled(v[at], v[at + distance], t[block / 2]);
        else
            butterfly_twiddled(v[at], v[at + distance], times_minus_i(t[block / 2]));
    }
}
#endif

// ---- the DFT of RADIX values --------------------------------------------------------------------

#if TWIDDLED
void DFT(int e, vec4 low, vec4 high)
#else
void DFT(int e)
#endif
{
    // 1. Twiddle factors of radices with an odd factor: w^k of w, w^2, w^4, w^8, in three products.
#if TWIDDLED && (RADIX % 3 == 0 || RADIX % 5 == 0 || RADIX == 7)
    vec2 w[16];
    w[1] = low.xy;
    w[2] = low.zw;
#if RADIX > 4
    w[4] = high.xy;
    w[8] = high.zw;
#endif
    for (int k = 1; k < RADIX; ++k) {
        if ((k & k - 1) > 0) // no power of two: k without its lowest bit, times that bit's power
            w[k] = cmul(w[k & k - 1], w[k & -k]);
        v[e + k] = cmul(v[e + k], w[k]);
    }
#endif

    // 2. Twiddled powers of two: P(z) = sum of in[n] z^n at z = w exp(-2 pi i k / RADIX).
    //
    // P(z) = even(z z) + z odd(z z): each level computes a + t b and 2 a - (a + t b) of pairs, and
    // has twice as many points as the level before. Of RADIX 8, with t beside each block:
    //
    //     distance 4   | 0   1   2   3   4   5   6   7 |   w^4
    //     distance 2   | 0   1   2   3 |   w^2    | 4   5   6   7 |   -i w^2
    //     distance 1   | 0   1 | w  | 2   3 | -i w | 4   5 | w_8 | 6   7 | -i w_8
    //
    // Here w_8 = w exp(-2 pi i / 8). The values end in bit-reversed order; a loop reorders them.
#if TWIDDLED && (RADIX == 2 || RADIX == 4 || RADIX == 8 || RADIX == 16)
#if RADIX > 8
    twiddled_level(e, RADIX, 8, high.zw);
#endif
#if RADIX > 4
    twiddled_level(e, RADIX, 4, high.xy);
#endif
#if RADIX > 2
    twiddled_level(e, RADIX, 2, low.zw);
#endif
    twiddled_level(e, RADIX, 1, low.xy);
    for (int k = 0; k < RADIX; ++k) {
        int reversed = ((k & 1) * 8 + (k & 2) * 2 + (k & 4) / 2 + (k & 8) / 8) / (16 / RADIX);
        if (k < reversed) {
            vec2 other = v[e + reversed];
            v[e + reversed] = v[e + k];
            v[e + k] = other;
        }
    }

    // 3. A radix of one factor.
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

    // 4. A radix of two factors: SECOND DFTs of FIRST elements, then FIRST DFTs of SECOND, in
    // place.
    //
    // Where the factors are coprime, element n = (a SECOND + b FIRST) mod RADIX stands at (a, b),
    // and there are no twiddle factors (Good 1958). Else n = a SECOND + b, and element (a, b) is
    // multiplied by exp(-2 pi i a b / RADIX) between the two. Of RADIX 6:
    //
    //           a = 0  1  2                       a = 0  1  2
    //  b = 0    n = 0  2  4    DFT of each row    k = 0  4  2    of each column: out[k] stands at
    //  b = 1    n = 3  5  1                           3  1  5    (k mod FIRST, k mod SECOND)
#if RADIX % 5 == 0
#define FIRST 5
#elif RADIX % 4 == 0
#define FIRST 4
#else
#define FIRST 3
#endif
#define SECOND (RADIX / FIRST)
#define AT(a, b) v[e + (COPRIME ? ((a) * SECOND + (b) * FIRST) % RADIX : (a) * SECOND + (b))]
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
#undef FIRST
#undef SECOND
#undef AT
#endif
}
