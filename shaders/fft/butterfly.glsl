// fft/butterfly.glsl - DFTs of 2 to 7 values in registers, of which fft/dft.glsl makes larger ones
//   in, out   vec2: (real, imaginary). fft2 .. fft5 work on their arguments in place, fft7 on
//             v[e] .. v[e + 6], where the includer has declared vec2 v[].
//             out[k] = sum of in[n] exp(-2 pi i n k / radix), in natural order
//   inverse   swap real and imaginary parts before and after
//   cost      counted in instructions in engine_plugin/src/effects/fft/fft_line.c
//   source    3, 5, 7: sums and differences of mirrored pairs, after Winograd 1978
//   SPDX-License-Identifier: MIT
#pragma once

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
