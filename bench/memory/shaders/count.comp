// count.comp - next to nothing, so that a dispatch is all there is to time
//
//   in, out   b_out[0]   one more
//   dispatch  1
//   SPDX-License-Identifier: MIT
#version 430 core

void main()
{
    if (gl_LocalInvocationID.x == 0u)
        atomicAdd(b_out[0], 1u);
}
