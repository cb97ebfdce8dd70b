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
//               AT_AREA       x the opening's area, of a radius of 1; y what the variance of an
//                             edge adds to the area of any radius
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/interface.h"

layout(location = AG_LOC_GATHER_OPENING) uniform vec4 u_opening;
layout(std430, binding = AG_SSBO_GATHER_OPENING) restrict readonly buffer Opening
{
    vec4 b_opening[];
};

// x the radius on whose edge v lies; y, z by how much it grows a texel along x and along y, without
// signs. As that of bloom: corners lie on the circle, and roundness bends the blades towards it.
// u_opening.w: height over width.
vec3 radius_through(vec2 v)
{
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
    float radius = dot(grows, circle);
    grows.x *= u_opening.w;
    return vec3(radius, abs(grows));
}

// How much of a disc's light is where `at` is radius_through(). Its edge is half that of a texel
// `apart` to one side and half that to the other one. A square texel blurs an edge by two boxes, so
// texels add up to the same light wherever the edge lies. What is below 1 / 256 of the light counts
// as 0: it would show of a lamp of 10,000.
float disc_at(float radius, float apart, vec3 at)
{
    float wide = max(max(at.y, at.z), 1e-6), narrow = max(min(at.y, at.z), 0.02 * wide);
    float beside = apart * length(at.yz);
    vec2 off = radius - at.x + vec2(beside, -beside), x = abs(off);
    vec2 end = clamp(0.5 * (wide + narrow) - x, 0.0, narrow); // where the narrow box ends
    vec2 tail = (0.5 / narrow * end * end + max(0.5 * (wide - narrow) - x, 0.0)) / wide;
    vec2 part = mix(tail, 1.0 - tail, greaterThan(off, vec2(0.0)));
    return clamp(0.5 * 129.0 / 128.0 * (part.x + part.y) - 1.0 / 256.0, 0.0, 1.0);
}
