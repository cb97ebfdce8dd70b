// mip/even_shared.comp - a stage of levels that halve exactly, through shared memory; and the even stages after it
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the levels that follow, and with COPY i_copy: the first one (mip/images.glsl)
//             b_handover, b_info the last level of each stage in fp32; with COUNTS the number of non-finite texels
//   host sets EVEN, BATCHES      mip/even.glsl
//             and what level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl want
//   dispatch  ceil(width / 64), ceil(height / 64), layers: a tile of 64 x 64 texels a group of 256 threads
//   reduce    any
//   steps     1  level 1, four texels a thread (mip/even.glsl)
//             2  levels 2 to EVEN through shared memory (mip/even_shared.glsl)
//             3  with SECOND the groups that arrive last make the next stages the same way (mip/even_stages.glsl)
//   cost      must move the first level once and the levels below once: 4/3 of its bytes. Two gathers of RGBA16F a
//             texel of level 1, three barriers for level 2 and one for each level more
//   shared    12 KiB with four channels
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 16) in;
#define REPEATS (SECOND > 0) // store_even serves several stages

int thread_lane() { return int(gl_LocalInvocationIndex & 31u); }
int thread_subgroup() { return int(gl_LocalInvocationIndex >> 5); }

#include "mip/level.glsl"
#include "mip/reduce_karis.glsl"
#include "mip/reduce_alpha.glsl"
#include "mip/source_any.glsl"
#include "mip/source.glsl"
#include "mip/even.glsl"
#include "mip/even_shared.glsl"
#include "mip/even_stages.glsl"

void main()
{
    even_stages();
}
