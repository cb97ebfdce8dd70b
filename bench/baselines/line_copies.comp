// line_copies.comp - copies a plane as a transform's dispatch reads and writes it: a line a group
//
//   in        t_src
//   out       i_dst, or b_dst with TO_BUFFER 1
//   host sets N; READS, WRITES  0 = lines along x, 1 = along y
//             TO_BUFFER         1 = into a buffer; with PARTIAL 1 12 of the 16 bytes of a texel
//   dispatch  N
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 128) in;
layout(binding = 0) uniform sampler2D t_src;
layout(binding = 0) writeonly uniform image2D i_dst;
layout(std430, binding = 0) writeonly buffer Target { float b_dst[]; };

void main()
{
    int line = int(gl_WorkGroupID.x);
    for (int i = int(gl_LocalInvocationID.x); i < N; i += 128) {
        vec4 value = texelFetch(t_src, READS == 0 ? ivec2(i, line) : ivec2(line, i), 0);
        ivec2 p = WRITES == 0 ? ivec2(i, line) : ivec2(line, i);
#if TO_BUFFER
        int at = 4 * (p.y * N + p.x);
        for (int c = 0; c < 4 - PARTIAL; ++c)
            b_dst[at + c] = value[c];
#else
        imageStore(i_dst, p, value);
#endif
    }
}
