// mip/stages.glsl - stages of any sizes: tiles with a halo, whose levels pass through shared memory
//
//   host sets REGION    the most texels of level 1 of a stage
//             SECOND    AG_SECOND_NONE or _TILES
//             and the defines of mip/chain.glsl and mip/reduce.glsl
//   includer  THREADS   of a group
//             BUFFERED  true: a stage begins in the buffer
//             GAP       texels before each row of level 1 in shared memory: 0 or 1
//   tiles     a tile owns 64 >> j texels each way, or 32 >> j, of the level j below its stage's
//             source; the last tile of an axis owns all to the end. It also computes a halo, which
//             levels below read:
//
//                start                  start + owned   start + size
//                |------ stored here ---|----- halo ----|            stored by the next tile
//
//             engine_plugin/src/effects/mip/mip_plan.h draws four tiles
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
#pragma once
#if !defined(REGION) || !defined(THREADS) || !defined(BUFFERED) || !defined(GAP)
#error "REGION must be set by the host; THREADS, BUFFERED and GAP by the includer"
#endif
#include "mip/chain.glsl"
#include "mip/reduce.glsl"
#pragma optionNV(unroll all)

// ---- tiles

// The part of a level that a tile computes.
struct Region {
    ivec2 start, size, owned; // texels of that level; owned ones are stored
};

// `texels`: that a tile owns at this level, each way, if it is not the last; `halo`: beyond them.
Region region_of(ivec2 tile, ivec2 tiles, int texels, int level, ivec2 halo)
{
    ivec2 nominal = ivec2(texels), whole = level_size(level);
    ivec2 start = tile * nominal, size = min(nominal + halo, whole - start);
    return Region(start, size, nominal + (size - nominal) * ivec2(equal(tile, tiles - 1)));
}

// The halo `j` levels below a stage's source, when the stage makes `levels`. Level k is odd where
// bit k of the source's size is set and not its highest, so 2 halo + odd, level by level, is these
// bits.
ivec2 halo_at(int source, int levels, int j)
{
    ivec2 size = level_size(source);
    ivec2 rest = size ^ (ivec2(1) << findMSB(size));
    return (rest >> j) & ((1 << (levels - j)) - 1);
}

// Stores a texel of a tile's level in its image, and of the stage's last level also in the buffer.
void put(Region r, ivec2 p, int image, bool last, int at, vec4 c)
{
    if (all(lessThan(p, r.owned))) {
        store_placed(image, r.start + p + level_corner(first_source() + image), stored(c));
        if (last && at >= 0)
            store_handover(at, first_source() + image, r.start + p, c);
    }
}

// ---- levels

shared TEXEL s_level[REGION + REGION / 4];

struct Stage {
    ivec2 tile, tiles;
    int texels;         // of a tile at the source, each way
    int source, levels; // makes source + 1 .. source + levels
    int from, at;       // places in the buffer: of the source, for its last level
};

Region region_at(Stage s, int j)
{
    return region_of(s.tile, s.tiles, s.texels >> j, s.source + j,
                     halo_at(s.source, s.levels, j));
}

// Makes levels `first` .. of a tile. 1: from the buffer; 2: level 1 is in shared memory already.
void make_levels(Stage s, int first)
{
    int gap = GAP * (first - 1);
    int width = region_at(s, 1).size.x + gap;
    for (int j = first; j <= s.levels; ++j) {
        Region r = region_at(s, j);
        ivec2 above = level_size(s.source + j - 1), one = texel_1(above), two = texel_2(above);
        int into = REGION * (~j & 1), from = REGION - into + gap;
        float row = 1.0 / float(r.size.x);
        if (j > 1)
            sync_shared();
        for (int i = int(gl_LocalInvocationIndex); i < r.size.x * r.size.y; i += THREADS) {
            // 1. The output: p of the region, `to` of the level.
            int y = int((float(i) + 0.5) * row);
            ivec2 p = ivec2(i - y * r.size.x, y), to = r.start + p;
            // 2. Its 3 x 3 texels of the level above, and their sum. Each branch has its own sum:
            // with one after the branches AMD's LLVM has too few registers.
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

// ---- stages

#if SECOND
// Arrives at a tile of the second stage, whose source has `size` texels. A group of the first stage
// made 2^log2_owned of these texels each way, from a multiple of that on.
bool last_of_second(ivec2 tile, ivec2 size, int log2_owned)
{
    ivec2 from = tile * 64;
    ivec2 limit = min(from + 64 + second_halo(), size);
    ivec2 end = limit + (size - limit) * ivec2(equal(tile, second_tiles() - 1));
    ivec2 groups = (end - 1 >> log2_owned) - (from >> log2_owned) + 1;
    return arrives_last(tile.y * second_tiles().x + tile.x, groups.x * groups.y);
}

// The stages of a dispatch: its own tile, from level `first` on; then the tiles of the second stage
// at which this group arrives last. Shifts take the place of divisions, whose results take vector
// registers on AMD even where all threads have the same one.
void run_stages(int first)
{
    int made = first_source() + levels_of(0);
    Stage s = Stage(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), tile_of_first(),
                    first_source(), levels_of(0), place_of_source(0), place_of_last(0));
    int log2_own = findMSB(tile_of_first()) - levels_of(0);
    ivec2 size = level_size(made), begin = s.tile << log2_own;
    // A group's texels lie in one tile of the second stage, maybe in halos of earlier tiles.
    ivec2 hi = min(begin >> 6, second_tiles() - 1);
    ivec2 lo = max(min(hi, (begin >> 6) - ivec2(lessThan(begin & 63, second_halo()))), 0);
    ivec2 count = hi - lo + 1; // 1 or 2
    for (int n = -1; n < count.x * count.y; ++n) {
        bool goes = true;
        if (n >= 0) {
            int below = n >> count.x - 1;
            s = Stage(lo + ivec2(n - below * count.x, below), second_tiles(), 64, made,
                      levels_of(1), place_of_source(1), place_of_last(1));
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
    make_levels(Stage(ivec2(gl_WorkGroupID.xy), ivec2(gl_NumWorkGroups.xy), tile_of_first(),
                      first_source(), levels_of(0), place_of_source(0), place_of_last(0)),
                first);
}
#endif
