// denoise/statistics.comp - counts the coefficients of an image: its noise, its bands' variances
//
//   in        t_src or i_src   the image
//   in, out   b_denoise        the counts of all groups; sigma and the variance of each band, which
//                              the last group computes of them (denoise/memory.glsl)
//   host sets STATISTICS       AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES: what is counted
//             the defines of denoise/haar_tile.glsl; THRESHOLD is AG_DENOISE_SHRINK_SOFT
//   why       decimated coefficients are counted for every filter, because those of all shifts say
//             the same thing many times. So filters are programs that count nothing. Counts are
//             integers, so equal images give equal bits, whatever the order of groups
//   dispatch  tiles of TILE x TILE texels in x and y, 256 threads. Beside the filter of a large
//             image: one tile in four. Before any filter has run: twice if energies are counted,
//             because they are in units of sigma, which the first dispatch finds
//   shared    18 KiB (TILE 32), 30 KiB (TILE 64)
//   cost      each texel of a tile is read once. |HH1|, whose bins differ, and the few coefficients
//             of levels 4 to 6 are counted by an atomic each; denoise/haar_energies.glsl adds up
//             the others
//   source    Donoho 1995 (median / 0.6745); Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef STATISTICS
#error "STATISTICS (AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES) must be set by the host"
#endif
#define THREADS 256
#include "common/sync.glsl"
#include "denoise/haar_energies.glsl"
#include "denoise/haar_tile.glsl"

#define BINS (AG_DENOISE_COMPONENTS * AG_DENOISE_BINS)

shared uint s_last; // 1: this is the last group

// Equal values stay as they are, to the bit.
float blended(float old, float fresh)
{
    return u_statistics.x < 1.0 ? old + (fresh - old) * u_statistics.x : fresh;
}

#if STATISTICS & AG_DENOISE_HISTOGRAM
// ---- sigma, by the median of |HH1| --------------------------------------------------------------

shared uint s_bins[BINS], s_part[AG_DENOISE_COMPONENTS * 16];

void count_size(int component, float hh1)
{
    uint bits = floatBitsToUint(hh1) & 0x7fffffffu;
    int bin = clamp(int(bits >> AG_DENOISE_BIN_SHIFT) - AG_DENOISE_BIN_FIRST, 0,
                    AG_DENOISE_BINS - 1);
    if (bits != 0u && bits < NOT_FINITE) // coefficients of flat parts say nothing about noise
        atomicAdd(s_bins[component * AG_DENOISE_BINS + bin], 1u);
}

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
    for (int i = t; i < BINS; i += THREADS)
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
// ---- variances of bands, by energies ------------------------------------------------------------

// Coarse coefficients are few: they are added at once.
void add_step(int level, ivec2 tile)
{
    ivec4 at;
    ivec2 corner;
    int component;
    if (!owns_step(level, at, component, corner) || !is_inside(tile + corner))
        return;
    for (int band = 0; band < 3; ++band)
        add_energy(component, level, band,
                   energy_of(plane_value(component, at[band + 1]), scale_of(component)));
}

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

// ---- both ---------------------------------------------------------------------------------------

void begin_counts()
{
    begin_energies();
#if STATISTICS & AG_DENOISE_HISTOGRAM
    for (int i = int(gl_LocalInvocationIndex); i < BINS; i += THREADS)
        s_bins[i] = 0u;
#endif
}

void count_tile(ivec2 tile)
{
#if STATISTICS & AG_DENOISE_HISTOGRAM
    for (int k = 0; k < PIECES; ++k)
        for (int c = 0; c < COMPONENTS; ++c)
            if (is_inside(tile + 2 * piece_of_thread(k)))
                count_size(c, g_hh[k][c]);
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
    add_energies(tile);
    for (int level = 4; level <= LEVELS; ++level)
        add_step(level, tile);
#endif
}

void add_counts(ivec2 tile)
{
    int t = int(gl_LocalInvocationIndex);
#if STATISTICS & AG_DENOISE_HISTOGRAM
    for (int i = t; i < BINS; i += THREADS)
        if (s_bins[i] != 0u)
            atomicAdd(b_denoise.bins[i], s_bins[i]);
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
    for (int i = t; i < AG_DENOISE_ALL_BANDS; i += THREADS)
        if (s_sums[i] != 0u)
            add_to_band(i, s_sums[i]);
    if (t < LEVELS)
        atomicAdd(b_denoise.blocks[t], uint(blocks_of(t + 1, tile, ivec2(TILE))));
#endif
}

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * TILE * int(u_statistics.w); // its first texel
    vec4 texel[4 * PIECES];
    for (int k = 0; k < 4 * PIECES; ++k) {
        uint largest = 0u;
        texel[k] = load_extended(tile + place_of_texel(k), largest);
    }
    begin_counts();
    for (int k = 0; k < PIECES; ++k)
        analyse_piece(k, components_of(texel[4 * k]), components_of(texel[4 * k + 1]),
                      components_of(texel[4 * k + 2]), components_of(texel[4 * k + 3]));
    analyse();
    analyse_coarse();
    sync_shared();
    count_tile(tile);
    sync_shared();
    add_counts(tile);

    memoryBarrierBuffer(); // every thread's counts come before the arrival of its group
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        s_last = uint(arrives_last());
    sync_shared();
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    if (s_last != 0u) {
#if STATISTICS & AG_DENOISE_HISTOGRAM
        new_sigmas();
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
        new_variances();
#endif
    }
}
