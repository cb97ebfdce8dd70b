// ladder/sat/ladner_fischer.comp - the scan that Chen et al. call LF-scan, through shared memory
//
//   in, out   ladder/sat/texels.glsl
//   shared    GROUP values: what a stage reads, it does not write
//   host sets the defines of ladder/sat/lines.glsl
//   dispatch  a group for LINES lines; two passes
//   cost      i + 3o bytes a texel; (N / 2) log2 N additions, log2 N barriers; half of the threads
//             idle in each stage
//   technique D11 of docs/ladder.md
//   source    J. Sklansky 1960; R. E. Ladner, M. J. Fischer 1980, J. ACM 27(4); Chen et al. 2018
//
//     a b c d e f g h      b += a, d += c ..;  c, d += b;  e, f, g, h += d
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(GROUP) || !defined(LINES)
#error "GROUP and LINES must be set by the host"
#endif
#include "ladder/sat/lines.glsl"

shared VALUE s_sum[GROUP];

VALUE scan_chunk(VALUE v)
{
    int t = thread();
    s_sum[t] = v;
    sync_shared();
    for (int by = LINES; by < GROUP; by *= 2) {
        // the last of the lower half of the thread's 2 by threads, in its line
        if ((t & by) != 0) {
            v += s_sum[(t & ~(2 * by - 1)) + by - LINES + t % LINES];
            s_sum[t] = v;
        }
        sync_shared();
    }
    return v;
}

void main() { scan_lines(); }
