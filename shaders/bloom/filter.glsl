// bloom/filter.glsl - T, what blooms (docs/bloom.md)
//
//   in        u_filter         while its w is on (FILTERS), T is filtered, else T is src
//             b_info.unexposed while its w is 2
//   host sets FILTERABLE       0 = T is src always; 1
//   includer  READS_EACH_TIME  1 = b_info.unexposed is read in each term, 0 = once a texel
//                              (docs/decisions.md, D60)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(FILTERABLE) || !defined(READS_EACH_TIME)
#error "FILTERABLE must be set by the host, READS_EACH_TIME defined by the includer"
#endif
#include "common/info.glsl"
#include "fft/interface.h"

layout(location = AG_LOC_FILTER) uniform vec4 u_filter;
#define UNEXPOSED (u_filter.w == 2.0 ? b_info.unexposed : 1.0) // 2: of the slot exposure
#if READS_EACH_TIME
#define EXPOSED_BY UNEXPOSED
#else
#define EXPOSED_BY unexposed
#endif
#define THRESHOLD (u_filter.x * EXPOSED_BY)
#define KNEE (u_filter.y * EXPOSED_BY)  // docs/bloom.md's k, in the unit of the threshold
#define CLAMP (u_filter.z * EXPOSED_BY) // infinity = off

#define FILTERS (FILTERABLE == 1 && u_filter.w != 0.0)
// Clamps each channel, then applies a soft threshold to the brightness: a parabola from
// threshold - knee to threshold + knee, linear above; the hue stays. No ?:, a branch on NVIDIA.
vec3 bloom_filter(vec3 c)
{
#if !READS_EACH_TIME
    float unexposed = UNEXPOSED;
#endif
    vec3 bright = min(c, vec3(CLAMP));
    float brightness = max(bright.r, max(bright.g, bright.b));
    float soft = clamp(brightness - THRESHOLD + KNEE, 0.0, 2.0 * KNEE);
    soft = soft * soft / (4.0 * KNEE + 1e-20);
    float share = max(max(soft, brightness - THRESHOLD), 0.0) / max(brightness, 1e-20);
    return bright * share;
}

// Channel c of a colour, by bits: NVIDIA's compiler makes branches of an index and of mix().
float channel_of(vec3 colour, int c)
{
    uvec3 chosen = floatBitsToUint(colour) & -uvec3(equal(ivec3(c), ivec3(0, 1, 2)));
    return uintBitsToFloat(chosen.r | chosen.g | chosen.b);
}
