// common/load.glsl - reads a texel of the host's texture, cleaned and linear
//
//   in        i_src        the level and layer that the host bound
//   host sets SRC_FORMAT   its GLSL image format: rgba16f, r32f ... (SRGB8_ALPHA8: rgba8)
//   why       image loads ignore BASE_LEVEL, MAX_LEVEL, swizzle and samplers, so nothing that the
//             host does to its texture changes what we read; measured as fast as texelFetch or
//             faster (docs/convolve.md)
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_LOAD_GLSL
#define AG_COMMON_LOAD_GLSL
#ifndef SRC_FORMAT
#error "SRC_FORMAT (a GLSL image format such as rgba16f) must be set by the host"
#endif
#include "common/interface.h"
#include "common/srgb.glsl"

layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform image2D i_src;
layout(location = AG_LOC_SRC_RECT) uniform ivec4 u_src_rect; // x, y, width, height
layout(location = AG_LOC_SRC_MODE) uniform ivec4 u_src_mode; // channels, sRGB, scrub, correlate

#include "common/info.glsl"

// Exponent bits, not isnan(): compilers may assume that there are no NaNs.
bool is_finite(vec4 c)
{
    uvec4 exponent = floatBitsToUint(c) & 0x7f800000u;
    return all(notEqual(exponent, uvec4(0x7f800000u)));
}

// The texel at p, relative to the rectangle; a non-finite one is 0 (scrub). `count` it once.
vec4 load_texel(ivec2 p, bool count)
{
    vec4 c = imageLoad(i_src, u_src_rect.xy + p);
    if (u_src_mode.y != 0)
        c.rgb = srgb_decode(c.rgb);
    if (u_src_mode.z != 0 && !is_finite(c)) {
        c = vec4(0.0);
        if (count)
            atomicAdd(b_info.scrubbed, 1u);
    }
    return c;
}

#endif
