// common/texel.glsl - reads a texel of the host's texture, as it came
//
//   in        i_src        the level and layer that the host bound; or
//             t_src        that level by a texture unit, as words (common/words.glsl), where SRC_PACKING says so
//   host sets SRC_PACKING    AG_PACKING_*: what the words are; AG_PACKING_NONE: i_src
//             ARRAY        with SRC_PACKING: 1 = the texture has layers; u_src_mode.w says which
//             SRC_CHANNELS with SRC_PACKING: of the format
//             SRC_FORMAT   its GLSL image format: rgba16f, r32f ... (SRGB8_ALPHA8: rgba8)
//             SRC_CODES    1 = R11F_G11F_B10F, which comes as r32ui: decode
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_TEXEL_GLSL
#define AG_COMMON_TEXEL_GLSL
#if !defined(SRC_FORMAT) || !defined(SRC_CODES) || !defined(SRC_PACKING)
#error "SRC_FORMAT (a GLSL image format), SRC_CODES and SRC_PACKING (AG_PACKING_*) must be set by the host"
#endif
#include "common/codes.glsl"
#include "common/numbers.glsl"
#include "common/source.glsl"

#if SRC_PACKING
#define SRC_LAYER u_src_mode.w
#include "common/words.glsl"
#elif SRC_CODES
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#else
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
#endif

// The texel at `place` of the level, as it came. Inside the texture.
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

#endif
