// sat/box_area.glsl - the area of a box within the image, and the area that divides its sum
//
//   host sets BORDER       AG_OUTSIDE_*: what lies outside. normalize: only texels of the image
//                          count
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef BORDER
#error "BORDER (AG_OUTSIDE_*) must be set by the host"
#endif
#include "common/interface.h"
#include "sat/box.glsl"

// The length of from .. to within 0 .. n.
float inside(edge from, edge to, int n)
{
    from = clamp_edge(from, 0, n);
    to = clamp_edge(to, 0, n);
    return float(to.whole - from.whole) + (to.part - from.part);
}

float area_in_image(box b)
{
    ivec2 size = image_size();
    return inside(b.left, b.right, size.x) * inside(b.top, b.bottom, size.y);
}

// The area that divides the sum.
float counted_area(box b, float r)
{
    float area;
    if (BORDER == AG_OUTSIDE_NORMALIZE)
        area = area_in_image(b);
    else
        area = box_area(r);
    return area;
}
