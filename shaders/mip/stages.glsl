// mip/stages.glsl - levels from a buffer and from shared memory, of any sizes, and further stages
//
//   host sets REGION    the most texels of level 1 of a stage
//             THREADS   of a group
//             BUFFERED  true: a stage begins in the buffer
//             GAP       texels before each row of level 1 in shared memory: 0 or 1
//   how       a stage's levels take turns in two regions of shared memory, each costs one barrier:
//
//                region A | level 1   | level 3 | level 5     REGION texels; level 1 may be in it
//                region B   | level 2   | level 4             a quarter of that
//
//             Every output is a weighted sum of 3 x 3 texels; an even size makes some weights 0
//   why       one loop for all levels of all stages, not unrolled: one small program for every
//             size, nearly as fast as straight-line code (docs/decisions.md, D34). Loops over the 9
//             texels are unrolled: their loads overlap, and the array stays in registers
//   shared    5/4 REGION texels in fp32
//   SPDX-License-Identifier: MIT
#pragma optionNV(unroll all)
shared TEXEL s_level[REGION + REGION / 4];

struct Stage {
    ivec2 tile, tiles;
    int source, levels; // makes source + 1 .. source + levels
    int from, at;       // places in the buffer: of the source, for its last level
};

// Makes levels `first` .. of a tile. 1: from the buffer; 2: level 1 is in shared memory already.
void make_levels(Stage s, int first)
{
    int gap = GAP * (first - 1);
    int width = region_of(s.tile, s.tiles, s.source + 1, 1, halo_at(s.source, s.levels, 1)).size.x +
        gap;
    for (int j = first; j <= s.levels; ++j) {
        Region r = region_of(s.tile, s.tiles, s.source + j, j, halo_at(s.source, s.levels, j));
        ivec2 above = level_size(s.source + j - 1), one = texel_1(above), two = texel_2(above);
        int into = REGION * (~j & 1), from = REGION - into + gap;
        float row = 1.0 / float(r.size.x);
        if (j > 1)
            sync_shared();
        for (int i = int(gl_LocalInvocationIndex); i < r.size.x * r.size.y; i += THREADS) {
            // 1. The output: p of the region, `to` of the level.
            int y = int((float(i) + 0.5) * row);
            ivec2 p = ivec2(i - y * r.size.x, y), to = r.start + p;
            // 2. Its 3 x 3 texels of the level above, and their sum: for a sum after the branches
            // AMD's LLVM has too few registers.
            ivec3 x = ivec3(0, one.x, two.x), v = ivec3(0, one.y, two.y);
            vec4 texels[9], c;
            if (BUFFERED && j == 1) {
                for (int k = 0; k < 9; ++k)
                    texels[k] = load_handover(s.from, above.x, 2 * to + ivec2(x[k % 3], v[k / 3]));
                c = weighed(texels, above, to);
            } else {
                for (int k = 0; k < 9; ++k)
                    texels[k] = UNPACK(s_level[from + (2 * p.y + v[k / 3]) * width + 2 * p.x +
                                               x[k % 3]]);
                c = weighed(texels, above, to);
            }
            // 3. For the next level, and in the image.
            s_level[into + i] = PACK(c);
            put(r, p, s.source - first_source() + j, j == s.levels, s.at, c);
        }
        width = r.size.x;
        gap = 0;
    }
}

// The stages of a dispatch: its own tile, from level `first` on; then the tiles of the second stage
// at which this group arrives last. Shifts in place of divisions, whose results, the same in all
// threads, take vector registers of AMD's.
#if SECOND
#include "mip/arrive.glsl"
#include "mip/arrive_tiles.glsl"
void run_stages(int first)
{
    int made = first_source() + levels_of(0);
    Stage s = Stage(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), first_source(),
                    levels_of(0),
                    place_of_source(0), place_of_last(0));
    int log2_own = 6 - levels_of(0);
    ivec2 size = level_size(made), begin = s.tile << log2_own;
    // A group's texels lie in one tile of the second stage, maybe in halos of earlier tiles.
    ivec2 hi = min(begin >> 6, second_tiles() - 1);
    ivec2 lo = max(min(hi, (begin >> 6) - ivec2(lessThan(begin & 63, second_halo()))), 0);
    ivec2 count = hi - lo + 1; // 1 or 2
    for (int n = -1; n < count.x * count.y; ++n) {
        bool goes = true;
        if (n >= 0) {
            int below = n >> count.x - 1;
            s = Stage(lo + ivec2(n - below * count.x, below), second_tiles(), made, levels_of(1),
                      place_of_source(1),
                      place_of_last(1));
            first = 1;
            goes = last_of_second(s.tile, size, log2_own);
        }
        if (goes) {
            make_levels(s, first);
            sync_shared();
        }
    }
}
#else
void run_stages(int first)
{
    make_levels(Stage(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), first_source(),
                      levels_of(0),
                      place_of_source(0), place_of_last(0)), first);
}
#endif
