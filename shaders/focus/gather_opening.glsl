// focus/gather_opening.glsl - depth_of_field, method = gather: the lens's opening
//
//   in        b_opening   by the CPU, for one opening:
//               0             the window: each place at most 3.7 texels away, first those that
//                             small radii reach. x how far the opening reaches towards it, of a
//                             radius of 1; y the same on its other side; z 1/2 - its distance; w
//                             where it lies in an array of AG_GATHER_APRON columns
//               AT_FEW, _MANY samples of a disc, the middle first: x, y the place, of a radius of
//                             1; z its weight, over pi times the ring's width squared; w the ring
//               AT_RADII      of the radii 0, 1/8 ...: x 1 over the sum of what falls on each texel
//                             of the window; y how many places of the window it reaches
//               AT_AREA       the opening's area, of a radius of 1
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/interface.h"

layout(location = AG_LOC_GATHER_OPENING) uniform vec4 u_opening;
layout(std430, binding = AG_SSBO_GATHER_OPENING) restrict readonly buffer Opening
{
    vec4 b_opening[];
};

// Of a radius of 1.
#define OPENING_AREA b_opening[AG_GATHER_AT_AREA].x

// How far the opening reaches in the direction of v, of a radius of 1. As that of bloom: corners
// lie on the circle, and roundness bends the blades towards it. u_opening.w: height over width.
float reach_towards(vec2 v)
{
    if (u_opening.x <= 0.0 && u_opening.w == 1.0)
        return 1.0;
    vec2 circle = vec2(v.x * u_opening.w, v.y);
    float edge = 1.0, part = u_opening.x;
    if (part > 0.0) {
        float blade = (atan(circle.y, circle.x + 1e-20) - u_opening.z) / part;
        float off = part * (blade - floor(blade) - 0.5), straight = 1.0 - u_opening.y;
        edge = (u_opening.y + straight * cos(0.5 * part)) / (u_opening.y + straight * cos(off));
    }
    return edge * sqrt((dot(v, v) + 1e-12) / (dot(circle, circle) + 1e-12));
}
