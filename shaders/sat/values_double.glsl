// sat/values_double.glsl - the values of texels as doubles, next to those as floats
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/types.glsl"

double number(float x, const bool less, float offset, const bool squared, double type)
{
    double d = double(opaque(x));
    if (less)
        d -= double(offset);
    return squared ? d * d : d;
}
