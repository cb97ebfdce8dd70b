// denoise/counts.glsl - noise and variances: counted by groups, computed by the last of them
//
//   in, out   b_denoise    sigma and the variance of each band, of the last counts; the counts
//   host sets STATISTICS   AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES: what is counted
//             LEVELS, and the defines of denoise/memory.glsl
//   includer  defines THREADS
//   exact     counts are integers, so equal images give equal bits, whatever the order of groups
//   why       the last group that arrives makes sigma and variances of the counts, so no group
//             waits, no further dispatch is needed, and the CPU reads nothing back
//   cost      only |HH1|, whose bins differ, is counted by atomics (denoise/energies.glsl)
//   source    Donoho 1995 (median / 0.6745); Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#if !defined(STATISTICS) || !defined(LEVELS) || !defined(THREADS)
#error "STATISTICS, LEVELS and THREADS must be set by the host or the includer"
#endif
#include "common/numbers.glsl"
#include "common/sync.glsl"
#include "denoise/energies.glsl"
#include "denoise/interface_counts.h"

// rate; groups that arrive; unused; the step from a tile that is counted to the next one
layout(location = AG_LOC_DENOISE_STATISTICS) uniform vec4 u_statistics;

#if STATISTICS & AG_DENOISE_HISTOGRAM
shared uint s_bins[AG_DENOISE_COMPONENTS * AG_DENOISE_BINS];
#endif
shared uint s_arrived, s_part[AG_DENOISE_COMPONENTS * 16];

// A sync must follow.
void begin_counts()
{
    begin_energies();
#if STATISTICS & AG_DENOISE_HISTOGRAM
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_COMPONENTS * AG_DENOISE_BINS;
         i += THREADS)
        s_bins[i] = 0u;
#endif
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

// Equal values stay as they are, to the bit.
float blended(float old, float fresh)
{
    return u_statistics.x < 1.0 ? old + (fresh - old) * u_statistics.x : fresh;
}

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
        float fresh = median_of(t) / 0.6745, old = b_denoise.sigma[4 * u_sets.x + t];
        b_denoise.sigma[4 * u_sets.y + t] = blended(old, fresh);
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
        int to = AG_DENOISE_ALL_BANDS * u_sets.y + i;
        b_denoise.variance[to] = blended(variance_of(i), fresh);
    }
    barrier(); // all have read the numbers of blocks
    if (gl_LocalInvocationIndex < uint(AG_DENOISE_BLOCKS))
        b_denoise.blocks[gl_LocalInvocationIndex] = 0u;
}
#endif

// Adds the counts of a tile at `corner` in texels. All threads call it together.
void add_counts(ivec2 corner, ivec2 tile)
{
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
        atomicAdd(b_denoise.blocks[t], uint(blocks_of(t + 1, corner, tile)));
#endif
}

// The last group makes sigma and variances of the counts. All threads of each group call it
// together, as the last thing.
void finish_counts()
{
    if (arrives_last()) {
#if STATISTICS & AG_DENOISE_HISTOGRAM
        new_sigmas();
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
        new_variances();
#endif
    }
}
