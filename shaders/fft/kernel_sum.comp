// fft/kernel_sum.comp - a kernel's sums and centre weights, in pairs of floats
//
//   in        i_src    the kernel
//   out       b_info   scale and sums; centre: the centre weights, or 0 unless one of them is
//                      BYPASS_SHARE of its channel's sum or more; shape: the channels that have
//                      taps; adds the number of non-finite texels while scrub is on
//   host sets the defines of common/source.glsl
//   dispatch  1; one group of 256 threads reads all texels
//   cost      reads each texel once; runs in prepare only
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/interface.h"
#include "common/source.glsl"
#include "common/pair.glsl"
#include "common/sync.glsl"

layout(local_size_x = 256) in;
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // centre x, y
layout(location = AG_LOC_SUM) uniform vec4 u_sum;
#define NORMALIZES (u_sum.x != 0.0) // the factor is 1 / sum
// a centre weight of this share of a channel's sum or more bypasses the FFT
#define BYPASS_SHARE u_sum.y
shared pairs s_sums[256];                                // 8192 bytes
shared uint s_taps; // AG_TAPS_IN_CHANNEL_*

void main()
{
    uint thread = gl_LocalInvocationIndex;
    pairs sum = pairs(vec4(0.0), vec4(0.0));
    uint bad = 0u;
    vec4 largest = vec4(0.0);
    for (int y = 0; y < u_src_rect.w; ++y)
        for (int x = int(thread); x < u_src_rect.z; x += 256) {
            vec4 tap = load_texel(ivec2(x, y), bad);
            sum = add(sum, tap);
            largest = max(largest, abs(tap));
        }
    count_bad(bad);
    if (thread == 0u)
        s_taps = 0u;
    s_sums[thread] = sum;
    for (uint half_size = 128u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] = add(s_sums[thread], s_sums[thread + half_size]);
    }
    uvec4 taps = uvec4(greaterThan(largest, vec4(0.0))) << uvec4(0, 1, 2, 3);
    atomicOr(s_taps, AG_TAPS_IN_CHANNEL_0 * (taps.x | taps.y | taps.z | taps.w));
    sync_shared();
    if (thread != 0u)
        return;
    sum = s_sums[0];
    vec4 centre = load_texel(u_kernel.xy, bad);
    if (u_src_mode.x == 1) { // one channel serves all
        sum = pairs(sum.high.xxxx, sum.low.xxxx);
        centre = vec4(centre.x);
    }
    if (!any(greaterThanEqual(abs(centre), BYPASS_SHARE * abs(sum.high))))
        centre = vec4(0.0);
    pairs scale = pairs(vec4(1.0), vec4(0.0));
    if (NORMALIZES)
        scale = reciprocal(sum);
    b_info.scale = scale.high;
    b_info.centre = multiply(scale, centre).high;
    for (int c = 0; c < 4; ++c)
        b_info.sums[c] = vec2(sum.high[c], sum.low[c]);
    b_info.shape = s_taps; // kernel_shape.comp adds to it
}
