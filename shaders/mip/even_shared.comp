// mip/even_shared.comp - stages whose levels halve exactly, through shared memory
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the next levels; i_copy: with COPY the first one (mip/images.glsl)
//             b_handover, b_info each stage's last level in fp32; with COUNTS the non-finite texels
//   host sets EVEN, BATCHES      mip/even.glsl
//             and the defines of level.glsl, images.glsl, source.glsl, reduce.glsl and stored.glsl
//   dispatch  ceil(width / 64), ceil(height / 64), layers: 256 threads have a tile of 64 x 64
//   reduce    any
//   steps     1  level 1, four texels a thread (mip/even.glsl)
//             2  levels 2 to EVEN through shared memory (mip/even_shared.glsl)
//             3  with SECOND the groups that arrive last make the second stage
//                (mip/even_stages.glsl)
//   cost      must move the first level once and the levels below once: 4/3 of its bytes. Two
//             gathers of RGBA16F a texel of level 1, three barriers for level 2 and one for each
//             level more (four channels)
//   limits    registers: 80 VGPRs, 6 waves a SIMD on RDNA 2; 84, 3 on GCN 5 (docs/gpus.md)
//   shared    12 KiB with four channels
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 16) in;
#define REPEATS (SECOND > 0) // store_even serves both stages

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
