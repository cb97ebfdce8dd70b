// mip/tail.comp - the rest of a chain, from the level that a dispatch stored in the buffer
//
//   in        b_handover     level first_source() in fp32
//   out       i_level1 .. 8  the levels that follow (mip/chain.glsl)
//             b_handover     the last level of each stage, for the next stage or dispatch
//   host sets ALONE          1 = one group makes the rest of the chain (mip/rest.glsl); 0 = stages
//             and the defines of mip/rest.glsl or mip/stages.glsl; COPY is 0
//   dispatch  tiles x, tiles y, layers
//   shared    5/4 REGION texels in fp32: up to 30 KiB
//   cost      a few groups, whose time is latency: of a launch, of the first loads, of a barrier a
//             level, and of new instructions (docs/decisions.md, D35). Fewer threads have more
//             registers each, and meet sooner at barriers (D81)
//   limits    none: few groups, and 64 VGPRs allow RDNA 2 8 waves a SIMD, GCN 5 4, one group
//             (docs/gpus.md)
//   source    mip/reduce.glsl (weights)
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef ALONE
#error "ALONE must be set by the host"
#endif
#if ALONE
layout(local_size_x = 32, local_size_y = 16) in;
#define THREADS 512
#else
layout(local_size_x = 32, local_size_y = 8) in;
#define THREADS 256
#endif

#if ALONE
#include "mip/rest.glsl"

void main()
{
    make_rest(first_source(), place_of_source(0), levels_of(0));
}
#else
#define BUFFERED true
#define GAP 0
#include "mip/stages.glsl"

void main()
{
    run_stages(1);
}
#endif
