// copy.comp - the fastest copy that we know; its time is the lower limit for every pass
//
//   in, out   textures of equal size, a multiple of the tile's; or buffers of uvec4
//   host sets COPY   0: texelFetch, 1: imageLoad, both RGBA16F; 2: buffer, uvec4 a thread
//   dispatch  textures: size / (2 * GROUP), 1; buffers: vectors / 256 groups along x and y
//   why       16 x 8 threads with 2 x 2 texels each, spaced by the group's size, so that each
//             access of a subgroup is whole rows: on an H200 twice as fast as groups of 8 x 8
//             threads with one texel each
//   SPDX-License-Identifier: MIT
#version 430 core
#ifndef COPY
#error "COPY (0 texelFetch, 1 imageLoad, 2 buffer) must be set by the host"
#endif

#if COPY == 2
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Src { uvec4 b_src[]; };
layout(std430, binding = 1) writeonly buffer Dst { uvec4 b_dst[]; };

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint at = group * 256u + gl_LocalInvocationID.x;
    if (at < uint(b_src.length()))
        b_dst[at] = b_src[at];
}
#else
layout(local_size_x = 16, local_size_y = 8) in;
#if COPY == 0
layout(binding = 0) uniform sampler2D t_src;
#define LOAD(p) texelFetch(t_src, p, 0)
#else
layout(binding = 1, rgba16f) readonly uniform image2D i_src;
#define LOAD(p) imageLoad(i_src, p)
#endif
layout(binding = 0, rgba16f) writeonly uniform image2D i_dst;

void main()
{
    ivec2 group = ivec2(gl_WorkGroupSize.xy);
    ivec2 p = ivec2(gl_WorkGroupID.xy) * group * 2 + ivec2(gl_LocalInvocationID.xy);
    ivec2 right = ivec2(group.x, 0), down = ivec2(0, group.y);
    vec4 a = LOAD(p), b = LOAD(p + right), c = LOAD(p + down), d = LOAD(p + group);
    imageStore(i_dst, p, a);
    imageStore(i_dst, p + right, b);
    imageStore(i_dst, p + down, c);
    imageStore(i_dst, p + group, d);
}
#endif
