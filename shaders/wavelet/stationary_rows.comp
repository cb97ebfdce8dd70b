// wavelet/stationary_rows.comp - the stationary transform, second half of a level: rows
//
//   in        b_from           the planes of wavelet/stationary_columns.comp
//   out       i_hl, i_lh, i_hh the details, each in its own layer of dst
//             i_ll or b_to     the approximation: of the last level in dst, else in b_to
//   host sets FILTER, CHANNELS, and STORE, the rounding of dst's format (common/texel.glsl)
//   dispatch  a thread a texel
//   cost      2 TAPS loads a texel, all but two from a cache
//   source    Nason, Silverman 1995, The Stationary Wavelet Transform; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/interface.h"
#include "common/texel.glsl"
#include "wavelet/stationary.glsl"

layout(binding = AG_IMAGE_LL) writeonly uniform image2D i_ll;
layout(binding = AG_IMAGE_HL) writeonly uniform image2D i_hl;
layout(binding = AG_IMAGE_LH) writeonly uniform image2D i_lh;
layout(binding = AG_IMAGE_HH) writeonly uniform image2D i_hh;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y of dst's rectangle
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };

vec4 stored(VALUE c) { return round_for_store(widen(c, 0.0)); }

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= u_size.x || p.y >= u_size.y)
        return;
    VALUE ll = VALUE(0.0), hl = ll, lh = ll, hh = ll;
    for (int m = 0; m < TAPS; ++m) {
        ivec2 from = ivec2(analysed(p.x, m, u_size.x), p.y);
        VALUE low = b_from[in_plane(from, 0)], high = b_from[in_plane(from, 1)];
        vec2 tap = analysis_tap(m);
        ll += tap.x * low;
        hl += tap.y * low;
        lh += tap.x * high;
        hh += tap.y * high;
    }
    ivec2 at = u_dst_rect.xy + p;
    if (u_mode.y != 0)
        imageStore(i_ll, at, stored(ll));
    else
        b_to[in_plane(p, 0)] = ll;
    imageStore(i_hl, at, stored(hl));
    imageStore(i_lh, at, stored(lh));
    imageStore(i_hh, at, stored(hh));
}
