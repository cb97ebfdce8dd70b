// wavelet/inverse.comp - one level of the inverse wavelet transform, a fused tile a work group
//
//   in        t_src or i_ll .. i_hh   the bands of src (wavelet/bands.glsl)
//             b_from           FROM_BUFFER: the approximation, in place of LL
//   out       i_dst or b_to    the image of level 1, or the approximation of the level before
//             b_info.scrubbed
//   host sets FROM_BUFFER      1 = not the coarsest level
//             the defines of wavelet/synthesis.glsl; of wavelet/bands.glsl, INVERSE 1; STORE
//   method    wavelet/synthesis.glsl
//   dispatch  a group of 64 x 2 threads for TILE_WIDTH x 8 pairs of samples in x and y
//   cost      reads each coefficient once from memory, writes as many samples
//   source    Mallat 1989, A Theory for Multiresolution Signal Decomposition; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#pragma optionNV(unroll all)
#ifndef FROM_BUFFER
#error "FROM_BUFFER must be set by the host"
#endif
#include "common/info.glsl"
#include "common/store.glsl"
#include "common/sync.glsl"
#include "wavelet/bands.glsl"
#include "wavelet/synthesis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };
#if FROM_BUFFER
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
#endif

void load_coefficients(out VALUE low[LOADS], out VALUE high[LOADS])
{
    ivec2 from[LOADS], own;
    bool high_x = is_high_in_x();
    find_coefficients(u_size.zw, u_mode.x, from, own);
    for (int i = 0; i < LOADS; ++i) {
        ivec2 o = from[i];
        bool is_own = i >= own.x && i < own.y;
#if FROM_BUFFER
        if (high_x)
            low[i] = load_band(o, ivec2(1, 0), is_own);
        else
            low[i] = b_from[o.y * u_size.z + o.x];
#else
        low[i] = load_band(o, ivec2(high_x, 0), is_own);
#endif
        high[i] = load_band(o, ivec2(high_x, 1), is_own);
    }
}

// Sample t, which may lie beyond the image.
void store_sample(ivec2 t, VALUE c)
{
    bool inside = all(greaterThanEqual(t, ivec2(0))) && all(lessThan(t, u_size.xy));
    if (!inside)
        return;
    if (u_mode.y != 0)
        store_texel(t, widen(c, 1.0));
    else
        b_to[t.y * u_size.x + t.x] = c;
}

void main()
{
    VALUE low[LOADS], high[LOADS];
    load_coefficients(low, high);
    VALUE even[PAIRS], odd[PAIRS];
    synthesise(low, high, even, odd);
    if ((gl_LocalInvocationIndex & 31u) < uint(TILE_WIDTH))
        for (int pair = 0; pair < PAIRS; ++pair) {
            ivec2 place = place_of_pair(pair, u_mode.x);
            store_sample(place, even[pair]);
            store_sample(place + ivec2(1, 0), odd[pair]);
        }
    count_bad(g_bad);
}
