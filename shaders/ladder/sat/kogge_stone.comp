// ladder/sat/kogge_stone.comp - Kogge and Stone's scan (Hillis and Steele's), rows, then columns
//
//   in, out   ladder/sat/texels.glsl
//   shared    two buffers of GROUP values, of which a stage reads one and writes the other
//   host sets the defines of ladder/sat/lines.glsl
//   dispatch  a group for LINES lines; two passes
//   cost      i + 3o bytes a texel of i bytes in and o out; N log2 N - N + 1 additions for N
//             texels, log2 N barriers. After stage k an entry is the sum of 2^k texels at most
//   technique D02, D10 of docs/ladder.md
//   source    P. M. Kogge, H. S. Stone 1973, IEEE Trans. Comp. C-22(8); D. Horn 2005, GPU Gems 2,
//             chapter 36 (two buffers); M. Harris et al. 2007, GPU Gems 3, chapter 39, algorithm 2
//
//     a b c d        d += c, c += b, b += a        then by 2: d += b, c += a
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(GROUP) || !defined(LINES)
#error "GROUP and LINES must be set by the host"
#endif
#include "ladder/sat/lines.glsl"

shared VALUE s_sum[2][GROUP];

VALUE scan_chunk(VALUE v)
{
    int t = thread(), turn = 0;
    for (int by = LINES; by < GROUP; by *= 2) {
        s_sum[turn][t] = v;
        sync_shared();
        if (t >= by)
            v += s_sum[turn][t - by];
        turn = 1 - turn;
    }
    return v;
}

void main() { scan_lines(); }
