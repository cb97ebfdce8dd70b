// common/gather.glsl - texels by a texture unit, four at once
//
//   in        t_src, and what is said of it: common/words.glsl
//   why       a gather brings 2 x 2 texels of one component: of RGBA16F two do what four loads do, of RGBA8
//             one. Loads of an image unit are not cached close by: each one of a 2 x 2 block fetches the same
//             sectors again (docs/decisions.md, D12, has the times)
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_GATHER_GLSL
#define AG_COMMON_GATHER_GLSL
#include "common/words.glsl"

#if SRC_PACKING == AG_PACKING_FLOATS
#define GATHERS SRC_CHANNELS
#elif SRC_PACKING == AG_PACKING_16_16 && SRC_CHANNELS == 4
#define GATHERS 2
#else
#define GATHERS 1
#endif

// The texels p, p + (1, 0), p + (0, 1), p + (1, 1), as they came.
struct quad {
    PACKED at[GATHERS]; // a component of all four
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
PACKED words_of(quad q, const int k)
{
    const int place[4] = int[4](3, 2, 0, 1);
    PACKED w = PACKED(0, 0, 0, 1);
    for (int c = 0; c < GATHERS; ++c)
        w[c] = q.at[c][place[k]];
    return w;
}

vec4 texel_of(quad q, const int k) { return colour_of(words_of(q, k)); }

#endif
