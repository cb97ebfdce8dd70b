// denoise/ti_haar_group.comp - as denoise/ti_haar.comp, with a joint threshold of all components
//
//   in, out, source   as denoise/ti_haar.comp
//   host sets LEVELS           1..3
//             FINER            0
//             COARSER          1 = there are coarser levels; LEVELS is 3
//             THRESHOLD        AG_DENOISE_SHRINK_GROUP
//             the defines of denoise/ti_haar_filter.glsl
//   method    denoise/ti_haar_tile.glsl: a thread has all components of a coefficient
//   dispatch  tiles of TILE texels in x and y; 128 threads
//   shared    25 KiB at most
//   cost      each texel is read 5.3 times, mostly from the cache; for each texel, component and
//             level some 9 accesses to shared memory and 25 instructions
//   SPDX-License-Identifier: MIT
#version 430 core
#include "denoise/ti_haar_filter.glsl"
#include "denoise/band_thresholds.glsl"
#include "denoise/interface_scratch.h"

#if COARSER
layout(std430, binding = AG_SSBO_DENOISE_FROM) readonly buffer Coarse { vec4 b_coarse[]; };

V coarse_value(ivec2 q, int component)
{
    ivec2 size = u_src_rect.zw + AG_DENOISE_TI_BEFORE;
    ivec2 p = min(tile_corner() - HALO + q + AG_DENOISE_TI_BEFORE, size - 1);
    vec4 value = b_coarse[p.y * size.x + p.x];
    return PART(value.rgb, component);
}
#endif

void begin() { begin_thresholds(); }

void sums_made(int first) {}
