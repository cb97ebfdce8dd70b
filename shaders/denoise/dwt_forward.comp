// denoise/dwt_forward.comp - a level of the wavelet transform, and the energies of its details
//
//   in        t_src or i_src   level 1: the image
//             b_from           FROM_BUFFER: planes of LL of the level before
//             b_denoise        sigma
//   out       b_to             planes of LL, one a component, but not of the last level; then of
//                              HL, LH and HH of each component
//             b_denoise        with ENERGIES: variances, by the last group of the last level
//             b_info.scrubbed
//   host sets FROM_BUFFER      1 = not level 1
//             ENERGIES         1 = energies are added up
//             FILTER           AG_FILTER_*, but not _CUSTOM; CHANNELS is 1
//             the defines of denoise/memory.glsl
//   method    wavelet/analysis.glsl, component by component, so that little shared memory and few
//             registers are taken; each thread adds up the energies of what it stores
//   dispatch  128 threads for TILE_WIDTH x 8 coefficients of each band
//   shared    4 KiB of wavelet/analysis.glsl, with ENERGIES 5 KiB more
//   cost      reads each sample once from memory, writes 4 bytes a coefficient and component
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
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer From { float b_from[]; };
#endif
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer To { float b_to[]; };

#if ENERGIES
shared uint s_energies[3 * COMPONENTS][THREADS]; // of a thread: HL, LH, HH of each component
shared float s_scale[3 * COMPONENTS];            // 1 / sigma of those; 0: unknown
uvec3 g_energies[3] = uvec3[3](uvec3(0u), uvec3(0u), uvec3(0u));

void set_scale()
{
    int t = int(gl_LocalInvocationIndex), band = t % 3;
    if (t >= 3 * COMPONENTS)
        return;
    float sigma = sigma_of(band_at(t / 3, int(u_band.z), band)) * (band == 2 ? u_band.y : u_band.x);
    s_scale[t] = sigma > 0.0 ? 1.0 / sigma : 0.0;
}
#endif

#if !FROM_BUFFER
void load_texels(const ivec2 from[LOADS], ivec2 own, out vec3 texels[LOADS])
{
    uint bad = 0u;
    for (int i = 0; i < LOADS; ++i) {
        uint largest = 0u;
        vec4 texel = load_texel_unseen(from[i], largest);
        bad += uint(largest >= TOO_LARGE && i >= own.x && i < own.y);
        texels[i] = components_of(texel);
    }
    if (u_src_mode.z != 0)
        count_bad(bad);
}
#endif

// Coefficient o of each band of component c, which may lie beyond the bands.
void store_bands(const int c, ivec2 o, bands b)
{
    if (any(greaterThanEqual(o, u_size.zw)))
        return;
    int plane = u_size.z * u_size.w, at = o.y * u_size.z + o.x;
    if (u_band.w == 0.0)
        b_to[at + c * plane] = b.ll;
    at += (COMPONENTS + 3 * c) * plane;
    b_to[at] = b.hl;
    b_to[at + plane] = b.lh;
    b_to[at + 2 * plane] = b.hh;
#if ENERGIES
    g_energies[c] +=
        uvec3(energy_of(b.hl, s_scale[3 * c]), energy_of(b.lh, s_scale[3 * c + 1]),
              energy_of(b.hh, s_scale[3 * c + 2]));
#endif
}

#if ENERGIES
// Eight threads a component and band, then one.
void add_energies()
{
    int t = int(gl_LocalInvocationIndex), level = int(u_band.z), row = t / 8;
    for (int c = 0; c < COMPONENTS; ++c)
        for (int band = 0; band < 3; ++band)
            s_energies[3 * c + band][t] = g_energies[c][band];
    sync_shared();
    if (row < 3 * COMPONENTS) {
        uint sum = 0u;
        for (int i = t % 8; i < THREADS; i += 8)
            sum += s_energies[row][i];
        s_energies[row][t % 8] = sum;
    }
    sync_shared();
    if (t < 3 * COMPONENTS) {
        uint sum = 0u;
        for (int i = 0; i < 8; ++i)
            sum += s_energies[t][i];
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
        s_rows[0][0] = float(arrives_last());
    sync_shared();
    memoryBarrierBuffer(); // the last group's loads come after all arrivals
    if (s_rows[0][0] == 0.0)
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
#if ENERGIES
    set_scale();
#endif
    ivec2 from[LOADS], own;
    find_samples(u_size.xy, AG_EXTEND_SYMMETRIC, from, own);
#if !FROM_BUFFER
    vec3 texels[LOADS];
    load_texels(from, own, texels);
#endif
    int thread = int(gl_LocalInvocationIndex), lane = thread & 31;
    for (int c = 0; c < COMPONENTS; ++c) {
        float samples[LOADS];
        for (int i = 0; i < LOADS; ++i)
#if FROM_BUFFER
            samples[i] = b_from[(c * u_size.y + from[i].y) * u_size.x + from[i].x];
#else
            samples[i] = texels[i][c];
#endif
        if (c > 0)
            sync_shared(); // rows of the component before have been read
        analyse_columns(samples);
        sync_shared();
        for (int row = thread >> 5; row < TILE_HEIGHT; row += ROWS) {
            bands b = analyse_row(row);
            if (lane < TILE_WIDTH)
                store_bands(c, tile_corner() + ivec2(lane, row), b);
        }
    }
#if ENERGIES
    add_energies();
    if (u_band.w != 0.0) // the same for all groups
        new_variances();
#endif
}
