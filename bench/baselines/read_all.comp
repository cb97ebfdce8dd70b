// read_all.comp - every texel of a texture read, and nothing written: what no average of all texels
// can do without
//
//   in        t_src
//   out       i_never   nothing, unless a sum is a number that none is
//   dispatch  ceil(size / (32, 32)): 16 x 8 threads of 2 x 4 texels each
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 16, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_never;

void main()
{
    ivec2 p = ivec2(gl_WorkGroupID.xy) * 32 + ivec2(gl_LocalInvocationID.xy), last =
        textureSize(t_src, 0) - 1;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 2; ++x)
            sum += texelFetch(t_src, min(p + ivec2(16 * x, 8 * y), last), 0);
    if (sum.r == -12345.678)
        imageStore(i_never, ivec2(0), sum);
}
