// denoise/blocks_begin.comp - the image's components in units of their noise, and sums of nothing
//
//   in        t_src or i_src     the image
//             b_denoise          sigma
//   out       b_planes           the noisy components (denoise/blocks.glsl)
//             b_sums             0
//             b_info.scrubbed
//   host sets the defines of common/source.glsl and denoise/memory.glsl
//   why       in units of sigma, thresholds and sums have bounds that are known before. A component
//             that is not finite, or beyond 1e16 sigma, counts as 0, also where the firewall is off
//   dispatch  groups of 16 x 16 texels
//   cost      reads a texel, writes 12 bytes a component
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "denoise/blocks.glsl"
#include "denoise/memory.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = AG_SSBO_DENOISE_FROM) writeonly buffer Planes { float b_planes[]; };
layout(std430, binding = AG_SSBO_DENOISE_TO) writeonly buffer Sums { int b_sums[]; };

const float LARGEST_SIGMAS = 1e16;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    begin_space();
    uint largest = 0u;
    vec3 c = components_of(load_texel_unseen(p, largest));
    int at = p.y * u_src_rect.z + p.x, size = plane_size();
    for (int i = 0; i < COMPONENTS; ++i) {
        float sigma = sigma_of_texels(i), y = sigma > 0.0 ? c[i] / sigma : 0.0;
        b_planes[i * size + at] = abs(y) <= LARGEST_SIGMAS ? y : 0.0;
        b_sums[2 * i * size + at] = 0;
        b_sums[(2 * i + 1) * size + at] = 0;
    }
    count_bad(uint(largest >= TOO_LARGE && u_src_mode.z != 0));
}
