// sat/stats.comp - local_stats: mean or standard deviation of a box around every texel
//
//   in        tables of the image and of its squares, less the mean (sat/table_query.glsl)
//   out       i_dst             the mean or the deviation
//   host sets DEVIATION         0 = the mean, 1 = the deviation
//             GROUP_X, GROUP_Y  threads
//             and the defines of sat/box_sum.glsl and common/store.glsl
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y)
//   cost      4 or 16 reads a texel and table; a deviation reads both tables
//   why       Two dispatches, because each output is rounded to its own format
//   source    docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(DEVIATION) || !defined(GROUP_X) || !defined(GROUP_Y)
#error "DEVIATION, GROUP_X and GROUP_Y must be set by the host"
#endif
#include "sat/box_sum.glsl"
#include "common/store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (in_image(p)) {
        begin_boxes();
        float r = set_radius();
        box b = box_around(p, r);
        float area = counted_area(b, r, BORDER);
        vec4 mean = box_sum(b, false) / area;
        if (DEVIATION != 0) {
            vec4 square = box_sum(b, true) / area;
            store_texel(p, complete(sqrt(max(square - mean * mean, 0.0)), 0.0));
        } else {
            store_texel(p, complete(mean + AG_SAT_OFFSET, 1.0));
        }
    }
}
