// mip/source_packed.glsl - packed texels of the first level, by a texture unit
//
//   in        t_src   the first level of the chain (common/gather.glsl)
//   host sets SRC_PACKING, SRC_CHANNELS   as there; SRC_UNIT a texture unit
//             DEPTH   1 = one channel, for min, max or both
//   SPDX-License-Identifier: MIT
#include "common/gather.glsl"

// A depth is copied to all channels: minmax takes the minimum in r and the maximum in g.
vec4 as_channels(vec4 c)
{
    return DEPTH != 0 ? c.rrrr : c;
}

// The texel at p, from the rectangle's corner.
vec4 load_raw(ivec2 p)
{
    return as_channels(fetch(u_src_rect.xy + p));
}

#if SRC_PACKING == AG_PACKING_8888
// The sum of the four texels' codes, two channels in each integer.
vec4 code_sum(gathered q)
{
    uvec4 even = q.at[0] & 0xff00ffu, odd = q.at[0] >> 8 & 0xff00ffu;
    uint rb = even.x + even.y + even.z + even.w, ga = odd.x + odd.y + odd.z + odd.w;
    return vec4(rb & 0xffffu, ga & 0xffffu, rb >> 16, ga >> 16);
}
#endif
