// halo.comp - a filter of three taps, 1 2 1, over vec4s: from shared memory with a halo, or by
// three loads
//
//   host sets WAY   0 three loads; 1 each element once into shared memory, and its two neighbours
//                   outside
//   in        b_src   u_p.x elements; beyond both ends the end itself counts
//   out       b_dst   of each element left + 2 * itself + right, word by word
//   dispatch  elements / THREADS, which divides them
//   why       a group that keeps only its own elements in shared memory reads, at both of its
//             edges, what is not there
//
//        group g - 1   |  THREADS elements of group g  |   group g + 1
//                    [L]  0  1  2  ...     THREADS - 1  [R]      shared memory: THREADS + 2
//   SPDX-License-Identifier: MIT
#version 430 core
layout(std430, binding = 1) readonly buffer Src { uvec4 b_src[]; };
layout(std430, binding = 2) writeonly buffer Dst { uvec4 b_dst[]; };
#if WAY == 1
shared uvec4 s_line[THREADS + 2];
#endif

void main()
{
    uint id = thread_number(), last = u_p.x - 1u;
    uint left = max(id, 1u) - 1u, right = min(id + 1u, last);
#if WAY == 0
    b_dst[id] = b_src[left] + 2u * b_src[id] + b_src[right];
#else
    uint at = gl_LocalInvocationID.x + 1u;
    uvec4 own = b_src[id];
    s_line[at] = own;
    if (at == 1u)
        s_line[0] = b_src[left];
    if (at == uint(THREADS))
        s_line[THREADS + 1] = b_src[right];
    memoryBarrierShared();
    barrier();
    b_dst[id] = s_line[at - 1u] + 2u * own + s_line[at + 1u];
#endif
}
