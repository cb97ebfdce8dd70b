// sat/stats.comp - mean and standard deviation of a box around every texel
//
//   in        tables of the image and of its squares, less the mean (sat/box.glsl)
//   out       i_dst     the mean;  with DEVIATION = 1 the deviation instead
//   host sets DEVIATION, and what sat/box.glsl and common/store.glsl want
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y)
//   why       two dispatches, as the outputs may have two formats, and each rounds by its own
//   source    docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef DEVIATION
#error "DEVIATION must be set by the host"
#endif
#include "sat/interface.h"
#include "common/store.glsl"
#include "sat/box.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(location = AG_LOC_BOX) uniform vec4 u_box; // radius

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(p, u_size.xy))) {
        begin_boxes();
        box b = box_around(p, u_box.x);
        float area = box_area(b, u_box.x);
        vec4 mean = box_sum(b, false) / area;
#if DEVIATION
        vec4 square = box_sum(b, true) / area;
        store_texel(p, complete(sqrt(max(square - mean * mean, 0.0)), 0.0));
#else
        store_texel(p, complete(mean + AG_SAT_OFFSET, 1.0));
#endif
    }
}
