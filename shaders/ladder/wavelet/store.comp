// ladder/wavelet/store.comp - the array that the document's steps worked on, into dst
//
//   in        b_to             a
//   out       i_dst            the pyramid, or the image of an inverse
//   host sets CHANNELS, and STORE, the rounding of dst's format (common/texel.glsl)
//   dispatch  a thread a texel
//   technique F01 of docs/ladder.md
//   source    the document's caller, which docs/ladder.md section 3 fills in
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/store.glsl"
#include "wavelet/samples.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_GROUP_Y) in;
layout(std430, binding = AG_SSBO_WAVELET_TO) readonly buffer To { VALUE b_to[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x < u_size.x && p.y < u_size.y)
        store_texel(p, widen(b_to[p.y * u_size.x + p.x], 1.0));
}
