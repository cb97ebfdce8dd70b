// sat/box_straight.glsl - sums of boxes with border zero, clamp or normalize
//
//   in        the table: sat/table_query.glsl
//
//   zero, normalize   edges end at the edge of the image
//   clamp             beyond the image sums continue on a straight line; the edge lies on it:
//
//        sum of an axis up to x              _/
//                                          _/ |       beyond n: the last texel's value a step
//                                ....---'''   n       up to n: what the table holds
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/table_query.glsl"
#include "sat/box_area.glsl"

// Beyond a clamped image the sum up to x grows by the first or the last texel at each step: a
// straight line, on which an edge is interpolated as it is between two texels. An edge at the
// image's end is no such case.
edge extend_edge(edge e, int n)
{
    int whole = clamp(e.whole, 0, n - int(e.whole > n || e.part > 0.0));
    return edge(whole, e.part + float(e.whole - whole));
}

// The edge, within the image or on the straight line.
edge border_edge(edge e, int n)
{
    if (BORDER == AG_OUTSIDE_CLAMP)
        e = extend_edge(e, n);
    else
        e = clamp_edge(e, 0, n);
    return e;
}

// The sum over a box of (texel - offset), or with `squares` of its square; BORDER continues the
// image.
vec4 straight_sum(box b, const bool squares)
{
    ivec2 size = image_size();
    b = box(border_edge(b.left, size.x), border_edge(b.right, size.x), border_edge(b.top, size.y),
            border_edge(b.bottom, size.y));
    return ag_sat_parts(corner_from(b), part_from(b), corner_to(b), part_to(b), squares);
}
