// fft/bloom_filter.glsl - T, the part of a colour that blooms
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_FILTER_GLSL
#define AG_BLOOM_FILTER_GLSL
#include "fft/interface.h"

layout(location = AG_LOC_FILTER) uniform vec4 u_filter; // threshold, knee, clamp (0 = off); 1 = on

// Clamps each channel, then lets light through softly around the threshold: a parabola from
// threshold - knee to threshold + knee, linear above, hue kept.
vec3 bloom_filter(vec3 c)
{
    vec3 bright = u_filter.z > 0.0 ? min(c, vec3(u_filter.z)) : c;
    float brightness = max(bright.r, max(bright.g, bright.b));
    float knee = u_filter.y;
    float soft = clamp(brightness - u_filter.x + knee, 0.0, 2.0 * knee);
    soft = soft * soft / (4.0 * knee + 1e-20);
    float share = max(max(soft, brightness - u_filter.x), 0.0) / max(brightness, 1e-20);
    return u_filter.w == 0.0 ? c : u_filter.x > 0.0 ? bright * share : bright;
}

#endif
