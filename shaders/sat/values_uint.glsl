// sat/values_uint.glsl - the values of texels as integers, next to those as floats
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/types.glsl"

float units_of_1() { return u_value.x; }
float units_of_1_squared() { return u_value.y; }
float largest_value() { return u_value.z; } // texels are clamped to it, so that boxes do not wrap

// The value of a texel, rounded to the nearest unit.
uint number(float x, const bool less, float offset, const bool squared, uint type)
{
    x = clamp(x, 0.0, largest_value());
    uint code = uint(x * units_of_1() + 0.5);
    if (squared && COUNTS != 0)
        code = code * code;
    else if (squared)
        // x * x is rounded before it is multiplied
        code = uint(opaque(x * x) * units_of_1_squared() + 0.5);
    return code;
}
