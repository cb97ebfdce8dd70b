// wavelet/stationary_back_columns.comp - the inverse stationary transform, second half of a level
//
//   in        b_from           the planes of wavelet/stationary_back_rows.comp
//   out       i_dst or b_to    the image of level 1, or the approximation of the level before
//   host sets FILTER, CHANNELS, and STORE, the rounding of dst's format (common/texel.glsl)
//   dispatch  a thread a texel
//   cost      2 TAPS loads a texel, all but two from a cache
//   source    Nason, Silverman 1995, The Stationary Wavelet Transform; docs/wavelet.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/store.glsl"
#include "wavelet/stationary.glsl"

layout(std430, binding = AG_SSBO_WAVELET_FROM) readonly buffer From { VALUE b_from[]; };
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= u_size.x || p.y >= u_size.y)
        return;
    VALUE c = VALUE(0.0);
    for (int k = 0; k < TAPS; ++k) {
        ivec2 from = ivec2(p.x, synthesised(p.y, k, u_size.y));
        vec2 tap = 0.5 * synthesis_tap(k); // each sample is there twice
        c += tap.x * b_from[in_plane(from, 0)] + tap.y * b_from[in_plane(from, 1)];
    }
    if (u_mode.y != 0)
        store_texel(p, widen(c, 1.0));
    else
        b_to[in_plane(p, 0)] = c;
}
