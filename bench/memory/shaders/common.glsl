// common.glsl - what every kernel of `afterglow-bench memory` has: where results go, data, a
// thread's number
//
//   host sets THREADS   threads of a work group
//   in        u_store   0: nothing is stored but by a coincidence that the compiler cannot exclude,
//             so that only reading
//                       is timed; 1: every thread stores its sum, which the host then checks
//             u_p, u_q  what the kernel says
//   dispatch  groups along x and y, counted row by row
//   SPDX-License-Identifier: MIT
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) buffer Out { uint b_out[]; };
layout(location = 0) uniform uint u_store;
layout(location = 1) uniform uvec4 u_p;
layout(location = 2) uniform uvec4 u_q;

// Word i of every source; the host computes it, too.
uint value(uint i)
{
    uint v = i * 2654435761u;
    return v ^ (v >> 15);
}

uint group_number() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
uint thread_number() { return group_number() * uint(THREADS) + gl_LocalInvocationID.x; }

void give(uint thread, uint sum)
{
    if (u_store != 0u || sum == 0x7f4a7c15u)
        b_out[thread] = sum;
}
