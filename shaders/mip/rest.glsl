// mip/rest.glsl - the rest of a chain by one group, without tiles
//
//   host sets REGION    the most texels of the first level made
//             HALVES    1 = every level halves exactly: 4 texels an output, not 3 x 3
//             and the defines of mip/chain.glsl and mip/reduce.glsl
//   includer  THREADS   of the group
//   how       levels take turns in two regions of shared memory, and each costs one barrier: levels
//             1, 3, 5 are in region A, of REGION texels, 2, 4 in a quarter of that
//   why       the program runs once, so its time is that of fetching its instructions: it is short
//             (docs/decisions.md, D35)
//   shared    5/4 REGION texels in fp32
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(REGION) || !defined(HALVES) || !defined(THREADS)
#error "REGION and HALVES must be set by the host, THREADS by the includer"
#endif
#include "mip/chain.glsl"
#include "mip/reduce.glsl"

shared TEXEL s_level[REGION + REGION / 4];

// Makes level source + j. All threads call this together, for each j from 1 on.
void rest_level(int source, int place, int j)
{
    ivec2 above = level_size(source + j - 1), size = level_size(source + j);
    ivec2 corner = level_corner(source + j);
    int into = REGION * (~j & 1), from = j == 1 ? place : REGION - into;
    float row = 1.0 / float(size.x);
    for (int i = int(gl_LocalInvocationIndex); i < size.x * size.y; i += THREADS) {
        int y = int((float(i) + 0.5) * row);
        ivec2 to = ivec2(i - y * size.x, y);
#if HALVES
        vec4 texels[4];
        if (j == 1)
            for (int k = 0; k < 4; ++k)
                texels[k] = load_handover(from, above.x, 2 * to + ivec2(k & 1, k >> 1));
        else
            for (int k = 0; k < 4; ++k)
                texels[k] = UNPACK(s_level[from + (2 * to.y + (k >> 1)) * above.x + 2 * to.x +
                                           (k & 1)]);
        SUM sum = sum_begin();
        for (int k = 0; k < 4; ++k)
            sum_add(sum, texels[k], 0.25, false);
        vec4 c = sum_finish(sum);
#else
        // Each branch has its own sum: with one after them AMD's LLVM has too few registers.
        ivec2 one = texel_1(above), two = texel_2(above);
        ivec3 x = 2 * to.x + ivec3(0, one.x, two.x), v = 2 * to.y + ivec3(0, one.y, two.y);
        vec4 texels[9], c;
        if (j == 1) {
            for (int k = 0; k < 9; ++k)
                texels[k] = load_handover(from, above.x, ivec2(x[k % 3], v[k / 3]));
            c = weighed(texels, above, to);
        } else {
            for (int k = 0; k < 9; ++k)
                texels[k] = UNPACK(s_level[from + v[k / 3] * above.x + x[k % 3]]);
            c = weighed(texels, above, to);
        }
#endif
        s_level[into + i] = PACK(c);
        store_placed(source - first_source() + j, corner + to, stored(c));
    }
}

// Makes levels source + 1 .. source + levels, from those that the buffer has at `place`.
void make_rest(int source, int place, int levels)
{
    for (int j = 1; j <= levels; ++j) {
        if (j > 1)
            sync_shared();
        rest_level(source, place, j);
    }
}
