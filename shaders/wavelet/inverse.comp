// wavelet/inverse.comp - one level of the inverse wavelet transform, a fused tile a work group
//
//   in        t_src or i_ll .. i_hh   the bands of src (wavelet/bands.glsl)
//             b_from           FROM_BUFFER: the approximation, in place of LL
//   out       i_dst or b_to    the image of level 1, or the approximation of the level before
//             b_info.scrubbed
//   host sets FILTER, CHANNELS wavelet/synthesis.glsl
//             FROM_BUFFER      1 = not the coarsest level
//             STORE            rounding of dst's format (common/texel.glsl)
//             and the defines of common/source.glsl
//   dispatch  a group of 64 x 4 threads for TILE_WIDTH x 16 pairs of samples in x and y
//   cost      reads each coefficient once from memory, writes as many samples
//   source    Mallat 1989, A Theory for Multiresolution Signal Decomposition; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "common/store.glsl"
#include "wavelet/bands.glsl"
#include "wavelet/synthesis.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };
#if FROM_BUFFER
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
#endif

void load_pair(ivec2 o, bool high_x, bool own, out VALUE low_y, out VALUE high_y)
{
    ivec2 high = ivec2(high_x, 0);
#if FROM_BUFFER
    if (high_x)
        low_y = narrow(load_band(o, ivec2(1, 0), own));
    else
        low_y = b_from[o.y * u_size.z + o.x];
#else
    low_y = narrow(load_band(o, high, own));
#endif
    high_y = narrow(load_band(o, ivec2(high_x, 1), own));
}

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
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT);
    synthesise_tile(tile, u_size.zw, u_mode.x);
    count_bad(g_bad);
}
