// denoise/ti_haar.comp - denoises by thresholding the Haar transforms of all shifts: one dispatch
//
//   in        t_src or i_src   the image
//             b_coarse         with COARSER: 16 R_3 (denoise/ti_haar_coarse.comp)
//             b_denoise        sigma and variances of the last counts
//   out       i_dst            the image without noise (common/store.glsl)
//             b_info.scrubbed
//   host sets LEVELS           1..3
//             COARSER          1 = there are coarser levels; LEVELS is 3, FINER 0
//             the defines of denoise/ti_haar_filter.glsl
//   method    denoise/ti_haar_tile.glsl
//   dispatch  tiles of TILE texels in x and y; 256 threads, 128 with a joint threshold
//   shared    30 KiB at most
//   cost      each texel is read 2.15 times (5.3 with a joint threshold, whose tiles are smaller),
//             mostly from the cache; for each texel, component and level some 9 accesses to shared
//             memory and 25 instructions
//   source    Coifman, Donoho 1995 (translation invariance); Beylkin 1992 (all shifts at once);
//             docs/denoise.md
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
