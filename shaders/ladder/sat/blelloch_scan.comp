// ladder/sat/blelloch_scan.comp - the first of three passes an axis: scans blocks, keeps their sums
//
//   in, out   ladder/sat/texels.glsl
//   out       b_sums [block][line]
//   shared    2 GROUP values, and a 32nd more
//   host sets the defines of ladder/sat/tree_block.glsl
//   dispatch  blocks of a line, lines / LINES rounded up. A line of one block is then complete
//   cost      of an axis: this pass reads and writes each texel; ladder/sat/blelloch_sums.comp
//             scans the sums; ladder/sat/blelloch_add.comp reads and writes each texel again.
//             i + 7o bytes a texel for both axes; 2 (N - 1) additions a block of N, and N to make
//             it inclusive
//   technique D04, D05, D06 of docs/ladder.md
//   source    G. E. Blelloch 1990; M. Harris et al. 2007, GPU Gems 3, chapter 39, algorithms 3 and
//             4: ladder/sat/tree.glsl draws them
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef LINES
#error "LINES must be set by the host"
#endif
#include "ladder/sat/tree_block.glsl"

layout(std430, binding = AG_SSBO_SCAN_SUMS) writeonly buffer Sums { VALUE b_sums[]; };

void main()
{
    int block = int(gl_WorkGroupID.x), first_line = int(gl_WorkGroupID.y) * LINES;
    VALUE sum = scan_block(block * BLOCK, first_line, VALUE(0));
    int line = first_line + int(gl_LocalInvocationIndex);
    if (int(gl_LocalInvocationIndex) < LINES && line < line_size().y)
        b_sums[block * line_size().y + line] = sum;
}
