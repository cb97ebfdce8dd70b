// denoise/counts.glsl - noise and variances: counted by groups, computed by the last of them
//
//   in, out   b_denoise    sigma and the variance of each band, of the last counts; the counts
//   host sets STATISTICS   AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES: what is counted
//             LEVELS, and the defines of denoise/memory.glsl
//   includer  defines THREADS
//   exact     counts are integers, so equal images give equal bits, whatever the order of groups
//   why       the last group that arrives makes sigma and variances of the counts, so no group
//             waits, no further dispatch is needed, and the CPU reads nothing back
//   cost      |HH1|, whose bins differ, and the few coefficients of levels 4 to 6 are counted by an
//             atomic each (denoise/energies.glsl)
//   source    Donoho 1995 (median / 0.6745); Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#if !defined(STATISTICS) || !defined(LEVELS) || !defined(THREADS)
#error "STATISTICS, LEVELS and THREADS must be set by the host or the includer"
#endif
#include "common/texel.glsl"
#include "common/sync.glsl"
#include "denoise/arrivals.glsl"
#include "denoise/energies.glsl"

#if STATISTICS & AG_DENOISE_HISTOGRAM
shared uint s_bins[AG_DENOISE_COMPONENTS * AG_DENOISE_BINS];
#endif
shared uint s_last, s_part[AG_DENOISE_COMPONENTS * 16];

void note_last(bool last) { s_last = uint(last); }
bool is_last() { return s_last != 0u; }

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
        float sigma = s_sigma[i / (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS)];
        float fresh = take_mean_energy(i) * sigma * sigma;
        int to = AG_DENOISE_ALL_BANDS * u_sets.y + i;
        b_denoise.variance[to] = blended(variance_of(i), fresh);
    }
    clear_blocks();
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
        if (s_sums[i] != 0u)
            add_to_band(i, s_sums[i]);
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
