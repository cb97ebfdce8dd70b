// fft/butterfly.glsl - complex DFTs of 2 to 16 values in registers, natural order in and out
//
//   in, out   v[e] .. v[e + radix - 1], where the includer has declared vec2 v[]: (real, imaginary) each;
//             out[k] = sum of in[n] exp(-2 pi i n k / radix). `e` becomes a constant once loops are unrolled
//   turned    fft4w .. fft16w take in[n] w^n instead of in[n], at no extra instruction but for w
//   inverse   swap real and imaginary parts before and after
//   cost      instructions as counted in engine_plugin/src/effects/fft/fft_line.c
//   source    Winograd-style 3, 5, 7; Cooley-Tukey 8, 9, 16; Good-Thomas 6, 10, 12, 15; the turned ones
//             from multiply-adds alone, after Linzer and Feig 1993
//   SPDX-License-Identifier: MIT
#ifndef AG_FFT_BUTTERFLY_GLSL
#define AG_FFT_BUTTERFLY_GLSL

vec2 cmul(vec2 a, vec2 b)
{
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

vec2 times_minus_i(vec2 a)
{
    return vec2(a.y, -a.x);
}

void swap(inout vec2 a, inout vec2 b)
{
    vec2 t = a;
    a = b;
    b = t;
}

void fft2(inout vec2 a, inout vec2 b)
{
    vec2 t = a - b;
    a += b;
    b = t;
}

void fft3(inout vec2 a, inout vec2 b, inout vec2 c)
{
    vec2 sum = b + c;
    vec2 turned = times_minus_i(b - c) * 0.866025403784; // sin(2 pi / 3)
    vec2 middle = a - 0.5 * sum;
    a += sum;
    b = middle + turned;
    c = middle - turned;
}

void fft4(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d)
{
    vec2 s0 = a + c, d0 = a - c;
    vec2 s1 = b + d, d1 = times_minus_i(b - d);
    a = s0 + s1;
    b = d0 + d1;
    c = s0 - s1;
    d = d0 - d1;
}

void fft5(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e)
{
    const float C1 = 0.309016994375, C2 = -0.809016994375; // cos(2 pi k / 5)
    const float S1 = 0.951056516295, S2 = 0.587785252292; // sin(2 pi k / 5)
    vec2 s1 = b + e, s2 = c + d;
    vec2 d1 = times_minus_i(b - e), d2 = times_minus_i(c - d);
    vec2 m1 = a + C1 * s1 + C2 * s2, m2 = a + C2 * s1 + C1 * s2;
    vec2 n1 = S1 * d1 + S2 * d2, n2 = S2 * d1 - S1 * d2;
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
    vec2 m1 = v[e] + C1 * s1 + C2 * s2 + C3 * s3;
    vec2 m2 = v[e] + C2 * s1 + C3 * s2 + C1 * s3;
    vec2 m3 = v[e] + C3 * s1 + C1 * s2 + C2 * s3;
    vec2 n1 = S1 * d1 + S2 * d2 + S3 * d3;
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

// 6 = 2 x 3, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft6(int e)
{
    fft3(v[e], v[e + 2], v[e + 4]);
    fft3(v[e + 3], v[e + 5], v[e + 1]);
    fft2(v[e], v[e + 3]);
    fft2(v[e + 2], v[e + 5]);
    fft2(v[e + 4], v[e + 1]);
    swap(v[e + 1], v[e + 5]);
    swap(v[e + 2], v[e + 4]);
}

// Two of four, the odd one turned by eighths.
void fft8(int e)
{
    const float R = 0.707106781187; // sqrt(1/2)
    fft4(v[e], v[e + 2], v[e + 4], v[e + 6]);
    fft4(v[e + 1], v[e + 3], v[e + 5], v[e + 7]);
    v[e + 3] = vec2(v[e + 3].x + v[e + 3].y, v[e + 3].y - v[e + 3].x) * R;
    v[e + 5] = times_minus_i(v[e + 5]);
    v[e + 7] = vec2(v[e + 7].y - v[e + 7].x, -v[e + 7].x - v[e + 7].y) * R;
    // in place: X[k], X[k + 4] = even[k] +- odd[k]
    vec2 b0 = v[e + 1], d0 = v[e + 3], f0 = v[e + 5], h0 = v[e + 7];
    vec2 c0 = v[e + 2], e0 = v[e + 4], g0 = v[e + 6];
    v[e + 1] = c0 + d0;
    v[e + 2] = e0 + f0;
    v[e + 3] = g0 + h0;
    v[e + 4] = v[e] - b0;
    v[e + 5] = c0 - d0;
    v[e + 6] = e0 - f0;
    v[e + 7] = g0 - h0;
    v[e] += b0;
}

// Three of three.
void fft9(int e)
{
    const vec2 W1 = vec2(0.766044443119, -0.642787609687); // exp(-2 pi i k / 9)
    const vec2 W2 = vec2(0.173648177667, -0.984807753012);
    const vec2 W4 = vec2(-0.939692620786, -0.342020143326);
    for (int k = 0; k < 3; ++k)
        fft3(v[e + k], v[e + k + 3], v[e + k + 6]);
    v[e + 4] = cmul(v[e + 4], W1);
    v[e + 7] = cmul(v[e + 7], W2);
    v[e + 5] = cmul(v[e + 5], W2);
    v[e + 8] = cmul(v[e + 8], W4);
    for (int k = 0; k < 9; k += 3)
        fft3(v[e + k], v[e + k + 1], v[e + k + 2]);
    swap(v[e + 1], v[e + 3]); // rows to columns
    swap(v[e + 2], v[e + 6]);
    swap(v[e + 5], v[e + 7]);
}

// 10 = 2 x 5, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft10(int e)
{
    vec2 t;
    fft5(v[e], v[e + 2], v[e + 4], v[e + 6], v[e + 8]);
    fft5(v[e + 5], v[e + 7], v[e + 9], v[e + 1], v[e + 3]);
    fft2(v[e], v[e + 5]);
    fft2(v[e + 2], v[e + 7]);
    fft2(v[e + 4], v[e + 9]);
    fft2(v[e + 6], v[e + 1]);
    fft2(v[e + 8], v[e + 3]);
    t = v[e + 1];
    v[e + 1] = v[e + 7]; v[e + 7] = v[e + 9]; v[e + 9] = v[e + 3]; v[e + 3] = t;
    t = v[e + 2];
    v[e + 2] = v[e + 4]; v[e + 4] = v[e + 8]; v[e + 8] = v[e + 6]; v[e + 6] = t;
}

// 12 = 3 x 4, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft12(int e)
{
    fft4(v[e], v[e + 3], v[e + 6], v[e + 9]);
    fft4(v[e + 4], v[e + 7], v[e + 10], v[e + 1]);
    fft4(v[e + 8], v[e + 11], v[e + 2], v[e + 5]);
    fft3(v[e], v[e + 4], v[e + 8]);
    fft3(v[e + 3], v[e + 7], v[e + 11]);
    fft3(v[e + 6], v[e + 10], v[e + 2]);
    fft3(v[e + 9], v[e + 1], v[e + 5]);
    swap(v[e + 1], v[e + 7]);
    swap(v[e + 3], v[e + 9]);
    swap(v[e + 5], v[e + 11]);
}

// 15 = 3 x 5, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft15(int e)
{
    vec2 t;
    fft5(v[e], v[e + 3], v[e + 6], v[e + 9], v[e + 12]);
    fft5(v[e + 5], v[e + 8], v[e + 11], v[e + 14], v[e + 2]);
    fft5(v[e + 10], v[e + 13], v[e + 1], v[e + 4], v[e + 7]);
    fft3(v[e], v[e + 5], v[e + 10]);
    fft3(v[e + 3], v[e + 8], v[e + 13]);
    fft3(v[e + 6], v[e + 11], v[e + 1]);
    fft3(v[e + 9], v[e + 14], v[e + 4]);
    fft3(v[e + 12], v[e + 2], v[e + 7]);
    t = v[e + 1];
    v[e + 1] = v[e + 8]; v[e + 8] = v[e + 4]; v[e + 4] = v[e + 2]; v[e + 2] = t;
    t = v[e + 3];
    v[e + 3] = v[e + 9]; v[e + 9] = v[e + 12]; v[e + 12] = v[e + 6]; v[e + 6] = t;
    swap(v[e + 5], v[e + 10]);
    t = v[e + 7];
    v[e + 7] = v[e + 11]; v[e + 11] = v[e + 13]; v[e + 13] = v[e + 14]; v[e + 14] = t;
}

// Four of four. The turns by eighths need no full product.
void fft16(int e)
{
    const float R = 0.707106781187;              // sqrt(1/2)
    const vec2 W1 = vec2(0.923879532511, -0.382683432365); // exp(-2 pi i k / 16)
    const vec2 W3 = vec2(0.382683432365, -0.923879532511);
    const vec2 W9 = vec2(-0.923879532511, 0.382683432365);
    for (int k = 0; k < 4; ++k)
        fft4(v[e + k], v[e + k + 4], v[e + k + 8], v[e + k + 12]);
    v[e + 5] = cmul(v[e + 5], W1);
    v[e + 9] = vec2(v[e + 9].x + v[e + 9].y, v[e + 9].y - v[e + 9].x) * R;
    v[e + 13] = cmul(v[e + 13], W3);
    v[e + 6] = vec2(v[e + 6].x + v[e + 6].y, v[e + 6].y - v[e + 6].x) * R;
    v[e + 10] = times_minus_i(v[e + 10]);
    v[e + 14] = vec2(v[e + 14].y - v[e + 14].x, -v[e + 14].x - v[e + 14].y) * R;
    v[e + 7] = cmul(v[e + 7], W3);
    v[e + 11] = vec2(v[e + 11].y - v[e + 11].x, -v[e + 11].x - v[e + 11].y) * R;
    v[e + 15] = cmul(v[e + 15], W9);
    for (int k = 0; k < 16; k += 4)
        fft4(v[e + k], v[e + k + 1], v[e + k + 2], v[e + k + 3]);
    swap(v[e + 1], v[e + 4]); // rows to columns
    swap(v[e + 2], v[e + 8]);
    swap(v[e + 3], v[e + 12]);
    swap(v[e + 6], v[e + 9]);
    swap(v[e + 7], v[e + 13]);
    swap(v[e + 11], v[e + 14]);
}

// ---- turned: the DFT of in[n] w^n, as the polynomial sum of in[n] z^n at the points z = w exp(-2 pi i k / radix)
//
// P(z) = even(z z) + z odd(z z): each level is a step a + t b, 2 a - (a + t b) on pairs. Six
// multiply-adds for two values and their twiddle, where a product and two sums would take ten.
// Level by level t runs through w^(radix/2), w^(radix/4) {1, -i}, ... w {1, -i} exp(-2 pi i m / radix).

void turn(inout vec2 a, inout vec2 b, vec2 t)
{
    vec2 sum = vec2(a.x + t.x * b.x - t.y * b.y, a.y + t.x * b.y + t.y * b.x);
    b = 2.0 * a - sum;
    a = sum;
}

// The same with -i t.
void turn_i(inout vec2 a, inout vec2 b, vec2 t)
{
    vec2 sum = vec2(a.x + t.y * b.x + t.x * b.y, a.y + t.y * b.y - t.x * b.x);
    b = 2.0 * a - sum;
    a = sum;
}

vec2 eighth(vec2 t) // t exp(-2 pi i / 8)
{
    return vec2(t.x + t.y, t.y - t.x) * 0.707106781187;
}

void fft4w(int e, vec2 w, vec2 w2)
{
    turn(v[e], v[e + 2], w2);
    turn(v[e + 1], v[e + 3], w2);
    turn(v[e], v[e + 1], w);
    turn_i(v[e + 2], v[e + 3], w);
    swap(v[e + 1], v[e + 2]); // bits reversed to natural order
}

void fft8w(int e, vec2 w, vec2 w2, vec2 w4)
{
    for (int k = 0; k < 4; ++k)
        turn(v[e + k], v[e + k + 4], w4);
    for (int k = 0; k < 2; ++k) {
        turn(v[e + k], v[e + k + 2], w2);
        turn_i(v[e + k + 4], v[e + k + 6], w2);
    }
    vec2 w_8 = eighth(w);
    turn(v[e], v[e + 1], w);
    turn_i(v[e + 2], v[e + 3], w);
    turn(v[e + 4], v[e + 5], w_8);
    turn_i(v[e + 6], v[e + 7], w_8);
    swap(v[e + 1], v[e + 4]);
    swap(v[e + 3], v[e + 6]);
}

void fft16w(int e, vec2 w, vec2 w2, vec2 w4, vec2 w8)
{
    for (int k = 0; k < 8; ++k)
        turn(v[e + k], v[e + k + 8], w8);
    for (int k = 0; k < 4; ++k) {
        turn(v[e + k], v[e + k + 4], w4);
        turn_i(v[e + k + 8], v[e + k + 12], w4);
    }
    vec2 w2_8 = eighth(w2);
    for (int k = 0; k < 2; ++k) {
        turn(v[e + k], v[e + k + 2], w2);
        turn_i(v[e + k + 4], v[e + k + 6], w2);
        turn(v[e + k + 8], v[e + k + 10], w2_8);
        turn_i(v[e + k + 12], v[e + k + 14], w2_8);
    }
    vec2 w_8 = eighth(w);
    vec2 w_16 = cmul(w, vec2(0.923879532511, -0.382683432365));  // exp(-2 pi i / 16)
    vec2 w3_16 = cmul(w, vec2(0.382683432365, -0.923879532511)); // exp(-2 pi i 3 / 16)
    turn(v[e], v[e + 1], w);
    turn_i(v[e + 2], v[e + 3], w);
    turn(v[e + 4], v[e + 5], w_8);
    turn_i(v[e + 6], v[e + 7], w_8);
    turn(v[e + 8], v[e + 9], w_16);
    turn_i(v[e + 10], v[e + 11], w_16);
    turn(v[e + 12], v[e + 13], w3_16);
    turn_i(v[e + 14], v[e + 15], w3_16);
    swap(v[e + 1], v[e + 8]);
    swap(v[e + 2], v[e + 4]);
    swap(v[e + 3], v[e + 12]);
    swap(v[e + 5], v[e + 10]);
    swap(v[e + 7], v[e + 14]);
    swap(v[e + 11], v[e + 13]);
}

#endif
