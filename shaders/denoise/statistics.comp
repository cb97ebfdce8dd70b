// denoise/statistics.comp - counts the coefficients of an image: its noise, its bands' variances
//
//   in        t_src or i_src   the image
//   in, out   b_denoise        the counts of all groups; sigma and the variance of each band, which
//                              the last group computes of them (denoise/memory.glsl)
//   host sets STATISTICS       AG_DENOISE_SIGMAS | AG_DENOISE_ENERGIES: what is counted
//             the defines of denoise/haar_tile.glsl; LEVELS is 3 .. 5, TILE 32
//   why       decimated coefficients are counted for every filter, because those of all shifts say
//             the same thing many times. So filters are programs that count nothing. Counts are
//             integers, so equal images give equal bits, whatever the order of groups
//   dispatch  tiles of TILE x TILE texels in x and y, 256 threads; at most AG_DENOISE_SAMPLED of
//             them, evenly over the image. Beside the filter; before any filter has run up to three
//             times: the curve, sigma in its scale, and energies, which are in units of sigma
//   shared    18 to 20 KiB
//   cost      each texel of a tile is read once. The last group reads and clears 43 histograms
//   source    denoise/noise.glsl; Chang, Yu, Vetterli 2000 (BayesShrink)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef STATISTICS
#error "STATISTICS (AG_DENOISE_SIGMAS | AG_DENOISE_ENERGIES) must be set by the host"
#endif
#define THREADS 256
#include "common/sync.glsl"
#include "denoise/haar_energies.glsl"

shared uint s_last; // 1: this is the last group

// Equal values stay as they are, to the bit.
float blended(float old, float fresh)
{
    return u_statistics.x < 1.0 ? old + (fresh - old) * u_statistics.x : fresh;
}

#if STATISTICS & AG_DENOISE_SIGMAS
#include "denoise/noise.glsl"
#endif

#if STATISTICS & AG_DENOISE_ENERGIES
void add_counts(ivec2 tile)
{
    int t = int(gl_LocalInvocationIndex);
    for (int i = t; i < AG_DENOISE_ALL_BANDS; i += THREADS)
        if (s_sums[i] != 0u)
            add_to_band(i, s_sums[i]);
    if (t < LEVELS)
        atomicAdd(b_denoise.blocks[t], uint(blocks_of(t + 1, tile)));
}

// Level 6 has the variance of level 5: tiles have no blocks of it.
void new_variances()
{
    for (int i = int(gl_LocalInvocationIndex); i < AG_DENOISE_ALL_BANDS; i += THREADS) {
        int level = i / AG_DENOISE_BANDS % AG_DENOISE_MAX_LEVELS + 1;
        if (level > LEVELS)
            continue;
        float sigma = sigma_of(i), fresh = take_mean_energy(i) * sigma * sigma;
        int to = AG_DENOISE_ALL_BANDS * u_sets.y + i;
        float value = blended(variance_of(i), fresh);
        b_denoise.variance[to] = value;
        if (level == 5)
            b_denoise.variance[to + AG_DENOISE_BANDS] = value;
    }
    clear_blocks();
}
#endif

void main()
{
    // its first texel
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * TILE * ivec2(u_statistics.zw);
    vec4 texel[4];
    for (int k = 0; k < 4; ++k) {
        uint largest = 0u;
        texel[k] = load_extended(tile + place_of_texel(k), largest);
    }
    begin_space();
    begin_energies();
    analyse_piece(0, components_of(texel[0]), components_of(texel[1]), components_of(texel[2]),
                  components_of(texel[3]));
    analyse();
#if STATISTICS & AG_DENOISE_ENERGIES
    analyse_coarse();
    sync_shared();
    add_energies(tile);
    sync_shared();
    add_counts(tile);
#endif
#if STATISTICS & AG_DENOISE_SIGMAS
    count_noise(tile, texel);
#endif

    memoryBarrierBuffer(); // every thread's counts come before the arrival of its group
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        s_last = uint(arrives_last());
    sync_shared();
    if (s_last != 0u) {
        memoryBarrierBuffer(); // the last group's loads come after all arrivals
#if STATISTICS & AG_DENOISE_SIGMAS
        new_noise();
#endif
#if STATISTICS & AG_DENOISE_ENERGIES
        new_variances();
#endif
    }
}
