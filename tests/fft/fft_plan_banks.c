// fft_plan_banks.c - lines that share a group meet in few banks of shared memory
// SPDX-License-Identifier: MIT
#include "test_fft_plan.h"

#include <stdio.h>
#include <string.h>

// Turns of one access of 32 threads: of 8-byte words 16 threads go at once, one from each bank.
static int turns(const ag_fft_line *line, int stage, bool write, int first)
{
    int banks = line->split ? 32 : 16, total = 0, before = 1;
    for (int s = 0; s < stage; ++s)
        before *= line->radix[s];
    for (int half = first; half < first + 32; half += banks) {
        int hits[32] = {0}, worst = 0;
        for (int lane = half; lane < half + banks; ++lane) {
            int thread = lane / line->lines, own = lane % line->lines, radix = line->radix[stage];
            int at = write ? thread / before * before * radix + thread % before : thread;
            int place = own * line->stride + at + at / line->block[0][stage] * line->pad[0][stage];
            worst = larger(worst, ++hits[place % banks]);
        }
        total += worst;
    }
    return total * banks / 32;
}

// The worst of the first writes and reads of each exchange, in turns an access.
static int worst_turns(const ag_fft_line *line)
{
    int worst = 1;
    for (int stage = 0; stage + 1 < line->stages; ++stage)
        for (int first = 0; first + 32 <= line->threads * line->lines && first < 64; first += 32)
            for (int write = 0; write < 2; ++write)
                worst = larger(worst, turns(line, stage, write, first));
    return worst;
}

// Powers of two are the worst lengths: 8 lines of 128 points met by fours before odd distances
// between them were tried.
void test_banks(void **state)
{
    (void)state;
    for (int length = 16; length <= 512; length *= 2)
        for (int channels = 1; channels <= 4; ++channels) {
            ag_fft_line whole, spread;
            char name[80];
            CHECK(ag_fft_plan_texels(length, channels, INVOCATIONS, &whole));
            snprintf(name, sizeof name, "%d points, %d lines a group: turns an access", length,
                     whole.lines);
            CHECK_LIMIT(name, worst_turns(&whole), 2);
            if (channels < 2)
                continue;
            CHECK(ag_fft_plan_spread(length, channels, INVOCATIONS, &spread));
            snprintf(name, sizeof name, "%d points of %d channels at once: turns an access", length,
                     channels);
            CHECK_LIMIT(name, worst_turns(&spread), 2);
            CHECK(spread.lines % channels == 0);
            CHECK(ag_fft_shared_bytes(&spread) <= AG_FFT_SHARED_BYTES);
            CHECK(spread.lines * spread.threads <= 512 && spread.stride >= length);
        }
}
