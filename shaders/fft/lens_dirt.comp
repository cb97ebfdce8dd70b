// fft/lens_dirt.comp - the host's dirt mask as packed half floats
//
//   in        i_src   the mask
//   out       b_dirt  its texels, row after row; a mask of one channel is grey
//   host sets the defines of common/source.glsl
//   dispatch  ceil(width / 8), ceil(height / 8)
//   cost      reads each texel once; runs in prepare, when the mask changes
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/interface_bloom.h"
#include "common/source.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = AG_SSBO_DIRT) writeonly buffer Dirt {
    uvec2 b_dirt[];
};

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_src_rect.zw)))
        return;
    uint bad = 0u;
    vec4 c = load_texel(p, bad);
    count_bad(bad);
    vec3 mask = clamp(u_src_mode.x == 1 ? c.rrr : c.rgb, 0.0, 65504.0);
    b_dirt[p.y * u_src_rect.z + p.x] =
        uvec2(packHalf2x16(mask.rg), packHalf2x16(vec2(mask.b, 0.0)));
}
