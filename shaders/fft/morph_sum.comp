// fft/morph_sum.comp - a drawn kernel's sums and centre weights, by all of the GPU
//
//   in        i_src    K, not normalised; b_rows (part 1)
//   out       b_rows   part 0: the sum of a row
//             b_info   part 1: scale, centre and sums, as kernel_sum.comp writes them
//   host sets u_part.x = the part
//   dispatch  part 0: a group of 64 threads a row; part 1: one group
//   cost      reads each texel once. kernel_sum.comp, one group for all texels, takes too long for
//             a frame
//   SPDX-License-Identifier: MIT
#version 430 core
#include "common/info.glsl"
#include "fft/interface.h"
#include "common/texel.glsl"
#include "common/pair.glsl"
#include "common/sync.glsl"

layout(local_size_x = 64) in;
layout(rgba32f, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // z, w = width, height
layout(location = AG_LOC_PART) uniform ivec4 u_part;
layout(std430, binding = AG_SSBO_TAP_SUMS) buffer Rows {
    pairs b_rows[];
};
shared pairs s_sums[64];

void main()
{
    uint thread = gl_LocalInvocationIndex;
    bool whole = u_part.x == 1;
    int count = whole ? u_src_rect.w : u_src_rect.z, row = int(gl_WorkGroupID.x);
    pairs sum = pairs(vec4(0.0), vec4(0.0));
    for (int i = int(thread); i < count; i += 64) {
        if (whole)
            sum = add(sum, b_rows[i]);
        else
            sum = add(sum, imageLoad(i_src, ivec2(i, row)));
    }
    s_sums[thread] = sum;
    for (uint half_size = 32u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] = add(s_sums[thread], s_sums[thread + half_size]);
    }
    if (thread != 0u)
        return;
    sum = s_sums[0];
    if (!whole) {
        b_rows[row] = sum;
        return;
    }
    pairs scale = reciprocal(sum);
    b_info.scale = scale.high;
    b_info.centre = multiply(scale, imageLoad(i_src, u_src_rect.zw / 2)).high;
    for (int c = 0; c < 4; ++c)
        b_info.sums[c] = vec2(sum.high[c], sum.low[c]);
}
