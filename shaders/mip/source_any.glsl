// mip/source_any.glsl - texels of the first level: packed, from an image, or from a depth texture
//
//   in        t_src, i_src   the first level: packed, or depth through a sampler; else an image
//   host sets SRC_PACKING    AG_PACKING_NONE, or as mip/source_packed.glsl
//             SRC_KIND       the GLSL type of a source that is not packed
//             SRC_FORMAT     of an image, its format
//             SRC_CODES      1 = an image of R11F_G11F_B10F, bound as r32ui: decode
//             DEPTH          2 = depth through a sampler; else as mip/source_packed.glsl
//             SAMPLES        1 = multisampled (DEPTH 2): the samples of a texel are reduced
//   SPDX-License-Identifier: MIT

#if SRC_PACKING
#include "mip/source_packed.glsl"
#elif DEPTH == 2
layout(binding = 0) uniform SRC_KIND t_src;
vec4 load_raw(ivec2 p)
{
    p += u_rect.xy;
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
#include "common/codes.glsl"
layout(SRC_FORMAT, binding = AG_IMAGE_SRC) readonly uniform SRC_KIND i_src;
vec4 load_raw(ivec2 p)
{
    p += u_rect.xy;
    vec4 c;
    if (SRC_CODES != 0)
        c = decode_11_11_10(uint(imageLoad(i_src, PLACE(p)).r));
    else
        c = vec4(imageLoad(i_src, PLACE(p)));
    return DEPTH != 0 ? c.rrrr : c;
}
#endif
