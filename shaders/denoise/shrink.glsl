// denoise/shrink.glsl - what a threshold removes of a coefficient
//
//   host sets THRESHOLD  AG_DENOISE_SHRINK_*
//             the defines of denoise/memory.glsl
//   why       the inverse transform is linear, so it may be applied to what is removed instead of
//             what is left. Then a texel of 60 000 leaves no rounding errors in its neighbours, and
//             nothing changes where nothing is removed
//   source    Donoho, Johnstone 1994 (soft, hard); Gao 1998 (garrote); Gao, Bruce 1997 (firm);
//             Sendur, Selesnick 2002 and Yuan, Lin 2006 (group)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef THRESHOLD
#error "THRESHOLD (AG_DENOISE_SHRINK_*) must be set by the host"
#endif
#include "denoise/memory.glsl"

#if THRESHOLD == AG_DENOISE_SHRINK_GROUP
// What a thread holds of a coefficient: one component, or all three for a joint threshold.
#define V vec3
#define TOGETHER 3

vec3 g_per_sigma = vec3(0.0); // 1 / sigma of each component, 0 where there is no noise

// Once in each thread, before removed_of.
void begin_removal()
{
    for (int c = 0; c < COMPONENTS; ++c)
        g_per_sigma[c] = sigma_of(c) > 0.0 ? 1.0 / sigma_of(c) : 0.0;
}

const int NEWTON_STEPS = 10; // mostly 1 to 3; 10 if axes differ by 1 : 1000
// No further step is taken once the sum is below this. It is the sum before the step, and the step
// squares its error.
const float ENOUGH = 1.0005;

// The nearest point to d, in units of sigma, of the ellipsoid with half axes t = a: d a^2 / (a^2 +
// x), with the x > 0 where sum (d a / (a^2 + x))^2 is 1, or x = 0 if that is less. The sum to the
// power of -1/2 is concave in x, so Newton's method comes from below.
// `precise`: compilers fuse some operations here and not there, and the last bits of a shifted
// image would differ.
vec3 removed_of(vec3 d, vec3 t)
{
    precise vec3 a = t * g_per_sigma, a2 = a * a;
    precise vec3 along = min(abs(d) * g_per_sigma, 1e18) * a, alone = along - a2;
    precise float together = length(along) - max(max(a2.x, a2.y), a2.z);
    precise float x = max(max(max(alone.x, alone.y), max(alone.z, together)), 0.0), sum = 2.0;
    for (int i = 0; i < NEWTON_STEPS && sum > ENOUGH; ++i) {
        precise vec3 inverse = 1.0 / max(a2 + x, 1e-30), ratio = along * inverse;
        precise vec3 square = ratio * ratio, slopes = square * inverse;
        sum = square.x + square.y + square.z;
        precise float slope = max(slopes.x + slopes.y + slopes.z, 1e-36);
        x = max(x + sum * (sqrt(sum) - 1.0) / slope, 0.0);
    }
    precise vec3 removed = d * (a2 / max(a2 + x, 1e-30));
    return removed;
}

float part_of(vec3 value, int c) { return value[c]; }
#else
#define V float
#define TOGETHER 1

void begin_removal() {}

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
