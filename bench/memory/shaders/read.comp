// read.comp - reads of global memory: 4, 8 or 16 bytes a thread, by every pattern of the document's
// figures 7 and 8
//
//   in        b_src     elements of TYPE: uint, uvec2 or uvec4; u_p.w + 1 of them, a power of two,
//             and some more
//             u_p       threads, stride in elements, first element, mask of elements
//             u_q       lane * x + y modulo 32 is which element of 32 a thread reads (1, 0: its
//                       own); z: the thread of 16 that reads nothing (16: all read); w: log2 of
//                       elements
//   out       b_out     of each thread the sum of its ITEMS elements' words
//   dispatch  threads / THREADS
//   SPDX-License-Identifier: MIT
#version 430 core
layout(std430, binding = 1) readonly buffer Src { TYPE b_src[]; };

uint fold(uint v) { return v; }
uint fold(uvec2 v) { return v.x + 3u * v.y; }
uint fold(uvec4 v) { return v.x + 3u * v.y + 5u * v.z + 7u * v.w; }

void main()
{
    uint id = thread_number(), sum = 0u;
    if (id >= u_p.x)
        return;
    for (uint k = 0u; k < uint(ITEMS); ++k) {
        uint element = id + k * u_p.x;
        element = (element & ~31u) | ((element * u_q.x + u_q.y) & 31u);
        uint place = element * u_p.y;
        // past the end: from the start, one further
        uint at = (place & u_p.w) + (place >> u_q.w) + u_p.z;
        if ((id & 15u) != u_q.z)
            sum += fold(b_src[at]);
    }
    give(id, sum);
}
