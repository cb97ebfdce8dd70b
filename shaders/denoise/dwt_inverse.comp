// denoise/dwt_inverse.comp - what thresholds remove of a level's details, transformed back
//
//   in        b_details        HL, LH, HH of each coefficient, side by side
//             b_from           what is removed of the approximation, unless this is the last level
//             b_denoise        sigma and variances
//             t_src or i_src   level 1: the image
//   out       b_to             what is removed of the approximation of the level before; or
//             i_dst            level 1: the image without noise
//   host sets TO_IMAGE         1 = level 1
//             FILTER           AG_FILTER_*, but not _CUSTOM; CHANNELS is 4
//             the defines of denoise/shrink.glsl; at level 1 STORE
//   method    wavelet/synthesis.glsl, of what thresholds remove (denoise/shrink.glsl)
//   dispatch  256 threads for TILE_WIDTH x 16 pairs of samples in x and y
//   shared    8 KiB
//   cost      reads 16 bytes a coefficient, writes as much, or a texel
//   source    Mallat 1989; Donoho, Johnstone 1994; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#pragma optionNV(unroll all)
#ifndef TO_IMAGE
#error "TO_IMAGE must be set by the host"
#endif
#if TO_IMAGE
#include "common/source.glsl"
#include "common/store.glsl"
#endif
#include "common/sync.glsl"
#include "denoise/shrink.glsl"
#define SYNTHESISED COMPONENTS
#define SEGMENTS AG_WAVELET_REMOVED_SEGMENTS
#include "wavelet/synthesis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = SEGMENTS) in;
layout(location = AG_LOC_DENOISE_DWT_BAND) uniform vec4 u_band;
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer From { vec4 b_from[]; };
layout(std430, binding = AG_SSBO_DENOISE_DETAILS) readonly buffer Details { vec4 b_details[]; };
#if !TO_IMAGE
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer To { vec4 b_to[]; };
#endif

// Of HL, LH, HH, by component.
vec3 g_threshold[3] = vec3[3](vec3(0.0), vec3(0.0), vec3(0.0));

void load_coefficients(out VALUE low[LOADS], out VALUE high[LOADS])
{
    ivec2 from[LOADS], own;
    bool high_x = is_high_in_x();
    vec3 t_low = g_threshold[0], t_high = high_x ? g_threshold[2] : g_threshold[1];
    find_coefficients(u_size.zw, AG_EXTEND_SYMMETRIC, from, own);
    for (int i = 0; i < LOADS; ++i) {
        int at = from[i].y * u_size.z + from[i].x;
        low[i] = vec4(0.0);
        if (high_x)
            low[i].rgb = removed_of(b_details[3 * at].rgb, t_low);
        else if (u_band.w == 0.0)
            low[i] = b_from[at];
        high[i] = vec4(removed_of(b_details[3 * at + (high_x ? 2 : 1)].rgb, t_high), 0.0);
    }
}

// Sample t, which may lie beyond the image.
void store_sample(ivec2 t, VALUE c)
{
    if (any(lessThan(t, ivec2(0))) || any(greaterThanEqual(t, u_size.xy)))
        return;
#if TO_IMAGE
    uint largest = 0u;
    store_texel(t, without(load_texel_unseen(t, largest), c.rgb));
#else
    b_to[t.y * u_size.x + t.x] = c;
#endif
}

void main()
{
    begin_space();
    for (int band = 0; band < 3; ++band)
        for (int c = 0; c < 3; ++c) {
            int at = band_at(c, int(u_band.z), band);
            g_threshold[band][c] =
                limit_of(threshold_of(at), u_band[band / 2]);
        }
    VALUE low[LOADS], high[LOADS];
    load_coefficients(low, high);
    VALUE even[PAIRS], odd[PAIRS];
    synthesise(low, high, even, odd);
    if ((gl_LocalInvocationIndex & 31u) < uint(TILE_WIDTH))
        for (int pair = 0; pair < PAIRS; ++pair) {
            ivec2 place = place_of_pair(pair, AG_EXTEND_SYMMETRIC);
            store_sample(place, even[pair]);
            store_sample(place + ivec2(1, 0), odd[pair]);
        }
}
