// fft/butterfly.glsl - complex DFTs of 2 to 16 values in registers, natural order in and out
//
//   in, out   vec2 = (real, imaginary); out[k] = sum of in[n] exp(-2 pi i n k / radix)
//   turned    fft2w .. fft16w take in[n] w^n instead of in[n], at no extra instruction but for w
//   inverse   swap real and imaginary parts before and after
//   cost      instructions as counted in engine_plugin/src/effects/fft/fft_plan.c
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

void fft7(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
          inout vec2 g)
{
    const float C1 = 0.623489801859, C2 = -0.222520933956, C3 = -0.900968867902; // cos(2 pi k / 7)
    const float S1 = 0.781831482468, S2 = 0.974927912182, S3 = 0.433883739118;   // sin(2 pi k / 7)
    vec2 s1 = b + g, s2 = c + f, s3 = d + e;
    vec2 d1 = times_minus_i(b - g), d2 = times_minus_i(c - f), d3 = times_minus_i(d - e);
    vec2 m1 = a + C1 * s1 + C2 * s2 + C3 * s3;
    vec2 m2 = a + C2 * s1 + C3 * s2 + C1 * s3;
    vec2 m3 = a + C3 * s1 + C1 * s2 + C2 * s3;
    vec2 n1 = S1 * d1 + S2 * d2 + S3 * d3;
    vec2 n2 = S2 * d1 - S3 * d2 - S1 * d3;
    vec2 n3 = S3 * d1 - S1 * d2 + S2 * d3;
    a += s1 + s2 + s3;
    b = m1 + n1;
    c = m2 + n2;
    d = m3 + n3;
    e = m3 - n3;
    f = m2 - n2;
    g = m1 - n1;
}

// 6 = 2 x 3, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft6(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f)
{
    fft3(a, c, e);
    fft3(d, f, b);
    fft2(a, d);
    fft2(c, f);
    fft2(e, b);
    swap(b, f);
    swap(c, e);
}

// Two of four, the odd one turned by eighths.
void fft8(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
          inout vec2 g, inout vec2 h)
{
    const float R = 0.707106781187; // sqrt(1/2)
    fft4(a, c, e, g);
    fft4(b, d, f, h);
    d = vec2(d.x + d.y, d.y - d.x) * R;
    f = times_minus_i(f);
    h = vec2(h.y - h.x, -h.x - h.y) * R;
    vec2 b0 = b, d0 = d, f0 = f, h0 = h; // in place: X[k], X[k + 4] = even[k] +- odd[k]
    vec2 c0 = c, e0 = e, g0 = g;
    b = c0 + d0;
    c = e0 + f0;
    d = g0 + h0;
    e = a - b0;
    f = c0 - d0;
    g = e0 - f0;
    h = g0 - h0;
    a += b0;
}

// Three of three.
void fft9(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
          inout vec2 g, inout vec2 h, inout vec2 i)
{
    const vec2 W1 = vec2(0.766044443119, -0.642787609687); // exp(-2 pi i k / 9)
    const vec2 W2 = vec2(0.173648177667, -0.984807753012);
    const vec2 W4 = vec2(-0.939692620786, -0.342020143326);
    fft3(a, d, g);
    fft3(b, e, h);
    fft3(c, f, i);
    e = cmul(e, W1);
    h = cmul(h, W2);
    f = cmul(f, W2);
    i = cmul(i, W4);
    fft3(a, b, c);
    fft3(d, e, f);
    fft3(g, h, i);
    swap(b, d); // rows to columns
    swap(c, g);
    swap(f, h);
}

// 10 = 2 x 5, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft10(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
           inout vec2 g, inout vec2 h, inout vec2 i, inout vec2 j)
{
    vec2 t;
    fft5(a, c, e, g, i);
    fft5(f, h, j, b, d);
    fft2(a, f);
    fft2(c, h);
    fft2(e, j);
    fft2(g, b);
    fft2(i, d);
    t = b;
    b = h; h = j; j = d; d = t;
    t = c;
    c = e; e = i; i = g; g = t;
}

// 12 = 3 x 4, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft12(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
           inout vec2 g, inout vec2 h, inout vec2 i, inout vec2 j, inout vec2 k, inout vec2 l)
{
    fft4(a, d, g, j);
    fft4(e, h, k, b);
    fft4(i, l, c, f);
    fft3(a, e, i);
    fft3(d, h, l);
    fft3(g, k, c);
    fft3(j, b, f);
    swap(b, h);
    swap(d, j);
    swap(f, l);
}

