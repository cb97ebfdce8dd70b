// common/srgb_encode.glsl - encodes with the exact piecewise sRGB curve, IEC 61966-2-1
// SPDX-License-Identifier: MIT
#pragma once

vec3 srgb_encode(vec3 linear)
{
    vec3 low = linear * 12.92;
    vec3 high = 1.055 * pow(max(linear, 0.0031308), vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(linear, vec3(0.0031308)));
}
