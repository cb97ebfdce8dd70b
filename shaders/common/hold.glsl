// common/hold.glsl - a texel that waits in registers, as small as it can be without loss
//
//   host sets SRC_HOLD     AG_HOLD_*
//   why       reading each texel once and holding it costs less than reading it again for every channel
//             (docs/decisions.md, D11), as long as it is small
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_HOLD_GLSL
#define AG_COMMON_HOLD_GLSL
#ifndef SRC_HOLD
#error "SRC_HOLD (AG_HOLD_*) must be set by the host"
#endif
#include "common/interface.h"

#if SRC_HOLD == AG_HOLD_FLOAT1
#define HELD float
float hold(vec4 c) { return c.r; }
vec4 held(float h) { return vec4(h, 0.0, 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_FLOAT2
#define HELD vec2
vec2 hold(vec4 c) { return c.rg; }
vec4 held(vec2 h) { return vec4(h, 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_FLOAT4
#define HELD vec4
vec4 hold(vec4 c) { return c; }
vec4 held(vec4 h) { return h; }
#elif SRC_HOLD == AG_HOLD_HALF2
#define HELD uint
uint hold(vec4 c) { return packHalf2x16(c.rg); }
vec4 held(uint h) { return vec4(unpackHalf2x16(h), 0.0, 1.0); }
#elif SRC_HOLD == AG_HOLD_HALF4
#define HELD uvec2
uvec2 hold(vec4 c) { return uvec2(packHalf2x16(c.rg), packHalf2x16(c.ba)); }
vec4 held(uvec2 h) { return vec4(unpackHalf2x16(h.x), unpackHalf2x16(h.y)); }
#elif SRC_HOLD == AG_HOLD_UNORM8
#define HELD uint
uint hold(vec4 c) { return packUnorm4x8(c); }
vec4 held(uint h) { return unpackUnorm4x8(h); }
#elif SRC_HOLD == AG_HOLD_UNORM10
#define HELD uint
uint hold(vec4 c)
{
    uvec4 code = uvec4(c * vec4(1023.0, 1023.0, 1023.0, 3.0) + 0.5);
    return code.r | code.g << 10 | code.b << 20 | code.a << 30;
}
vec4 held(uint h)
{
    return vec4(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u, h >> 30) / vec4(1023.0, 1023.0, 1023.0, 3.0);
}
#else
#error "SRC_HOLD must be an AG_HOLD_* of common/interface.h"
#endif

#endif
