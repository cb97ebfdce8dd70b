// sat/source.glsl - a texel of the image, by a texture unit where there is a view for it
//
//   in        t_src        the image, by a texture unit (common/quad.glsl); or
//             i_src        by an image unit (common/load.glsl), where GL makes no view of it, and in place: what
//                          a texture unit has cached may be older than what the same dispatch has written
//   host sets SRC_WORDS, SRC_CHANNELS   as common/quad.glsl; AG_WORDS_NONE: i_src
//             ARRAY        1 = the texture has layers; u_src_mode.w says which
//   why       a tile is read twice, and texels that wait for their turn are words, not four floats
//             (docs/rejected.md has the times)
//   SPDX-License-Identifier: MIT
#ifndef AG_SAT_SOURCE_GLSL
#define AG_SAT_SOURCE_GLSL
#include "common/load.glsl"
#if !defined(SRC_WORDS)
#error "SRC_WORDS (AG_WORDS_*) must be set by the host"
#endif
#if SRC_WORDS
#define SRC_LAYER u_src_mode.w
#include "common/quad.glsl"
#endif

#define SRC_UNORM (SRC_HOLD == AG_HOLD_UNORM8 || SRC_HOLD == AG_HOLD_UNORM10)

// c / d of whole numbers, whatever the driver's division is: the product's error is known and taken off.
vec4 quotient(vec4 c, vec4 d)
{
    vec4 r = 1.0 / d, q = c * r;
    return q + fma(-q, d, c) * r;
}

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
vec4 source_texel(ivec2 place)
{
    place += u_src_rect.xy;
#if SRC_WORDS == AG_WORDS_8888
    return quotient(fetch(place), vec4(255.0));
#elif SRC_WORDS == AG_WORDS_10_10_10_2
    return quotient(fetch(place), vec4(1023.0, 1023.0, 1023.0, 3.0));
#elif SRC_WORDS
    return fetch(place);
#elif SRC_CODES
    return decode_11_11_10(imageLoad(i_src, place).r);
#else
    return imageLoad(i_src, place);
#endif
}

// As it counts: linear, and 0 instead of non-finite (scrub), which `bad` then says.
vec4 clean_colour(vec4 c, out bool bad)
{
    bad = false;
#if !SRC_UNORM
    bad = u_src_mode.z != 0 && size_bits(c) >= NOT_FINITE;
    c = mix(c, vec4(0.0), bvec4(bad));
#endif
#if SRC_SRGB
    c.rgb = srgb_decode(c.rgb);
#endif
    return c;
}

#endif
