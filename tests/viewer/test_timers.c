// test_timers.c - the chart of the last frames: a start of seconds does not flatten what follows
// SPDX-License-Identifier: MIT
#include "check.h"
#include "random.h"
#include "timers.h"

#include <string.h>

static void add(timers *t, float ms)
{
    t->rows[0].ms[t->rows[0].count++ % TIMERS_HISTORY] = ms;
    t->cpu_ms[t->cpu_count++ % TIMERS_HISTORY] = ms / 4;
}

static void test_chart(void **state)
{
    (void)state;
    rng r = rng_start("frames", 52);
    for (int run = 0; run < 20; run++) {
        timers t = {.row_count = 1};
        float usual = (float)rng_uniform(&r, 0.2, 400);
        CHECK(timers_chart_top(&t) > 0); // of no frame, too
        add(&t, (float)rng_uniform(&r, 500, 20000));
        for (int i = 1; i < 3 * TIMERS_HISTORY; i++) {
            float most = usual * 1.1f;
            add(&t, usual * (float)rng_uniform(&r, 0.9, 1.1));
            float top = timers_chart_top(&t);
            // Its steps are factors of 2.5 at most; twice the median is in the chart.
            if (i > 1)
                CHECK_F(top >= most && (top <= 1 || top <= 2 * most * 2.5f),
                        "%g ms a frame, frame %d: the chart ends at %g", (double)usual, i,
                        (double)top);
        }
    }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_chart)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
