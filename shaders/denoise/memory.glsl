// denoise/memory.glsl - the pass's memory, and what thresholds are made of it
//
//   in, out   b_denoise    sigma and the variance of each band, of the last counts; the counts
//   host sets CHANNELS     of the image, and the defines of denoise/component.glsl
//   why       two sets of results: while a dispatch filters by one, another counts the same image
//             and makes the other, and neither waits
//   source    Donoho 1995; Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/component.glsl"

// T / sigma, or 0: bayes; strength; strength of chroma; sigma, or 0: b_denoise has it
layout(location = AG_LOC_DENOISE_RULE) uniform vec4 u_rule;
layout(location = AG_LOC_DENOISE_SETS) uniform ivec4 u_sets; // read; written

layout(std430, binding = AG_SSBO_DENOISE) coherent buffer Denoise {
    uint arrived, unused[3];
    float sigma[2 * 4];                       // of both sets
    float variance[2 * AG_DENOISE_ALL_BANDS]; // of the coefficients of a band: mean d^2
    uint sums[2 * AG_DENOISE_ALL_BANDS];      // low and high word
    uint blocks[AG_DENOISE_BLOCKS];           // that were counted, of each level
    uint bins[AG_DENOISE_COMPONENTS * AG_DENOISE_BINS];
} b_denoise;

int band_at(int component, int level, int band) // level 1.., band 0: HL, 1: LH, 2: HH
{
    return (component * AG_DENOISE_MAX_LEVELS + level - 1) * AG_DENOISE_BANDS + band;
}

float sigma_of(int component) // that is removed; no channel: 0
{
    if (component >= min(COMPONENTS, CHANNELS))
        return 0.0;
    return u_rule.w > 0.0 ? u_rule.w : b_denoise.sigma[4 * u_sets.x + component];
}

float variance_of(int band) // band_at
{
    return b_denoise.variance[AG_DENOISE_ALL_BANDS * u_sets.x + band];
}

float threshold_of(float sigma, float variance, int component)
{
    float factor = u_rule.y * (component > 0 && COLOUR != 0 ? u_rule.z : 1.0);
    if (u_rule.x > 0.0)
        return factor * u_rule.x * sigma;
    float signal = variance / max(sigma * sigma, 1e-36) - 1.0;
    return factor * sigma * inversesqrt(max(signal, AG_DENOISE_FLOOR));
}
