// ladder/wavelet/load.comp - src into the array that the document's steps work on
//
//   in        t_src or i_src   the image, or the pyramid of an inverse (common/source.glsl)
//   out       b_to             a, row by row, then as many zeros: scratch
//             b_info.scrubbed
//   host sets CHANNELS, and the defines of common/source.glsl
//   dispatch  a thread a texel
//   technique F01 of docs/ladder.md
//   source    the document's caller, which docs/ladder.md section 3 fills in
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "common/source.glsl"
#include "wavelet/samples.glsl"

layout(local_size_x = AG_WAVELET_COLUMNS, local_size_y = AG_WAVELET_GROUP_Y) in;
layout(std430, binding = AG_SSBO_WAVELET_TO) writeonly buffer To { VALUE b_to[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= u_size.x || p.y >= u_size.y)
        return;
    uint bad = 0u;
    b_to[p.y * u_size.x + p.x] = narrow(load_texel(p, bad));
    b_to[(u_size.y + p.y) * u_size.x + p.x] = VALUE(0.0);
    count_bad(bad);
}
