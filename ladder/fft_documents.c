// fft_documents.c - what the documents of fft_ladder compute: weights, and bytes that methods move
// SPDX-License-Identifier: MIT
#include "ladder/fft_documents.h"

#include <math.h>

int32_t ag_ladder_log(int32_t n)
{
    int32_t log = 0;
    while (n > 1 << log)
        ++log;
    return log;
}

ag_ladder_bytes ag_ladder_texture_bytes(int32_t width, int32_t height, int32_t length)
{
    uint64_t size = (uint64_t)width * (uint64_t)height * 16;
    uint64_t passes = (uint64_t)ag_ladder_log(length);
    return (ag_ladder_bytes){size * passes * 4, size * passes * 2};
}

ag_ladder_bytes ag_ladder_shared_bytes(int32_t width, int32_t height, bool real)
{
    uint64_t size = (uint64_t)width * (uint64_t)height * 16;
    return (ag_ladder_bytes){real ? size : 2 * size, 2 * size};
}

uint64_t ag_ladder_lookup_bytes(int32_t width, int32_t height)
{
    return (uint64_t)width * (uint64_t)ag_ladder_log(width) * 16 * (uint64_t)height;
}

void ag_ladder_lookup(int32_t length, float *table)
{
    int32_t log = ag_ladder_log(length);
    for (int32_t pass = 0; pass < log; ++pass)
        for (int32_t x = 0; x < length; ++x, table += 4) {
            int32_t section = 2 << pass, start = x & ~(section - 1), offset = x & (section / 2 - 1);
            uint32_t index[2] = {(uint32_t)(start + offset),
                                 (uint32_t)(start + offset + section / 2)};
            for (int i = 0; i < 2; ++i) {
                uint32_t reversed = 0;
                for (int32_t bit = 0; bit < log; ++bit)
                    reversed |= (index[i] >> bit & 1u) << (log - 1 - bit);
                table[i] = (float)(pass == 0 ? reversed : index[i]);
            }
            ag_ladder_weight(x & (section - 1), section, table + 2);
        }
}

double ag_ladder_half_length_gain(int32_t length, int32_t x, int32_t y)
{
    return 0.5 - (x + y) / (8.0 * log2(length));
}

void ag_ladder_weight(int32_t part, int32_t whole, float weight[2])
{
    static const float quarters[4][2] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    double angle = 6.283185307179586476925287 * part / whole;
    int64_t quarter = 4 * (int64_t)part / whole;
    bool exact = 4 * (int64_t)part % whole == 0; // pi has no double
    weight[0] = exact ? quarters[quarter & 3][0] : (float)cos(angle);
    weight[1] = exact ? quarters[quarter & 3][1] : (float)-sin(angle);
}
