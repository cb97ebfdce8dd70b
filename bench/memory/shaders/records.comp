// records.comp - records of three or four words: read as they lie, padded, or as an array for each
// member
//
//   host sets WAY   0 float[3]: three words at 3 e      1 vec4: x, y, z of four words at 4 e
//                   2 AoS: members a, b, c of structs of four words     3 SoA: three arrays
//                   4 AoS, member a alone               5 SoA, member a alone
//                   6 vec4 whole                        7 four words at 4 e + 1: 16 bytes, off by 4
//   in        b_src, b_words   the same words as uvec4 and as uint; u_p: threads, records, words of
//             an array
//   out       b_out            of each thread the sum of what it read of its ITEMS records
//   dispatch  threads / THREADS
//   SPDX-License-Identifier: MIT
#version 430 core
struct record { uint a, b, c, pad; };
layout(std430, binding = 1) readonly buffer Src { uvec4 b_src[]; };
layout(std430, binding = 2) readonly buffer Words { uint b_words[]; };
layout(std430, binding = 3) readonly buffer Records { record b_records[]; };

uint read(uint e)
{
#if WAY == 0
    return b_words[3u * e] + 3u * b_words[3u * e + 1u] + 5u * b_words[3u * e + 2u];
#elif WAY == 1
    uvec3 v = b_src[e].xyz;
    return v.x + 3u * v.y + 5u * v.z;
#elif WAY == 2
    return b_records[e].a + 3u * b_records[e].b + 5u * b_records[e].c;
#elif WAY == 3
    return b_words[e] + 3u * b_words[u_p.z + e] + 5u * b_words[2u * u_p.z + e];
#elif WAY == 4
    return b_records[e].a;
#elif WAY == 5
    return b_words[e];
#elif WAY == 6
    uvec4 v = b_src[e];
    return v.x + 3u * v.y + 5u * v.z + 7u * v.w;
#else
    uint at = 4u * e + 1u;
    return b_words[at] + 3u * b_words[at + 1u] + 5u * b_words[at + 2u] + 7u * b_words[at + 3u];
#endif
}

void main()
{
    uint id = thread_number(), sum = 0u;
    if (id >= u_p.x)
        return;
    for (uint k = 0u; k < uint(ITEMS); ++k)
        sum += read(id + k * u_p.x);
    give(id, sum);
}
