// fft/bloom_without_core.comp - takes what the core holds out of the smaller kernel
//
//   in        b_core    from bloom_core.comp
//             w         fft/spline_table.glsl
//   in, out   i_small   the smaller kernel, RGBA32F; its size is u_small.xy
//   dispatch  ceil(size / 8)
//   cost      25 products a texel; runs in prepare, when the kernel changes
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/spline_table.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) uniform image2D i_small;
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
layout(std430, binding = AG_SSBO_CORE) readonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };

const int SIDE = 2 * AG_CORE_RADIUS + 1;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_small.xy)))
        return;
    ivec2 centre = (p - u_small.xy / 2) * u_ratio.xy;
    vec4 sum = imageLoad(i_small, p);
    for (int i = 0; i < AG_CORE_TAPS; ++i) {
        ivec2 at = ivec2(i % SIDE, i / SIDE) - AG_CORE_RADIUS - centre;
        sum -= weight(ALONG_X, at.x) * weight(ALONG_Y, at.y) * b_core[i];
    }
    imageStore(i_small, p, sum);
}
