// wavelet/forward.comp - one level of the wavelet transform, a fused tile a work group
//
//   in        t_src or i_src   level 1: the image
//             b_from           FROM_BUFFER: the approximation of the level before
//   out       i_hl, i_lh, i_hh the details, each in its own rectangle or layer of dst
//             i_ll or b_to     the approximation: of the last level in dst, else in b_to
//             b_info.scrubbed
//   host sets FROM_BUFFER      1 = not level 1
//             the defines of wavelet/analysis.glsl and wavelet/bands.glsl, INVERSE 0; of
//             common/source.glsl for level 1
//   method    wavelet/analysis.glsl
//   dispatch  a group of 64 x 2 threads for TILE_WIDTH x 8 coefficients of each band, with the
//             zeros beyond smaller bands
//   cost      reads each sample once from memory, writes as many coefficients
//   source    Mallat 1989, A Theory for Multiresolution Signal Decomposition; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef FROM_BUFFER
#error "FROM_BUFFER must be set by the host"
#endif
#if !FROM_BUFFER
#include "common/info.glsl"
#include "common/source.glsl"
#endif
#include "common/sync.glsl"
#include "wavelet/analysis.glsl"
#include "wavelet/bands.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
layout(location = AG_LOC_WAVELET_FILL_LL_HH) uniform ivec4 u_fill_ll_hh;
layout(location = AG_LOC_WAVELET_FILL_HL_LH) uniform ivec4 u_fill_hl_lh;
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };
#if FROM_BUFFER
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
#endif

void load_samples(out VALUE samples[LOADS])
{
    ivec2 from[LOADS], own;
    uint bad = 0u;
    find_samples(u_size.xy, u_mode.x, from, own);
    for (int i = 0; i < LOADS; ++i) {
        ivec2 place = max(from[i], 0);
#if FROM_BUFFER
        VALUE c = b_from[place.y * u_size.x + place.x];
#else
        uint largest = 0u;
        VALUE c = narrow(load_texel_unseen(place, largest));
        bad += uint(largest >= TOO_LARGE && i >= own.x && i < own.y);
#endif
        samples[i] = any(lessThan(from[i], ivec2(0))) ? VALUE(0.0) : c;
    }
#if !FROM_BUFFER
    if (u_src_mode.z != 0)
        count_bad(bad);
#endif
}

bool below(ivec2 o, ivec2 end) { return all(lessThan(o, end)); }

// Coefficient o of each band, and 0 beyond the bands.
void store_bands(ivec2 o, bands b)
{
    ivec2 count = u_size.zw, details = u_mode.zw, at = u_dst_rect.xy + o;
    bool inside = below(o, count);
    VALUE none = VALUE(0.0);
    if (u_mode.y == 0) {
        if (inside)
            b_to[o.y * count.x + o.x] = b.ll;
    } else if (below(o, u_fill_ll_hh.xy)) {
        imageStore(i_ll, at, stored(inside ? b.ll : none));
    }
    if (below(o, u_fill_hl_lh.xy))
        imageStore(i_hl, at + ivec2(details.x, 0), stored(inside ? b.hl : none));
    if (below(o, u_fill_hl_lh.zw))
        imageStore(i_lh, at + ivec2(0, details.y), stored(inside ? b.lh : none));
    if (below(o, u_fill_ll_hh.zw))
        imageStore(i_hh, at + details, stored(inside ? b.hh : none));
}

void main()
{
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
}
