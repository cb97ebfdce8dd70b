// mip/even_shuffled.comp - stages whose levels halve exactly, by shuffles
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/images.glsl)
//             b_handover, b_info each stage's last level in fp32; with COUNTS the non-finite texels
//   host sets EVEN, BATCHES      mip/even.glsl
//             SUBGROUPS          common/subgroups.glsl
//             and the defines of level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl
//   dispatch  ceil(width / 64), ceil(height / 64), layers: 256 threads have a tile of 64 x 64
//   reduce    mean without weights or of karis, min, max, minmax: reductions of texels two by two
//   steps     1  level 1, four texels a thread (mip/even.glsl)
//             2  levels 2 to EVEN by shuffles (mip/even_shuffled.glsl)
//             3  with SECOND the groups that arrive last make the second stage
//                (mip/even_stages.glsl)
//   cost      must move the first level once and the levels below once: 4/3 of its bytes. Two
//             gathers (RGBA16F) a texel of level 1, 11 shuffles of a texel, one barrier for six
//             levels
//   shared    16 texels
//   SPDX-License-Identifier: MIT
#version 430 core
#define THREADS 256
#define REPEATS (SECOND > 0) // store_even serves both stages
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
#include "mip/even_stages.glsl"

void main()
{
    even_stages();
}
