// sat/source.glsl - a texel of the image: as it came, cleaned, and as it waits
//
//   in        t_src        the image, by a texture unit (common/quad.glsl); or
//             i_src        by an image unit (common/texel.glsl), where GL makes no view of it, and in place: what
//                          a texture unit has cached may be older than what the same dispatch has written
//   host sets SRC_SRGB     1 = SRGB8_ALPHA8: decode
//             and what common/texel.glsl and common/hold.glsl want
//   why       a tile is read twice, and texels that wait for their turn are words, not four floats
//             (docs/rejected.md has the times)
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_SOURCE_GLSL
#define AG_SAT_SOURCE_GLSL
#ifndef SRC_SRGB
#error "SRC_SRGB must be set by the host"
#endif
#include "common/hold.glsl"
#include "common/srgb.glsl"
#include "common/texel.glsl"
#include "sat/values.glsl"

#define SRC_UNORM (SRC_HOLD == AG_HOLD_UNORM8 || SRC_HOLD == AG_HOLD_UNORM10)

// A texel that waits in a register. 8-bit codes are taken apart by shifts: see settled in sat/values.glsl.
#if SRC_HOLD == AG_HOLD_UNORM8
vec4 waiting(HELD h)
{
    return quotient(vec4(h & 255u, h >> 8 & 255u, h >> 16 & 255u, h >> 24), vec4(255.0));
}
#else
vec4 waiting(HELD h) { return held(h); }
#endif

// The texel at `place`, from the rectangle's corner, as it came. Inside the texture.
vec4 source_texel(ivec2 place) { return raw_texel(image_corner() + place); }

// With scrub 0 instead of non-finite, which `bad` then says.
vec4 scrubbed(vec4 c, out bool bad)
{
    bad = false;
    if (!SRC_UNORM) {
        bad = scrubs() && size_bits(c) >= NOT_FINITE;
        c = mix(c, vec4(0.0), bvec4(bad));
    }
    return c;
}

vec4 linear_colour(vec4 c)
{
    if (SRC_SRGB != 0)
        c.rgb = srgb_decode(c.rgb);
    return c;
}

// As it counts.
vec4 clean_colour(vec4 c, out bool bad) { return linear_colour(scrubbed(c, bad)); }

#endif
