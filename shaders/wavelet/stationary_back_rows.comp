// wavelet/stationary_back_rows.comp - the inverse stationary transform, first half of a level: rows
//
//   in        t_src or i_ll .. i_hh   the bands of src (wavelet/bands.glsl)
//             b_from           FROM_BUFFER: the approximation, in place of LL
//   out       b_to             a plane of low, and one of high coefficients in y
//             b_info.scrubbed
//   host sets FILTER, CHANNELS, FROM_BUFFER, and the defines of common/source.glsl
//   dispatch  a thread a texel
//   cost      4 TAPS loads a texel, all but four from a cache
//   source    Nason, Silverman 1995, The Stationary Wavelet Transform; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "wavelet/bands.glsl"
#include "wavelet/stationary.glsl"

layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };
#if FROM_BUFFER
layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
#endif

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= u_size.x || p.y >= u_size.y)
        return;
    VALUE low = VALUE(0.0), high = low;
    for (int k = 0; k < TAPS; ++k) {
        ivec2 from = ivec2(synthesised(p.x, k, u_size.x), p.y);
        bool own = k == CENTRE;
#if FROM_BUFFER
        VALUE ll = b_from[in_plane(from, 0)];
#else
        VALUE ll = narrow(load_band(from, ivec2(0), own));
#endif
        VALUE hl = narrow(load_band(from, ivec2(1, 0), own));
        VALUE lh = narrow(load_band(from, ivec2(0, 1), own));
        VALUE hh = narrow(load_band(from, ivec2(1), own));
        vec2 tap = 0.5 * synthesis_tap(k); // each sample is there twice
        low += tap.x * ll + tap.y * hl;
        high += tap.x * lh + tap.y * hh;
    }
    b_to[in_plane(p, 0)] = low;
    b_to[in_plane(p, 1)] = high;
    count_bad(g_bad);
}
