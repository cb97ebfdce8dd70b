// ladder/sat/lookback_clear.comp - no word is published, no ticket taken, nothing failed
//   out       b_words, as uvec4; b_state
//   host sets nothing; u_scan.w: number of uvec4 of b_words
//   dispatch  rows of AG_SCAN_ROW groups of 256 threads with four uvec4 each
//   cost      a write of each word
//   technique D20 of docs/ladder.md
//   source    D. Merrill, M. Garland 2016: ladder/sat/lookback.comp draws it
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/sat/interface.h"

layout(local_size_x = 256) in;
layout(location = AG_LOC_SCAN) uniform ivec4 u_scan;
layout(std430, binding = AG_SSBO_SCAN_SUMS) writeonly buffer Words { uvec4 b_words[]; };
layout(std430, binding = AG_SSBO_SCAN_FLAGS) writeonly buffer State { uint b_state[]; };

void main()
{
    int group = int(gl_WorkGroupID.y) * AG_SCAN_ROW + int(gl_WorkGroupID.x);
    for (int k = 0; k < 4; ++k) {
        int i = (group * 4 + k) * 256 + int(gl_LocalInvocationIndex);
        if (i < u_scan.w)
            b_words[i] = uvec4(0xffffffffu);
    }
    if (group == 0 && gl_LocalInvocationIndex < 16u)
        b_state[gl_LocalInvocationIndex] = 0u;
}
