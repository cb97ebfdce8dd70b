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
#include "fft/interface_kernel.h"
#include "common/info.glsl"
#include "common/sync.glsl"

layout(local_size_x = 64) in;
layout(rgba32f, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // z, w = width, height
layout(location = AG_LOC_PART) uniform ivec4 u_part;
layout(std430, binding = AG_SSBO_TAP_SUMS) buffer Rows {
    dvec4 b_rows[];
};
shared dvec4 s_sums[64];

void main()
{
    uint thread = gl_LocalInvocationIndex;
    bool whole = u_part.x == 1;
    int count = whole ? u_src_rect.w : u_src_rect.z, row = int(gl_WorkGroupID.x);
    dvec4 sum = dvec4(0.0);
    for (int i = int(thread); i < count; i += 64) {
        if (whole)
            sum += b_rows[i];
        else
            sum += dvec4(imageLoad(i_src, ivec2(i, row)));
    }
    s_sums[thread] = sum;
    for (uint half_size = 32u; half_size > 0u; half_size /= 2u) {
        sync_shared();
        if (thread < half_size)
            s_sums[thread] += s_sums[thread + half_size];
    }
    if (thread != 0u)
        return;
    sum = s_sums[0];
    if (!whole) {
        b_rows[row] = sum;
        return;
    }
    dvec4 scale = mix(dvec4(1.0) / sum, dvec4(0.0), equal(sum, dvec4(0.0)));
    b_info.scale = vec4(scale);
    b_info.centre = vec4(dvec4(imageLoad(i_src, u_src_rect.zw / 2)) * scale);
    b_info.sums[0] = unpackDouble2x32(sum.x);
    b_info.sums[1] = unpackDouble2x32(sum.y);
    b_info.sums[2] = unpackDouble2x32(sum.z);
    b_info.sums[3] = unpackDouble2x32(sum.w);
}
