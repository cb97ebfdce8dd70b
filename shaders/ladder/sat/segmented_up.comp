// ladder/sat/segmented_up.comp - the first of three passes an axis: roots of blocks
//
//   in        ladder/sat/texels.glsl
//   out       b_roots, b_flags: the sum of a block after its last head, and whether it has a head
//   host sets the defines of ladder/sat/segmented_block.glsl
//   dispatch  blocks of 2 GROUP texels, AG_SCAN_ROW of them in a row of groups
//   cost      this pass reads each texel, and ladder/sat/segmented_down.comp reads it again and
//             writes it: 2i + 4o bytes a texel for both axes, where saving the trees would take
//             i + 7o; 3 (N - 1) additions for N texels, and N to make them inclusive
//   technique D07 of docs/ladder.md
//   source    S. Sengupta et al. 2007, algorithms 3 and 4: ladder/sat/segments.glsl draws them
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/sat/segmented_block.glsl"

layout(std430, binding = AG_SSBO_SCAN_SUMS) writeonly buffer Roots { VALUE b_roots[]; };
layout(std430, binding = AG_SSBO_SCAN_FLAGS) writeonly buffer Flags { uint b_flags[]; };

void main()
{
    int block = block_of_group(), node = int(gl_LocalInvocationIndex);
    load_block(block * TREE_ELEMENTS, true);
    sweep_up(node);
    if (node == 0 && block < u_scan.w) {
        b_roots[block] = s_tree[TREE_PLACE(TREE_ELEMENTS - 1)];
        b_flags[block] = s_flag[TREE_PLACE(TREE_ELEMENTS - 1)];
    }
}
