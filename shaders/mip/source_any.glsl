// mip/source_any.glsl - texels of the first level: packed, from an image, or from a depth texture
//
//   in        t_src, i_src   the first level: packed, or depth through a sampler; else an image
//   host sets the defines of common/source.glsl; with DEPTH 2 SRC_KIND instead, the GLSL type of
//             the depth texture's sampler
//             DEPTH          2 = depth through a sampler; else as mip/source_packed.glsl
//             SAMPLES        1 = multisampled (DEPTH 2): the samples of a texel are reduced
//   SPDX-License-Identifier: MIT

#if defined(SRC_UNIT) && SRC_UNIT >= AG_BY_TEXTURE
#include "mip/source_packed.glsl"
#elif DEPTH == 2
layout(binding = 0) uniform SRC_KIND t_src;
vec4 load_raw(ivec2 p)
{
    p += u_src_rect.xy;
    vec4 c;
    if (SAMPLES != 0) {
        SUM samples = sum_begin();
        for (int i = 0; i < u_texture.x; ++i)
            sum_add(samples, texelFetch(t_src, PLACE(p), i).rrrr, 1.0, true);
        c = sum_finish(samples);
    } else {
        c = texelFetch(t_src, PLACE(p), u_texture.y).rrrr;
    }
    return c;
}
#else
vec4 load_raw(ivec2 p)
{
    vec4 c = fetch(u_src_rect.xy + p);
    return DEPTH != 0 ? c.rrrr : c;
}
#endif
