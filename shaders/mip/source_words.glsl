// mip/source_words.glsl - texels of the first level by a texture unit, as words that hold them
//
//   in        t_src   the first level of the chain (common/quad.glsl)
//   host sets SRC_WORDS, SRC_CHANNELS   as there; not AG_WORDS_NONE
//             DEPTH   1 = one channel, for min, max or both
//   SPDX-License-Identifier: MIT
#define SRC_LAYER (gl_WorkGroupID.z + uint(u_texture.z))
#include "common/quad.glsl"

// A depth is in all channels: its least in r, its greatest in g.
vec4 as_channels(vec4 c)
{
    return DEPTH != 0 ? c.rrrr : c;
}

// The texel at p, which counts from the rectangle's corner.
vec4 load_raw(ivec2 p)
{
    return as_channels(fetch(u_rect.xy + p));
}
