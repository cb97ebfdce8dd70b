// fft/bloom_filter.glsl - T, the part of a colour that blooms; the host sets FILTERABLE, 0 = T is always src
// SPDX-License-Identifier: MIT
#ifndef AG_BLOOM_FILTER_GLSL
#define AG_BLOOM_FILTER_GLSL
#include "fft/interface.h"

layout(location = AG_LOC_FILTER) uniform vec4 u_filter;
#define THRESHOLD u_filter.x
#define KNEE u_filter.y               // 0 where THRESHOLD is
#define CLAMP u_filter.z              // infinity = off
#define FILTERS (FILTERABLE == 1 && u_filter.w != 0.0) // the same for all threads: no branch of it diverges

// Clamps each channel, then lets light through softly around the threshold: a parabola from
// threshold - knee to threshold + knee, linear above, hue kept. No ?:, which is a branch on NVIDIA.
vec3 bloom_filter(vec3 c)
{
    vec3 bright = min(c, vec3(CLAMP));
    float brightness = max(bright.r, max(bright.g, bright.b));
    float soft = clamp(brightness - THRESHOLD + KNEE, 0.0, 2.0 * KNEE);
    soft = soft * soft / (4.0 * KNEE + 1e-20);
    float share = max(max(soft, brightness - THRESHOLD), 0.0) / max(brightness, 1e-20);
    return bright * share;
}

// Channel c of a colour, a variable. By bits: NVIDIA's compiler makes branches of an index and of mix() by a bool.
float channel_of(vec3 colour, int c)
{
    uvec3 chosen = floatBitsToUint(colour) & -uvec3(equal(ivec3(c), ivec3(0, 1, 2)));
    return uintBitsToFloat(chosen.r | chosen.g | chosen.b);
}

#endif
