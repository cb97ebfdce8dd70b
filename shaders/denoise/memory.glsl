// denoise/memory.glsl - the pass's memory: noise and variances, how groups add to it, thresholds
//
//   in, out   b_denoise    sigma and the variance of each band, and the curve, of the last counts;
//                          and the counts that groups add to: bins, 64-bit energies, blocks,
//                          arrivals
//   host sets IMAGE_CHANNELS   1..4
//             the defines of denoise/component.glsl
//   why       two sets of results: while a dispatch filters by one, another counts the same image
//             and makes the other, and neither waits. The last group that arrives turns counts into
//             results and sets them back to 0, so no group waits, no further dispatch is needed,
//             and the CPU reads nothing back
//   source    Donoho 1995; Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef IMAGE_CHANNELS
#error "IMAGE_CHANNELS (1 .. 4) must be set by the host"
#endif
#include "denoise/component.glsl"

layout(location = AG_LOC_DENOISE_RULE) uniform vec4 u_rule;
layout(location = AG_LOC_DENOISE_SETS) uniform ivec4 u_sets; // read; written
layout(location = AG_LOC_DENOISE_STATISTICS) uniform vec4 u_statistics;

layout(std430, binding = AG_SSBO_DENOISE) coherent buffer Denoise {
    uint arrived, unused[3];
    float noise[2 * 4]; // of both sets: sigma of each component's texels; slope of the curve
    float sigma[2 * AG_DENOISE_ALL_BANDS];    // of the noise of each band
    float variance[2 * AG_DENOISE_ALL_BANDS]; // of the coefficients of a band: mean d^2
    uint sums[2 * AG_DENOISE_ALL_BANDS];      // low and high word
    uint blocks[AG_DENOISE_COUNTED];          // that were counted, of each level
    uint bins[AG_DENOISE_HISTOGRAMS * AG_DENOISE_BINS];
} b_denoise;

int band_at(int component, int level, int band) // level 1.., band 0: HL, 1: LH, 2: HH
{
    return (component * AG_DENOISE_MAX_LEVELS + level - 1) * AG_DENOISE_BANDS + band;
}

// ---- results ------------------------------------------------------------------------------------

int component_of_band(int band) { return band / (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS); }

float sigma_of(int band) // band_at: of the noise that is removed; 0 without a channel
{
    if (component_of_band(band) >= min(COMPONENTS, IMAGE_CHANNELS))
        return 0.0;
    return u_rule.w > 0.0 ? u_rule.w : b_denoise.sigma[AG_DENOISE_ALL_BANDS * u_sets.x + band];
}

float sigma_of_texels(int component) // 0 without a channel
{
    if (component >= min(COMPONENTS, IMAGE_CHANNELS))
        return 0.0;
    return u_rule.w > 0.0 ? u_rule.w : b_denoise.noise[4 * u_sets.x + component];
}

// Once in each thread, before to_space and from_space.
void begin_space()
{
#if CURVE
    g_slope = b_denoise.noise[4 * u_sets.x + 3];
#endif
}

float variance_of(int band) // band_at
{
    return b_denoise.variance[AG_DENOISE_ALL_BANDS * u_sets.x + band];
}

float threshold_of(int band) // band_at
{
    float sigma = sigma_of(band);
    float factor = u_rule.y * (component_of_band(band) > 0 && COLOUR != 0 ? u_rule.z : 1.0);
    if (u_rule.x > 0.0)
        return factor * u_rule.x * sigma;
    int level = band / AG_DENOISE_BANDS % AG_DENOISE_MAX_LEVELS + 1;
    if (u_rule.x < 0.0) // spots of noise show most at level 1, where there is least image
        return factor * (level == 1 ? 2.4 : level == 2 ? 2.1 : 2.0) * sigma;
    float signal = variance_of(band) / max(sigma * sigma, 1e-36) - 1.0;
    return factor * sigma * inversesqrt(max(signal, AG_DENOISE_FLOOR));
}

// ---- counts -------------------------------------------------------------------------------------

// The energy of a coefficient, as a whole number: d^2 in steps of sigma^2 / AG_DENOISE_STEPS, to
// nearest. `scale` is 1 / sigma, or 0 while sigma is unknown. The sum with 2^23 has a step of 1, so
// its bits are a whole number.
uint energy_of(float d, float scale)
{
    float size = d * scale;
    float sum = min(float(AG_DENOISE_CAP), size * size) * float(AG_DENOISE_STEPS) + 8388608.0;
    return floatBitsToUint(sum) - 0x4b000000u;
}

// Adds a group's energies of a band (band_at).
void add_to_band(int band, uint sum)
{
    uint before = atomicAdd(b_denoise.sums[2 * band], sum);
    if (before + sum < before)
        atomicAdd(b_denoise.sums[2 * band + 1], 1u);
}

// One thread of each group calls it. Returns whether the group is the last of all dispatches of an
// execute; the next execute starts from 0.
bool arrives_last()
{
    bool last = atomicAdd(b_denoise.arrived, 1u) + 1u == uint(u_statistics.y);
    if (last)
        b_denoise.arrived = 0u;
    return last;
}

// The last group calls it. Returns the mean of a band's energies, and sets their sum to 0.
float take_mean_energy(int band)
{
    uint low = atomicExchange(b_denoise.sums[2 * band], 0u);
    uint high = atomicExchange(b_denoise.sums[2 * band + 1], 0u);
    int level = band / AG_DENOISE_BANDS % AG_DENOISE_MAX_LEVELS;
    float count = max(float(b_denoise.blocks[level]), 1.0);
    return (float(high) * 4294967296.0 + float(low)) / (float(AG_DENOISE_STEPS) * count);
}

// After all means are taken.
void clear_blocks()
{
    barrier(); // all have read the numbers of blocks
    if (gl_LocalInvocationIndex < uint(AG_DENOISE_COUNTED))
        b_denoise.blocks[gl_LocalInvocationIndex] = 0u;
}
