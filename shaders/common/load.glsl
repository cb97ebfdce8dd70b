// common/load.glsl - reads a texel of the host's texture, scrubbed and linear
//
//   in        i_src        the level and layer that the host bound; or
//             t_src        the same level by a texture unit, where SRC_PACKING is set
//                          (common/texel.glsl)
//   out       the texel as linear floats; b_info.scrubbed (count_bad)
//   host sets SRC_PACKING, ARRAY, SRC_CHANNELS, SRC_FORMAT, SRC_CODES   common/texel.glsl
//             SRC_SRGB     1 = SRGB8_ALPHA8: decode
//             SRC_TEXEL    AG_TEXEL_*: the smallest form that holds its texels without loss
//   why       image loads ignore swizzle and samplers, and need no texture view. A texture unit is
//             faster for some effects, and where neighbours read the same sectors
//             (docs/decisions.md, D10, D12)
//   SPDX-License-Identifier: MIT
#pragma once
#ifndef SRC_SRGB
#error "SRC_SRGB must be set by the host"
#endif
#include "common/packed_texel.glsl"
#include "common/info.glsl"
#include "common/srgb.glsl"
#include "common/texel.glsl"

// The texel at p, relative to the rectangle; with scrub 0 for a bad one (common/scrub.glsl).
// `largest` becomes the greatest size_bits so far: a thread tests it once, and counts single texels
// only if one was TOO_LARGE. There are no branches: a load after a branch waits for the loads
// before it (docs/decisions.md, D13). p must lie inside the texture.
vec4 load_texel_unseen(ivec2 p, inout uint largest)
{
    vec4 c = raw_texel(u_src_rect.xy + p);
    uint size = size_bits(c);
    largest = max(largest, size);
    // TOO_LARGE with scrub (1), else the greatest uint; without ?: (D13)
    uint limit = TOO_LARGE | uint(u_src_mode.z - 1);
    c = mix(c, vec4(0.0), bvec4(size >= limit));
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

// Adds a thread's count of bad texels, once, after its last load.
void count_bad(uint bad)
{
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}
