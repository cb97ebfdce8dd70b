// denoise/albedo.glsl - the colour of a surface, by which light is divided while it is filtered
//
//   host sets ALBEDO_FORMAT  the image format of i_albedo; not defined: there is none
//   SPDX-License-Identifier: MIT
#pragma once
#include "denoise/interface_atrous.h"

#ifdef ALBEDO_FORMAT
layout(ALBEDO_FORMAT, binding = AG_IMAGE_ALBEDO) readonly uniform image2D i_albedo;
layout(location = AG_LOC_DENOISE_ALBEDO) uniform ivec4 u_albedo; // x, y
#endif

// 1 where there is none, also by channel: nothing is divided by less than 0.001.
vec3 albedo_at(ivec2 p)
{
#ifdef ALBEDO_FORMAT
    vec3 a = imageLoad(i_albedo, u_albedo.xy + p).rgb;
    return mix(vec3(1.0), a, bvec3(a.r > 1e-3 && a.r < 1e6, a.g > 1e-3 && a.g < 1e6,
                                   a.b > 1e-3 && a.b < 1e6));
#else
    return vec3(1.0);
#endif
}
