// scans_lookback.c - "lookback": tiles that publish nothing, waits that expire, many runs
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test_scans.h"

enum { ACROSS = 5, DOWN = 4, W = 32 * ACROSS - 11, H = 32 * DOWN - 7 }; // tiles of 32 x 32

static summing lookback_case(fixture *f, int width, int height, const double *src)
{
    summing c = {.name = "lookback", .width = width, .height = height, .src = src};
    c.settings = summing_defaults(f);
    c.settings.method = AG_SAT_LOOKBACK;
    c.tuning.scan_rows = 32;
    return c;
}

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Each tile in turn publishes nothing. Those that wait for it give up, and `tiles` makes the table:
// integers are right, and floats have the bits of `tiles`, which look-back's differ from.
void test_silent_tiles(void **state)
{
    fixture *f = *state;
    rng r = rng_start("silent tiles", 107);
    ag_pass *pass = fixture_pass(f, "sat");
    size_t wrong = 0;
    double *src = summing_noise(&r, NULL, W, H, 0, 1), longest = 0;
    const size_t bytes = (size_t)W * H * sizeof(double);
    summing c = lookback_case(f, W, H, src), by_tiles = c;
    by_tiles.settings.method = AG_SAT_TILES;
    c.tuning.scan_turns = 1 << 24; // beside other work a processor may wait for long
    summed want = summing_run(f, pass, &by_tiles), own = summing_run(f, pass, &c);
    bool differ = memcmp(own.values[SUMMED_DST], want.values[SUMMED_DST], bytes) != 0;
    summed_free(f, &own);
    sweep *share = sweep_start("silent tiles", 4);
    for (int tile = 0; tile < ACROSS * DOWN; ++tile) {
        if (!sweep_takes(share))
            continue;
        c.tuning.scan_silent = 1 + tile;
        c.tuning.scan_turns = tile % 2 ? 300 : 20;
        double before = seconds();
        summed s = summing_run(f, pass, &c);
        double took = seconds() - before;
        // Nobody waits for the last one; short waits may expire all the same.
        bool last = tile == ACROSS * DOWN - 1;
        bool repaired = memcmp(s.values[SUMMED_DST], want.values[SUMMED_DST], bytes) == 0;
        longest = took > longest ? took : longest;
        printf("  %-5s tile %d is silent: %s\n", repaired || last ? "ok" : "WRONG", tile,
               repaired ? "tiles made the table" : "look-back made the table");
        wrong += !repaired && !last;
        summed_free(f, &s);
        summing integers = c;
        integers.settings.storage = AG_SAT_UINT32;
        integers.settings.fraction_bits = 20;
        integers.settings.max_box = 40;
        wrong += scan_wrong(f, pass, &integers);
    }
    printf("  the longest run took %.2f s\n", longest);
    summed_free(f, &want);
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(differ);
    CHECK_EQ(wrong, 0);
}

// A wait of no turns at all: whoever does not find a sum at once gives up. Afterwards the pass
// works again, because each execute starts anew.
void test_expired(void **state)
{
    fixture *f = *state;
    rng r = rng_start("expired", 108);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = summing_noise(&r, NULL, W, H, 0, 1);
    size_t wrong = 0;
    for (int turns = 1; turns <= 4096; turns *= 16) {
        summing c = lookback_case(f, W, H, src);
        c.settings.storage = AG_SAT_UINT32;
        c.settings.fraction_bits = 20;
        c.settings.max_box = 40;
        c.tuning.scan_turns = turns;
        c.tuning.scan_silent = turns == 16 ? 2 : 0;
        wrong += scan_wrong(f, pass, &c);
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK_EQ(wrong, 0);
}

// The repair's dispatches are indirect: the host's buffer of commands stays bound.
void test_indirect_binding(void **state)
{
    fixture *f = *state;
    rng r = rng_start("indirect binding", 110);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = summing_noise(&r, NULL, W, H, 0, 1);
    summing c = lookback_case(f, W, H, src);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer);
    summed s = summing_run(f, pass, &c);
    GLint bound = 0;
    f->gl.GetIntegerv(GL_DISPATCH_INDIRECT_BUFFER_BINDING, &bound);
    f->gl.BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    f->gl.DeleteBuffers(1, &buffer);
    summed_free(f, &s);
    free(src);
    f->ag->pass_destroy(pass);
    CHECK_EQ(bound, buffer);
}

// Tables of few columns or rows of tiles, and a square: waits for a neighbour, again and again.
// llvmpipe loses values of threads that leave a loop before others; floats showed that.
void test_narrow(void **state)
{
    static const int sizes[][2] = {{20, 3000}, {33, 1500}, {3000, 20}, {500, 70}, {330, 330}};
    fixture *f = *state;
    rng r = rng_start("narrow", 111);
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        double *src = summing_noise(&r, "rgba32f", sizes[i][0], sizes[i][1], 0, 1);
        for (int run = 0; run < 4; ++run) {
            ag_pass *pass = fixture_pass(f, "sat");
            summing c = lookback_case(f, sizes[i][0], sizes[i][1], src);
            c.src_format = "rgba32f";
            c.tuning.scan_rows = run % 2 ? 32 : 64;
            good = scan_check_floats(f, pass, &c) && good;
            f->ag->pass_destroy(pass);
        }
        free(src);
    }
    CHECK(good);
}

// Schedules differ from run to run; sums of integers do not.
void test_many_runs(void **state)
{
    fixture *f = *state;
    int size = check_tier_now() == CHECK_GPU ? 2048 : 300;
    rng r = rng_start("many runs", 109);
    ag_pass *pass = fixture_pass(f, "sat");
    double *src = summing_noise(&r, "rgba8", size, size - 31, 0, 1);
    size_t wrong = 0;
    for (int rows = 32; rows <= 64; rows += 32)
        for (int run = 0; run < 4; ++run) {
            summing c = lookback_case(f, size, size - 31, src);
            c.src_format = "rgba8";
            c.settings.storage = AG_SAT_UINT32;
            c.settings.max_box = 40;
            c.tuning.scan_rows = rows;
            wrong += scan_wrong(f, pass, &c);
        }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK_EQ(wrong, 0);
}
