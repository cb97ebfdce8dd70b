// image_fill.comp - the source texture: texel (x, y) holds the four bytes of value(y * width + x),
// as codes
//
//   host sets FORMAT   rgba8, rgba16f or rgba32f; UNORM 1: codes are stored as code / 255
//   in        u_p      width, height; u_q.x: store only texels with (x + y) even (1), or all (0)
//   out       i_dst
//   dispatch  a thread a texel, row by row
//   SPDX-License-Identifier: MIT
#version 430 core
layout(binding = 0, FORMAT) writeonly uniform image2D i_dst;

void main()
{
    uint id = thread_number();
    uint x = id % u_p.x, y = id / u_p.x;
    if (y >= u_p.y || (u_q.x != 0u && ((x + y) & 1u) != 0u))
        return;
    uint word = value(id);
    vec4 codes = vec4(word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24);
    imageStore(i_dst, ivec2(x, y), UNORM != 0 ? codes / 255.0 : codes);
}
