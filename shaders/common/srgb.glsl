// common/srgb.glsl - decodes the exact piecewise sRGB curve, IEC 61966-2-1
// SPDX-License-Identifier: MIT
#pragma once

vec3 srgb_decode(vec3 code)
{
    vec3 low = code / 12.92;
    vec3 high = pow((max(code, 0.04045) + 0.055) / 1.055, vec3(2.4));
    return mix(high, low, lessThanEqual(code, vec3(0.04045)));
}
