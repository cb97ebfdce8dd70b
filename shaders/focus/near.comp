// focus/near.comp - depth_of_field: blurs the near layer, over its silhouette
//
//   in        the near layer's table (sat/table_query.glsl); b_tiles, spread
//   out       i_near    (C, a), RGBA16F, in tiles that a near radius reaches; others stay as they
//                       are
//   host sets SHAPE and the defines of sat/table_query.glsl
//   dispatch  one group a tile
//   cost      focus/shape.glsl, in tiles that a near radius reaches
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define STORE AG_STORE_16F
#include "focus/shape.glsl"
#include "focus/tiles.glsl"
#include "common/texel.glsl"

layout(local_size_x = AG_FOCUS_TILE, local_size_y = AG_FOCUS_TILE) in;
layout(binding = AG_IMAGE_FOCUS_NEAR) writeonly uniform image2D i_near;

// Less of a texel than this within the shape is an error of the table.
const float LEAST = 1.0 / 16.0;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (tile_near(ivec2(gl_WorkGroupID.xy)) == 0.0 || !in_image(p))
        return;
    begin_boxes();
    float area;
    vec4 near = shape_mean(p, near_around(p), area);
    near = vec4(max(near.rgb, 0.0), min(near.a, 1.0));
    if (near.a * area < LEAST)
        near = vec4(0.0);
    imageStore(i_near, p + ivec2(0, u_size.z), round_for_store(near));
}
