// common/load.glsl - reads a texel of the host's texture, cleaned and linear
//
//   in        i_src        the level and layer that the host bound; or
//             t_src        that level by a texture unit, as words (common/gather.glsl), where SRC_PACKING says so
//   host sets SRC_PACKING    AG_PACKING_*: what the words are; AG_PACKING_NONE: i_src
//             ARRAY        with SRC_PACKING: 1 = the texture has layers; u_src_mode.w says which
//             SRC_CHANNELS with SRC_PACKING: of the format
//             SRC_FORMAT   its GLSL image format: rgba16f, r32f ... (SRGB8_ALPHA8: rgba8)
//             SRC_CODES    1 = R11F_G11F_B10F, which comes as r32ui: decode
//             SRC_SRGB     1 = SRGB8_ALPHA8: decode
//             SRC_TEXEL     AG_TEXEL_*: the smallest form that holds its texels without loss
//   why       image loads ignore swizzle and samplers, and need no view. Words are faster for some effects, which
//             say so, and where neighbours read the same sectors (docs/decisions.md, D10 and D12)
//   SPDX-License-Identifier: MIT
#ifndef AG_COMMON_LOAD_GLSL
#define AG_COMMON_LOAD_GLSL
#ifndef SRC_SRGB
#error "SRC_SRGB must be set by the host"
#endif
#include "common/packed_texel.glsl"
#include "common/info.glsl"
#include "common/srgb.glsl"
#include "common/texel.glsl"

// The texel at p, relative to the rectangle; a non-finite one is 0 (scrub). `largest` becomes the
// greatest size_bits so far: a thread that counts bad texels first asks whether it has any.
// Free of branches: one between two loads makes the second wait for the first, and rows of loads then
// take several times as long (docs/decisions.md, D13). p must lie inside the texture.
vec4 load_texel_unseen(ivec2 p, inout uint largest)
{
    vec4 c = raw_texel(u_src_rect.xy + p);
    uint size = size_bits(c);
    largest = max(largest, size);
    // scrub (1) or the greatest uint, without ?:, which is a branch on NVIDIA (docs/decisions.md, D13)
    uint limit = NOT_FINITE | uint(u_src_mode.z - 1);
    c = mix(c, vec4(0.0), bvec4(size >= limit));
#if SRC_SRGB
    c.rgb = srgb_decode(c.rgb);
#endif
    return c;
}

// The same; adds 1 to `bad` for a texel that was made 0.
vec4 load_texel(ivec2 p, inout uint bad)
{
    uint largest = 0u;
    vec4 c = load_texel_unseen(p, largest);
    bad += uint(largest >= NOT_FINITE && u_src_mode.z != 0);
    return c;
}

// Reports bad texels, once, after a thread's last load.
void count_bad(uint bad)
{
    if (bad != 0u)
        atomicAdd(b_info.scrubbed, bad);
}

#endif
