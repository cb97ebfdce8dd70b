// copy.comp - a copy of 16 bytes a thread and step, by groups of any size, with any amount of
// shared memory
//
//   host sets PACKED   of shared memory that the group takes beside; 0: none
//   in        b_src   u_p: threads, elements of 16 bytes, elements a thread
//   out       b_dst   the same elements
//   dispatch  threads / THREADS, rounded up
//   SPDX-License-Identifier: MIT
#version 430 core
layout(std430, binding = 1) readonly buffer Src { uvec4 b_src[]; };
layout(std430, binding = 2) writeonly buffer Dst { uvec4 b_dst[]; };
#if PACKED > 0
shared uint s_words[PACKED];
#endif

void main()
{
    uint id = thread_number();
#if PACKED > 0
    if (u_store == 2u) // never: so that the memory is taken
        s_words[id % uint(PACKED)] = id;
#endif
    if (id >= u_p.x)
        return;
    for (uint k = 0u; k < u_p.z; ++k) {
        uint at = id + k * u_p.x;
        if (at < u_p.y)
            b_dst[at] = b_src[at];
    }
#if PACKED > 0
    if (u_store == 2u)
        b_out[id] = s_words[(id * 7u) % uint(PACKED)];
#endif
}
