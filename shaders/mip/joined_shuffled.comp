// mip/joined_shuffled.comp - an even stage by shuffles, then the rest of the chain
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/images.glsl)
//             b_handover, b_info each stage's last level in fp32; with COUNTS the non-finite texels
//   host sets EVEN, BATCHES      mip/even.glsl
//             SUBGROUPS          common/subgroups.glsl
//             REGION             mip/finish.glsl
//             and the defines of level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl
//   dispatch  ceil(width / 64), ceil(height / 64), layers: 256 threads have a tile of 64 x 64
//   reduce    mean without weights or of karis, min, max, minmax: reductions of texels two by two
//   steps     1  levels 1 to EVEN of the first stage as in mip/even_shuffled.comp
//             2  the group that arrives last makes the rest of the chain (mip/finish.glsl)
//   cost      as mip/even_shuffled.comp, and mip/tail.comp without its launch
//   shared    16 texels and 5/4 REGION texels in fp32, REGION <= 768: up to 15 KiB
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 256
#define REPEATS false // store_even serves the first stage alone
layout(local_size_x = 16, local_size_y = 16) in;

#include "mip/level.glsl"
#include "mip/reduce_karis.glsl"
#include "common/subgroups.glsl"
int thread_lane() { return subgroup_lane(); }
int thread_subgroup() { return subgroup_index(); }
#include "mip/source_any.glsl"
#include "mip/source.glsl"
#include "mip/even.glsl"
#include "mip/even_shuffled.glsl"
#include "mip/arrive.glsl"
#include "mip/weights.glsl"
#include "mip/finish.glsl"

void main()
{
    g_stage = EvenStage(ivec2(gl_WorkGroupID.xy), first_source(), levels_of(0), place_of_last(0));
    vec4 level1[4];
    even_first_level(level1);
    levels_below(level1);
    finish_chain();
}
