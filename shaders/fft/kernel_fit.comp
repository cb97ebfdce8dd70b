// fft/kernel_fit.comp - the background, the centre and the light of a kernel image
//
//   in        i_src     the host's kernel image
//   out       b_black   the mean of its outermost texels, at least 0, a channel
//             b_centre  x, y: the centroid of what is above b_black, all channels together
//             b_light   the sum of what is above b_black, a channel
//   host sets the defines of common/load.glsl
//   dispatch  1; one group of 256 threads reads all texels
//   cost      reads each texel once, and the outermost twice; runs in prepare only
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface_kernel.h"
#include "common/load.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;
layout(std430, binding = AG_SSBO_FIT) writeonly buffer Fit {
    vec4 b_black;
    vec4 b_centre;
    vec4 b_light;
};
shared dvec4 s_sums[256]; // 8192 bytes

// The sum of a value over all threads.
dvec4 sum_of(dvec4 value)
{
    uint thread = gl_LocalInvocationIndex;
    sync_shared();
    s_sums[thread] = value;
    for (uint half_size = 128u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] += s_sums[thread + half_size];
    }
    sync_shared();
    return s_sums[0];
}

dvec4 texel(ivec2 p)
{
    uint not_counted = 0u; // kernel_sum.comp counts what is drawn
    vec4 c = load_texel(p, not_counted);
    return dvec4(u_src_mode.x == 1 ? c.rrr : c.rgb, 1.0);
}

void main()
{
    ivec2 size = u_src_rect.zw;
    int thread = int(gl_LocalInvocationIndex);

    // The frame of outermost texels; a corner counts once a side.
    dvec4 sum = dvec4(0.0);
    for (int x = thread; x < size.x; x += 256)
        sum += texel(ivec2(x, 0)) + texel(ivec2(x, size.y - 1));
    for (int y = thread; y < size.y; y += 256)
        sum += texel(ivec2(0, y)) + texel(ivec2(size.x - 1, y));
    sum = sum_of(sum);
    dvec4 black = max(sum / sum.w, 0.0);

    dvec4 light = dvec4(0.0), moments = dvec4(0.0);
    for (int y = 0; y < size.y; ++y)
        for (int x = thread; x < size.x; x += 256) {
            dvec4 above = max(texel(ivec2(x, y)) - black, 0.0);
            double all = above.x + above.y + above.z;
            light += dvec4(above.xyz, 0.0);
            moments += dvec4(all * double(x), all * double(y), all, 0.0);
        }
    light = sum_of(light);
    moments = sum_of(moments);
    if (thread != 0)
        return;
    // Without any light the middle; the kernel is refused later.
    dvec2 centre = moments.z > 0.0 ? moments.xy / moments.z : dvec2(size / 2);
    b_black = vec4(black.xyz, 0.0);
    b_centre = vec4(centre, 0.0, 0.0);
    b_light = vec4(light);
}
