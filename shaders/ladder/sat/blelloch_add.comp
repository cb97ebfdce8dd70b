// ladder/sat/blelloch_add.comp - the third pass: adds to each block the sum of those before it
//
//   in        i_table; b_sums [block][line], exclusive
//   out       i_dst
//   host sets the defines of ladder/sat/texels.glsl; AXIS
//             BLOCK   texels of a block
//   dispatch  ceil(width / 16), ceil(height / 16)
//   cost      each texel read and written once, an addition each
//   technique D05 of docs/ladder.md
//   source    G. E. Blelloch 1990; M. Harris et al. 2007, GPU Gems 3, chapter 39, algorithms 3 and
//             4: ladder/sat/tree.glsl draws them
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(AXIS) || !defined(BLOCK)
#error "AXIS and BLOCK must be set by the host"
#endif
#include "ladder/sat/texels.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = AG_SSBO_SCAN_SUMS) readonly buffer Sums { VALUE b_sums[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    int place = AXIS == 0 ? p.x : p.y, line = AXIS == 0 ? p.y : p.x;
    int lines = AXIS == 0 ? extent().y : extent().x;
    if (all(lessThan(p, extent())))
        store_value(p, load_value(p, false) + b_sums[place / BLOCK * lines + line]);
}
