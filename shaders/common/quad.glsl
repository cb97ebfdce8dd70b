// common/quad.glsl - texels by a texture unit, one or four at once
//
//   in        t_src         one level of the host's texture, seen as words that hold its texels as they are
//   host sets SRC_WORDS     AG_WORDS_*: what the words are
//             SRC_CHANNELS  of the format
//             ARRAY         1 = SRC_LAYER, which the includer defines, is the layer
//   numbers   codes of 8888 and 10_10_10_2 as whole floats, 0 .. 255 or 1023; else values
//   why       a gather brings 2 x 2 texels of one component: of RGBA16F two do what four loads do, of RGBA8
//             one. Loads of an image unit are not cached close by: each one of a 2 x 2 block fetches the same
//             sectors again (docs/rejected.md has the times)
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_QUAD_GLSL
#define AG_COMMON_QUAD_GLSL
#if !defined(SRC_WORDS) || !defined(SRC_CHANNELS) || !defined(ARRAY)
#error "SRC_WORDS (AG_WORDS_*), SRC_CHANNELS and ARRAY must be set by the host"
#endif
#include "common/codes.glsl"
#include "common/interface.h"

#if SRC_WORDS == AG_WORDS_FLOATS
#define WORDS vec4
#define GATHERS SRC_CHANNELS
#elif SRC_WORDS == AG_WORDS_16_16 && SRC_CHANNELS == 4
#define WORDS uvec4
#define GATHERS 2
#else
#define WORDS uvec4
#define GATHERS 1
#endif
#if ARRAY
#define AT_LAYER(vector, p) vector(p, SRC_LAYER)
#else
#define AT_LAYER(vector, p) (p)
#endif

#if SRC_WORDS == AG_WORDS_FLOATS && ARRAY
layout(binding = 0) uniform sampler2DArray t_src;
#elif SRC_WORDS == AG_WORDS_FLOATS
layout(binding = 0) uniform sampler2D t_src;
#elif ARRAY
layout(binding = 0) uniform usampler2DArray t_src;
#else
layout(binding = 0) uniform usampler2D t_src;
#endif

// The words of a texel, `w`, as a colour.
vec4 colour_of(WORDS w)
{
#if SRC_WORDS == AG_WORDS_FLOATS
    return w;
#elif SRC_WORDS == AG_WORDS_8888
    return vec4(w.xxxx >> uvec4(0u, 8u, 16u, 24u) & 255u);
#elif SRC_WORDS == AG_WORDS_10_10_10_2
    return vec4(w.xxxx >> uvec4(0u, 10u, 20u, 30u) & uvec4(1023u, 1023u, 1023u, 3u));
#elif SRC_WORDS == AG_WORDS_11_11_10
    return decode_11_11_10(w.x);
#elif SRC_CHANNELS == 4
    return vec4(unpackHalf2x16(w.x), unpackHalf2x16(w.y));
#else
    return vec4(unpackHalf2x16(w.x), 0.0, 1.0);
#endif
}

// The texel at p of the level.
vec4 fetch(ivec2 p)
{
    return colour_of(texelFetch(t_src, AT_LAYER(ivec3, p), 0));
}

// The texels p, p + (1, 0), p + (0, 1), p + (1, 1), as they came.
struct quad {
    WORDS at[GATHERS]; // a component of all four
};

// `corner`: the point that the four share, of a texture of size 1 x 1. Half a texel from where other four would
// be taken.
quad gather_around(vec2 corner)
{
    quad q;
    q.at[0] = textureGather(t_src, AT_LAYER(vec3, corner), 0);
#if GATHERS > 1
    q.at[1] = textureGather(t_src, AT_LAYER(vec3, corner), 1);
#endif
#if GATHERS > 2
    q.at[2] = textureGather(t_src, AT_LAYER(vec3, corner), 2);
    q.at[3] = textureGather(t_src, AT_LAYER(vec3, corner), 3);
#endif
    return q;
}

quad gather(ivec2 p)
{
    return gather_around(vec2(p + 1) * (1.0 / vec2(textureSize(t_src, 0).xy)));
}

// Texel p + (k & 1, k >> 1) of a quad. GL's order is (0, 1), (1, 1), (1, 0), (0, 0).
vec4 texel_of(quad q, const int k)
{
    const int place[4] = int[4](3, 2, 0, 1);
    WORDS w = WORDS(0, 0, 0, 1);
    for (int c = 0; c < GATHERS; ++c)
        w[c] = q.at[c][place[k]];
    return colour_of(w);
}

#if SRC_WORDS == AG_WORDS_8888
// The sum of the four's codes: two channels a word while they are whole numbers.
vec4 code_sum(quad q)
{
    uvec4 even = q.at[0] & 0xff00ffu, odd = q.at[0] >> 8 & 0xff00ffu;
    uint rb = even.x + even.y + even.z + even.w, ga = odd.x + odd.y + odd.z + odd.w;
    return vec4(rb & 0xffffu, ga & 0xffffu, rb >> 16, ga >> 16);
}
#endif

#endif
