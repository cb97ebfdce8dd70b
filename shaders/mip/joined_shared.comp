// mip/joined_shared.comp - an even stage through shared memory, then the rest of the chain
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/images.glsl)
//             b_handover, b_info each stage's last level in fp32; with COUNTS the non-finite texels
//   host sets EVEN, BATCHES      mip/even.glsl
//             REGION             mip/finish.glsl
//             and the defines of level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl
//   dispatch  ceil(width / 64), ceil(height / 64), layers: 256 threads have a tile of 64 x 64
//   reduce    any
//   steps     1  levels 1 to EVEN of the first stage as in mip/even_shared.comp
//             2  the group that arrives last makes the rest of the chain (mip/finish.glsl)
//   cost      as mip/even_shared.comp, and mip/tail.comp without its launch
//   shared    12 KiB with four channels, and 5/4 REGION texels in fp32, REGION <= 768: up to 15 KiB
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 256
#define REPEATS false // store_even serves the first stage alone
layout(local_size_x = 16, local_size_y = 16) in;

int thread_lane() { return int(gl_LocalInvocationIndex & 31u); }
int thread_subgroup() { return int(gl_LocalInvocationIndex >> 5); }

#include "mip/level.glsl"
#include "mip/reduce_karis.glsl"
#include "mip/reduce_alpha.glsl"
#include "mip/source_any.glsl"
#include "mip/source.glsl"
#include "mip/even.glsl"
#include "mip/even_shared.glsl"
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