// 15 = 3 x 5, coprime: no twiddles between (Good 1958), only a permutation at the end.
void fft15(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
           inout vec2 g, inout vec2 h, inout vec2 i, inout vec2 j, inout vec2 k, inout vec2 l,
           inout vec2 m, inout vec2 n, inout vec2 o)
{
    vec2 t;
    fft5(a, d, g, j, m);
    fft5(f, i, l, o, c);
    fft5(k, n, b, e, h);
    fft3(a, f, k);
    fft3(d, i, n);
    fft3(g, l, b);
    fft3(j, o, e);
    fft3(m, c, h);
    t = b;
    b = i; i = e; e = c; c = t;
    t = d;
    d = j; j = m; m = g; g = t;
    swap(f, k);
    t = h;
    h = l; l = n; n = o; o = t;
}

// Four of four. The turns by eighths need no full product.
void fft16(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
           inout vec2 g, inout vec2 h, inout vec2 i, inout vec2 j, inout vec2 k, inout vec2 l,
           inout vec2 m, inout vec2 n, inout vec2 o, inout vec2 p)
{
    const float R = 0.707106781187;              // sqrt(1/2)
    const vec2 W1 = vec2(0.923879532511, -0.382683432365); // exp(-2 pi i k / 16)
    const vec2 W3 = vec2(0.382683432365, -0.923879532511);
    const vec2 W9 = vec2(-0.923879532511, 0.382683432365);
    fft4(a, e, i, m);
    fft4(b, f, j, n);
    fft4(c, g, k, o);
    fft4(d, h, l, p);
    f = cmul(f, W1);
    j = vec2(j.x + j.y, j.y - j.x) * R;
    n = cmul(n, W3);
    g = vec2(g.x + g.y, g.y - g.x) * R;
    k = times_minus_i(k);
    o = vec2(o.y - o.x, -o.x - o.y) * R;
    h = cmul(h, W3);
    l = vec2(l.y - l.x, -l.x - l.y) * R;
    p = cmul(p, W9);
    fft4(a, b, c, d);
    fft4(e, f, g, h);
    fft4(i, j, k, l);
    fft4(m, n, o, p);
    swap(b, e); // rows to columns
    swap(c, i);
    swap(d, m);
    swap(g, j);
    swap(h, n);
    swap(l, o);
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

void fft2w(inout vec2 a, inout vec2 b, vec2 w)
{
    turn(a, b, w);
}

void fft4w(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, vec2 w, vec2 w2)
{
    turn(a, c, w2);
    turn(b, d, w2);
    turn(a, b, w);
    turn_i(c, d, w);
    swap(b, c); // bits reversed to natural order
}

void fft8w(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
           inout vec2 g, inout vec2 h, vec2 w, vec2 w2, vec2 w4)
{
    turn(a, e, w4);
    turn(b, f, w4);
    turn(c, g, w4);
    turn(d, h, w4);
    turn(a, c, w2);
    turn(b, d, w2);
    turn_i(e, g, w2);
    turn_i(f, h, w2);
    vec2 w_8 = eighth(w);
    turn(a, b, w);
    turn_i(c, d, w);
    turn(e, f, w_8);
    turn_i(g, h, w_8);
    swap(b, e);
    swap(d, g);
}

void fft16w(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
            inout vec2 g, inout vec2 h, inout vec2 i, inout vec2 j, inout vec2 k, inout vec2 l,
            inout vec2 m, inout vec2 n, inout vec2 o, inout vec2 p, vec2 w, vec2 w2, vec2 w4, vec2 w8)
{
    turn(a, i, w8);
    turn(b, j, w8);
    turn(c, k, w8);
    turn(d, l, w8);
    turn(e, m, w8);
    turn(f, n, w8);
    turn(g, o, w8);
    turn(h, p, w8);
    turn(a, e, w4);
    turn(b, f, w4);
    turn(c, g, w4);
    turn(d, h, w4);
    turn_i(i, m, w4);
    turn_i(j, n, w4);
    turn_i(k, o, w4);
    turn_i(l, p, w4);
    vec2 w2_8 = eighth(w2);
    turn(a, c, w2);
    turn(b, d, w2);
    turn_i(e, g, w2);
    turn_i(f, h, w2);
    turn(i, k, w2_8);
    turn(j, l, w2_8);
    turn_i(m, o, w2_8);
    turn_i(n, p, w2_8);
    vec2 w_8 = eighth(w);
    vec2 w_16 = cmul(w, vec2(0.923879532511, -0.382683432365));  // exp(-2 pi i / 16)
    vec2 w3_16 = cmul(w, vec2(0.382683432365, -0.923879532511)); // exp(-2 pi i 3 / 16)
    turn(a, b, w);
    turn_i(c, d, w);
    turn(e, f, w_8);
    turn_i(g, h, w_8);
    turn(i, j, w_16);
    turn_i(k, l, w_16);
    turn(m, n, w3_16);
    turn_i(o, p, w3_16);
    swap(b, i);
    swap(c, e);
    swap(d, m);
    swap(f, k);
    swap(h, o);
    swap(l, n);
}

#endif
