// fft/kernel_fit.comp - the background, the centre and the light of a kernel image
//
//   in        i_src     the host's kernel image
//   out       b_black   the mean of its outermost texels, at least 0, a channel
//             b_centre  x, y: the centroid of what is above b_black, all channels together
//             b_light   the sum of what is above b_black, a channel
//   host sets the defines of common/source.glsl
//   dispatch  1; one group of 256 threads reads all texels
//   cost      reads each texel once, and the outermost twice; runs in prepare only
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "fft/interface.h"
#include "common/source.glsl"
#include "common/pair.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;
layout(std430, binding = AG_SSBO_FIT) writeonly buffer Fit {
    vec4 b_black;
    vec4 b_centre;
    vec4 b_light;
};
shared pairs s_sums[256]; // 8192 bytes
const pairs NOTHING = pairs(vec4(0.0), vec4(0.0));

// The sum of a value over all threads.
pairs sum_of(pairs value)
{
    uint thread = gl_LocalInvocationIndex;
    sync_shared();
    s_sums[thread] = value;
    for (uint half_size = 128u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] = add(s_sums[thread], s_sums[thread + half_size]);
    }
    sync_shared();
    return s_sums[0];
}

vec4 texel(ivec2 p)
{
    uint not_counted = 0u; // kernel_sum.comp counts what is drawn
    vec4 c = load_texel(p, not_counted);
    return vec4(u_src_mode.x == 1 ? c.rrr : c.rgb, 1.0);
}

void main()
{
    ivec2 size = u_src_rect.zw;
    int thread = int(gl_LocalInvocationIndex);

    // The frame of outermost texels; a corner counts once a side.
    pairs sum = NOTHING;
    for (int x = thread; x < size.x; x += 256)
        sum = add(add(sum, texel(ivec2(x, 0))), texel(ivec2(x, size.y - 1)));
    for (int y = thread; y < size.y; y += 256)
        sum = add(add(sum, texel(ivec2(0, y))), texel(ivec2(size.x - 1, y)));
    sum = sum_of(sum);
    vec4 black = max(divide(sum, pairs(sum.high.wwww, vec4(0.0))).high, 0.0);

    // What bloom_kernel.comp draws: texels less the same black, in floats.
    pairs light = NOTHING, moments = NOTHING;
    for (int y = 0; y < size.y; ++y)
        for (int x = thread; x < size.x; x += 256) {
            vec4 above = max(texel(ivec2(x, y)) - black, 0.0);
            float all = above.x + above.y + above.z;
            light = add(light, vec4(above.xyz, 0.0));
            moments = add(moments, vec4(all * float(x), all * float(y), all, 0.0));
        }
    light = sum_of(light);
    moments = sum_of(moments);
    if (thread != 0)
        return;
    // Without any light the middle; the kernel is refused later.
    vec4 centre = vec4(size / 2, 0.0, 0.0);
    if (moments.high.z > 0.0)
        centre = divide(moments, pairs(moments.high.zzzz, moments.low.zzzz)).high;
    b_black = vec4(black.xyz, 0.0);
    b_centre = vec4(centre.xy, 0.0, 0.0);
    b_light = light.high;
}
