// denoise/thresholds.glsl - thresholds of all bands, in shared memory
//
//   in        b_denoise    sigma, and without LOCAL variances, of the last counts
//             s_sums       with LOCAL: the energies of the group's tile (denoise/energies.glsl)
//   out       s_threshold
//   host sets LOCAL        1 = by the variances of the group's tile (rule bayes_local), 0 = by
//                          those of the image
//             the defines of denoise/memory.glsl and denoise/shrink.glsl
//   includer  defines THREADS
//   source    Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(LOCAL) || !defined(THREADS)
#error "LOCAL and THREADS must be set by the host or the includer"
#endif
#if LOCAL
#include "denoise/energies.glsl"
#endif
#include "denoise/memory.glsl"
#include "denoise/shrink.glsl"

shared float s_threshold[AG_DENOISE_ALL_BANDS];

#if LOCAL
// After a sync: thresholds of `components` from `first` on, by the sums of a tile at `corner` of
// tile.x x tile.y texels. A sync must follow.
void make_thresholds(int first, int components, ivec2 corner, ivec2 tile)
{
    begin_removal();
    int bands = AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS;
    for (int i = int(gl_LocalInvocationIndex); i < components * bands; i += THREADS) {
        int component = first + i / bands, at = first * bands + i;
        int blocks = blocks_of(i % bands / AG_DENOISE_BANDS + 1, corner, tile);
        float mean = float(s_sums[at]) / (float(AG_DENOISE_STEPS) * float(max(blocks, 1)));
        float sigma = s_sigma[component];
        s_threshold[at] = threshold_of(sigma, mean * sigma * sigma, component);
    }
}
#else
// A sync must follow.
void make_thresholds()
{
    begin_removal();
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS) {
        int component = i / (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS);
        s_threshold[i] = threshold_of(sigma_of(component), variance_of(i), component);
    }
}
#endif

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
