// denoise/statistics.glsl - noise and thresholds: counted by groups, computed by the last of them
//
//   in, out   b_denoise    sigma and the variance of each band, of the last counts; the counts
//   host sets STATISTICS   AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES: what is counted; 0: nothing
//             LOCAL        1 = thresholds from the variance in the group's tile
//             CHANNELS             of the image
//             LEVELS, THREADS, FINER (levels before those), and the defines of
//             denoise/component.glsl
//   exact     counts are integers, so equal images give equal bits, whatever the order of groups
//   why       the last group that arrives makes sigma and variances of the counts, so no group
//             waits, no further dispatch is needed, and the CPU reads nothing back. Decimated
//             coefficients are counted, those of blocks whose corner is a multiple of 2^level, also
//             where a filter makes those of all shifts. Of a large image one tile in four counts
//   cost      shared atomics to one address take a cycle for each lane. So threads add energies in
//             registers, and their sums through rows of shared memory; only |HH1|, whose bins
//             differ, is counted by atomics
//   source    Donoho 1995 (median / 0.6745); Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_STATISTICS_GLSL
#define AG_DENOISE_STATISTICS_GLSL
#if !defined(STATISTICS) || !defined(LOCAL) || !defined(LEVELS) || !defined(THREADS) || \
    !defined(FINER)
#error "STATISTICS, LOCAL, LEVELS, FINER and THREADS must be set by the host or the includer"
#endif
#include "common/load.glsl"
#include "common/sync.glsl"
#include "denoise/component.glsl"
#include "denoise/memory.glsl"

shared float s_sigma[4];
shared float s_threshold[AG_DENOISE_ALL_BANDS];
#if (STATISTICS & AG_DENOISE_ENERGIES) || LOCAL
#define SUMS 1 // energies are added up
#else
#define SUMS 0
#endif
shared uint s_sums[SUMS * AG_DENOISE_ALL_BANDS + 1];
#if STATISTICS & AG_DENOISE_HISTOGRAM
shared uint s_bins[AG_DENOISE_COMPONENTS * AG_DENOISE_BINS];
#endif
#if STATISTICS
shared uint s_arrived, s_part[AG_DENOISE_COMPONENTS * 16];
#endif

// Sigma and, unless they are local, thresholds. A sync must follow.
void begin_statistics()
{
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS) {
        int component = i / (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS);
        float sigma = u_rule.w > 0.0 ? u_rule.w : b_denoise.sigma[component];
        if (component >= CHANNELS) // of a joint threshold; alpha is no component
            sigma = 0.0;
        s_threshold[i] = threshold_of(sigma, b_denoise.variance[i], component);
        if (i % (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS) == 0)
            s_sigma[component] = sigma;
        if (SUMS != 0)
            s_sums[i * SUMS] = 0u;
    }
#if STATISTICS & AG_DENOISE_HISTOGRAM
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_COMPONENTS * AG_DENOISE_BINS;
         i += THREADS)
        s_bins[i] = 0u;
#endif
}

// Whether this group counts. The same for all its threads.
bool counts()
{
#if STATISTICS && FINER // groups of the phase that has places of decimated coefficients
    return (gl_WorkGroupID.x & gl_WorkGroupID.y & 7u) == 7u;
#else
    uint mask = uint(u_statistics.w);
    return STATISTICS != 0 && ((gl_WorkGroupID.x | gl_WorkGroupID.y) & mask) == 0u;
#endif
}

float scale_of(int component)
{
    return s_sigma[component] > 0.0 ? 1.0 / s_sigma[component] : 0.0;
}

void add_energy(int component, int level, int band, uint sum)
{
    if (SUMS != 0 && sum != 0u)
        atomicAdd(s_sums[band_at(component, level, band) * SUMS], sum);
}

void count_size(int component, float hh1)
{
#if STATISTICS & AG_DENOISE_HISTOGRAM
    uint bits = floatBitsToUint(hh1) & 0x7fffffffu;
    int bin = clamp(int(bits >> AG_DENOISE_BIN_SHIFT) - AG_DENOISE_BIN_FIRST, 0,
                    AG_DENOISE_BINS - 1);
    if (bits != 0u && bits < NOT_FINITE) // coefficients of flat parts say nothing about noise
        atomicAdd(s_bins[component * AG_DENOISE_BINS + bin], 1u);
#endif
}

// Blocks of a level whose corner, a multiple of 2^level, is within the tile and the image.
int blocks_of(int level, ivec2 corner, ivec2 tile)
{
    int size = 1 << level;
    ivec2 end = min(corner + tile, u_src_rect.zw);
    ivec2 blocks = (end + size - 1) / size - (corner + size - 1) / size;
    return blocks.x * blocks.y;
}

#if LOCAL
// After a sync: thresholds of `components` from `first` on, by the sums of a tile at `corner` of
// tile.x x tile.y texels. A sync must follow.
void local_thresholds(int first, int components, ivec2 corner, ivec2 tile)
{
    int bands = AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS;
    for (int i = int(gl_LocalInvocationIndex); i < components * bands; i += THREADS) {
        int component = first + i / bands, at = first * bands + i;
        int blocks = blocks_of(i % bands / AG_DENOISE_BANDS + 1, corner, tile);
        float mean = float(s_sums[at]) / (float(AG_DENOISE_STEPS) * float(max(blocks, 1)));
        float sigma = s_sigma[component];
        s_threshold[at] = threshold_of(sigma, mean * sigma * sigma, component);
    }
}
#endif

