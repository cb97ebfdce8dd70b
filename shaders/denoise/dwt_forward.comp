// denoise/dwt_forward.comp - a level of the wavelet transform, and the energies of its details
//
//   in        t_src or i_src   level 1: the image
//             b_from           FROM_BUFFER: the approximation of the level before
//             b_denoise        sigma
//   out       b_to             the approximation, but of the last level
//             b_details        HL, LH, HH of each coefficient, side by side
//             b_denoise        with ENERGIES: variances, by the last group of the last level
//             b_info.scrubbed
//   host sets FROM_BUFFER      1 = not level 1
//             ENERGIES         1 = energies are added up
//             FILTER           AG_FILTER_*; CHANNELS is 4
//             and the defines of denoise/component.glsl and, for level 1, common/source.glsl
//   dispatch  256 threads for TILE_WIDTH x 16 coefficients of each band
//   shared    32 KiB, first of wavelet/analysis.glsl, then of sums
//   cost      reads each sample once from memory, writes 16 bytes a coefficient
//   source    Mallat 1989; Chang, Yu, Vetterli 2000; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/arrivals.glsl"
#include "denoise/dwt.glsl"
#include "denoise/energy.glsl"
#include "wavelet/analysis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
#define THREADS (AG_WAVELET_COLUMNS * AG_WAVELET_SEGMENTS)

layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer To { vec4 b_to[]; };
layout(std430, binding = AG_SSBO_DENOISE_DETAILS) writeonly buffer Details { vec4 b_details[]; };

uvec3 g_energies[3] = uvec3[3](uvec3(0u), uvec3(0u), uvec3(0u)); // of a thread: HL, LH, HH
// 1 / sigma of HL and LH, of HH, by component; 0: unknown
vec3 g_scale[2] = vec3[2](vec3(0.0), vec3(0.0));

#if FROM_BUFFER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer From { vec4 b_from[]; };

VALUE load_sample(ivec2 place, bool own) { return b_from[place.y * u_size.x + place.x]; }
#else
#include "common/info.glsl"
#include "common/source.glsl"

uint g_bad = 0u;

VALUE load_sample(ivec2 place, bool own)
{
    uint largest = 0u;
    vec4 texel = load_texel_unseen(place, largest);
    g_bad += uint(own && largest >= TOO_LARGE && u_src_mode.z != 0);
    return vec4(components_of(texel), 0.0);
}
#endif

void store_bands(ivec2 o, VALUE ll, VALUE hl, VALUE lh, VALUE hh)
{
    if (any(greaterThanEqual(o, u_size.zw)))
        return;
    int at = o.y * u_size.z + o.x;
    if (u_band.w == 0.0)
        b_to[at] = ll;
    b_details[3 * at] = hl;
    b_details[3 * at + 1] = lh;
    b_details[3 * at + 2] = hh;
#if ENERGIES
    for (int c = 0; c < COMPONENTS; ++c)
        g_energies[c] += uvec3(energy_of(hl[c], g_scale[0][c]), energy_of(lh[c], g_scale[0][c]),
                               energy_of(hh[c], g_scale[1][c]));
#endif
}

// s_rows has the whole shared memory that drivers must have.
void note_last(bool last) { s_rows[0][0].x = float(last); }
bool is_last() { return s_rows[0][0].x != 0.0; }

#if ENERGIES
// Sixteen threads a component and band, then one. s_rows is free for it.
void add_energies()
{
    int t = int(gl_LocalInvocationIndex), level = int(u_band.z);
    sync_shared();
    for (int c = 0; c < COMPONENTS; ++c)
        s_rows[4 * c + t / 64][t % 64] = vec4(uintBitsToFloat(g_energies[c]), 0.0);
    sync_shared();
    int row = t / 16, c = row / 3, band = row % 3;
    if (c < COMPONENTS) {
        uint sum = 0u;
        for (int i = t % 16; i < THREADS; i += 16)
            sum += floatBitsToUint(s_rows[4 * c + i / 64][i % 64][band]);
        s_rows[16 + row][t % 16] = vec4(uintBitsToFloat(sum));
    }
    sync_shared();
    if (t < 3 * COMPONENTS) {
        uint sum = 0u;
        for (int i = 0; i < 16; ++i)
            sum += floatBitsToUint(s_rows[16 + t][i].x);
        add_to_band(band_at(t / 3, level, t % 3), sum);
    }
    if (t == 0 && gl_WorkGroupID.xy == uvec2(0u))
        atomicAdd(b_denoise.blocks[level - 1], uint(u_size.z * u_size.w));
}

// Of coefficients over their band's noise gain.
void new_variances()
{
    int t = int(gl_LocalInvocationIndex);
    if (t < AG_DENOISE_ALL_BANDS) {
        float sigma = sigma_of(t / (AG_DENOISE_MAX_LEVELS * AG_DENOISE_BANDS));
        b_denoise.variance[t] = take_mean_energy(t) * sigma * sigma;
    }
    clear_blocks();
}
#endif

void main()
{
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
            float sigma = sigma_of(c) * u_band[k];
            g_scale[k][c] = sigma > 0.0 ? 1.0 / sigma : 0.0;
        }
    analyse_tile(ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT), u_size.xy,
                 AG_EXTEND_SYMMETRIC);
#if !FROM_BUFFER
    count_bad(g_bad);
#endif
#if ENERGIES
    add_energies();
    if (u_band.w != 0.0) // the same for all groups
        if (arrives_last())
            new_variances();
#endif
}
