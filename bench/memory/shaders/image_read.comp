// image_read.comp - reads of a texture by each way, each group in a shape of its own
//
//   host sets FORMAT, UNORM   as image_fill.comp's
//             WAY      0 imageLoad; 1 texelFetch; 2 textureGather, four texels at once; 3 a buffer
//                      with the same texels, row by row
//   in        u_p      width and height in blocks of 2 x 2 texels; w, h of a group: w * h = THREADS
//   out       b_out    of each thread the sum of value() of its 2 x 2 texels
//   dispatch  width / w, height / h
//   SPDX-License-Identifier: MIT
#version 430 core
#if WAY == 0
layout(binding = 0, FORMAT) readonly uniform image2D i_src;
#elif WAY == 3
layout(std430, binding = 1) readonly buffer Src { TYPE b_src[]; };
#else
layout(binding = 0) uniform sampler2D t_src;
#endif

uint word_of(vec4 texel)
{
    uvec4 codes = uvec4((UNORM != 0 ? texel * 255.0 : texel) + 0.5);
    return codes.x | (codes.y << 8) | (codes.z << 16) | (codes.w << 24);
}

uint texel_word(uvec2 p)
{
#if WAY == 0
    return word_of(imageLoad(i_src, ivec2(p)));
#elif WAY == 1
    return word_of(texelFetch(t_src, ivec2(p), 0));
#elif WAY == 3
    TYPE texel = b_src[p.y * 2u * u_p.x + p.x];
    return FOLD;
#else
    return 0u;
#endif
}

void main()
{
    uvec2 group = u_p.zw, local = uvec2(gl_LocalInvocationID.x % group.x,
        gl_LocalInvocationID.x / group.x);
    uvec2 block = gl_WorkGroupID.xy * group + local;
    // Four texels a thread, spaced by the group's size; those of a gather are neighbours.
    uvec2 p = gl_WorkGroupID.xy * group * 2u + local;
#if WAY == 2
    vec2 at = vec2(2u * block + 1u) / vec2(2u * u_p.xy);
    vec4 r = textureGather(t_src, at, 0), g = textureGather(t_src, at, 1);
    vec4 b = textureGather(t_src, at, 2), a = textureGather(t_src, at, 3);
    uint sum = 0u;
    for (int i = 0; i < 4; ++i)
        sum += word_of(vec4(r[i], g[i], b[i], a[i]));
#else
    uint sum = texel_word(p) + texel_word(p + uvec2(group.x, 0)) + texel_word(p + uvec2(0,
        group.y)) +
               texel_word(p + group);
#endif
    give(block.y * u_p.x + block.x, sum);
}
