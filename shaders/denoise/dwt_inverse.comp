// denoise/dwt_inverse.comp - what thresholds remove of a level's details, transformed back
//
//   in        b_details        HL, LH, HH of each coefficient, side by side
//             b_from           what is removed of the approximation, but of the last level
//             b_denoise        sigma and variances
//             t_src or i_src   level 1: the image
//   out       b_to             what is removed of the approximation of the level before; or
//             i_dst            level 1: the image without noise (common/store.glsl)
//   host sets TO_IMAGE         1 = level 1
//             FILTER           AG_FILTER_*; CHANNELS is 4
//             the defines of denoise/component.glsl, denoise/shrink.glsl, common/source.glsl and
//             common/store.glsl
//   dispatch  256 threads for TILE_WIDTH x 16 pairs of samples in x and y
//   shared    32 KiB
//   cost      reads 16 bytes a coefficient, writes as much, or a texel
//   source    Mallat 1989; Donoho, Johnstone 1994; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/dwt.glsl"
#include "denoise/shrink.glsl"
#include "wavelet/synthesis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;

layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer From { vec4 b_from[]; };
layout(std430, binding = AG_SSBO_DENOISE_DETAILS) readonly buffer Details { vec4 b_details[]; };
#if TO_IMAGE
#include "common/source.glsl"
#include "common/store.glsl"
#else
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer To { vec4 b_to[]; };
#endif

// Of HL, LH, HH, by component.
vec3 g_threshold[3] = vec3[3](vec3(0.0), vec3(0.0), vec3(0.0));

vec4 removed_at(int at, const int band)
{
    return vec4(removed_of(b_details[3 * at + band].rgb, g_threshold[band]), 0.0);
}

void load_pair(ivec2 o, bool high_x, bool own, out VALUE low_y, out VALUE high_y)
{
    int at = o.y * u_size.z + o.x;
    if (high_x) {
        low_y = removed_at(at, 0);
        high_y = removed_at(at, 2);
    } else {
        low_y = vec4(0.0);
        if (u_band.w == 0.0)
            low_y = b_from[at];
        high_y = removed_at(at, 1);
    }
}

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
    begin_removal();
    for (int band = 0; band < 3; ++band)
        for (int c = 0; c < 3; ++c) {
            float variance = variance_of(band_at(c, int(u_band.z), band));
            g_threshold[band][c] = u_band[band / 2] * threshold_of(sigma_of(c), variance, c);
        }
    synthesise_tile(ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT), u_size.zw,
                    AG_EXTEND_SYMMETRIC);
}
