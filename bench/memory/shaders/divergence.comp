// divergence.comp - threads that go two ways: blocks of u_p.x threads one way, as many the other
//
//   in        u_p    threads of a block, rounds
//   out       b_out  of each thread what its way leaves
//   dispatch  any number of groups
//   SPDX-License-Identifier: MIT
#version 430 core

void main()
{
    uint id = thread_number(), state = value(id);
    if (((gl_LocalInvocationID.x / u_p.x) & 1u) == 0u) {
        for (uint i = 0u; i < u_p.y; ++i)
            state = state * 747796405u + 2891336453u;
    } else {
        for (uint i = 0u; i < u_p.y; ++i)
            state = (state ^ (state >> 3)) * 277803737u;
    }
    give(id, state);
}
