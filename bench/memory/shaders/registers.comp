// registers.comp - as many values as asked for, all alive: where registers end, memory begins
//
//   host sets DECLARE   one line: uint r0 = value(id), r1 = value(id + 1) ...
//             STEP      one line: r0 = r0 * 1664525u + r1; ... of each value and the next one
//             SUM       r0 + r1 + ...
//   in        u_p       threads, rounds
//   out       b_out     of each thread the sum
//   dispatch  threads / THREADS
//   SPDX-License-Identifier: MIT
#version 430 core

void main()
{
    uint id = thread_number();
    DECLARE;
    for (uint round = 0u; round < u_p.y; ++round) {
        STEP;
    }
    give(id, SUM);
}
