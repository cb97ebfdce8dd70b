// denoise/haar.glsl - one step of the orthonormal Haar transform of 2 x 2 values, its own inverse
// SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_HAAR_GLSL
#define AG_DENOISE_HAAR_GLSL
#include "denoise/shrink.glsl"

//    a b   ->   LL HL        LL: mean times 2; HL: left less right; LH: top less bottom
//    c d        LH HH
void haar(inout V a, inout V b, inout V c, inout V d)
{
    V top = a + b, bottom = c + d, left = a - b, right = c - d;
    a = (top + bottom) * 0.5;
    b = (left + right) * 0.5;
    c = (top - bottom) * 0.5;
    d = (left - right) * 0.5;
}
#endif
