// wavelet/forward.comp - one level of the wavelet transform, a fused tile a work group
//
//   in        t_src or i_src   level 1: the image (common/source.glsl); or
//             b_from           FROM_BUFFER: the approximation of the level before
//   out       i_hl, i_lh, i_hh the details, each in its own rectangle or layer of dst
//             i_ll or b_to     the approximation: of the last level in dst, else in b_to
//             b_info.scrubbed
//   host sets FILTER, CHANNELS wavelet/analysis.glsl
//             FROM_BUFFER      1 = not level 1
//             STORE            rounding of dst's format (common/texel.glsl)
//             and for level 1 the defines of common/source.glsl
//   dispatch  a group of 64 x 4 threads for TILE_WIDTH x 16 coefficients of each band, or of what
//             is filled with 0 around smaller bands
//   cost      reads each sample once from memory, writes as many coefficients
//   source    Mallat 1989, A Theory for Multiresolution Signal Decomposition; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !FROM_BUFFER
#include "common/info.glsl"
#include "common/source.glsl"
#endif
#include "common/interface.h"
#include "common/texel.glsl"
#include "wavelet/analysis.glsl"
#include "wavelet/size.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
layout(binding = AG_IMAGE_LL) writeonly uniform image2D i_ll;
layout(binding = AG_IMAGE_HL) writeonly uniform image2D i_hl;
layout(binding = AG_IMAGE_LH) writeonly uniform image2D i_lh;
layout(binding = AG_IMAGE_HH) writeonly uniform image2D i_hh;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y of dst's rectangle
layout(location = AG_LOC_WAVELET_FILL_LL_HH) uniform ivec4 u_fill_ll_hh;
layout(location = AG_LOC_WAVELET_FILL_HL_LH) uniform ivec4 u_fill_hl_lh;
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };

#if FROM_BUFFER
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };

VALUE load_sample(ivec2 place, bool own) { return b_from[place.y * u_size.x + place.x]; }
#else
uint g_bad = 0u;

VALUE load_sample(ivec2 place, bool own)
{
    uint largest = 0u;
    vec4 c = load_texel_unseen(place, largest);
    g_bad += uint(own && largest >= TOO_LARGE && u_src_mode.z != 0);
    return narrow(c);
}
#endif

bool below(ivec2 o, ivec2 end) { return all(lessThan(o, end)); }

// A coefficient as dst holds it, and 0 beyond the band.
vec4 stored(VALUE c, bool inside)
{
    return round_for_store(widen(inside ? c : VALUE(0.0), 0.0));
}

void store_bands(ivec2 o, VALUE ll, VALUE hl, VALUE lh, VALUE hh)
{
    ivec2 count = u_size.zw, details = u_mode.zw, at = u_dst_rect.xy + o;
    bool inside = below(o, count);
    if (u_mode.y == 0) {
        if (inside)
            b_to[o.y * count.x + o.x] = ll;
    } else if (below(o, u_fill_ll_hh.xy)) {
        imageStore(i_ll, at, stored(ll, inside));
    }
    if (below(o, u_fill_hl_lh.xy))
        imageStore(i_hl, at + ivec2(details.x, 0), stored(hl, inside));
    if (below(o, u_fill_hl_lh.zw))
        imageStore(i_lh, at + ivec2(0, details.y), stored(lh, inside));
    if (below(o, u_fill_ll_hh.zw))
        imageStore(i_hh, at + details, stored(hh, inside));
}

void main()
{
    ivec2 tile = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT);
    analyse_tile(tile, u_size.xy, u_mode.x);
#if !FROM_BUFFER
    count_bad(g_bad);
#endif
}
