// sat/blur_edges.comp - box_blur: boxes at the image's edge, border zero, clamp or normalize
//
//   in        the table (sat/table_query.glsl); i_radius with RADIUS
//   out       i_dst
//   in, out   b_left with RADIUS: the blocks that sat/blur_inside.comp left
//   host sets BORDER       AG_OUTSIDE_*: what lies outside
//             GROUP_X, GROUP_Y   threads
//             and the defines of sat/radius.glsl, sat/table_query.glsl and common/store.glsl
//   dispatch  sat/blur_blocks.glsl
//   cost      16 reads of the table a texel, 4 where all edges are whole
//   why       sat/blur_inside.comp
//   source    docs/sat.md
//   SPDX-License-Identifier: MIT
#version 430 core
#include "sat/box_straight.glsl"
#include "sat/radius.glsl"
#include "sat/blur_blocks.glsl"
#include "common/store.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

vec4 box_mean(box b, float r)
{
    vec4 mean = straight_sum(b, false) / counted_area(b, r), offset = AG_SAT_OFFSET;
    // the table counts texels outside as offset, so they get no offset here
    if (BORDER == AG_OUTSIDE_ZERO)
        offset *= area_in_image(b) / counted_area(b, r);
    return mean + offset;
}

void blur_texel(ivec2 p)
{
    float r = radius_at(p);
    box b = box_around(p, r);
    if (in_image(p) && r >= AG_BOX_DIRECT && !is_inside(b)) {
        begin_boxes();
        store_texel(p, complete(box_mean(b, r), 1.0));
    }
}

void main()
{
    if (RADIUS != 0)
        for (uint left = find_left(AG_BLUR_BEYOND); left != 0u; left &= left - 1u)
            blur_texel(texel_left(findLSB(left)));
    else
        blur_texel(texel_of_block(frame_block()));
}
