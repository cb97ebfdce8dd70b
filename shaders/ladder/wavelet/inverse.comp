// ladder/wavelet/inverse.comp - the inverse step, which the document does not print
//
//   a        l0 l1 .. | h0 h1 ..             thread j reads TAPS / 2 pairs of them
//   scratch  x0 x1 x2 x3 .. x(n-1),          and adds to x(j)
//
//   in        b_to             a: low coefficients, then high ones
//   out       b_to             scratch, which was 0: samples are added
//   host sets FILTER, CHANNELS
//   dispatch  a thread a sample of n, and a line
//   cost      reads TAPS coefficients a sample
//   what      "one thread for each element", so a gather: sample j takes tap k of coefficient o
//             where 2 o + k - offset = j, by n. Threads that scatter would add to the same samples
//   technique F05 of docs/ladder.md
//   source    the document that docs/ladder.md names
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/wavelet/line.glsl"

void main()
{
    int j = int(gl_GlobalInvocationID.x), line = int(gl_GlobalInvocationID.y);
    int n = u_line.x, n1 = n - 1, nh = n >> 1, offset = TAPS / 2 - 1;
    if (j < n && line < u_line.y) {
        VALUE x = VALUE(0.0);
        for (int i = 0; i < TAPS / 2; ++i) {
            int k = 2 * i + (j + offset & 1);
            int o = (n1 & (j + offset - k + TAPS * n)) >> 1;
            x += synthesis_tap(k).x * b_to[a(line, o)] + synthesis_tap(k).y * b_to[a(line, o + nh)];
        }
        b_to[scratch(line, j)] += x;
    }
}
