// mip/chain.comp - some levels of a chain from its first, by tiles of 64 x 64 texels and their halo
//
//   in        t_src or i_src     the first level (mip/source.glsl)
//   out       i_level1 .. 8      the levels that follow, written only; with BINDLESS by handles
//             i_copy             with COPY the first level itself, one channel or two
//             b_handover         the last level of each stage in fp32, for whoever goes on from it
//   host sets what level.glsl, stages.glsl, source.glsl and reduce.glsl want
//             ODD_X, ODD_Y  whether the source level's sizes are odd (and not 1)
//             RUNS        AG_RUNS_*: how tiles of odd sizes read (mip/odd.glsl)
//             COPY        1 = i_copy
//             EVEN        levels of the first stage, if all of them halve exactly (mip/even.glsl), or 0
//             COUNTS      1 = count non-finite texels (common/info.glsl)
//   dispatch  tiles x, tiles y, layers. engine_plugin/src/effects/mip/mip_plan.h draws a tile
//   shared    5/4 REGION texels in fp32: 25 KiB for tiles with a halo of 3 and four channels; EVEN: see there
//   cost      must move the source level once and the levels below once: 4/3 of the source's bytes.
//             Odd sizes: mip/odd_runs.glsl, odd_taps.glsl; then 9 reads of shared memory a texel,
//             whatever the sizes, and one barrier a level
//   source    Guthe and Heckbert 2005, "Non-Power-of-Two Mipmap Creation" (weights)
//   SPDX-License-Identifier: MIT
#version 430 core
#include "mip/interface.h"
#if !defined(COPY) || !defined(COUNTS) || !defined(EVEN) || !defined(AGAIN) || !defined(WARPS) || !defined(RUNS) || !defined(FIRST_UNIT)
#error "COPY, COUNTS, EVEN, AGAIN, WARPS, RUNS and FIRST_UNIT must be set by the host"
#endif
#if EVEN
#define THREADS 256
layout(local_size_x = 16, local_size_y = 16) in;
#elif RUNS // 36 x 9 runs for 35 x 35 outputs (mip/odd_runs.glsl), and the 17 x 17 of the next level at once
#define THREADS 352
layout(local_size_x = 352) in;
#else // shared memory lets two groups run on a multiprocessor: twice as many threads each
#define THREADS 512
layout(local_size_x = 32, local_size_y = 16) in;
#endif
#define BUFFERED (SECOND > 0)
#if RUNS == AG_RUNS_SUMS
#define GAP ODD_X
#else
#define GAP 0
#endif

#include "mip/level.glsl"
#include "mip/source.glsl"
#if COUNTS
#include "common/info.glsl"
#endif
#if COPY && BINDLESS
#define STORE_COPY(p, c) STORE_BY_HANDLE(0, p, c)
#elif COPY && FIRST_UNIT == 1
layout(binding = 0) LEVEL_IMAGE i_copy;
#define STORE_COPY(p, c) imageStore(i_copy, p, c)
#elif COPY
layout(binding = 1) LEVEL_IMAGE i_copy;
#define STORE_COPY(p, c) imageStore(i_copy, p, c)
#endif
#if !EVEN || SECOND && !AGAIN
#include "mip/stages.glsl"
#endif
#if EVEN
#include "mip/even.glsl"
#else
#include "mip/odd.glsl"
#endif

void main()
{
    uint bad_texels = 0u;
#if EVEN
    even_tile(bad_texels);
#else
    ivec2 tile = ivec2(gl_WorkGroupID.xy), tiles = ivec2(gl_NumWorkGroups.xy);
    first_level(region_of(tile, tiles, 1, 1, halo_at(0, u_stage.y, 1)), bad_texels);
#endif
#if COUNTS
    if (bad_texels != 0u)
        atomicAdd(b_info.scrubbed, bad_texels);
#endif
#if !EVEN
    run_stages(2);
#elif SECOND && !AGAIN
    run_stages(0);
#endif
}
