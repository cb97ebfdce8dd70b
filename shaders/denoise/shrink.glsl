// denoise/shrink.glsl - what a threshold removes of a coefficient
//
//   host sets THRESHOLD  AG_DENOISE_SHRINK_*
//   why       the inverse transform is linear, so it may be applied to what is removed instead of
//             what is left. Then a texel of 60 000 leaves no rounding errors in its neighbours, and
//             nothing changes where nothing is removed
//   source    Donoho, Johnstone 1994 (soft, hard); Gao 1998 (garrote); Gao, Bruce 1997 (firm);
//             Cai, Silverman 2001 and Yuan, Lin 2006 (group)
//   SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_SHRINK_GLSL
#define AG_DENOISE_SHRINK_GLSL
#ifndef THRESHOLD
#error "THRESHOLD (AG_DENOISE_SHRINK_*) must be set by the host"
#endif
#include "denoise/interface.h"

// V: what a thread holds of a coefficient: one component, or all three for a joint threshold.
#if THRESHOLD == AG_DENOISE_SHRINK_GROUP
#define V vec3
#define TOGETHER 3
#else
#define V float
#define TOGETHER 1
#endif

//    removed(d)   soft          hard            garrote          firm
//         T -         ____         /|             /\               /\
//                    /            / |            /  `-._          /  \    .
//         0 -     __/          __/  |____     __/       `--    __/    \___    .
//                   0  T         0  T           0 T              0 T  2T   of d    .
V removed_of(V d, V t)
{
#if THRESHOLD == AG_DENOISE_SHRINK_SOFT
    return clamp(d, -t, t);
#elif THRESHOLD == AG_DENOISE_SHRINK_HARD
    return abs(d) <= t ? d : 0.0;
#elif THRESHOLD == AG_DENOISE_SHRINK_GARROTE
    precise float r = abs(d) <= t ? d : t * (t / d); // see group
    return r;
#elif THRESHOLD == AG_DENOISE_SHRINK_FIRM
    return sign(d) * max(min(abs(d), 2.0 * t - abs(d)), 0.0);
#else
    // Soft on the length of the vector of all components. The product is not to be joined with
    // sums that follow, because compilers do that here and not there: a shifted image would have
    // other last bits.
    precise V r = d * sqrt(min(dot(t, t) / max(dot(d, d), 1e-36), 1.0));
    return r;
#endif
}
#endif
