// fft/bloom_error.comp - how much of a kernel a smaller image and a core cannot hold
//
//   The sum over texels and colours of r (r - E r), where r is the kernel without its core and E
//   what the smaller image makes of it: the squared error in the mean over places of a lamp, and of
//   white light; beside it the sum of squares of the kernel.
//
//   in        i_src     the kernel: RGBA32F, its centre at half of its size, u_src_rect
//             i_small   the smaller kernel without the core; its size is u_small.xy
//             b_core    the core
//             g         fft/spline_table.glsl
//             u_rest.x  0 = a group a row, 1 = sums all rows
//   out       b_sums    error and square of each row, then of all in the first
//   host sets the defines of common/source.glsl
//   dispatch  rows of the kernel; then 1
//   cost      81 texels read for one; runs in prepare, when resolution is auto
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/spline_table.glsl"
#include "common/source.glsl"
#include "common/sync.glsl"

layout(local_size_x = 64) in;
layout(rgba32f, binding = AG_IMAGE_SMALL) readonly uniform image2D i_small;
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
layout(location = AG_LOC_REST) uniform ivec4 u_rest;
#define SUMS_ALL (u_rest.x == 1)
layout(std430, binding = AG_SSBO_CORE) readonly buffer Core { vec4 b_core[AG_CORE_TAPS]; };
layout(std430, binding = AG_SSBO_SUMS) buffer Sums { vec2 b_sums[]; };

shared vec2 s_sums[64];

vec2 texel_error(ivec2 p)
{
    uint counted_before = 0u;
    vec3 k = load_texel(p, counted_before).rgb, r = k, back = vec3(0.0);
    ivec2 at = p - u_src_rect.zw / 2; // from the centre
    if (all(lessThanEqual(abs(at), ivec2(AG_CORE_RADIUS)))) {
        ivec2 tap = at + AG_CORE_RADIUS;
        r -= b_core[tap.y * (2 * AG_CORE_RADIUS + 1) + tap.x].rgb;
    }
    ivec2 near = ivec2(floor(vec2(at) / vec2(u_ratio.xy)));
    for (int y = -4; y <= 5; ++y)
        for (int x = -4; x <= 5; ++x) {
            ivec2 m = near + ivec2(x, y);
            ivec2 place = clamp(m + u_small.xy / 2, ivec2(0), u_small.xy - 1);
            ivec2 away = at - m * u_ratio.xy;
            back += blend(ALONG_X, away.x) * blend(ALONG_Y, away.y) * imageLoad(i_small, place).rgb;
        }
    return vec2(dot(r, r - back), dot(k, k));
}

void main()
{
    int thread = int(gl_LocalInvocationIndex), row = int(gl_WorkGroupID.x);
    vec2 sum = vec2(0.0);
    if (SUMS_ALL)
        for (int y = thread; y < u_src_rect.w; y += 64)
            sum += b_sums[y];
    else
        for (int x = thread; x < u_src_rect.z; x += 64)
            sum += texel_error(ivec2(x, row));
    s_sums[thread] = sum;
    for (int half_size = 32; half_size > 0; half_size /= 2) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] += s_sums[thread + half_size];
    }
    if (thread == 0)
        b_sums[SUMS_ALL ? 0 : row] = s_sums[0];
}
