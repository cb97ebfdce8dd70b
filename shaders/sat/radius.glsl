// sat/radius.glsl - the radius of a texel's box
//
//   in        the setting; with RADIUS multiplied by the first channel of i_radius
//   host sets RADIUS                        1 = every texel has its own radius
//             RADIUS_FORMAT, RADIUS_CODES   of i_radius, as SRC_FORMAT and SRC_CODES of
//                                           common/source.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(RADIUS) || !defined(RADIUS_FORMAT) || !defined(RADIUS_CODES)
#error "RADIUS, RADIUS_FORMAT and RADIUS_CODES must be set by the host"
#endif
#include "common/texel.glsl"
#include "sat/image.glsl"

layout(location = AG_LOC_BOX_RADIUS) uniform ivec4 u_radius;

ivec2 radius_corner() { return u_radius.xy; } // of i_radius's rectangle

#if RADIUS_CODES
layout(RADIUS_FORMAT, binding = AG_IMAGE_RADIUS) readonly uniform uimage2D i_radius;
float stored_radius(ivec2 p) { return decode_11_11_10(imageLoad(i_radius, p).r).r; }
#else
layout(RADIUS_FORMAT, binding = AG_IMAGE_RADIUS) readonly uniform image2D i_radius;
float stored_radius(ivec2 p) { return imageLoad(i_radius, p).r; }
#endif

float radius_at(ivec2 p)
{
    float r = set_radius();
    if (RADIUS != 0)
        r *= stored_radius(radius_corner() + p);
    bool finite = (floatBitsToUint(r) & 0x7fffffffu) < 0x7f800000u;
    return finite ? clamp(r, 0.0, AG_BOX_LARGEST) : 0.0;
}
