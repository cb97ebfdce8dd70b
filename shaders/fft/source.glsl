// fft/source.glsl - loads texels of the source: those of RGBA16F stay packed, as TEXEL
//   in        t_src or i_src  see common/source.glsl. A texture unit reads RGBA16F only; an image
//                             unit reads any format, and RGBA16F as RG32UI, see ag_packed_view
//   out       load_source     a TEXEL: of RGBA16F its halves, in half the registers of floats
//             colour          the four floats of a TEXEL
//             SRC_IS_RGBA16F  1 = a TEXEL is packed
//   host sets SRC_UNIT and what it needs of common/source.glsl (ag_shader_reads_packed);
//             SRC_SRGB + 2 = load_source expands highlights
//   why       loads have no branches (docs/decisions.md, D13)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SRC_UNIT
#error "SRC_UNIT (AG_BY_*) must be set by the host"
#endif
#include "common/source.glsl"

#define SCRUBS u_src_mode.z // 1 = bad texels become 0 and are counted
#define HIGHLIGHTS intBitsToFloat(u_src_mode.y) // k of docs/bloom.md, while SRC_SRGB has its bit 2
#define SRC_IS_RGBA16F (SRC_PACKING == AG_PACKING_16_16)

#if SRC_IS_RGBA16F

#define TEXEL uvec2

// The texel at p of the rectangle. `bad`: 1 if it is not finite (halves are never too
// large); then it is 0 while SCRUBS is on.
uvec2 load_source(ivec2 p, out uint bad)
{
    return firewall(packed_at(u_src_rect.xy + p).xy, SCRUBS, bad);
}

uvec2 masked(uvec2 texel, bool inside) { return texel & uvec2(-uint(inside)); }

vec4 colour(uvec2 texel) { return vec4(unpackHalf2x16(texel.x), unpackHalf2x16(texel.y)); }

#else

#define TEXEL vec4

// As above; `bad` is 1 for one that is too large, too.
vec4 load_source(ivec2 p, out uint bad)
{
    vec4 c = raw_texel(u_src_rect.xy + p);
    bad = uint(size_bits(c) >= TOO_LARGE);
    c = mix(c, vec4(0.0), bvec4(bad & uint(SCRUBS)));
    if ((SRC_SRGB & 1) != 0)
        c.rgb = srgb_decode(c.rgb);
    if ((SRC_SRGB & 2) != 0)
        c.rgb /= 1.0 - HIGHLIGHTS * clamp(max(c.r, max(c.g, c.b)), 0.0, 1.0);
    return c;
}

vec4 masked(vec4 texel, bool inside) { return mix(vec4(0.0), texel, bvec4(inside)); }

vec4 colour(vec4 texel) { return texel; }

#endif
