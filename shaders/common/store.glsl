// common/store.glsl - writes a texel in the format of the host's texture, rounded to nearest
//
//   out       i_dst   the level and layer that the host bound. GL needs no format qualifier of what
//                     is only written. SRGB8_ALPHA8 is bound as an RGBA8 view
//   host sets STORE   AG_STORE_*, the rounding of dst's format (common/texel.glsl)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef STORE
#error "STORE (AG_STORE_*) must be set by the host"
#endif
#include "common/texel.glsl"

layout(binding = AG_IMAGE_DST) writeonly uniform image2D i_dst;
layout(location = AG_LOC_DST_RECT) uniform ivec4 u_dst_rect; // x, y, width, height

void store_texel(ivec2 p, vec4 c)
{
    imageStore(i_dst, u_dst_rect.xy + p, round_for_store(c));
}
