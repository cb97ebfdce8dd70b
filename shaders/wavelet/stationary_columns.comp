// wavelet/stationary_columns.comp - the stationary transform, first half of a level: columns
//
//   in        t_src or i_src   level 1: the image (common/source.glsl); or
//             b_from           FROM_BUFFER: the approximation of the level before
//   out       b_to             a plane of low, and one of high coefficients
//             b_info.scrubbed
//   host sets FILTER, CHANNELS, FROM_BUFFER, and for level 1 the defines of common/source.glsl
//   dispatch  a thread a texel
//   cost      TAPS loads a texel, all but one from a cache
//   source    Nason, Silverman 1995, The Stationary Wavelet Transform; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !FROM_BUFFER
#include "common/info.glsl"
#include "common/source.glsl"
#endif
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
    uint bad = 0u;
    for (int m = 0; m < TAPS; ++m) {
        ivec2 from = ivec2(p.x, analysed(p.y, m, u_size.y));
#if FROM_BUFFER
        VALUE c = b_from[in_plane(from, 0)];
#else
        uint largest = 0u;
        VALUE c = narrow(load_texel_unseen(from, largest));
        bad += uint(m == CENTRE && largest >= TOO_LARGE && u_src_mode.z != 0);
#endif
        vec2 tap = analysis_tap(m);
        low += tap.x * c;
        high += tap.y * c;
    }
    b_to[in_plane(p, 0)] = low;
    b_to[in_plane(p, 1)] = high;
#if !FROM_BUFFER
    count_bad(bad);
#endif
}
