// shadow/light.glsl - depths as a light sees them: 0 at its near plane, 1 at its far plane, linear
//
//   source    docs/soft_shadow.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "focus/interface.h"

layout(location = AG_LOC_SHADOW_LIGHT) uniform vec4 u_light;
layout(location = AG_LOC_SHADOW_MODE) uniform ivec4 u_mode;

// A stored depth d. Of a perspective map 1/z is affine in d; an orthographic one is linear itself.
// `precise`: the steps `reduce` and `finish` of a table must find the same codes.
float linear_depth(float d)
{
    precise float near = u_light.y, far = u_light.y + u_light.z, depth = d;
    if (u_mode.x == AG_SHADOW_AS_LINEAR) {
        depth = (d - near) / u_light.z;
    } else {
        if (u_mode.x == AG_SHADOW_AS_REVERSED)
            depth = 1.0 - d;
        if (u_light.w != 0.0)
            depth = depth * near / (far - depth * u_light.z);
    }
    return depth;
}

// z, the depth in 16 bits.
uint depth_code(float d)
{
    precise float code = clamp(linear_depth(d), 0.0, 1.0) * 65535.0 + 0.5;
    return uint(code);
}

// A stored depth that is not before the far plane.
float beyond_far()
{
    return u_mode.x == AG_SHADOW_AS_LINEAR     ? u_light.y + 2.0 * u_light.z
           : u_mode.x == AG_SHADOW_AS_REVERSED ? 0.0
                                               : 1.0;
}
