// focus/blur.comp - depth_of_field: blurs the near or the far layer over the lens's disc
//
//   in        the layer's table (sat/table_query.glsl)
//             near: b_tiles, spread; far: i_depth or t_depth (focus/lens.glsl)
//   out       near: i_near    (C, a), RGBA16F, the premultiplied colour and the coverage, in tiles
//                             that a near radius reaches: the blur goes over the layer's silhouette
//             far:  i_far     at far texels the mean colour, mean / m, and its weight, min(1, m
//                             area), RGBA16F; m: the mean of the layer's weights over the shape
//             Other texels stay as they are.
//   host sets LAYER    AG_FOCUS_NEAR, _FAR
//             SHAPE    AG_FOCUS_BOX, _SMOOTH, _DISC
//             STORE    AG_STORE_16F, of the layers
//             and the defines of sat/table_query.glsl; far: those of focus/lens.glsl
//   dispatch  one group a tile
//   cost      reads of the table: box 4, smooth 12, disc 28. Below a radius of 8 (disc: 4) two
//             small shapes are mixed: box 8, smooth 24, disc 24. Far: a texel of depth
//   why       A mixture of two shapes grows without steps where steps would show. The edges of
//             larger ones step one at a time, each by a small share of the disc
//   source    docs/depth_of_field.md
//
//   A disc of 4 texels and more is the union of four boxes, here a quarter of it:
//
//        y  |___
//     .978  |   |__             box (w, h), plus box (w', h') of the next, less (w', h), which lies
//     .844  |      |_           in both, and so on: seven boxes
//     .658  |        |_
//     .409  |          |
//           +-----------  x     .409 .657 .844 .978
//   SPDX-License-Identifier: MIT
#version 430 core
#if !defined(LAYER) || !defined(SHAPE) || !defined(STORE)
#error "LAYER and SHAPE (AG_FOCUS_*), and STORE (AG_STORE_16F) must be set by the host"
#endif
#include "common/texel.glsl"
#include "focus/interface.h"
#define AG_SAT_INSIDE 0
#include "sat/table_query.glsl"
#if LAYER == AG_FOCUS_NEAR
#include "focus/tiles.glsl"
#else
#include "focus/lens.glsl"
#endif

layout(local_size_x = AG_FOCUS_TILE, local_size_y = AG_FOCUS_TILE) in;

const float BLEND_BELOW = SHAPE == AG_FOCUS_DISC ? 4.0 : 8.0;

struct shape_sum {
    vec4 sum;   // of the table's entries, less the offset
    float area; // within the image
};

// Adds a box with these half sides around p; `times` is 1 or -1.
void add_box(inout shape_sum s, ivec2 p, vec2 sides, float times)
{
    ivec2 whole = ivec2(sides);
    ivec2 from = max(p - whole, ivec2(0)), to = min(p + whole + 1, image_size());
    s.sum += times * ag_sat_whole(from, to, false);
    s.area += times * float((to.x - from.x) * (to.y - from.y));
}

shape_sum shape_at(ivec2 p, float q)
{
    shape_sum s = shape_sum(vec4(0.0), 0.0);
    if (SHAPE == AG_FOCUS_BOX) {
        add_box(s, p, vec2(0.8862 * q), 1.0);
    } else if (SHAPE == AG_FOCUS_SMOOTH) {
        add_box(s, p, vec2(1.146, 0.516) * q, 1.0);
        add_box(s, p, vec2(0.516, 1.146) * q, 1.0);
        add_box(s, p, vec2(0.825) * q, 1.0);
    } else { // of a disc up to 4.5
        float a = 0.947 * q, b = 0.55 * q + 0.18;
        add_box(s, p, vec2(a, b), 1.0);
        add_box(s, p, vec2(b, a), 1.0);
        add_box(s, p, vec2(b), -1.0);
    }
    return s;
}

#if SHAPE == AG_FOCUS_DISC
shape_sum large_disc(ivec2 p, float q)
{
    const float side[4] = float[4](0.978, 0.844, 0.657, 0.409);
    const float high[4] = float[4](0.409, 0.658, 0.844, 0.978);
    shape_sum s = shape_sum(vec4(0.0), 0.0);
    for (int i = 0; i < 4; ++i)
        add_box(s, p, vec2(side[i], high[i]) * q, 1.0);
    for (int i = 0; i < 3; ++i)
        add_box(s, p, vec2(side[i + 1], high[i]) * q, -1.0);
    return s;
}
#else
#define large_disc(p, q) shape_at(p, q)
#endif

// The mean over the shape of radius q, and the area in the image.
vec4 shape_mean(ivec2 p, float q, out float area)
{
    vec4 mean;
    if (q >= BLEND_BELOW) {
        shape_sum s = large_disc(p, q);
        mean = s.sum / s.area;
        area = s.area;
    } else {
        float u = max(q - 0.5, 0.0), m = floor(u);
        shape_sum less = shape_at(p, m + 0.5), more = shape_at(p, m + 1.5);
        mean = mix(less.sum / less.area, more.sum / more.area, u - m);
        area = mix(less.area, more.area, u - m);
    }
    return mean + AG_SAT_OFFSET;
}

#if LAYER == AG_FOCUS_NEAR
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
#else
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
#endif
