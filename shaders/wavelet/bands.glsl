// wavelet/bands.glsl - coefficients of a level's bands: read from src, or written into dst
//
//   inverse   t_src, or i_ll .. i_hh, the image of each band: read, behind the NaN firewall
//             g_bad            bad coefficients of the thread
//   forward   i_ll .. i_hh     written
//   host sets INVERSE          1 = read, 0 = write
//             the defines of wavelet/samples.glsl
//             STORE            without INVERSE: AG_STORE_* (common/texel.glsl); with it the defines
//                              of common/source.glsl
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef INVERSE
#error "INVERSE must be set by the host"
#endif
#include "wavelet/samples.glsl"

#if INVERSE
#include "common/source.glsl"

layout(location = AG_LOC_WAVELET_LAYERS) uniform ivec4 u_layers;
uint g_bad = 0u;

#if SRC_UNIT < AG_BY_TEXTURE
layout(SRC_FORMAT, binding = AG_IMAGE_LL) readonly uniform image2D i_ll;
layout(SRC_FORMAT, binding = AG_IMAGE_HL) readonly uniform image2D i_hl;
layout(SRC_FORMAT, binding = AG_IMAGE_LH) readonly uniform image2D i_lh;
layout(SRC_FORMAT, binding = AG_IMAGE_HH) readonly uniform image2D i_hh;
#endif

// With scrub bad coefficients become 0; those with `own` are counted.
vec4 clean(vec4 c, bool own)
{
    uint size = size_bits(c);
    g_bad += uint(own && size >= TOO_LARGE && u_src_mode.z != 0);
    return firewall(c, size, bad_from(TOO_LARGE, u_src_mode.z));
}

// Coefficient o of the band that is high.x in x and high.y in y; 1 = high.
VALUE load_band(ivec2 o, ivec2 high, bool own)
{
    ivec2 at = u_src_rect.xy + o + high * u_mode.zw;
#if SRC_UNIT >= AG_BY_TEXTURE
    int layer = high == ivec2(0) ? u_layers.x : u_layers.y + u_layers.z * (2 * high.x + high.y - 1);
    return narrow(clean(colour_of(packed_in(at, layer)), own));
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
    return narrow(clean(c, own));
#endif
}
#else
#include "common/texel.glsl"

layout(binding = AG_IMAGE_LL) writeonly uniform image2D i_ll;
layout(binding = AG_IMAGE_HL) writeonly uniform image2D i_hl;
layout(binding = AG_IMAGE_LH) writeonly uniform image2D i_lh;
layout(binding = AG_IMAGE_HH) writeonly uniform image2D i_hh;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y of dst's rectangle

vec4 stored(VALUE c) { return round_for_store(widen(c, 0.0)); }
#endif
