// denoise/shrink.glsl - what a threshold removes of a coefficient
//
//   host sets THRESHOLD  AG_DENOISE_SHRINK_*
//             the defines of denoise/memory.glsl
//   why       the inverse transform is linear, so it may be applied to what is removed instead of
//             what is left. Then a texel of 60 000 leaves no rounding errors in its neighbours, and
//             nothing changes where nothing is removed
//   source    Donoho, Johnstone 1994 (soft, hard); Gao 1998 (garrote); Gao, Bruce 1997 (firm)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef THRESHOLD
#error "THRESHOLD (AG_DENOISE_SHRINK_*) must be set by the host"
#endif
#include "denoise/memory.glsl"

//    removed(d)   soft          hard            garrote          firm
//         T -         ____         /|             /\               /\
//                    /            / |            /  `-._          /  \    .
//         0 -     __/          __/  |____     __/       `--    __/    \___    .
//                   0  T         0  T           0 T              0 T  2T   of d    .
//
// `t` is what limit_of makes of T. Firm takes two operations.
float removed_of(float d, float t)
{
    if (THRESHOLD == AG_DENOISE_SHRINK_HARD)
        return abs(d) <= t ? d : 0.0;
    if (THRESHOLD == AG_DENOISE_SHRINK_GARROTE) {
        // `precise`: compilers fuse some operations here and not there, and the last bits of a
        // shifted image would differ.
        precise float r = abs(d) <= t ? d : t * (t / d);
        return r;
    }
    if (THRESHOLD == AG_DENOISE_SHRINK_FIRM) {
        precise float share = clamp(fma(abs(d), t, 2.0), 0.0, 1.0), r = d * share;
        return r;
    }
    return clamp(d, -t, t);
}

// Of the threshold T of coefficients that are `scale` times as large.
float limit_of(float t, float scale)
{
    return THRESHOLD == AG_DENOISE_SHRINK_FIRM ? -1.0 / max(t * scale, 1e-37) : t * scale;
}

// Such limits of `factor` times the thresholds.
vec3 scaled_limits(vec3 t, float factor)
{
    return t * (THRESHOLD == AG_DENOISE_SHRINK_FIRM ? 1.0 / factor : factor);
}

vec3 removed_of(vec3 d, vec3 t)
{
    return vec3(removed_of(d.x, t.x), removed_of(d.y, t.y), removed_of(d.z, t.z));
}
