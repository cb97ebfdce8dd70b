// mip/odd_taps.comp - the first stage of odd sizes: each output loads all of its texels
//
//   in        t_src or i_src     the first level, any (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/images.glsl)
//             b_handover, b_info each stage's last level in fp32; with COUNTS the non-finite texels
//   host sets ODD_X, ODD_Y       mip/odd.glsl
//             REGION             mip/stages.glsl
//             and the defines of level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl
//   dispatch  tiles x, tiles y, layers. engine_plugin/src/effects/mip/mip_plan.h draws a tile and
//             its halo
//   steps     1  level 1 of the tile and its halo, up to 35 x 35 texels, into shared memory
//             2  the levels below, and the stages of groups that arrive last (mip/stages.glsl)
//   reduce    any
//   cost      4, 6 or 9 loads a texel of level 1; the loads of two outputs overlap. Then 9 reads of
//             shared memory a texel, whatever the sizes, and one barrier a level
//   shared    5/4 REGION texels in fp32: 25 KiB for tiles with a halo of 3 and four channels
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (weights)
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 512 // shared memory allows two groups a multiprocessor, so groups are large
layout(local_size_x = 32, local_size_y = 16) in;
#define BUFFERED (SECOND > 0)
#define GAP 0

#include "mip/level.glsl"
#include "mip/reduce_karis.glsl"
#include "mip/reduce_alpha.glsl"
#include "mip/weights.glsl"
#include "mip/region.glsl"
#include "mip/stages.glsl"
#include "mip/source_any.glsl"
#include "mip/source.glsl"
#include "mip/odd.glsl"
#include "mip/odd_each.glsl"

void load_taps(ivec2 to, out vec4 texels[TAPS], out uint bad)
{
    ivec2 size = level_size(first_source());
    bad = 0u;
    for (int k = 0; k < TAPS; ++k)
        texels[k] = addend_of_tap(load_raw(min(2 * to + TAP(k), size - 1)), k, bad);
}

// Blocks of 8 x 4 texels a subgroup, 32 x 32 in all, then the halo to the right and below:
//
//      |---- 32 ----|halo|
//      |  blocks    |    |      the right strip to the bottom, then the lower one, row by
//      |            | i  |      row: the halo of 35 x 35 texels takes 201 threads
//      |------------|    |
//      |  i   i + 1 |    |
void first_level(Region r, inout uint bad_texels)
{
    int t = int(gl_LocalInvocationIndex);
    ivec2 lane = ivec2((t & 7) | (t & 32) >> 2, (t >> 3 & 3) | t >> 6 << 2);
    vec4 left[TAPS], next[TAPS];
    uint left_bad, next_bad;
    for (int y = 0; y < 32; y += THREADS / 16) { // two outputs at a time, all loads first
        ivec2 p = lane + ivec2(0, y), q = lane + ivec2(16, y);
        load_taps(r.start + p, left, left_bad);
        load_taps(r.start + q, next, next_bad);
        finish_first(r, p, left, left_bad, bad_texels);
        finish_first(r, q, next, next_bad, bad_texels);
    }
    ivec2 block = min(r.size, 32), strip = r.size - block;
    int beside = strip.x * r.size.y, below = strip.y * block.x;
    float width = 1.0 / float(max(strip.x, 1)), length = 1.0 / float(block.x);
    for (int i = t; i < beside + below; i += THREADS) {
        int n = i - beside, y = int((float(i) + 0.5) * width), v = int((float(n) + 0.5) * length);
        ivec2 p = ivec2(block.x + i - y * strip.x, y), under = ivec2(n - v * block.x, block.y + v);
        p += (under - p) * int(n >= 0);
        load_taps(r.start + p, left, left_bad);
        finish_first(r, p, left, left_bad, bad_texels);
    }
}

void main()
{
    uint bad_texels = 0u;
    first_level(first_region(), bad_texels);
#if COUNTS
    count_bad(bad_texels);
#endif
    run_stages(2);
}
