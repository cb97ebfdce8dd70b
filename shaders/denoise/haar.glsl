// denoise/haar.glsl - one step of the orthonormal Haar transform of 2 x 2 values, its own inverse
// SPDX-License-Identifier: MIT
#pragma once
#include "denoise/shrink.glsl"

//    a b   ->   LL HL        LL: mean times 2; HL: left less right; LH: top less bottom
//    c d        LH HH
void haar(inout vec3 a, inout vec3 b, inout vec3 c, inout vec3 d)
{
    vec3 top = a + b, bottom = c + d, left = a - b, right = c - d;
    a = (top + bottom) * 0.5;
    b = (left + right) * 0.5;
    c = (top - bottom) * 0.5;
    d = (left - right) * 0.5;
}

#if TOGETHER == 1
void haar(inout float a, inout float b, inout float c, inout float d)
{
    float top = a + b, bottom = c + d, left = a - b, right = c - d;
    a = (top + bottom) * 0.5;
    b = (left + right) * 0.5;
    c = (top - bottom) * 0.5;
    d = (left - right) * 0.5;
}
#endif
