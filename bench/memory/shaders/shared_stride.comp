// shared_stride.comp - reads of shared memory at a stride, of words or of single bytes
//
//   host sets WAY   0 words; 1 bytes
//   in        u_p   stride in words (bytes) from thread to thread of 32; rounds of 16 reads
//   out       b_out of each thread the sum of what it read
//   dispatch  any number of groups, all alike
//   SPDX-License-Identifier: MIT
#version 430 core
shared uint s_words[2048 + 16];

void main()
{
    uint local = gl_LocalInvocationID.x, sum = 0u;
    for (uint i = local; i < 2048u + 16u; i += uint(THREADS))
        s_words[i] = value(i);
    memoryBarrierShared();
    barrier();
    uint at = (local & 31u) * u_p.x + (local >> 5);
#if WAY == 0
    for (uint round = 0u; round < u_p.y; ++round) {
        for (uint j = 0u; j < 16u; ++j)
            sum += s_words[at + j];
        at = (at + 16u) & 2047u;
    }
#else
    uint shift = (at & 3u) * 8u;
    at >>= 2;
    for (uint round = 0u; round < u_p.y; ++round) {
        for (uint j = 0u; j < 16u; ++j)
            sum += (s_words[at + j] >> shift) & 255u;
        at = (at + 16u) & 2047u;
    }
#endif
    give(thread_number(), sum);
}
