// denoise/shrink.glsl - what a threshold removes of a coefficient
//
//   host sets THRESHOLD  AG_DENOISE_SHRINK_*
//   why       the inverse transform is linear, so it may be applied to what is removed instead of
//             what is left. Then a texel of 60 000 leaves no rounding errors in its neighbours, and
//             nothing changes where nothing is removed
//   source    Donoho, Johnstone 1994 (soft, hard); Gao 1998 (garrote); Gao, Bruce 1997 (firm);
//             Cai, Silverman 2001 and Yuan, Lin 2006 (group)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef THRESHOLD
#error "THRESHOLD (AG_DENOISE_SHRINK_*) must be set by the host"
#endif
#include "denoise/interface.h"

#if THRESHOLD == AG_DENOISE_SHRINK_GROUP
// What a thread holds of a coefficient: one component, or all three for a joint threshold.
#define V vec3
#define TOGETHER 3

// Soft on the length of the vector of all components. The product is not to be joined with sums
// that follow, because compilers do that here and not there: a shifted image would have other last
// bits.
vec3 removed_of(vec3 d, vec3 t)
{
    precise vec3 r = d * sqrt(min(dot(t, t) / max(dot(d, d), 1e-36), 1.0));
    return r;
}

float part_of(vec3 value, int c) { return value[c]; }
#else
#define V float
#define TOGETHER 1

//    removed(d)   soft          hard            garrote          firm
//         T -         ____         /|             /\               /\
//                    /            / |            /  `-._          /  \    .
//         0 -     __/          __/  |____     __/       `--    __/    \___    .
//                   0  T         0  T           0 T              0 T  2T   of d    .
float removed_of(float d, float t)
{
    if (THRESHOLD == AG_DENOISE_SHRINK_HARD)
        return abs(d) <= t ? d : 0.0;
    if (THRESHOLD == AG_DENOISE_SHRINK_GARROTE) {
        precise float r = abs(d) <= t ? d : t * (t / d); // as in group
        return r;
    }
    if (THRESHOLD == AG_DENOISE_SHRINK_FIRM)
        t = max(min(t, 2.0 * t - abs(d)), 0.0);
    return clamp(d, -t, t);
}

vec3 removed_of(vec3 d, vec3 t)
{
    return vec3(removed_of(d.x, t.x), removed_of(d.y, t.y), removed_of(d.z, t.z));
}

float part_of(float value, int c) { return value; }
#endif
