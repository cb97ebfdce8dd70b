// shadow/quantise.comp - soft_shadow: the light's depth in 16 bits
//
//   in        i_depth or t_depth: the light's (focus/depth.glsl)
//   out       i_quantised   z = 0..65535, whole numbers in R32F
//             b_info.scrubbed   the number of non-finite depths, which become the far plane
//   host sets the defines of focus/depth.glsl
//   dispatch  ceil(width / 16), ceil(height / 16) of the map
//   cost      a depth read, 4 bytes written a texel
//   why       AG_TEXEL_MOMENTS: sums of z and of both halves of z^2 are exact modulo 2^32
//             (sat/shadow.glsl)
//   source    docs/soft_shadow.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "common/texel.glsl"
#include "focus/depth.glsl"
#include "shadow/light.glsl"

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = AG_IMAGE_SHADOW_QUANTISED) writeonly uniform image2D i_quantised;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_map.xy)))
        return;
    float d = depth_at(p);
    bool bad = (floatBitsToUint(d) & 0x7fffffffu) >= NOT_FINITE;
    if (bad && u_map.z != 0)
        atomicAdd(b_info.scrubbed, 1u);
    uint z = bad ? 65535u : uint(clamp(linear_depth(d), 0.0, 1.0) * 65535.0 + 0.5);
    imageStore(i_quantised, p, vec4(z, 0u, 0u, 0u));
}
