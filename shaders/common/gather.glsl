// common/gather.glsl - reads 2 x 2 texels at once by textureGather
//
//   in        t_src (common/source.glsl)
//   out       gather(): four texels; texel_of(): one of them, as fetch() returns it
//   host sets the defines of common/source.glsl; SRC_UNIT is a texture unit
//   cost      A gather reads one component of 2 x 2 texels: RGBA16F takes two gathers as packed
//             texels, RGBA8 one, floats one for each channel (docs/decisions.md, D12)
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/source.glsl"
#if !BY_TEXTURE
#error "a gather needs a texture unit: SRC_UNIT must be AG_BY_TEXTURE, _ARRAY or _LAYERS"
#endif

#if SRC_PACKING == AG_PACKING_FLOATS
#define GATHERS SRC_CHANNELS
#elif SRC_PACKING == AG_PACKING_16_16 && SRC_CHANNELS == 4
#define GATHERS 2
#else
#define GATHERS 1
#endif

// The packed texels p, p + (1, 0), p + (0, 1), p + (1, 1).
struct gathered {
    PACKED at[GATHERS]; // a component of all four
};

// `corner`: the point that the four texels share, in normalised coordinates. It is half a texel
// away from the points at which another four would be selected.
gathered gather_around(vec2 corner)
{
    gathered q;
    q.at[0] = textureGather(t_src, AT_LAYER(vec3, corner, SRC_LAYER), 0);
#if GATHERS > 1
    q.at[1] = textureGather(t_src, AT_LAYER(vec3, corner, SRC_LAYER), 1);
#endif
#if GATHERS > 2
    q.at[2] = textureGather(t_src, AT_LAYER(vec3, corner, SRC_LAYER), 2);
    q.at[3] = textureGather(t_src, AT_LAYER(vec3, corner, SRC_LAYER), 3);
#endif
    return q;
}

gathered gather(ivec2 p)
{
    return gather_around(vec2(p + 1) * (1.0 / vec2(textureSize(t_src, 0).xy)));
}

// Packed texel p + (k & 1, k >> 1). GL's order is (0, 1), (1, 1), (1, 0), (0, 0).
PACKED packed_of(gathered q, const int k)
{
    const int place[4] = int[4](3, 2, 0, 1);
    PACKED w = PACKED(0, 0, 0, 1);
    for (int c = 0; c < GATHERS; ++c)
        w[c] = q.at[c][place[k]];
    return w;
}

vec4 texel_of(gathered q, const int k) { return colour_of(packed_of(q, k)); }
