// sat/box.glsl - the image, and the box of a radius around a texel
//
//   host sets SAT_CHANNELS   of the table: 1, 2, 4
//
//   An edge is a whole number of texels and a part, so that boxes far from the corner are as exact
//   as near it. For radius r = 1.25 around texel p:
//
//        p - 2     p - 1       p       p + 1     p + 2     p + 3
//          |       ..|.........|....o....|.........|..       |
//             left = (p - 2, 0.75)       right = (p + 2, 0.25)       2 r + 1 = 3.5 texels
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SAT_CHANNELS
#error "SAT_CHANNELS must be set by the host"
#endif
#include "sat/interface.h"

layout(location = AG_LOC_BOX_SIZE) uniform ivec4 u_size;
layout(location = AG_LOC_BOX) uniform vec4 u_box;

ivec2 image_size() { return u_size.xy; }
float set_radius() { return u_box.x; } // of all texels; with a radius texture their common factor

bool in_image(ivec2 p) { return all(lessThan(p, image_size())); }

// A colour of the table. Channels that it lacks become what GL reads for them: 0, and `alpha`.
vec4 complete(vec4 c, float alpha)
{
    if (SAT_CHANNELS == 1)
        c = vec4(c.r, 0.0, 0.0, alpha);
    else if (SAT_CHANNELS == 2)
        c = vec4(c.rg, 0.0, alpha);
    return c;
}

struct edge {
    int whole;
    float part; // 0 <= part < 1; beyond a clamped image -r .. r + 1 (sat/box_sum.glsl)
};

// Without ?:, of which NVIDIA's compiler makes a branch (docs/decisions.md, D13).
edge clamp_edge(edge e, int low, int high)
{
    bool within = uint(e.whole - low) < uint(high - low);
    return edge(clamp(e.whole, low, high), e.part * float(within));
}

struct box {
    edge left, right, top, bottom;
};

box box_around(ivec2 p, float r)
{
    int outer = int(ceil(r)), inner = int(floor(r));
    float before = ceil(r) - r, after = r - floor(r);
    return box(edge(p.x - outer, before), edge(p.x + 1 + inner, after), edge(p.y - outer, before),
               edge(p.y + 1 + inner, after));
}

ivec2 corner_from(box b) { return ivec2(b.left.whole, b.top.whole); }
ivec2 corner_to(box b) { return ivec2(b.right.whole, b.bottom.whole); }
vec2 part_from(box b) { return vec2(b.left.part, b.top.part); }
vec2 part_to(box b) { return vec2(b.right.part, b.bottom.part); }

// Whether a box lies at least one texel within the image, as AG_SAT_INSIDE requires.
bool is_inside(box b)
{
    return all(greaterThan(corner_from(b), ivec2(0))) && all(lessThan(corner_to(b), image_size()));
}

// ---- areas

float box_area(float r) { return (2.0 * r + 1.0) * (2.0 * r + 1.0); }

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

// The area that divides a box's sum. `border`: AG_OUTSIDE_*; with _NORMALIZE only texels of the
// image count.
float counted_area(box b, float r, const int border)
{
    float area;
    if (border == AG_OUTSIDE_NORMALIZE)
        area = area_in_image(b);
    else
        area = box_area(r);
    return area;
}
