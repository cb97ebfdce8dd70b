// fft_ladder_documents.c - what the documents of "fft_ladder" compute, bit by bit
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_fft_ladder.h"

// The float nearest to a sine or cosine; those of quarter turns are 0, which pi is too coarse for.
static float nearest(long double value)
{
    return fabsl(value) < 1e-17L ? 0 : (float)value;
}

// Fig 12 of the article, for every pass of every length to 4096: each output x of a pass is the
// same sum as in the definition, transform by transform, of two inputs that no other pair reads.
void test_lookup(void **state)
{
    (void)state;
    for (int log = 1; log <= 12; ++log) {
        int n = 1 << log, wrong = 0;
        float *table = check_allocate((size_t)n * (size_t)log * 4 * sizeof *table);
        ag_ladder_lookup(n, table);
        for (int pass = 0; pass < log; ++pass)
            for (int x = 0; x < n; ++x) {
                const float *at = table + 4 * (pass * n + x);
                // Transforms of `size` points lie side by side; the first half of each, and the
                // second, are the halves' transforms that the pass before left there.
                int size = 1 << (pass + 1), first = x / size * size + x % (size / 2);
                int want[2] = {first, first + size / 2};
                for (int i = 0; i < 2 && pass == 0; ++i) {
                    int reversed = 0, rest = want[i];
                    for (int bit = 0; bit < log; ++bit, rest /= 2)
                        reversed = 2 * reversed + rest % 2;
                    want[i] = reversed;
                }
                // Bit for bit the floats nearest to the weight.
                long double angle = 2 * acosl(-1) * (x % size) / size;
                wrong += at[0] != (float)want[0] || at[1] != (float)want[1];
                wrong += at[2] != nearest(cosl(angle)) || at[3] != nearest(-sinl(angle));
            }
        printf("  %d points, %d passes: %d wrong entries\n", n, log, wrong);
        CHECK_EQ(wrong, 0);
        free(table);
    }
}

// Figs 6, 8 and 10 for 512 x 256, and the ratios that follow: reading falls to a 36th, writing to a
// ninth, not to an eighth as the article says.
void test_bytes(void **state)
{
    (void)state;
    ag_ladder_bytes textures = ag_ladder_texture_bytes(512, 256, 512);
    ag_ladder_bytes shared = ag_ladder_shared_bytes(512, 256, false);
    ag_ladder_bytes real = ag_ladder_shared_bytes(512, 256, true);
    CHECK_EQ(textures.read, 75497472);
    CHECK_EQ(textures.written, 37748736);
    CHECK_EQ(shared.read, 4194304);
    CHECK_EQ(shared.written, 4194304);
    CHECK_EQ(real.read, 2097152);
    CHECK_EQ(ag_ladder_lookup_bytes(512, 256), 18874368);
    CHECK_EQ(textures.read % real.read, 0);
    CHECK_EQ(textures.read / real.read, 36);
    CHECK_EQ(textures.written % real.written, 0);
    CHECK_EQ(textures.written / real.written, 9);
}

// The paper's (10): 39.286 % at 128 x 128 and 41.7 % at 512 x 512.
void test_gain(void **state)
{
    (void)state;
    CHECK_LIMIT("128: 39.286 %", fabs(100 * ag_ladder_half_length_gain(128, 2, 4) - 39.286), 5e-4);
    CHECK_LIMIT("512: 41.7 %", fabs(100 * ag_ladder_half_length_gain(512, 2, 4) - 41.7), 0.05);
}
