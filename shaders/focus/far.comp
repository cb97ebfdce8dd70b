// focus/far.comp - depth_of_field: blurs the far layer
//
//   in        the far layer's table (sat/table_query.glsl); i_depth or t_depth (focus/lens.glsl)
//   out       i_far     at far texels: the mean colour, mean / m, and its weight, min(1, m area);
//                       RGBA16F. Others stay as they are
//   host sets SHAPE and the defines of focus/lens.glsl and sat/table_query.glsl
//   dispatch  one group a tile
//   cost      a texel of depth read; focus/shape.glsl, for far texels
//   source    docs/depth_of_field.md
//   SPDX-License-Identifier: MIT
#version 430 core
#define STORE AG_STORE_16F
#include "focus/lens.glsl"
#include "focus/shape.glsl"
#include "common/texel.glsl"

layout(local_size_x = AG_FOCUS_TILE, local_size_y = AG_FOCUS_TILE) in;
layout(binding = AG_IMAGE_FOCUS_FAR) writeonly uniform image2D i_far;

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (!in_image(p))
        return;
    float r = radius_of(depth_at(p));
    if (far_part(r) == 0.0)
        return;
    begin_boxes();
    float area;
    vec4 mean = shape_mean(p, r, area);
    // Where less than a texel of the layer lies in the shape, errors of the table could show.
    vec4 far = vec4(max(mean.rgb, 0.0) / max(mean.a, 1e-6), clamp(mean.a * area, 0.0, 1.0));
    imageStore(i_far, p + ivec2(0, own_row()), round_for_store(far));
}
