// bloom/light.glsl - texels of bloom's smaller images, and of T
//
//   Images are declared with SMALL_FORMAT and SMALL_IMAGE; a LIGHT is what registers hold of a
//   texel.
//
//   host sets WIDE  1 = 32-bit floats, RGBA32F; 0 = RGBA16F, which is bound as RG32UI
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef WIDE
#error "WIDE (0 or 1) must be set by the host"
#endif
#include "common/texel.glsl"

#if WIDE
#define SMALL_FORMAT rgba32f
#define SMALL_IMAGE image2D
#define LIGHT vec3
LIGHT pack_light(vec3 light) { return light; }
vec3 unpack_light(LIGHT light) { return light; }
LIGHT light_of(vec4 texel) { return texel.rgb; }
vec4 texel_of(LIGHT light) { return vec4(light, 0.0); }
LIGHT masked_light(LIGHT light, bool inside) { return mix(vec3(0.0), light, bvec3(inside)); }
#else
#define SMALL_FORMAT rg32ui
#define SMALL_IMAGE uimage2D
#define LIGHT uvec2
LIGHT pack_light(vec3 light)
{
    return uvec2(pack_halves(light.rg), pack_halves(vec2(light.b, 0.0)));
}
vec3 unpack_light(LIGHT light)
{
    return vec3(unpackHalf2x16(light.x), unpackHalf2x16(light.y).x);
}
LIGHT light_of(uvec4 texel) { return texel.xy; }
uvec4 texel_of(LIGHT light) { return uvec4(light, 0u, 0u); }
LIGHT masked_light(LIGHT light, bool inside) { return light & uvec2(-uint(inside)); }
#endif

// Of the largest colour.
float brightness(vec3 light)
{
    return max(max(light.r, light.g), max(light.b, 0.0));
}
