// sat/source.glsl - single texels of the image: read, scrubbed, and made linear
//
//   in        the image (common/source.glsl). An image unit reads it where GL makes no view of it,
//             and in place, because a texture unit's cache may miss stores of this dispatch
//   host sets SRC_TEXEL    AG_TEXEL_*: what a texel is; those of unorm formats are never bad
//             and the defines of common/source.glsl and sat/types.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SRC_TEXEL
#error "SRC_TEXEL (AG_TEXEL_*) must be set by the host"
#endif
#include "common/source.glsl"
#include "sat/types.glsl"

// The texel at `place` from the rectangle's corner, not scrubbed, inside the texture.
vec4 source_texel(ivec2 place) { return raw_texel(image_corner() + place); }

#define SRC_UNORM (SRC_TEXEL == AG_TEXEL_UNORM8 || SRC_TEXEL == AG_TEXEL_UNORM10)
#define NEVER_BAD SRC_UNORM

#if MOMENTS // a depth that is not finite is far away, with scrub or without
#include "shadow/light.glsl"
#define BAD_SIZE NOT_FINITE
bool replaces() { return true; }
vec4 replacement() { return vec4(beyond_far()); }
#else
const uint BAD_SIZE = SQUARE != 0 ? TOO_LARGE_SQUARED : TOO_LARGE; // from which on texels are bad
bool replaces() { return scrubs(); }
vec4 replacement() { return vec4(0.0); }
#endif
// Replaces a bad texel; `bad` says whether it was one.
vec4 scrubbed(vec4 c, out bool bad)
{
    bad = !NEVER_BAD && replaces() && size_bits(c) >= BAD_SIZE;
    return mix(c, replacement(), bvec4(bad));
}

vec4 linear_colour(vec4 c)
{
    if ((SRC_SRGB & 1) != 0)
        c.rgb = srgb_decode(c.rgb);
    return c;
}
