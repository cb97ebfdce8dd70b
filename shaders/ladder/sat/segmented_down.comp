// ladder/sat/segmented_down.comp - the third pass: blocks again, from the roots before them
//
//   in        ladder/sat/texels.glsl; b_roots, inclusive
//   out       i_dst
//   host sets the defines of ladder/sat/segmented_block.glsl (GROUP)
//   dispatch  as ladder/sat/segmented_up.comp
//   cost      ladder/sat/segmented_up.comp
//   technique D07 of docs/ladder.md
//   source    S. Sengupta et al. 2007, algorithms 3 and 4: ladder/sat/segments.glsl draws them
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef GROUP
#error "GROUP must be set by the host"
#endif
#include "ladder/sat/segmented_block.glsl"

layout(std430, binding = AG_SSBO_SCAN_SUMS) readonly buffer Roots { VALUE b_roots[]; };

void main()
{
    int first = block_of_group() * TREE_ELEMENTS, node = int(gl_LocalInvocationIndex);
    VALUE before = VALUE(0);
    if (block_of_group() > 0 && first < elements())
        before = b_roots[block_of_group() - 1];
    load_block(first, false);
    sweep_up(node);
    sweep_down(node, first, before);
    for (int k = 0; k < 2; ++k) {
        int e = node + k * GROUP, i = first + e;
        if (i < elements())
            store_value(texel_of(i), element_sum(e, g_values[k], head(i)));
    }
}
