// wavelet/ladder/store.comp - the array that the document's steps worked on, into dst
//
//   in        b_to             a
//   out       i_dst            the pyramid, or the image of an inverse
//   host sets CHANNELS, and STORE, the rounding of dst's format (common/texel.glsl)
//   dispatch  a thread a texel; u_mode.y: 1 = dst is an image, whose alpha is 1 if src has none
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/store.glsl"
#include "wavelet/samples.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_SEGMENTS) in;
layout(std430, binding = AG_SSBO_WAVELET_TO) readonly buffer To { VALUE b_to[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x < u_size.x && p.y < u_size.y)
        store_texel(p, widen(b_to[p.y * u_size.x + p.x], float(u_mode.y)));
}
