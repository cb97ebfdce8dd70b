// sat/box.glsl - the box of a radius around a texel
//
//   An edge is a whole number of texels and a part, so that boxes far from the corner are as exact
//   as near it. For radius r = 1.25 around texel p:
//
//        p - 2     p - 1       p       p + 1     p + 2     p + 3
//          |       ..|.........|....o....|.........|..       |
//             left = (p - 2, 0.75)       right = (p + 2, 0.25)       2 r + 1 = 3.5 texels
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/image.glsl"

struct edge {
    int whole;
    float part; // 0 <= part < 1; beyond a clamped image -r .. r + 1 (sat/box_straight.glsl)
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

float box_area(float r) { return (2.0 * r + 1.0) * (2.0 * r + 1.0); }
