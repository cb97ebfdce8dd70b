// bloom/small.glsl - between a frame and bloom's smaller images: texels, and the B-spline
//
//   host sets the defines of bloom/light.glsl; for the frame those of fft/source.glsl and
//             bloom/filter.glsl
//   source    docs/bloom.md
//   SPDX-License-Identifier: MIT
#pragma once
#include "bloom/light.glsl"
#define READS_EACH_TIME 0
#include "bloom/filter.glsl"
#include "bloom/interface.h"
#include "fft/source.glsl"

layout(location = AG_LOC_STEP) uniform vec4 u_step; // texels of the frame for one of the half
layout(location = AG_LOC_SMALL) uniform ivec4 u_small;
layout(location = AG_LOC_HALF) uniform ivec4 u_half;
#define MARGIN AG_SMALL_MARGIN

// ---- the frame's texels, which stay packed where they are RGBA16F

// A texel. A packed one comes as it is and may be bad; floats are clean. No branch, so that all
// loads of a thread are under way at once. If a texel was bad, `suspects` & SUSPECT is not 0, once
// each was looked at.
TEXEL load_unseen(ivec2 p, inout uint suspects)
{
#if SRC_IS_RGBA16F
#define SUSPECT 0x80008000u
    return packed_at(u_src_rect.xy + p).xy;
#else
#define SUSPECT 0xffffffffu
    uint is_bad;
    vec4 c = load_source(p, is_bad);
    suspects = suspects << 1 | is_bad; // the last texel is the lowest bit
    return c;
#endif
}

// Not at once, for this waits for the texel.
void look_at(TEXEL texel, inout uint suspects)
{
#if SRC_IS_RGBA16F
    uvec2 over = (texel & 0x7c007c00u) + 0x04000400u; // exponent of ones: a carry
    suspects |= over.x | over.y;
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
