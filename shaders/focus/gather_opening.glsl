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
//               AT_AREA       x the opening's area, of a radius of 1; y what an edge one texel wide
//                             adds to the area of any radius
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/interface.h"

layout(location = AG_LOC_GATHER_OPENING) uniform vec4 u_opening;
layout(std430, binding = AG_SSBO_GATHER_OPENING) restrict readonly buffer Opening
{
    vec4 b_opening[];
};

// Of a disc.
float area_of(float radius, float softness)
{
    vec2 area = b_opening[AG_GATHER_AT_AREA].xy;
    return area.x * radius * radius + area.y * softness * softness;
}

// x the radius on whose edge v lies, y by how much it grows a texel. As that of bloom: corners lie
// on the circle, and roundness bends the blades towards it. u_opening.w: height over width.
vec2 radius_through(vec2 v)
{
    if (u_opening.x <= 0.0 && u_opening.w == 1.0)
        return vec2(length(v), 1.0);
    vec2 circle = vec2(v.x * u_opening.w, v.y);
    vec2 grows = circle / max(length(circle), 1e-6);
    float part = u_opening.x;
    if (part > 0.0) {
        float round_part = u_opening.y, straight = 1.0 - round_part;
        float blade = floor((atan(circle.y, circle.x + 1e-20) - u_opening.z) / part);
        float middle = part * (blade + 0.5) + u_opening.z;
        grows = round_part * grows + straight * vec2(cos(middle), sin(middle));
        grows /= round_part + straight * cos(0.5 * part);
    }
    return vec2(dot(grows, circle), length(grows * vec2(u_opening.w, 1.0)));
}
