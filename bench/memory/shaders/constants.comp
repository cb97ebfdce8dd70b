// constants.comp - reads of a small table that does not change
//
//   host sets WAY      0 = an array of constants, 1 = a uniform buffer, 2 = a storage buffer
//             PLACES   of the table, a power of two; LIST: its values
//   in        u_t, b_t   the table, a place every 16 bytes
//             u_p        places between threads (0: all read the same), rounds
//   out       b_out      of each thread the sum of what it read
//   dispatch  any
//   SPDX-License-Identifier: MIT
#version 430 core
#if WAY == 0
const uint c_table[PLACES] = uint[](LIST);
#define AT(i) c_table[i]
#elif WAY == 1
layout(std140, binding = 0) uniform Table { uvec4 u_t[PLACES]; };
#define AT(i) u_t[i].x
#else
layout(std430, binding = 1) readonly buffer Table { uvec4 b_t[]; };
#define AT(i) b_t[i].x
#endif

void main()
{
    uint at = gl_LocalInvocationID.x * u_p.x, sum = 0u;
    for (uint round = 0u; round < u_p.y; ++round, at += 16u)
        for (uint j = 0u; j < 16u; ++j)
            sum += AT((at + j) % uint(PLACES));
    give(thread_number(), sum);
}
