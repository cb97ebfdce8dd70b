// denoise/blocks_end.comp - from sums of removals to an estimate of the image
//
//   in        b_sums             sums of weighted removals, and of weights (denoise/blocks.glsl)
//             b_planes           without LAST: the noisy components
//             t_src or i_src     with LAST: the image
//             b_denoise          with LAST: sigma
//   out       b_planes           without LAST: the components of the first estimate
//             b_sums             without LAST: 0
//             i_dst              with LAST: the image without noise
//   host sets LAST               1 = the result, 0 = the first estimate
//             the defines of denoise/memory.glsl; with LAST STORE and those of common/source.glsl
//   dispatch  groups of 16 x 16 texels
//   cost      reads 8 bytes a component and a texel, writes a texel
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef LAST
#error "LAST must be set by the host"
#endif
#include "denoise/blocks.glsl"
#include "denoise/memory.glsl"
#if LAST
#include "common/store.glsl"
#endif

layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = AG_SSBO_DENOISE_FROM) buffer Planes { float b_planes[]; };
layout(std430, binding = AG_SSBO_DENOISE_TO) buffer Sums { int b_sums[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    int at = p.y * u_src_rect.z + p.x, size = plane_size();
    vec3 removed = vec3(0.0);
    for (int i = 0; i < COMPONENTS; ++i) {
        int sum = b_sums[2 * i * size + at], weights = b_sums[(2 * i + 1) * size + at];
        removed[i] = weights > 0 ? float(sum) / float(weights) : 0.0;
#if LAST
        removed[i] *= sigma_of_texels(i);
#else
        b_planes[(COMPONENTS + i) * size + at] = b_planes[i * size + at] - removed[i];
        b_sums[2 * i * size + at] = 0;
        b_sums[(2 * i + 1) * size + at] = 0;
#endif
    }
#if LAST
    begin_space();
    uint largest = 0u;
    store_texel(p, without(load_texel_unseen(p, largest), removed));
#endif
}
