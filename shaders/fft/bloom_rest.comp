// fft/bloom_rest.comp - a kernel to the smaller image's texels, along one axis
//
//   in        i_src     the kernel: RGBA32F, its centre at half of its size
//             b_spline  effects/fft/bloom_spline.h: w
//             u_rest    1 = along y; the ratio; taps on either side of the centre, in and out
//   out       i_dst     RGBA32F: out(m) = sum in(x) w(x - m ratio), both from the centre
//             u_dst_rect.zw  its size
//   host sets the defines of common/load.glsl
//   dispatch  ceil(size of dst / 8), twice: along y, then along x
//   cost      at most 57 ratio texels read for one written; runs in prepare, when the kernel
//             changes
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_bloom.h"
#include "common/load.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;
#define RATIO u_rest.y
layout(std430, binding = AG_SSBO_SPLINE) readonly buffer Spline { float b_spline[]; };

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_dst_rect.zw)))
        return;
    bool along_y = u_rest.x == 1;
    int centre = ((along_y ? p.y : p.x) - u_rest.w) * RATIO, reach = AG_SPLINE_REACH * RATIO;
    vec4 sum = vec4(0.0);
    uint counted_before = 0u; // when the kernel was summed
    for (int x = max(centre - reach, -u_rest.z); x <= min(centre + reach, u_rest.z); ++x) {
        ivec2 at = along_y ? ivec2(p.x, x + u_rest.z) : ivec2(x + u_rest.z, p.y);
        sum += b_spline[abs(x - centre)] * load_texel(at, counted_before);
    }
    imageStore(i_dst, p, sum);
}
