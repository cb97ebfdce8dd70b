// bloom/fade.comp - moves a kernel's spectrum, and its centre weights, a step towards another's
//
//   A fade of n frames takes 1/n of what is left, then 1/(n - 1) .., then all of it: it is linear.
//
//   in, out   b_shown  one channel's spectrum: += (goal - shown) * u_blend.x. 1 makes it the goal
//             b_info   centre: the same
//   in        b_goal   the other spectrum
//             b_goal_info  its centre weights
//   dispatch  ceil(vectors of four floats / 256); u_part.x = their number; u_part.y = 1: b_info too
//   cost      reads two spectra and writes one
//   SPDX-License-Identifier: MIT
#version 430 core
#include "bloom/interface.h"
#include "common/info.glsl"

layout(local_size_x = 256) in;
layout(location = AG_LOC_SCALE) uniform vec4 u_blend;
layout(location = AG_LOC_PART) uniform ivec4 u_part;
layout(std430, binding = AG_SSBO_KERNEL) buffer Shown { vec4 b_shown[]; };
layout(std430, binding = AG_SSBO_KERNEL_REAL) readonly buffer Goal { vec4 b_goal[]; };
layout(std430, binding = AG_SSBO_GOAL_INFO) readonly buffer GoalInfo {
    vec4 b_goal_scale;
    vec4 b_goal_centre;
};

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    if (i == 0 && u_part.y == 1)
        b_info.centre = mix(b_info.centre, b_goal_centre, u_blend.x);
    if (i < u_part.x)
        b_shown[i] = mix(b_shown[i], b_goal[i], u_blend.x);
}
