// store.comp - stores of whole and of partial sectors: does what is left out cost a read?
//
//   host sets WAY   0 16 bytes of 16; 1 12 bytes of 16; 2 16 bytes of each 32; 3 4 bytes of each 8
//   in        u_p   threads, elements of 16 bytes (of the whole footprint, in each way)
//   out       b_all or b_words: value() of each word's own place; what is left out stays
//   dispatch  threads / THREADS
//   SPDX-License-Identifier: MIT
#version 430 core
struct record { uint a, b, c, d; };
layout(std430, binding = 1) writeonly buffer All { uvec4 b_all[]; };
layout(std430, binding = 2) writeonly buffer Words { uint b_words[]; };

uvec4 words(uint at) { return uvec4(value(at), value(at + 1u), value(at + 2u), value(at + 3u)); }

void main()
{
    uint id = thread_number();
    if (id >= u_p.x)
        return;
#if WAY == 0
    for (uint k = 0u; k < 4u; ++k) {
        uint e = id + k * u_p.x;
        b_all[e] = words(4u * e);
    }
#elif WAY == 1
    for (uint k = 0u; k < 4u; ++k) {
        uint at = 4u * (id + k * u_p.x);
        uvec4 v = words(at);
        b_words[at] = v.x;
        b_words[at + 1u] = v.y;
        b_words[at + 2u] = v.z;
    }
#elif WAY == 2
    for (uint k = 0u; k < 2u; ++k) {
        uint e = 2u * (id + k * u_p.x);
        b_all[e] = words(4u * e);
    }
#else
    for (uint k = 0u; k < 8u; ++k) {
        uint at = 2u * (id + k * u_p.x);
        b_words[at] = value(at);
    }
#endif
}
