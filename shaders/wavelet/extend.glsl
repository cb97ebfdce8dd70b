// wavelet/extend.glsl - which sample stands for one outside of the image
//
//   periodization   ... d | a b c d | a ...      an odd number of samples repeats its last one
//   symmetric       ... b a | a b c d | d c ...  as PyWavelets names it: half a sample outside
//   reflect         ... c b | a b c d | c b ...  the border mirror of other effects
//   zero            ... 0 0 | a b c d | 0 0 ...
//   SPDX-License-Identifier: MIT
#pragma once
#include "wavelet/interface.h"

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
