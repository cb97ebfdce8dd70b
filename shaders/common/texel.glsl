// common/texel.glsl - reads a texel of the host's texture as it is, not scrubbed nor linear
//
//   in        i_src        the level and layer that the host bound; or
//             t_src        by a texture unit (common/packed_source.glsl), where
//                          SRC_PACKING is set
//   host sets SRC_PACKING  AG_PACKING_*: of the texture unit; AG_PACKING_NONE: i_src is read
//             ARRAY        with SRC_PACKING: 1 = the texture has layers; u_src_mode.w is the layer
//             SRC_CHANNELS with SRC_PACKING: channels of the format
//             SRC_FORMAT   its GLSL image format: rgba16f, r32f ... (SRGB8_ALPHA8: rgba8)
//             SRC_CODES    1 = R11F_G11F_B10F, bound as r32ui: decode (docs/decisions.md, D1)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(SRC_FORMAT) || !defined(SRC_CODES) || !defined(SRC_PACKING)
#error "SRC_FORMAT, SRC_CODES and SRC_PACKING (AG_PACKING_*) must be set by the host"
#endif
#include "common/codes.glsl"
#include "common/numbers.glsl"
#include "common/source.glsl"

#if SRC_PACKING
#define SRC_LAYER u_src_mode.w
#include "common/packed_source.glsl"
#elif SRC_CODES
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#else
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
#endif

// The texel at `place` of the level, which must lie inside the texture.
vec4 raw_texel(ivec2 place)
{
#if SRC_PACKING
    return from_codes(fetch(place));
#elif SRC_CODES
    return decode_11_11_10(imageLoad(i_src, place).r);
#else
    return imageLoad(i_src, place);
#endif
}