#if STATISTICS
// Whether this group is the last of the dispatches of an execute. All threads call it together.
bool arrives_last()
{
    memoryBarrierBuffer(); // every thread's counts come before the arrival of its group
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        uint groups = uint(u_statistics.y);
        s_arrived = atomicAdd(b_denoise.arrived, 1u) + 1u == groups ? 1u : 0u;
        if (s_arrived != 0u)
            b_denoise.arrived = 0u; // the next execute starts from 0
    }
    sync_shared();
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    return s_arrived != 0u;
}

#if STATISTICS & AG_DENOISE_HISTOGRAM
// The median, by one thread a component: first among 16 sums of 16 bins, then among 16 bins.
float median_of(int component)
{
    uint all = 0u;
    for (int i = 0; i < 16; ++i)
        all += s_part[component * 16 + i];
    if (all == 0u)
        return 0.0;
    float half_way = 0.5 * float(all);
    int part = 0, bin = 0;
    uint below = 0u;
    for (; part < 15 && float(below + s_part[component * 16 + part]) < half_way; ++part)
        below += s_part[component * 16 + part];
    int first = component * AG_DENOISE_BINS + part * 16;
    for (; bin < 15 && float(below + s_bins[first + bin]) < half_way; ++bin)
        below += s_bins[first + bin];
    float begin = uintBitsToFloat(uint(part * 16 + bin + AG_DENOISE_BIN_FIRST)
                                  << AG_DENOISE_BIN_SHIFT);
    float end = uintBitsToFloat(uint(part * 16 + bin + 1 + AG_DENOISE_BIN_FIRST)
                                << AG_DENOISE_BIN_SHIFT);
    return begin + (end - begin) * (half_way - float(below)) / float(max(s_bins[first + bin], 1u));
}

void new_sigmas()
{
    int t = int(gl_LocalInvocationIndex);
    for (int i = t; i < AG_DENOISE_COMPONENTS * AG_DENOISE_BINS; i += THREADS)
        s_bins[i] = atomicExchange(b_denoise.bins[i], 0u);
    sync_shared();
    for (int i = t; i < AG_DENOISE_COMPONENTS * 16; i += THREADS) {
        uint sum = 0u;
        for (int k = 0; k < 16; ++k)
            sum += s_bins[i * 16 + k];
        s_part[i] = sum;
    }
    sync_shared();
    if (t < COMPONENTS) {
        float fresh = median_of(t) / 0.6745, old = b_denoise.sigma[t];
        b_denoise.sigma[t] = blended(old, fresh);
    }
}
#endif

#if STATISTICS & AG_DENOISE_ENERGIES
void new_variances()
{
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS) {
        uint low = atomicExchange(b_denoise.sums[2 * i], 0u);
        uint high = atomicExchange(b_denoise.sums[2 * i + 1], 0u);
        int bands = AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS, component = i / bands;
        float count = max(float(b_denoise.blocks[i % bands / AG_DENOISE_BANDS]), 1.0);
        float mean = (float(high) * 4294967296.0 + float(low)) / (float(AG_DENOISE_STEPS) * count);
        float fresh = mean * s_sigma[component] * s_sigma[component];
        b_denoise.variance[i] = blended(b_denoise.variance[i], fresh);
    }
    barrier(); // all have read the numbers of blocks
    if (gl_LocalInvocationIndex < uint(AG_DENOISE_BLOCKS))
        b_denoise.blocks[gl_LocalInvocationIndex] = 0u;
}
#endif
#endif

// Adds the counts of a group that counts, of a tile at `corner` in texels. All its threads call it
// together.
void add_counts(ivec2 corner, ivec2 tile)
{
#if STATISTICS
    int t = int(gl_LocalInvocationIndex);
    sync_shared();
#if STATISTICS & AG_DENOISE_HISTOGRAM
    for (int i = t; i < AG_DENOISE_COMPONENTS * AG_DENOISE_BINS; i += THREADS)
        if (s_bins[i] != 0u)
            atomicAdd(b_denoise.bins[i], s_bins[i]);
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
    for (int i = t; i < AG_DENOISE_ALL_BANDS; i += THREADS)
        if (s_sums[i] != 0u) {
            uint before = atomicAdd(b_denoise.sums[2 * i], s_sums[i]);
            if (before + s_sums[i] < before)
                atomicAdd(b_denoise.sums[2 * i + 1], 1u);
        }
    if (t < LEVELS)
        atomicAdd(b_denoise.blocks[FINER + t], uint(blocks_of(FINER + t + 1, corner, tile)));
#endif
#endif
}

// The last group makes sigma and variances of the counts. All threads of each group that counts
// call it together, as the last thing.
void finish_counts()
{
#if STATISTICS
    if (arrives_last()) {
#if STATISTICS & AG_DENOISE_HISTOGRAM
        new_sigmas();
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
        new_variances();
#endif
    }
#endif
}
#endif
