// fft/bloom_filter.glsl - T, the part of a colour that blooms
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_FILTER_GLSL
#define AG_BLOOM_FILTER_GLSL
#include "fft/interface.h"

layout(location = AG_LOC_FILTER) uniform vec4 u_filter;
#define THRESHOLD u_filter.x
#define KNEE u_filter.y
#define CLAMP u_filter.z              // 0 = off
#define FILTERS (u_filter.w != 0.0)   // the same for all threads: what follows from it costs nothing while it is off

// Clamps each channel, then lets light through softly around the threshold: a parabola from
// threshold - knee to threshold + knee, linear above, hue kept.
vec4 bloom_filter(vec4 c)
{
    vec3 bright = CLAMP > 0.0 ? min(c.rgb, vec3(CLAMP)) : c.rgb;
    float brightness = max(bright.r, max(bright.g, bright.b));
    float soft = clamp(brightness - THRESHOLD + KNEE, 0.0, 2.0 * KNEE);
    soft = soft * soft / (4.0 * KNEE + 1e-20);
    float share = max(max(soft, brightness - THRESHOLD), 0.0) / max(brightness, 1e-20);
    return vec4(THRESHOLD > 0.0 ? bright * share : bright, c.a);
}

#endif
