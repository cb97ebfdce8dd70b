// copy_pair.comp - copies a texture into one of another format: the memory traffic of a table alone
//
//   in, out   textures of equal size
//   dispatch  ceil(size / (32, 16))
//   why       the shape that common/copy.comp found fastest: 16 x 8 threads, 2 x 2 texels each
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;

void main()
{
    ivec2 p = ivec2(gl_WorkGroupID.xy) * ivec2(32, 16) + ivec2(gl_LocalInvocationID.xy);
    vec4 a = texelFetch(t_src, p, 0), b = texelFetch(t_src, p + ivec2(16, 0), 0);
    vec4 c = texelFetch(t_src, p + ivec2(0, 8), 0), d = texelFetch(t_src, p + ivec2(16, 8), 0);
    imageStore(i_dst, p, a); // GL ignores stores outside the image
    imageStore(i_dst, p + ivec2(16, 0), b);
    imageStore(i_dst, p + ivec2(0, 8), c);
    imageStore(i_dst, p + ivec2(16, 8), d);
}
