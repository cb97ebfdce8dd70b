// chase.comp - how long one load takes: each gives the next one's place
//
//   in        b_src   a ring: word i holds the next place; u_p: loads
//   out       b_out   the place after so many loads
//   dispatch  1; one thread works
//   SPDX-License-Identifier: MIT
#version 430 core
layout(std430, binding = 1) readonly buffer Src { uint b_src[]; };

void main()
{
    uint at = 0u;
    if (gl_LocalInvocationID.x != 0u)
        return;
    for (uint i = 0u; i < u_p.x; ++i)
        at = b_src[at];
    give(0u, at);
}
