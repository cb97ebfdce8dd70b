// wavelet/samples.glsl - samples of a level: their type, their number, and those beyond the image
//
//   host sets CHANNELS   1, 2 or 4: floats of a sample or coefficient
//   borders   periodization   ... d | a b c d | a ...      an odd number repeats its last sample
//             symmetric       ... b a | a b c d | d c ...  as PyWavelets names it: half a sample
//                                                          outside
//             reflect         ... c b | a b c d | c b ...  the border mirror of other effects
//             zero            ... 0 0 | a b c d | 0 0 ...
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef CHANNELS
#error "CHANNELS (1, 2 or 4) must be set by the host"
#endif
#include "wavelet/interface.h"

layout(location = AG_LOC_WAVELET_SIZE) uniform ivec4 u_size;
layout(location = AG_LOC_WAVELET_MODE) uniform ivec4 u_mode;

#if CHANNELS == 1
#define VALUE float
VALUE narrow(vec4 c) { return c.r; }

vec4 widen(VALUE c, float alpha) { return vec4(c, 0.0, 0.0, alpha); }
#elif CHANNELS == 2
#define VALUE vec2
VALUE narrow(vec4 c) { return c.rg; }

vec4 widen(VALUE c, float alpha) { return vec4(c, 0.0, alpha); }
#else
#define VALUE vec4
VALUE narrow(vec4 c) { return c; }

vec4 widen(VALUE c, float alpha) { return c; }
#endif

// i % n for n > 0 and any i: GLSL leaves % of negative numbers undefined.
int modulo(int i, int n)
{
    int negative = i >> 31; // -1: then i ^ negative = -1 - i
    return ((i ^ negative) % n ^ negative) + (n & negative);
}

// The index of the sample that stands for sample i of n; -1: it is 0.
int extended(int i, int n, int extend)
{
    if (extend == AG_EXTEND_PERIODIZATION)
        return min(modulo(i, n + (n & 1)), n - 1);
    if (extend == AG_EXTEND_ZERO)
        return i < 0 || i >= n ? -1 : i;
    int symmetric = int(extend == AG_EXTEND_SYMMETRIC);
    int period = max(2 * (n - 1 + symmetric), 1);
    int at = modulo(i, period);
    return at < n ? at : period - symmetric - at;
}
