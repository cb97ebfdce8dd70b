// denoise/memory.glsl - the pass's memory, and what thresholds are made of it
//
//   in, out   b_denoise    sigma and the variance of each band, of the last counts; the counts
//   host sets the defines of denoise/component.glsl
//   source    Donoho 1995; Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_MEMORY_GLSL
#define AG_DENOISE_MEMORY_GLSL
#include "denoise/component.glsl"

// T / sigma, or 0: bayes; strength; strength of chroma; sigma, or 0: b_denoise has it
layout(location = AG_LOC_DENOISE_RULE) uniform vec4 u_rule;
// rate; groups that arrive; layers; 1: groups count whose place is even in x and y, 0: all
layout(location = AG_LOC_DENOISE_STATISTICS) uniform vec4 u_statistics;

layout(std430, binding = AG_SSBO_DENOISE) coherent buffer Denoise {
    uint arrived, unused[3];
    float sigma[4];
    float variance[AG_DENOISE_ALL_BANDS]; // of the coefficients of a band: mean d^2
    uint sums[2 * AG_DENOISE_ALL_BANDS];  // low and high word
    uint blocks[AG_DENOISE_BLOCKS];       // that were counted, of each level
    uint bins[AG_DENOISE_COMPONENTS * AG_DENOISE_BINS];
} b_denoise;

int band_at(int component, int level, int band) // level 1.., band 0: HL, 1: LH, 2: HH
{
    return (component * AG_DENOISE_MAX_LEVELS + level - 1) * AG_DENOISE_BANDS + band;
}

float threshold_of(float sigma, float variance, int component)
{
    float factor = u_rule.y * (component > 0 && COLOUR != 0 ? u_rule.z : 1.0);
    if (u_rule.x > 0.0)
        return factor * u_rule.x * sigma;
    float signal = variance / max(sigma * sigma, 1e-36) - 1.0;
    return factor * sigma * inversesqrt(max(signal, AG_DENOISE_FLOOR));
}

// d^2 in steps of sigma^2 / AG_DENOISE_STEPS, to nearest. `scale` is 1 / sigma, or 0 while sigma is
// unknown. The sum with 2^23 has a step of 1, so its bits are a whole number.
uint energy_of(float d, float scale)
{
    float size = d * scale;
    float sum = min(float(AG_DENOISE_CAP), size * size) * float(AG_DENOISE_STEPS) + 8388608.0;
    return floatBitsToUint(sum) - 0x4b000000u;
}

// Equal values stay as they are, to the bit.
float blended(float old, float fresh)
{
    return u_statistics.x < 1.0 ? old + (fresh - old) * u_statistics.x : fresh;
}

#endif
