// denoise/dwt_forward.comp - a level of the wavelet transform, and the energies of its details
//
//   in        t_src or i_src   level 1: the image
//             b_from           FROM_BUFFER: the approximation of the level before
//             b_denoise        sigma
//   out       b_to             the approximation, unless this is the last level
//             b_details        HL, LH, HH of each coefficient, side by side
//             b_denoise        with ENERGIES: variances, by the last group of the last level
//             b_info.scrubbed
//   host sets FROM_BUFFER      1 = not level 1
//             ENERGIES         1 = energies are added up
//             FILTER           AG_FILTER_*, but not _CUSTOM; CHANNELS is 4
//             the defines of denoise/memory.glsl
//   method    wavelet/analysis.glsl; each thread adds up the energies of what it stores
//   dispatch  128 threads for TILE_WIDTH x 8 coefficients of each band
//   shared    16 KiB, first of wavelet/analysis.glsl, then of sums
//   cost      reads each sample once from memory, writes 16 bytes a coefficient
//   source    Mallat 1989; Chang, Yu, Vetterli 2000; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(FROM_BUFFER) || !defined(ENERGIES)
#error "FROM_BUFFER and ENERGIES must be set by the host"
#endif
#if !FROM_BUFFER
#include "common/info.glsl"
#include "common/source.glsl"
#endif
#include "common/sync.glsl"
#include "denoise/memory.glsl"
#include "wavelet/analysis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
#define THREADS (AG_WAVELET_COLUMNS * AG_WAVELET_SEGMENTS)

layout(location = AG_LOC_DENOISE_DWT_BAND) uniform vec4 u_band;
#if FROM_BUFFER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer From { vec4 b_from[]; };
#endif
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer To { vec4 b_to[]; };
layout(std430, binding = AG_SSBO_DENOISE_DETAILS) writeonly buffer Details { vec4 b_details[]; };

uvec3 g_energies[3] = uvec3[3](uvec3(0u), uvec3(0u), uvec3(0u)); // of a thread: HL, LH, HH
// 1 / sigma of HL, LH and HH, by component; 0: unknown
vec3 g_scale[3] = vec3[3](vec3(0.0), vec3(0.0), vec3(0.0));

void load_samples(out VALUE samples[LOADS])
{
    ivec2 from[LOADS], own;
    uint bad = 0u;
    find_samples(u_size.xy, AG_EXTEND_SYMMETRIC, from, own);
    for (int i = 0; i < LOADS; ++i) {
#if FROM_BUFFER
        samples[i] = b_from[from[i].y * u_size.x + from[i].x];
#else
        uint largest = 0u;
        vec4 texel = load_texel_unseen(from[i], largest);
        bad += uint(largest >= TOO_LARGE && i >= own.x && i < own.y);
        samples[i] = vec4(components_of(texel), 0.0);
#endif
    }
#if !FROM_BUFFER
    if (u_src_mode.z != 0)
        count_bad(bad);
#endif
}

// Coefficient o of each band, which may lie beyond the bands.
void store_bands(ivec2 o, bands b)
{
    if (any(greaterThanEqual(o, u_size.zw)))
        return;
    int at = o.y * u_size.z + o.x;
    if (u_band.w == 0.0)
        b_to[at] = b.ll;
    b_details[3 * at] = b.hl;
    b_details[3 * at + 1] = b.lh;
    b_details[3 * at + 2] = b.hh;
#if ENERGIES
    for (int c = 0; c < COMPONENTS; ++c)
        g_energies[c] += uvec3(energy_of(b.hl[c], g_scale[0][c]), energy_of(b.lh[c], g_scale[1][c]),
                               energy_of(b.hh[c], g_scale[2][c]));
#endif
}

#if ENERGIES
// Eight threads a component and band, then one. s_rows is free for it.
void add_energies()
{
    int t = int(gl_LocalInvocationIndex), level = int(u_band.z);
    sync_shared();
    for (int c = 0; c < COMPONENTS; ++c)
        s_rows[SEGMENTS * c + t / 64][t % 64] = vec4(uintBitsToFloat(g_energies[c]), 0.0);
    sync_shared();
    int row = t / 8, c = row / 3, band = row % 3;
    if (c < COMPONENTS) {
        uint sum = 0u;
        for (int i = t % 8; i < THREADS; i += 8)
            sum += floatBitsToUint(s_rows[SEGMENTS * c + i / 64][i % 64][band]);
        s_rows[3 * SEGMENTS + row][t % 8] = vec4(uintBitsToFloat(sum));
    }
    sync_shared();
    if (t < 3 * COMPONENTS) {
        uint sum = 0u;
        for (int i = 0; i < 8; ++i)
            sum += floatBitsToUint(s_rows[3 * SEGMENTS + t][i].x);
        add_to_band(band_at(t / 3, level, t % 3), sum);
    }
    if (t == 0 && gl_WorkGroupID.xy == uvec2(0u))
        atomicAdd(b_denoise.blocks[level - 1], uint(u_size.z * u_size.w));
}

// By the last group, of coefficients over their band's noise gain. All threads call it together.
void new_variances()
{
    int t = int(gl_LocalInvocationIndex);
    memoryBarrierBuffer(); // every thread's counts come before the arrival of its group
    barrier();
    if (t == 0) // s_rows has room for it
        s_rows[0][0].x = float(arrives_last());
    sync_shared();
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    if (s_rows[0][0].x == 0.0)
        return;
    if (t < AG_DENOISE_ALL_BANDS) {
        float sigma = sigma_of(t);
        b_denoise.variance[t] = take_mean_energy(t) * sigma * sigma;
    }
    clear_blocks();
}
#endif

void main()
{
    begin_space();
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) {
            float sigma = sigma_of(band_at(c, int(u_band.z), k)) * u_band[k / 2];
            g_scale[k][c] = sigma > 0.0 ? 1.0 / sigma : 0.0;
        }
    VALUE samples[LOADS];
    load_samples(samples);
    analyse_columns(samples);
    sync_shared();
    int thread = int(gl_LocalInvocationIndex), lane = thread & 31;
    for (int row = thread >> 5; row < TILE_HEIGHT; row += ROWS) {
        bands b = analyse_row(row);
        if (lane < TILE_WIDTH)
            store_bands(tile_corner() + ivec2(lane, row), b);
    }
#if ENERGIES
    add_energies();
    if (u_band.w != 0.0) // the same for all groups
        new_variances();
#endif
}
