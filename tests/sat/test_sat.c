// test_sat.c - the effect "sat" against integers and doubles: exactness, sizes, formats, layers,
// edges
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_sat.h"

// ---- integers ----------------------------------------------------------------------------------

// Few texels a thread compile quickly, many slowly: the quick tier has the first two.
enum { QUICK_WAYS = 2 };
static const ag_tuning ways[] = {
    {.tile = AG_TILE_32, .carry = AG_CARRY_STEP, .threads = 256},
    {.tile = AG_TILE_64, .carry = AG_CARRY_FOLDED, .threads = 512},
    {.tile = AG_TILE_32, .carry = AG_CARRY_STEP, .threads = 128},
    {.tile = AG_TILE_64X32, .carry = AG_CARRY_FOLDED, .threads = 64},
    {.tile = AG_TILE_64, .carry = AG_CARRY_STEP, .threads = 256},
    {.tile = AG_TILE_AUTO},
};

static size_t way_count(void)
{
    return check_tier_now() == CHECK_QUICK ? QUICK_WAYS : COUNT(ways);
}

// Every way to make a table, at sizes around multiples of 16 and 32. (A bug at widths that are
// multiples of 16 once reached users of another library, because no test had such a width.)
static void test_every_width(void **state)
{
    enum { W = 300, H = 3 };
    fixture *f = *state;
    rng r = rng_start("widths", 71);
    double *src = values_noise(&r, "r32f", W, H, 0, 1);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("widths", 40);
    for (size_t way = 0; way < way_count(); ++way)
        for (int w = 1; w <= W; ++w) {
            int h = w % 2 ? H : 1;
            if (!sweep_takes(share))
                continue;
            ag_sat_settings s;
            trial t = integers_of(f, "width", "r32f", w % 3 ? w : h, w % 3 ? h : w, src, &s);
            good = table_check(&t, pass, &ways[way]) && good;
        }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},     {1, 77},   {77, 1},      {31, 33},   {32, 32},
                                   {33, 31},   {63, 65},  {64, 64},     {65, 63},   {127, 129},
                                   {129, 127}, {1023, 5}, {7, 1025},    {2047, 9},  {3, 2049},
                                   {4097, 3},  {3, 4097}, {1921, 1081}, {16384, 2}, {2, 16384}};
    fixture *f = *state;
    rng r = rng_start("sizes", 72);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("sizes", 3);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double *src = values_noise(&r, "r32f", sizes[i][0], sizes[i][1], 0, 1);
        for (size_t way = 0; way < way_count(); ++way) {
            if (!sweep_takes(share))
                continue;
            ag_sat_settings s;
            trial t = integers_of(f, "size", "r32f", sizes[i][0], sizes[i][1], src, &s);
            good = table_check(&t, pass, &ways[way]) && good;
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// 8-bit codes never wrap up to 4096 x 4096: the last entry is the plain sum.
static void test_codes(void **state)
{
    enum { SIZE = 4096 };
    fixture *f = *state;
    rng r = rng_start("codes", 73);
    double *src = values_noise(&r, "r8", SIZE, SIZE, 0.9, 1), total = 0;
    ag_sat_settings s;
    trial t = table_of(f, "codes", "r8", SIZE, SIZE, src, &s);
    s.storage = AG_SAT_UINT32;
    table_outputs(&t, NULL, NULL);
    bool good = trial_check(&t);
    for (size_t i = 0; i < (size_t)SIZE * SIZE; ++i)
        total += rint(src[i] * 255);
    good = check_case("the last entry", t.got[DST][(size_t)SIZE * SIZE - 1] == total) && good;
    CHECK(good && total > 4e9);
    trial_free(&t);
    free(src);
}

// All channels, arrays, exclusive edges and squares at once.
static void test_more_of_it(void **state)
{
    enum { W = 141, H = 83, LAYERS = 3 };
    static const char *const formats[] = {"rg32f", "rgba16f", "rg8"};
    fixture *f = *state;
    rng r = rng_start("channels", 74);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("channels", 3);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = values_noise(&r, formats[i], W, H * LAYERS, 0, 1);
        ag_sat_settings s;
        ag_tuning tuning = quick_tiles;
        trial t = integers_of(f, "channels", formats[i], W, H, src, &s);
        t.slots[SRC].layers = LAYERS;
        tuning.carry = AG_CARRY_STEP;
        s.edge = AG_SAT_EXCLUSIVE;
        s.square = 1;
        s.fraction_bits = -1;
        s.max_box = 33;
        good = table_check(&t, pass, &tuning) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Every tile and group, with sums exchanged through shared memory and by subgroups (emulated if the
// driver has none).
static void test_exchange(void **state)
{
    enum { W = 141, H = 83 };
    static const char *const formats[] = {"r32f", "rg8", "rgba8", "rgba16f"};
    static const int threads[] = {0, 64, 128, 256, 512}; // 0: chosen
    static const int texels[] = {[AG_TILE_32] = 1024, [AG_TILE_64X32] = 2048, [AG_TILE_64] = 4096};
    fixture *f = *state;
    rng r = rng_start("exchange", 78);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("exchange", 12);
    bool quick = check_tier_now() == CHECK_QUICK; // only few texels a thread
    for (size_t i = 0; i < COUNT(formats); ++i) {
        double *src = values_noise(&r, formats[i], W, H, 0, 1);
        for (int tile = AG_TILE_32; tile <= AG_TILE_64; ++tile)
            for (size_t n = 0; n < COUNT(threads); ++n)
                for (int subgroups = 0; subgroups < 2; ++subgroups) {
                    if ((quick && (!threads[n] || texels[tile] / threads[n] > 4)) ||
                        !sweep_takes(share))
                        continue;
                    ag_sat_settings s;
                    ag_tuning tuning = exchange_by(subgroups);
                    trial t = integers_of(f, "exchange", formats[i], W, H, src, &s);
                    tuning.tile = tile;
                    tuning.threads = threads[n];
                    tuning.carry = n % 2 ? AG_CARRY_STEP : AG_CARRY_FOLDED;
                    good = table_check(&t, pass, &tuning) && good;
                }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- floats ------------------------------------------------------------------------------------

// Of the cases of test_storages one a storage, that together have all else.
static bool is_quick(int storage, int offset, int kind)
{
    static const int cases[][3] = {{AG_SAT_FLOAT32, AG_SAT_OFFSET_MEAN, 1},
                                   {AG_SAT_FLOAT32_RESIDUAL, AG_SAT_OFFSET_NONE, 0},
                                   {AG_SAT_DOUBLE_FLOAT, AG_SAT_OFFSET_HALF, 2},
                                   {AG_SAT_SPLIT, AG_SAT_OFFSET_NONE, 0}};
    for (size_t i = 0; i < COUNT(cases); ++i)
        if (cases[i][0] == storage && cases[i][1] == offset && cases[i][2] == kind)
            return true;
    return false;
}

// Every storage with every offset, origin and edge that it takes, with squares.
static void test_storages(void **state)
{
    enum { W = 203, H = 151 };
    fixture *f = *state;
    rng r = rng_start("storages", 75);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    double *src = values_noise(&r, "r32f", W, H, 0.2, 1);
    sweep *share = sweep_start("storages", 1);
    bool quick = check_tier_now() == CHECK_QUICK; // each compiles three shaders
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_SPLIT; ++storage)
        for (int offset = 0; offset < 3; ++offset)
            for (int kind = 0; kind < 3; ++kind) { // corner, center, exclusive
                bool split = storage == AG_SAT_SPLIT;
                if (storage == AG_SAT_UINT32 || (split && kind > 0) ||
                    (quick && !is_quick(storage, offset, kind)) || !sweep_takes(share))
                    continue;
                ag_sat_settings s;
                trial t = table_of(f, "storage", "r32f", W, H, src, &s);
                s.storage = storage;
                s.offset = offset;
                s.origin = kind == 1;
                s.edge = kind == 2;
                s.square = 1;
                good = table_check(&t, pass, few_texels()) && good;
            }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The mean of more tiles than a group adds up at once, along both axes.
static void test_means(void **state)
{
    enum { LAYERS = 2 };
    static const int sizes[][2] = {{2113, 70}, {65, 4200}, {1, 1}, {33, 1}, {1050, 1051}};
    fixture *f = *state;
    rng r = rng_start("means", 79);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("means", 2);
    for (size_t i = 0; i < (check_tier_now() == CHECK_QUICK ? 1 : COUNT(sizes)); ++i)
        for (int origin = AG_SAT_CORNER; origin <= AG_SAT_CENTER; ++origin) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            double *src = values_noise(&r, "rgba32f", w, h * LAYERS, 0, 1);
            ag_sat_settings s;
            trial t = table_of(f, "mean", "rgba32f", w, h, src, &s);
            t.slots[SRC].layers = LAYERS;
            t.limit = 300; // the mean is known as a float, and comes off each texel
            s.offset = AG_SAT_OFFSET_MEAN;
            s.origin = origin;
            good = table_check(&t, pass, &quick_tiles) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_formats(void **state)
{
    enum { W = 70, H = 45, LAYERS = 2 };
    fixture *f = *state;
    rng r = rng_start("formats", 76);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("formats", 6);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *name = format_at(i)->name;
        double *src = values_noise(&r, name, W, H * LAYERS, 0, 1);
        ag_sat_settings s;
        bool chosen =
            check_tier_now() == CHECK_GPU || (check_tier_now() == CHECK_FULL && i % 3 == 0);
        ag_tuning tuning = chosen ? (ag_tuning){.tile = AG_TILE_AUTO} : quick_tiles;
        trial t = table_of(f, "format", name, W, H, src, &s);
        t.slots[SRC].layers = LAYERS;
        // sRGB is decoded by the driver's pow: 2^-20 of a texel or so
        t.limit = format_at(i)->kind == FORMAT_SRGB ? 24 : 12;
        tuning.emulate = i % 2;
        good = table_check(&t, pass, &tuning) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Packed texels that become doubles (docs/decisions.md, D4).
static void test_doubles(void **state)
{
    enum { W = 37, H = 35 };
    static const char *const formats[] = {"r8", "rgba8", "rg16f", "rgba16f"};
    fixture *f = *state;
    rng r = rng_start("doubles", 77);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("doubles", 4);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = values_noise(&r, formats[i], W, H, 0, 1);
        ag_sat_settings s;
        trial t = table_of(f, "doubles", formats[i], W, H, src, &s);
        s.storage = AG_SAT_DOUBLE_FLOAT;
        s.offset = i > 1 ? AG_SAT_OFFSET_MEAN : AG_SAT_OFFSET_NONE;
        s.square = i % 2 == 0;
        // Halves are exact. 8-bit codes are off by a unit of a float's last place in some drivers,
        // and their squares by two; so are sums of them. (Less a mean, which takes most of a sum
        // away, that would be more units.)
        t.limit = 4;
        good = table_check(&t, pass, &quick_tiles) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_every_width),   FIXTURE_SWEEP(test_sizes),
        FIXTURE_FULL(test_codes),          FIXTURE_SWEEP(test_more_of_it),
        FIXTURE_SWEEP(test_exchange),      FIXTURE_SWEEP(test_storages),
        FIXTURE_SWEEP(test_means),         FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_doubles),       FIXTURE_SWEEP(test_precision),
        FIXTURE_SWEEP(test_error_bounds),  FIXTURE_SWEEP(test_queries),
        FIXTURE_SWEEP(test_query_moments), FIXTURE_TEST(test_query_refuses),
        FIXTURE_TEST(test_refusals),       FIXTURE_TEST(test_auto),
        FIXTURE_SWEEP(test_bad_texels),    FIXTURE_TEST(test_repeats),
        FIXTURE_SWEEP(test_rectangles),    FIXTURE_SWEEP(test_in_place),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
