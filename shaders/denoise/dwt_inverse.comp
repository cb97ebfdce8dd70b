// denoise/dwt_inverse.comp - what thresholds remove of a level's details, transformed back
//
//   in        b_from           bands, as dwt_forward.comp lays them out; LL is what is removed of
//                              it, or nothing yet if this is the last level
//             b_denoise        sigma and variances
//             t_src or i_src   level 1: the image
//   out       b_to             planes of what is removed of LL of the level before; or
//             i_dst            level 1: the image without noise
//   host sets TO_IMAGE         1 = level 1
//             FILTER           AG_FILTER_*, but not _CUSTOM; CHANNELS is 1
//             the defines of denoise/shrink.glsl; at level 1 STORE
//   method    wavelet/synthesis.glsl, of what thresholds remove (denoise/shrink.glsl), component by
//             component, so that few registers are taken (docs/decisions.md, D83)
//   dispatch  128 threads for TILE_WIDTH x 8 pairs of samples in x and y
//   shared    4 KiB
//   cost      reads 4 bytes a coefficient and component, writes as much, or a texel
//   source    Mallat 1989; Donoho, Johnstone 1994; docs/denoise.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef TO_IMAGE
#error "TO_IMAGE must be set by the host"
#endif
#if TO_IMAGE
#include "common/source.glsl"
#include "common/store.glsl"
#endif
#include "common/sync.glsl"
#include "denoise/shrink.glsl"
#include "wavelet/synthesis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
layout(location = AG_LOC_DENOISE_DWT_BAND) uniform vec4 u_band;
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer From { float b_from[]; };
#if !TO_IMAGE
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer To { float b_to[]; };
#endif

shared float s_limits[3 * COMPONENTS]; // of HL, LH and HH of each component

void set_limits()
{
    int t = int(gl_LocalInvocationIndex), band = t % 3;
    if (t < 3 * COMPONENTS)
        s_limits[t] = limit_of(threshold_of(band_at(t / 3, int(u_band.z), band)),
                               band == 2 ? u_band.y : u_band.x);
}

// Of both bands of a thread. LL has what is removed; of the last level that is nothing.
void load_coefficients(const int c, const ivec2 from[LOADS], out float low[LOADS],
                       out float high[LOADS])
{
    int plane = u_size.z * u_size.w, details = (COMPONENTS + 3 * c) * plane;
    int first_low = is_high_in_x() ? details : c * plane;
    int first_high = details + (is_high_in_x() ? 2 : 1) * plane;
    for (int i = 0; i < LOADS; ++i) {
        int at = from[i].y * u_size.z + from[i].x;
        low[i] = b_from[first_low + at];
        high[i] = b_from[first_high + at];
    }
}

void shrink(const int c, inout float low[LOADS], inout float high[LOADS])
{
    bool high_x = is_high_in_x(), last = u_band.w != 0.0;
    float t_low = s_limits[3 * c], t_high = s_limits[3 * c + (high_x ? 2 : 1)];
    for (int i = 0; i < LOADS; ++i) {
        float approximation = last ? 0.0 : low[i];
        low[i] = high_x ? removed_of(low[i], t_low) : approximation;
        high[i] = removed_of(high[i], t_high);
    }
}

bool is_inside(ivec2 t)
{
    return all(greaterThanEqual(t, ivec2(0))) && all(lessThan(t, u_size.xy));
}

#if TO_IMAGE
// Texel t, which may lie beyond the image.
void store_cleaned(ivec2 t, vec3 removed)
{
    if (!is_inside(t))
        return;
    uint largest = 0u;
    store_texel(t, without(load_texel_unseen(t, largest), removed));
}
#else
// Sample t, which may lie beyond the plane.
void store_sample(const int c, ivec2 t, float removed)
{
    if (is_inside(t))
        b_to[(c * u_size.y + t.y) * u_size.x + t.x] = removed;
}
#endif

void main()
{
    begin_space();
    set_limits();
    ivec2 from[LOADS], own;
    find_coefficients(u_size.zw, AG_EXTEND_SYMMETRIC, from, own);
    bool stores = (gl_LocalInvocationIndex & 31u) < uint(TILE_WIDTH);
#if TO_IMAGE
    vec3 removed[2 * PAIRS]; // of texels
    for (int i = 0; i < 2 * PAIRS; ++i)
        removed[i] = vec3(0.0);
#endif
    for (int c = 0; c < COMPONENTS; ++c) {
        float low[LOADS], high[LOADS], even[PAIRS], odd[PAIRS];
        load_coefficients(c, from, low, high);
        sync_shared(); // limits are there, and rows of the component before have been read
        shrink(c, low, high);
        synthesise(low, high, even, odd);
        for (int pair = 0; pair < PAIRS; ++pair) {
#if TO_IMAGE
            removed[2 * pair][c] = even[pair];
            removed[2 * pair + 1][c] = odd[pair];
#else
            ivec2 place = place_of_pair(pair, AG_EXTEND_SYMMETRIC);
            if (stores) {
                store_sample(c, place, even[pair]);
                store_sample(c, place + ivec2(1, 0), odd[pair]);
            }
#endif
        }
    }
#if TO_IMAGE
    if (stores)
        for (int i = 0; i < 2 * PAIRS; ++i)
            store_cleaned(place_of_pair(i / 2, AG_EXTEND_SYMMETRIC) + ivec2(i % 2, 0), removed[i]);
#endif
}
