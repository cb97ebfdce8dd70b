// common/packed_texel.glsl - a texel in registers, packed as small as it can be without loss
//
//   out       TEXEL, the type; pack_texel(), unpack_texel()
//   host sets SRC_TEXEL   AG_TEXEL_*
//   why       One read of each texel, held packed, is faster than a read for every channel
//             (docs/decisions.md, D11)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SRC_TEXEL
#error "SRC_TEXEL (AG_TEXEL_*) must be set by the host"
#endif
#include "common/interface.h"

#if SRC_TEXEL == AG_TEXEL_FLOAT1
#define TEXEL float
float pack_texel(vec4 c) { return c.r; }
vec4 unpack_texel(float h) { return vec4(h, 0.0, 0.0, 1.0); }
#elif SRC_TEXEL == AG_TEXEL_FLOAT2
#define TEXEL vec2
vec2 pack_texel(vec4 c) { return c.rg; }
vec4 unpack_texel(vec2 h) { return vec4(h, 0.0, 1.0); }
#elif SRC_TEXEL == AG_TEXEL_FLOAT4
#define TEXEL vec4
vec4 pack_texel(vec4 c) { return c; }
vec4 unpack_texel(vec4 h) { return h; }
#elif SRC_TEXEL == AG_TEXEL_HALF2
#define TEXEL uint
uint pack_texel(vec4 c) { return packHalf2x16(c.rg); }
vec4 unpack_texel(uint h) { return vec4(unpackHalf2x16(h), 0.0, 1.0); }
#elif SRC_TEXEL == AG_TEXEL_HALF4
#define TEXEL uvec2
uvec2 pack_texel(vec4 c) { return uvec2(packHalf2x16(c.rg), packHalf2x16(c.ba)); }
vec4 unpack_texel(uvec2 h) { return vec4(unpackHalf2x16(h.x), unpackHalf2x16(h.y)); }
#elif SRC_TEXEL == AG_TEXEL_UNORM8
#define TEXEL uint
uint pack_texel(vec4 c) { return packUnorm4x8(c); }
// Not unpackUnorm4x8: docs/decisions.md, D4.
vec4 unpack_texel(uint h)
{
    return vec4(h & 255u, h >> 8 & 255u, h >> 16 & 255u, h >> 24) / 255.0;
}
#elif SRC_TEXEL == AG_TEXEL_UNORM10
#define TEXEL uint
uint pack_texel(vec4 c)
{
    uvec4 code = uvec4(c * vec4(1023.0, 1023.0, 1023.0, 3.0) + 0.5);
    return code.r | code.g << 10 | code.b << 20 | code.a << 30;
}
vec4 unpack_texel(uint h)
{
    return vec4(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u, h >> 30) /
        vec4(1023.0, 1023.0, 1023.0, 3.0);
}
#else
#error "SRC_TEXEL must be an AG_TEXEL_* of common/interface.h"
#endif
