// mip/coverage_count.comp - counts the alphas of a level in its histogram
//
//   in        i_src       the level
//   out       b_histogram counts, by atomics; of level 0 only the number of covered texels
//   host sets ARRAY, and the defines of common/source.glsl
//   dispatch  ceil(width / 16), ceil(height / 16), layers
//   cost      one read and one atomic a texel
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/texel.glsl"
#include "mip/coverage.glsl"
#include "mip/texel.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, level_size(u_stage.x))))
        return;
    vec4 c = fetch(level_corner(u_stage.x) + p);
    float alpha = u_coverage.w != 0.0 && size_bits(c) >= TOO_LARGE ? 0.0 : c.a;
    int at = histogram_of(int(gl_WorkGroupID.z), u_stage.x);
    if (u_stage.x != 0)
        atomicAdd(b_histogram[at + int(bin_of(alpha))], 1u);
    else if (alpha >= u_coverage.x)
        atomicAdd(b_histogram[at], 1u);
}
