// mip/coverage_scale.comp - scales a level's alpha so that it covers what level 0 does
//
//   in, out   i_level      the level: its alpha is replaced
//   in        b_histogram  the level's threshold and factor
//   out       b_histogram  level 0's count becomes 0 for the next execute
//   host sets SRC_FORMAT, ARRAY, STORE
//   dispatch  ceil(width / 16), ceil(height / 16), layers
//   cost      one read and one write a texel
//   why       rounding must not move a texel across the reference, so each is clamped to its side
//             of it
//   SPDX-License-Identifier: MIT
#version 430 core
#include "mip/coverage.glsl"
#include "mip/texel.glsl"
#include "common/texel.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(SRC_FORMAT, binding = AG_IMAGE_SRC) uniform LEVEL_KIND i_level;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    int layer = int(gl_WorkGroupID.z), at = histogram_of(layer, u_stage.x);
    if (u_stage.x == 1 && gl_LocalInvocationIndex == 0u && gl_WorkGroupID.xy == uvec2(0u))
        b_histogram[histogram_of(layer, 0)] = 0u; // for the next execute
    if (any(greaterThanEqual(p, level_size(u_stage.x))))
        return;
    ivec2 place = level_corner(u_stage.x) + p;
    vec4 c = imageLoad(i_level, PLACE(place));
    bool covered = bin_of(c.a) >= b_histogram[at + BINS];
    float alpha = min(c.a * uintBitsToFloat(b_histogram[at + BINS + 1]), 1.0);
#if STORE != AG_STORE_SRGB8 // whose alpha is linear and 8-bit, see below
    alpha = round_for_store(vec4(0.0, 0.0, 0.0, alpha)).a;
#else
    alpha = floor(alpha * 255.0 + 0.5) / 255.0;
#endif
    c.a = covered ? max(alpha, u_coverage.y) : min(alpha, u_coverage.z);
    imageStore(i_level, PLACE(place), c);
}
