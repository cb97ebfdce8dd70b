// denoise/thresholds.glsl - thresholds of all bands, in shared memory
//
//   host sets the defines of denoise/memory.glsl and denoise/shrink.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/memory.glsl"
#include "denoise/shrink.glsl"

shared float s_threshold[AG_DENOISE_ALL_BANDS];

vec3 thresholds_at(int level, int band) // of all components
{
    return vec3(s_threshold[band_at(0, level, band)], s_threshold[band_at(1, level, band)],
                s_threshold[band_at(2, level, band)]);
}

V threshold_at(int component, int level, int band)
{
#if TOGETHER == 1
    return s_threshold[band_at(component, level, band)];
#else
    return thresholds_at(level, band);
#endif
}
