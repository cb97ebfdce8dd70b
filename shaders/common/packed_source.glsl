// common/packed_source.glsl - reads packed texels by a texture unit
//
//   in        t_src        a view of one level of the host's texture that returns packed texels
//   host sets SRC_PACKING  AG_PACKING_*: what the view returns
//             SRC_CHANNELS of the format
//             ARRAY        1 = SRC_LAYER, which the includer defines, is the layer
//   out       colours: codes of 8888 and 10_10_10_2 as whole floats, 0 .. 255 or 1023; else values
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SRC_PACKING) || !defined(SRC_CHANNELS) || !defined(ARRAY)
#error "SRC_PACKING (AG_PACKING_*), SRC_CHANNELS and ARRAY must be set by the host"
#endif
#include "common/codes.glsl"
#include "common/interface.h"

#if ARRAY
#define AT_LAYER(vector, p) vector(p, SRC_LAYER)
#define VIEW(plain, array) array
#else
#define AT_LAYER(vector, p) (p)
#define VIEW(plain, array) plain
#endif
#if SRC_PACKING == AG_PACKING_FLOATS
#define PACKED vec4
layout(binding = 0) uniform VIEW(sampler2D, sampler2DArray) t_src;
#else
#define PACKED uvec4
layout(binding = 0) uniform VIEW(usampler2D, usampler2DArray) t_src;
#endif

// A packed texel as a colour.
vec4 colour_of(PACKED w)
{
#if SRC_PACKING == AG_PACKING_FLOATS
    return w;
#elif SRC_PACKING == AG_PACKING_8888
    return vec4(w.xxxx >> uvec4(0u, 8u, 16u, 24u) & 255u);
#elif SRC_PACKING == AG_PACKING_10_10_10_2
    return vec4(w.xxxx >> uvec4(0u, 10u, 20u, 30u) & uvec4(1023u, 1023u, 1023u, 3u));
#elif SRC_PACKING == AG_PACKING_11_11_10
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
