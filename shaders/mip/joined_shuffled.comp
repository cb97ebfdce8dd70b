// mip/joined_shuffled.comp - a stage of levels that halve exactly, by shuffles; then the end of the chain
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the levels that follow, and with COPY i_copy: the first one (mip/images.glsl)
//             b_handover, b_info the last level of each stage in fp32; with COUNTS the number of non-finite texels
//   host sets EVEN, BATCHES      mip/even.glsl
//             SUBGROUPS              how threads of a subgroup pass values on (common/subgroups.glsl)
//             REGION             mip/finish.glsl; and what the other files want
//   dispatch  ceil(width / 64), ceil(height / 64), layers: a tile of 64 x 64 texels a group of 256 threads
//   reduce    mean without weights or of karis, min, max, minmax: what takes its texels two by two
//   steps     1  levels 1 to EVEN of the first stage as in mip/even_shuffled.comp
//             2  the group that arrives last makes what is left of the chain (mip/finish.glsl)
//   cost      as mip/even_shuffled.comp, and mip/tail.comp without its launch
//   shared    16 texels and 5/4 REGION texels in fp32, of REGION 768 at most: up to 15 KiB
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
