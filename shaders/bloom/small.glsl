// bloom/small.glsl - bloom's smaller image: its texels, and the B-spline between it and a frame
//
//   host sets WIDE  1 = 32-bit floats, RGBA32F; 0 = RGBA16F, which is bound as RG32UI
//             the defines of fft/source.glsl and bloom/filter.glsl, for the frame
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef WIDE
#error "WIDE (0 or 1) must be set by the host"
#endif
#include "common/texel.glsl"
#define READS_EACH_TIME 0
#include "bloom/filter.glsl"
#include "bloom/interface.h"
#include "fft/source.glsl"

layout(location = AG_LOC_STEP) uniform vec4 u_step;
#define STEP u_step.xy // texels of the frame for one of the smaller image
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
#define SMALL_SIZE u_small.xy
#define MARGIN u_small.z

// ---- the frame's texels, which stay packed where they are RGBA16F

// A texel. A packed one comes as it is and may be bad; floats are clean. No branch, so that all
// loads of a thread are under way at once. If a texel was bad, `suspects` & SUSPECT is not 0.
TEXEL load_unseen(ivec2 p, inout uint suspects)
{
#if SRC_IS_RGBA16F
#define SUSPECT 0x80008000u
    uvec2 words = packed_at(u_src_rect.xy + p).xy;
    uvec2 over = (words & 0x7c007c00u) + 0x04000400u; // exponent of ones: a carry
    suspects |= over.x | over.y;
    return words;
#else
#define SUSPECT 0xffffffffu
    uint is_bad;
    vec4 c = load_source(p, is_bad);
    suspects = suspects << 1 | is_bad; // the last texel is the lowest bit
    return c;
#endif
}

// T; in halves it is rounded to them.
TEXEL what_blooms(TEXEL texel)
{
#if SRC_IS_RGBA16F
    vec3 light = bloom_filter(colour(texel).rgb);
    return uvec2(pack_halves(light.rg), pack_halves(vec2(light.b, 0.0)));
#else
    texel.rgb = bloom_filter(texel.rgb);
    return texel;
#endif
}

// ---- light. Images of it are declared with SMALL_FORMAT and SMALL_IMAGE; a LIGHT is what
// registers and shared memory hold of a texel

#if WIDE
#define SMALL_FORMAT rgba32f
#define SMALL_IMAGE image2D
#define LIGHT vec3
LIGHT pack_light(vec3 light) { return light; }
vec3 unpack_light(LIGHT light) { return light; }
LIGHT light_of(vec4 texel) { return texel.rgb; }
vec4 texel_of(LIGHT light) { return vec4(light, 0.0); }
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
#endif

// ---- the spline

// At a distance of t knots. No branch: beyond its reach a cubic is 0.
float b_spline(float t)
{
    float far = max(2.0 - abs(t), 0.0), near = max(1.0 - abs(t), 0.0);
    return (far * far * far - 4.0 * near * near * near) * (1.0 / 6.0);
}

// Of the four knots around a place, the first one `fraction` + 1 before it.
vec4 b_spline_weights(float fraction)
{
    float t = fraction, u = 1.0 - t;
    return vec4(u * u * u, 4.0 - 6.0 * t * t + 3.0 * t * t * t, 4.0 - 6.0 * u * u + 3.0 * u * u * u,
                t * t * t) * (1.0 / 6.0);
}
