// denoise/thresholds.glsl - thresholds of all bands, in shared memory
//
//   in        b_denoise    sigma and variances of the last counts
//   out       s_threshold  as removed_of takes it
//   host sets the defines of denoise/memory.glsl and denoise/shrink.glsl
//   includer  defines THREADS, and SCALED: 1 = of 2^level times the coefficients
//   source    Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(THREADS) || !defined(SCALED)
#error "THREADS and SCALED must be defined by the includer"
#endif
#include "denoise/memory.glsl"
#include "denoise/shrink.glsl"

shared float s_threshold[AG_DENOISE_ALL_BANDS];

// A sync must follow.
void make_thresholds()
{
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS)
        s_threshold[i] = limit_of(threshold_of(i),
            SCALED != 0 ? float(2 << i / AG_DENOISE_BANDS % AG_DENOISE_MAX_LEVELS) : 1.0);
}

vec3 thresholds_at(int level, int band) // of all components
{
    return vec3(s_threshold[band_at(0, level, band)], s_threshold[band_at(1, level, band)],
                s_threshold[band_at(2, level, band)]);
}

float threshold_at(int component, int level, int band)
{
    return s_threshold[band_at(component, level, band)];
}
