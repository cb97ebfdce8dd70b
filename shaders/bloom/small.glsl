// bloom/small.glsl - the cubic B-spline between a frame and bloom's smaller image
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "bloom/interface.h"

layout(location = AG_LOC_STEP) uniform vec4 u_step;
#define STEP u_step.xy // texels of the frame for one of the smaller image
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
#define SMALL_SIZE u_small.xy
#define MARGIN u_small.z

// At a distance of t knots. No branch: one of two cubics is 0.
float b_spline(float t)
{
    float far = max(2.0 - abs(t), 0.0), near = max(1.0 - abs(t), 0.0);
    return (far * far * far - 4.0 * near * near * near) * (1.0 / 6.0);
}

// Of the four knots around a place, the first one `fraction` + 1 before it.
vec4 b_spline_weights(float fraction)
{
    float t = fraction, u = 1.0 - t;
    return vec4(u * u * u, 4.0 - 6.0 * t * t + 3.0 * t * t * t, 4.0 - 6.0 * u * u + 3.0 * u * u * u,
                t * t * t) * (1.0 / 6.0);
}
