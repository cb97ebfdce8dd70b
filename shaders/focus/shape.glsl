// focus/shape.glsl - the mean of a layer over the lens's disc, from boxes of its table
//
//   in        the table (sat/table_query.glsl)
//   host sets SHAPE    AG_FOCUS_*
//   cost      reads of the table: box 4, smooth 12, disc 28. Below a radius of 8 (disc: 4) two
//             small shapes are mixed: box 8, smooth 24, disc 24
//   why       a mixture of two shapes grows without steps where steps would show. Of larger ones,
//             edges step one at a time, each by a small share of the disc
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
#pragma once
#ifndef SHAPE
#error "SHAPE (AG_FOCUS_*) must be set by the host"
#endif
#include "focus/interface.h"
#include "sat/table_query.glsl"

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
