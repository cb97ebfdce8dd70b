// spin.comp - keeps one work group busy, so that the GPU is not idle while work is being queued
//
//   in        u_rounds, the number of integer operations, each of which needs the one before it
//   out       b_sink, never written; the possible write keeps the compiler from removing the work
//   dispatch  1, 1, 1
//   SPDX-License-Identifier: MIT
#version 430 core

layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Sink { uint b_sink; };
layout(location = 0) uniform uint u_rounds;

void main()
{
    uint state = gl_LocalInvocationID.x;
    for (uint i = 0u; i < u_rounds; ++i)
        state = state * 747796405u + 2891336453u;
    if (state == 0u && u_rounds == 1u) // impossible for the 32 start values
        b_sink = state;
}
