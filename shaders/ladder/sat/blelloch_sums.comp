// ladder/sat/blelloch_sums.comp - the second pass: the exclusive scan of the blocks' sums of a line
//
//   in, out   b_sums [block][line]
//   host sets the defines of ladder/sat/texels.glsl; AXIS
//   dispatch  lines / 64 rounded up; a thread scans a line's few sums serially
//   cost      blocks - 1 additions a line
//   technique D05 of docs/ladder.md
//   source    G. E. Blelloch 1990; M. Harris et al. 2007, GPU Gems 3, chapter 39, algorithms 3 and
//             4: ladder/sat/tree.glsl draws them
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef AXIS
#error "AXIS must be set by the host"
#endif
#include "ladder/sat/texels.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = AG_SSBO_SCAN_SUMS) buffer Sums { VALUE b_sums[]; };

void main()
{
    int line = int(gl_GlobalInvocationID.x), lines = AXIS == 0 ? extent().y : extent().x;
    VALUE before = VALUE(0);
    for (int block = 0; block < u_scan.w && line < lines; ++block) {
        VALUE sum = b_sums[block * lines + line];
        b_sums[block * lines + line] = before;
        before += sum;
    }
}
