// wavelet/bands.glsl - reads a coefficient of a band of src, scrubbed
//
//   in        t_src            by a texture unit, where SRC_PACKING is set; or
//             i_ll .. i_hh     the image of each band
//             b_info.scrubbed
//   host sets the defines of common/source.glsl; the format is a float format of 1, 2 or 4 channels
//   SPDX-License-Identifier: MIT
#pragma once
#include "common/texel.glsl"
#include "wavelet/size.glsl"

// the layer of LL; that of LH; from there to that of HL, and on to that of HH
layout(location = AG_LOC_WAVELET_LAYERS) uniform ivec4 u_layers;
uint g_bad = 0u;

#if SRC_UNIT >= AG_BY_TEXTURE
int g_layer = 0;
#define SRC_LAYER g_layer
#include "common/source.glsl"
#else
#include "common/source.glsl"
layout(SRC_FORMAT, binding = AG_IMAGE_LL) readonly uniform image2D i_ll;
layout(SRC_FORMAT, binding = AG_IMAGE_HL) readonly uniform image2D i_hl;
layout(SRC_FORMAT, binding = AG_IMAGE_LH) readonly uniform image2D i_lh;
layout(SRC_FORMAT, binding = AG_IMAGE_HH) readonly uniform image2D i_hh;
#endif

// Bad coefficients become 0 (scrub). Those with `own` are counted.
vec4 clean(vec4 c, bool own)
{
    uint size = size_bits(c);
    g_bad += uint(own && size >= TOO_LARGE && u_src_mode.z != 0);
    return firewall(c, size, bad_from(TOO_LARGE, u_src_mode.z));
}

// Coefficient o of a band: high in x, high in y. LL has no details' corner.
vec4 load_band(ivec2 o, ivec2 high, bool own)
{
    ivec2 at = u_src_rect.xy + o + high * u_mode.zw;
#if SRC_UNIT >= AG_BY_TEXTURE
    g_layer = high == ivec2(0) ? u_layers.x : u_layers.y + u_layers.z * (2 * high.x + high.y - 1);
    return clean(fetch(at), own);
#else
    vec4 c;
    if (high == ivec2(0))
        c = imageLoad(i_ll, at);
    else if (high == ivec2(1, 0))
        c = imageLoad(i_hl, at);
    else if (high == ivec2(0, 1))
        c = imageLoad(i_lh, at);
    else
        c = imageLoad(i_hh, at);
    return clean(c, own);
#endif
}
