// sat/clean.glsl - scrubs a texel and makes it linear
//
//   host sets SRC_TEXEL    AG_TEXEL_*: what the format is
//             SRC_SRGB     1 = SRGB8_ALPHA8: decode
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SRC_TEXEL) || !defined(SRC_SRGB)
#error "SRC_TEXEL (AG_TEXEL_*) and SRC_SRGB must be set by the host"
#endif
#include "common/texel.glsl"
#include "sat/types.glsl"

#define SRC_UNORM (SRC_TEXEL == AG_TEXEL_UNORM8 || SRC_TEXEL == AG_TEXEL_UNORM10)

const uint BAD_SIZE = SQUARE != 0 ? TOO_LARGE_SQUARED : TOO_LARGE; // from which on texels are bad
// With scrub, 0 for a bad texel; `bad` says whether it was one.
vec4 scrubbed(vec4 c, out bool bad)
{
    bad = !SRC_UNORM && scrubs() && size_bits(c) >= BAD_SIZE;
    return mix(c, vec4(0.0), bvec4(bad));
}

vec4 linear_colour(vec4 c)
{
    if (SRC_SRGB != 0)
        c.rgb = srgb_decode(c.rgb);
    return c;
}
