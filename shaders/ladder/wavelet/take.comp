// ladder/wavelet/take.comp - what the document leaves to its caller: scratch goes back into a
//
//   in, out   b_to             a, then scratch
//   host sets CHANNELS, FILTER
//   dispatch  a thread an element of n, and a line
//   technique F01 of docs/ladder.md
//   source    the document's caller, which docs/ladder.md section 3 fills in
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/wavelet/line.glsl"

void main()
{
    int j = int(gl_GlobalInvocationID.x), line = int(gl_GlobalInvocationID.y);
    if (j < u_line.x && line < u_line.y) {
        b_to[a(line, j)] = b_to[scratch(line, j)];
        b_to[scratch(line, j)] = VALUE(0.0);
    }
}
