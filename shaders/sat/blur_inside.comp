// sat/blur_inside.comp - box_blur: boxes that lie at least one texel within the image
//
//   in        the table (sat/table_query.glsl); i_radius with RADIUS
//   out       i_dst; b_left with RADIUS: marks of blocks with other boxes (sat/blur_blocks.glsl)
//   host sets EDGES_WHOLE  1 = the radius is whole, and the same for all texels
//             GROUP_X, GROUP_Y   threads
//             and the defines of sat/radius.glsl, sat/table_query.glsl and common/store.glsl
//   dispatch  ceil(width / GROUP_X), ceil(height / GROUP_Y)
//   cost      16 reads of the table a texel, 4 with EDGES_WHOLE
//   limits    none with EDGES_WHOLE: 16 waves a SIMD on RDNA 2, 10 on GCN 5; else registers: 80
//             VGPRs, 6 waves; 84, 3 (docs/gpus.md)
//   why       nearly all boxes are of this kind, and in one program they would pay for the
//             registers of the other kinds (docs/decisions.md, D46): those have
//             sat/blur_edges.comp, sat/blur_mirror.comp and sat/blur_small.comp
//   source    Crow 1984; docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef EDGES_WHOLE
#error "EDGES_WHOLE must be set by the host"
#endif
#define INSIDE 1
#include "sat/table_query.glsl"
#include "sat/box.glsl"
#include "sat/radius.glsl"
#include "sat/blur_blocks.glsl"
#include "common/store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

vec4 box_mean(box b, float r)
{
    vec4 sum;
    if (EDGES_WHOLE != 0)
        sum = ag_sat_whole(corner_from(b), corner_to(b), false);
    else
        sum = ag_sat_nine(corner_from(b), part_from(b), corner_to(b), part_to(b), false);
    return sum / box_area(r) + AG_SAT_OFFSET;
}

void blur_texel(ivec2 p)
{
    float r = radius_at(p);
    box b = box_around(p, r);
    bool large = r >= AG_BOX_DIRECT;
    if (large && is_inside(b)) {
        begin_boxes();
        store_texel(p, complete(box_mean(b, r), 1.0));
    } else if (RADIUS != 0) {
        leave_block(large ? AG_BLUR_BEYOND : AG_BLUR_SMALL);
    }
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (in_image(p))
        blur_texel(p);
}
