// sat/box_straight.glsl - sums of boxes that may reach beyond the image, where borders are zero, clamp or normalize
//
//   in        the table: sat/asked.glsl
//
//   zero, normalize   edges end at the image's
//   clamp             edges lie beyond it, on the straight line that sums go on along:
//
//        sum of an axis up to x              _/
//                                          _/ |       one texel a step beyond n: the last texel's value
//                                ....---'''   n       up to n what the table holds
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_BOX_STRAIGHT_GLSL
#define AG_SAT_BOX_STRAIGHT_GLSL
#include "sat/asked.glsl"
#include "sat/box_area.glsl"

// Beyond a clamped image the sum up to x grows by its first texel a texel, or by its last: it is a straight line, on
// which the edge lies as one lies between two texels. The image's own end needs none of that.
edge extend_edge(edge e, int n)
{
    int whole = clamp(e.whole, 0, n - int(e.whole > n || e.part > 0.0));
    return edge(whole, e.part + float(e.whole - whole));
}

// Where an edge lies, of the image or of the line.
edge border_edge(edge e, int n)
{
    if (BORDER == AG_OUTSIDE_CLAMP)
        e = extend_edge(e, n);
    else
        e = clamp_edge(e, 0, n);
    return e;
}

// The sum over a box as BORDER continues the image; of (texel - offset), with `squares` of its square.
vec4 straight_sum(box b, const bool squares)
{
    ivec2 size = image_size();
    b = box(border_edge(b.left, size.x), border_edge(b.right, size.x), border_edge(b.top, size.y),
            border_edge(b.bottom, size.y));
    return ag_sat_parts(corner_from(b), part_from(b), corner_to(b), part_to(b), squares);
}

#endif
