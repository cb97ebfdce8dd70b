// ladder/wavelet/forward.comp - the document's kernel cudaDWTStepForward: a line, a thread a pair
//
//   a        x0 x1 x2 x3 .. x(n-1)           thread i reads TAPS samples from 2 i - offset on
//   scratch  l0 l1 .. | h0 h1 ..  (n / 2 each), and adds to l(i) and h(i)
//
//   in        b_to             a
//   out       b_to             scratch, which was 0: low coefficients, then high ones, are added
//   host sets FILTER, CHANNELS
//   dispatch  a thread idx of n / 2, and a line
//   cost      reads each sample TAPS / 2 times; columns `stride` texels apart
//   what      n is a power of two, and the line repeats: n1 & (ni + k). The document leaves
//             `offset` open; TAPS / 2 - 1 gives the coefficients of wavelet/forward.comp, 0 those
//             of GSL. Its index tidx, which is not defined, is threadIdx.x, and stride is passed
//   technique F01 of docs/ladder.md
//   source    the document that docs/ladder.md names; GSL's dwt_step has the same loop
//   SPDX-License-Identifier: MIT
#version 430 core
#include "ladder/wavelet/line.glsl"

void main()
{
    int idx = int(gl_GlobalInvocationID.x), line = int(gl_GlobalInvocationID.y);
    int n = u_line.x, n1 = n - 1, nh = n >> 1, offset = TAPS / 2 - 1, nmod = TAPS * n - offset;
    if (idx < nh && line < u_line.y) {
        VALUE h = VALUE(0.0), g = VALUE(0.0);
        int ni = 2 * idx + nmod;
        for (int k = 0; k < TAPS; ++k) {
            int jf = n1 & (ni + k);
            VALUE ani = b_to[a(line, jf)];
            h += analysis_tap(k).x * ani;
            g += analysis_tap(k).y * ani;
        }
        b_to[scratch(line, idx)] += h;
        b_to[scratch(line, idx + nh)] += g;
    }
}
