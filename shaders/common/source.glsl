// common/source.glsl - reads texels of any accepted format, by an image unit or a texture unit
//
//   in        i_src        the level and layer that the host bound, or with AG_BY_IMAGE_LAYERS the
//                          level; or
//             t_src        a view of that level, which returns packed texels
//   out       fetch        as read: codes of 8888 and 10_10_10_2 from a texture unit, 0 .. 255 or
//                          1023; else values
//             raw_texel    values, as an image load returns them
//             load_texel   linear values behind the NaN firewall (common/texel.glsl)
//   host sets SRC_UNIT     AG_BY_*: what reads. Not set: the file has the uniforms alone
//             SRC_PACKING  AG_PACKING_*: what a read returns. An image unit returns words only
//                          where the host binds the texture as r32ui or rg32ui: R11F_G11F_B10F,
//                          whose denormals drivers lose (docs/decisions.md, D1), and halves that
//                          stay packed
//             SRC_FORMAT   of an image unit, the GLSL format: rgba16f ... (SRGB8_ALPHA8: rgba8)
//             SRC_CHANNELS of the texture's format
//             SRC_SRGB     1 = texels are sRGB codes, which load_texel decodes; 2 is added for
//                          highlights of bloom (fft/source.glsl)
//   why       image loads ignore swizzle and samplers, and need no texture view. A texture unit is
//             faster for some effects, and where neighbours read the same sectors
//             (docs/decisions.md, D10, D12). 2 x 2 texels at once: common/gather.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/texel.glsl"

layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode;

// The layer of a unit of all layers, of which each of the dispatch's z reads one.
int layer_of_group() { return int(gl_WorkGroupID.z) + u_src_mode.w; }

#ifdef SRC_UNIT
#if !defined(SRC_PACKING) || !defined(SRC_CHANNELS) || !defined(SRC_SRGB)
#error "SRC_PACKING, SRC_CHANNELS and SRC_SRGB must be set by the host"
#endif
#if SRC_UNIT < AG_BY_TEXTURE && !defined(SRC_FORMAT)
#error "SRC_FORMAT must be set by the host"
#endif

// ---- as read

#define BY_TEXTURE (SRC_UNIT >= AG_BY_TEXTURE)
#if SRC_UNIT == AG_BY_TEXTURE_LAYERS || SRC_UNIT == AG_BY_IMAGE_LAYERS
#define SRC_LAYER layer_of_group()
#else
#define SRC_LAYER u_src_mode.w
#endif
#if SRC_UNIT == AG_BY_TEXTURE || SRC_UNIT == AG_BY_IMAGE
#define AT_LAYER(vector, p, layer) (p)
#else
#define AT_LAYER(vector, p, layer) vector(p, layer)
#endif

#if SRC_PACKING == AG_PACKING_FLOATS
#define PACKED vec4
#else
#define PACKED uvec4
#endif

#if SRC_UNIT > AG_BY_TEXTURE && SRC_PACKING == AG_PACKING_FLOATS
layout(binding = 0) uniform sampler2DArray t_src;
#elif SRC_UNIT > AG_BY_TEXTURE
layout(binding = 0) uniform usampler2DArray t_src;
#elif SRC_UNIT == AG_BY_TEXTURE && SRC_PACKING == AG_PACKING_FLOATS
layout(binding = 0) uniform sampler2D t_src;
#elif SRC_UNIT == AG_BY_TEXTURE
layout(binding = 0) uniform usampler2D t_src;
#elif SRC_UNIT == AG_BY_IMAGE_LAYERS && SRC_PACKING == AG_PACKING_FLOATS
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2DArray i_src;
#elif SRC_UNIT == AG_BY_IMAGE_LAYERS
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2DArray i_src;
#elif SRC_PACKING == AG_PACKING_FLOATS
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
#else
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform uimage2D i_src;
#endif

// The packed texel at p of the level, which must lie inside the texture; of this layer, where the
// unit has layers.
PACKED packed_in(ivec2 p, int layer)
{
#if BY_TEXTURE
    return texelFetch(t_src, AT_LAYER(ivec3, p, layer), 0);
#else
    return imageLoad(i_src, AT_LAYER(ivec3, p, layer));
#endif
}

PACKED packed_at(ivec2 p) { return packed_in(p, SRC_LAYER); }

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
vec4 fetch(ivec2 p) { return colour_of(packed_at(p)); }

// ---- values

// From what fetch returns to values as an image load returns them.
vec4 from_codes(vec4 c)
{
#if SRC_PACKING == AG_PACKING_8888
    return quotient(c, vec4(255.0));
#elif SRC_PACKING == AG_PACKING_10_10_10_2
    return quotient(c, vec4(1023.0, 1023.0, 1023.0, 3.0));
#else
    return c;
#endif
}

// The texel at p of the level, which must lie inside the texture. Bad texels stay, and sRGB codes
// stay encoded.
vec4 raw_texel(ivec2 p) { return from_codes(fetch(p)); }

// ---- linear values behind the firewall

// The texel at p, relative to the rectangle. `largest` becomes the greatest size_bits so far: a
// thread tests it once, and counts single texels only if one was TOO_LARGE.
vec4 load_texel_unseen(ivec2 p, inout uint largest)
{
    vec4 c = raw_texel(u_src_rect.xy + p);
    uint size = size_bits(c);
    largest = max(largest, size);
    c = firewall(c, size, bad_from(TOO_LARGE, u_src_mode.z));
#if SRC_SRGB & 1
    c.rgb = srgb_decode(c.rgb);
#endif
    return c;
}

// The same, and adds 1 to `bad` for a texel that was made 0.
vec4 load_texel(ivec2 p, inout uint bad)
{
    uint largest = 0u;
    vec4 c = load_texel_unseen(p, largest);
    bad += uint(largest >= TOO_LARGE && u_src_mode.z != 0);
    return c;
}
#endif
