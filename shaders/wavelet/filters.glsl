// wavelet/filters.glsl - the filters of a wavelet, as analysis and synthesis use them
//
//   host sets FILTER   AG_FILTER_*
//             TAPS     with AG_FILTER_CUSTOM only: taps of each filter, an even number
//   in        b_taps   with AG_FILTER_CUSTOM (wavelet/taps.comp)
//   out       analysis_tap(m)   weights of sample `first + m` in the low and the high coefficient
//             synthesis_tap(k)  weights of the low and the high coefficient in a texel
//   numbers   those of PyWavelets 1.1.1, whose bior2.2 is cdf53 and whose bior4.4 is cdf97. The
//             number of taps is even, so some are 0. A constant index makes them immediate operands
//   filters   h and r are the low filters of analysis and synthesis, g and s the high ones:
//             g[k] = -(-1)^k r[k], s[k] = (-1)^k h[k] (Cohen, Daubechies, Feauveau 1992). Analysis
//             convolves: c[o] = sum of h[k] x[2 o + b - k], so sample first + m meets
//             h[TAPS - 1 - m]
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/interface.h"
#ifndef FILTER
#error "FILTER (AG_FILTER_*) must be set by the host"
#endif

#if FILTER == AG_FILTER_CUSTOM
#ifndef TAPS
#error "TAPS must be set by the host"
#endif
layout(std430, binding = AG_SSBO_WAVELET_TAPS) readonly buffer Taps { vec2 b_taps[]; };

vec2 analysis_tap(int m) { return b_taps[m]; }

vec2 synthesis_tap(int k) { return b_taps[TAPS + k]; }
#else

#if FILTER == AG_FILTER_HAAR
#define TAPS 2
const float H[TAPS] = float[](0.7071067811865476, 0.7071067811865476);
#elif FILTER == AG_FILTER_DB2
#define TAPS 4
const float H[TAPS] = float[](-0.12940952255126037, 0.2241438680420134, 0.8365163037378079,
    0.48296291314453416);
#elif FILTER == AG_FILTER_DB4
#define TAPS 8
const float H[TAPS] = float[](-0.010597401785069032, 0.0328830116668852, 0.030841381835560764,
    -0.18703481171909309, -0.027983769416859854, 0.6308807679298589, 0.7148465705529157,
    0.2303778133088965);
#elif FILTER == AG_FILTER_SYM4
#define TAPS 8
const float H[TAPS] = float[](-0.07576571478927333, -0.02963552764599851, 0.49761866763201545,
    0.8037387518059161, 0.29785779560527736, -0.09921954357684722, -0.012603967262037833,
    0.0322231006040427);
#elif FILTER == AG_FILTER_COIF1
#define TAPS 6
const float H[TAPS] = float[](-0.015655728135791993, -0.07273261951252645, 0.3848648468648578,
    0.8525720202116004, 0.3378976624574818, -0.07273261951252645);
#elif FILTER == AG_FILTER_CDF53
#define TAPS 6
const float H[TAPS] = float[](0.0, -0.1767766952966369, 0.3535533905932738, 1.0606601717798212,
    0.3535533905932738, -0.1767766952966369);
const float R[TAPS] = float[](0.0, 0.3535533905932738, 0.7071067811865476, 0.3535533905932738, 0.0,
    0.0);
#elif FILTER == AG_FILTER_CDF97
#define TAPS 10
const float H[TAPS] = float[](0.0, 0.03782845550726404, -0.023849465019556843,
    -0.11062440441843718, 0.37740285561283066, 0.8526986790088938, 0.37740285561283066,
    -0.11062440441843718, -0.023849465019556843, 0.03782845550726404);
const float R[TAPS] = float[](0.0, -0.06453888262869706, -0.04068941760916406, 0.41809227322161724,
    0.7884856164055829, 0.41809227322161724, -0.04068941760916406, -0.06453888262869706, 0.0, 0.0);
#else
#error "FILTER must be an AG_FILTER_* of wavelet/interface.h"
#endif

// Of an orthogonal wavelet the low filter of synthesis is that of analysis, reversed.
float r_tap(int k)
{
#if FILTER == AG_FILTER_CDF53 || FILTER == AG_FILTER_CDF97
    return R[k];
#else
    return H[TAPS - 1 - k];
#endif
}

float sign_of(int k) { return 1.0 - 2.0 * float(k & 1); }

vec2 analysis_tap(int m)
{
    int k = TAPS - 1 - m;
    return vec2(H[k], -sign_of(k) * r_tap(k));
}

vec2 synthesis_tap(int k) { return vec2(r_tap(k), sign_of(k) * H[k]); }
#endif

const int TILE_WIDTH = AG_WAVELET_TILE_WIDTH(TAPS);

// b of analysis: coefficient o's last sample is 2 o + b.
int phase_of(int extend) { return extend == AG_EXTEND_PERIODIZATION ? TAPS / 2 : 1; }

// Of synthesis, where texel t = 2 m + shift + p of a pair p = 0, 1 takes coefficients
// m + last - j with taps 2 j + p, j = 0 .. TAPS / 2 - 1.
int shift_of(int extend) { return -((TAPS - 1 - phase_of(extend)) & 1); }

int last_of(int extend) { return (TAPS - 1 - phase_of(extend)) / 2; }
