// fft/kernel_sum.comp - a kernel's sums and centre weights, in pairs of floats
//
//   in        i_src    the kernel
//   out       b_info   scale and sums; centre: the centre weights, or 0 unless one of them is
//                      BYPASS_SHARE of its channel's sum or more; shape: the channels that have
//                      taps; adds the number of non-finite texels while scrub is on
//   host sets BY_ROWS  0 = one group reads all texels, which is slow
//                      1 = a group reads a row, for a drawn kernel in motion, which is made in
//                      parts: part 0 (u_part.x) writes the sum of each row to b_rows, part 1 adds
//                      these up. The kernel is normalized, all of its centre weights are kept, and
//                      its shape and bad texels are not reported
//             the defines of common/source.glsl
//   dispatch  one group; with BY_ROWS a group a row, then one group
//   cost      reads each texel once; runs in prepare only
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef BY_ROWS
#error "BY_ROWS (0 or 1) must be set by the host"
#endif
#include "fft/interface.h"
#include "common/info.glsl"
#include "common/source.glsl"
#include "common/pair.glsl"
#include "common/sync.glsl"

#if BY_ROWS
#define THREADS 64
layout(location = AG_LOC_PART) uniform ivec4 u_part;
layout(std430, binding = AG_SSBO_TAP_SUMS) buffer Rows { pairs b_rows[]; };
#else
#define THREADS 256
layout(location = AG_LOC_KERNEL) uniform ivec4 u_kernel; // centre x, y
layout(location = AG_LOC_SUM) uniform vec4 u_sum;
#define NORMALIZES (u_sum.x != 0.0) // the factor is 1 / sum
// a centre weight of this share of a channel's sum or more bypasses the FFT
#define BYPASS_SHARE u_sum.y
shared uint s_taps; // AG_TAPS_IN_CHANNEL_*
#endif
#include "common/pair_sum.glsl"
layout(local_size_x = THREADS) in;

void keep(pairs sum, pairs scale, vec4 centre)
{
    b_info.scale = scale.high;
    b_info.centre = multiply(scale, centre).high;
    for (int c = 0; c < 4; ++c)
        b_info.sums[c] = vec2(sum.high[c], sum.low[c]);
}

#if BY_ROWS
void main()
{
    uint thread = gl_LocalInvocationIndex;
    bool whole = u_part.x == 1;
    int count = whole ? u_src_rect.w : u_src_rect.z, row = int(gl_WorkGroupID.x);
    pairs sum = pairs(vec4(0.0), vec4(0.0));
    for (int i = int(thread); i < count; i += THREADS) {
        if (whole)
            sum = add(sum, b_rows[i]);
        else
            sum = add(sum, raw_texel(ivec2(i, row)));
    }
    sum = sum_of(sum);
    if (thread != 0u)
        return;
    if (whole)
        keep(sum, reciprocal(sum), raw_texel(u_src_rect.zw / 2));
    else
        b_rows[row] = sum;
}
#else
void main()
{
    uint thread = gl_LocalInvocationIndex;
    pairs sum = pairs(vec4(0.0), vec4(0.0));
    uint bad = 0u;
    vec4 largest = vec4(0.0);
    for (int y = 0; y < u_src_rect.w; ++y)
        for (int x = int(thread); x < u_src_rect.z; x += THREADS) {
            vec4 tap = load_texel(ivec2(x, y), bad);
            sum = add(sum, tap);
            largest = max(largest, abs(tap));
        }
    count_bad(bad);
    if (thread == 0u)
        s_taps = 0u;
    sum = sum_of(sum);
    uvec4 taps = uvec4(greaterThan(largest, vec4(0.0))) << uvec4(0, 1, 2, 3);
    atomicOr(s_taps, AG_TAPS_IN_CHANNEL_0 * (taps.x | taps.y | taps.z | taps.w));
    sync_shared();
    if (thread != 0u)
        return;
    vec4 centre = load_texel(u_kernel.xy, bad);
    if (u_src_mode.x == 1) { // one channel serves all
        sum = pairs(sum.high.xxxx, sum.low.xxxx);
        centre = vec4(centre.x);
    }
    // A channel without taps, as the alpha of many kernels, says nothing.
    vec4 large = vec4(greaterThanEqual(abs(centre), BYPASS_SHARE * abs(sum.high)));
    if (large * centre == vec4(0.0))
        centre = vec4(0.0);
    pairs scale = pairs(vec4(1.0), vec4(0.0));
    if (NORMALIZES)
        scale = reciprocal(sum);
    keep(sum, scale, centre);
    b_info.shape = s_taps; // fft/kernel_shape.comp adds to it
}
#endif
