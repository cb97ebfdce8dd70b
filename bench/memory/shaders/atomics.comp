// atomics.comp - additions to one place, or spread over several
//
//   host sets WAY    0 global memory; 1 shared memory, then each group's sums to global memory
//   in        u_p    mask of places: of 2^n; additions a thread
//   out       b_out  [place]: how often it was added to, 1 each time
//   dispatch  any number of groups
//   SPDX-License-Identifier: MIT
#version 430 core
#if WAY == 1
shared uint s_sums[THREADS];
#endif

void main()
{
    uint id = thread_number(), local = gl_LocalInvocationID.x;
#if WAY == 0
    // By a hash, as in a histogram: neighbours have places far from each other.
    for (uint i = 0u; i < u_p.y; ++i)
        atomicAdd(b_out[(value(id) + i) & u_p.x], 1u);
#else
    s_sums[local] = 0u;
    memoryBarrierShared();
    barrier();
    for (uint i = 0u; i < u_p.y; ++i)
        atomicAdd(s_sums[(local + i) & u_p.x], 1u);
    memoryBarrierShared();
    barrier();
    if (s_sums[local] != 0u)
        atomicAdd(b_out[local], s_sums[local]);
#endif
}
