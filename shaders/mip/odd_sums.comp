// mip/odd_sums.comp - the first stage of odd sizes: runs of outputs that exchange column sums
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
//   reduce    mean without weights of floats, min, max, minmax: the order of texels does not matter
//   cost      2.5 gathers a texel of level 1 for RGBA16F, 1.25 for RGBA8. Then 9 reads of shared
//             memory a texel, whatever the sizes, and one barrier a level
//   shared    5/4 REGION texels in fp32: 25 KiB for tiles with a halo of 3 and four channels
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (weights)
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 352 // 36 x 9 runs for 35 x 35 outputs, and the 17 x 17 of the next level at once
layout(local_size_x = 352) in;
#define BUFFERED (SECOND > 0)
#define GAP ODD_X // a column more than the tile's own: the third one of the last

#include "mip/level.glsl"
#include "mip/weights.glsl"
#include "mip/region.glsl"
#include "mip/stages.glsl"
#include "mip/source_packed.glsl"
#include "mip/source.glsl"
#include "mip/odd.glsl"
#include "mip/odd_runs.glsl"
#include "mip/odd_sums.glsl"

void main()
{
    uint bad_texels = 0u;
    first_level(first_region(), bad_texels);
#if COUNTS
    count_bad(bad_texels);
#endif
    run_stages(2);
}
