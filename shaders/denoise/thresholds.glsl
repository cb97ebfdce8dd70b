// denoise/thresholds.glsl - thresholds of all bands, in shared memory
//
//   host sets the defines of denoise/memory.glsl and denoise/shrink.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/memory.glsl"
#include "denoise/shrink.glsl"

shared float s_threshold[AG_DENOISE_ALL_BANDS];

V threshold_at(int component, int level, int band)
{
#if TOGETHER == 1
    return s_threshold[band_at(component, level, band)];
#else
    return V(s_threshold[band_at(0, level, band)], s_threshold[band_at(1, level, band)],
             s_threshold[band_at(2, level, band)]);
#endif
}
