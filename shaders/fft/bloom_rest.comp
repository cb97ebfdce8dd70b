// fft/bloom_rest.comp - a kernel to the smaller image's texels, along one axis
//
//   in        i_src     the kernel: RGBA32F, its centre at half of its size
//             w         fft/spline_table.glsl
//             u_rest    1 = along y; taps on either side of the centre, in and out
//   out       i_dst     RGBA32F: out(m) = sum in(x) w(x - m ratio), both from the centre
//             u_dst_rect.zw  its size
//   host sets the defines of common/source.glsl
//   dispatch  ceil(size of dst / 8), twice: along y, then along x
//   cost      at most 57 ratio texels read for one written; runs in prepare, when the kernel
//             changes
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/spline_table.glsl"
#include "common/source.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba32f, binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, u_dst_rect.zw)))
        return;
    int axis = u_rest.x, ratio = u_ratio[axis];
    int centre = (p[axis] - u_rest.z) * ratio, reach = AG_SPLINE_REACH * ratio;
    vec4 sum = vec4(0.0);
    uint counted_before = 0u; // when the kernel was summed
    for (int x = max(centre - reach, -u_rest.y); x <= min(centre + reach, u_rest.y); ++x) {
        ivec2 at = axis == ALONG_Y ? ivec2(p.x, x + u_rest.y) : ivec2(x + u_rest.y, p.y);
        sum += weight(axis, x - centre) * load_texel(at, counted_before);
    }
    imageStore(i_dst, p, sum);
}
