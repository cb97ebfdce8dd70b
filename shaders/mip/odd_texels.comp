// mip/odd_texels.comp - the first stage of odd sizes: runs of outputs that load their third column
//
//   in        t_src              the first level, packed (common/gather.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/images.glsl)
//             b_handover, b_info each stage's last level in fp32; with COUNTS the non-finite texels
//   host sets ODD_X, ODD_Y       mip/odd.glsl
//             BATCHES            mip/odd_runs.glsl
//             REGION             mip/stages.glsl
//             and the defines of level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl
//   dispatch  tiles x, tiles y, layers. engine_plugin/src/effects/mip/mip_plan.h draws a tile and
//             its halo
//   steps     1  level 1 of the tile and its halo, up to 35 x 35 texels, into shared memory
//             2  the levels below, and the stages of groups that arrive last (mip/stages.glsl)
//   reduce    any; mean of codes, weights and first depend on the order, which is that of
//             odd_taps.comp
//   cost      2.5 gathers a texel of level 1 for RGBA16F (1.25 for RGBA8), and 2.25 loads.
//             Registers: 8 for each gather in flight. Then 9 reads of shared memory a texel, and
//             one barrier a level
//   shared    5/4 REGION texels in fp32: 25 KiB for tiles with a halo of 3 and four channels
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (weights)
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 352 // 36 x 9 runs for 35 x 35 outputs, and the 17 x 17 of the next level at once
layout(local_size_x = 352) in;
#define BUFFERED (SECOND > 0)
#define GAP 0

#include "mip/level.glsl"
#include "mip/reduce_karis.glsl"
#include "mip/reduce_alpha.glsl"
#include "mip/weights.glsl"
#include "mip/region.glsl"
#include "mip/stages.glsl"
#include "mip/source_packed.glsl"
#include "mip/source.glsl"
#include "mip/odd.glsl"
#include "mip/odd_each.glsl"
#include "mip/odd_runs.glsl"
#define ROWS (2 * RUN + ODD_Y)

// A texel of the third column. Halves stay packed, as gathers are: as floats they take up to 18
// registers more, and Mesa's RADV (zink on AMD) spills 8 on GCN; radeonsi spills none. Codes take
// more instructions to unpack, and the texels of a row may belong to two outputs.
#if SRC_PACKING == AG_PACKING_16_16
#define THIRD PACKED
#define LOAD_THIRD(p) texelFetch(t_src, AT_LAYER(ivec3, u_src_rect.xy + (p)), 0)
#define THIRD_TEXEL(t) as_channels(colour_of(t))
#else
#define THIRD vec4
#define LOAD_THIRD(p) load_raw(p)
#define THIRD_TEXEL(t) (t)
#endif

void make_run(Region r, ivec2 p, int pitch, bool takes_part, inout uint bad_texels)
{
    if (!takes_part)
        return;
    // 1. Gathers.
    ivec2 from = 2 * (r.start + p);
    gathered source[GATHERS_2X2];
    vec2 corner = corner_of_run(r, p), step = vec2(0.0, 2.0 * texel_size().y);
    for (int k = 0; k < GATHERS_2X2; ++k)
        source[k] = gather_around(corner + float(k) * step);
    // 2. The third column, if the width is odd.
    THIRD third[ROWS];
    int limit = level_size(first_source()).y - 1;
    if (ODD_X != 0)
        for (int row = 0; row < ROWS; ++row)
            third[row] = LOAD_THIRD(ivec2(from.x + 2, min(from.y + row, limit)));
    // 3. The outputs.
    for (int i = 0; i < RUN; ++i) {
        vec4 texels[TAPS];
        uint bad = 0u;
        for (int k = 0; k < TAPS; ++k) {
            ivec2 tap = TAP(k) + ivec2(0, 2 * i);
            vec4 c = GATHERED_TEXEL(source[tap.y >> 1], (tap.x & 1) + 2 * (tap.y & 1));
            if (tap.x == 2)
                c = THIRD_TEXEL(third[tap.y]);
            texels[k] = addend_of_tap(c, k, bad);
        }
        finish_first(r, p + ivec2(0, i), texels, bad, bad_texels);
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
