// live.comp - how many groups run at the same time: each counts itself in, works, and counts itself
// out
//
//   host sets PACKED   of shared memory that a group takes
//             DECLARE, STEP, SUM   as registers.comp's, or nothing: what each thread holds
//                                  meanwhile
//   in        u_p     steps of work
//   out       b_out   [0] groups that run now, 0 in the end; [1] the most there were; [2] all there
//             were;
//                     [3] a sum that keeps the work alive
//   dispatch  more groups than can run at once. No group waits for another
//   SPDX-License-Identifier: MIT
#version 430 core
shared uint s_words[PACKED];

void main()
{
    uint local = gl_LocalInvocationID.x, state = local + 1u;
    if (local == 0u)
        atomicMax(b_out[1], atomicAdd(b_out[0], 1u) + 1u);
#ifdef STEP
    uint id = thread_number();
    DECLARE;
    for (uint i = 0u; i < u_p.x; ++i) {
        STEP;
    }
    state = SUM;
#else
    for (uint i = 0u; i < u_p.x; ++i)
        state = state * 747796405u + 2891336453u;
#endif
    s_words[(state ^ local) % uint(PACKED)] = state;
    memoryBarrierShared();
    barrier();
    if (local == 0u) {
        if (s_words[state % uint(PACKED)] == 0x7f4a7c15u)
            b_out[3] = state;
        atomicAdd(b_out[2], 1u);
        atomicAdd(b_out[0], 0xffffffffu);
    }
}
