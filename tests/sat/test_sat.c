// test_sat.c - the effect "sat" against integers and doubles: every storage and way to add up
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_sat.h"

typedef struct sum { // a case; what is 0 is the first of its kind
    const char *format;
    int width, height, storage, offset, origin, edge, square;
    ag_tuning tuning; // tile 0: few texels a thread
    int layers;
    double limit;  // of table_check
    bool wraps;    // integers that wrap early: entries must be right modulo 2^32
    bool placed;   // in a rectangle of a larger texture
    bool in_place; // texels come by single image loads
    int bad;       // texels that are not finite
} sum;

static void spoil(double *src, int texels, int channels, int bad)
{
    static const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < bad; ++i) // a bad channel makes the whole texel 0
        src[(i ? i * 1201 : texels - 1) * channels + i % channels] = values[i % 3];
}

// Against the definition, and again: the same bits.
static bool check_sum(fixture *f, ag_pass *pass, rng *r, const sum *c)
{
    int rows = c->height * (c->layers ? c->layers : 1);
    double *src = values_noise(r, c->format, c->width, rows, 0, 1);
    ag_sat_settings s;
    trial t = table_of(f, "a table", c->format, c->width, c->height, src, &s);
    spoil(src, c->width * c->height, format_named(c->format)->channels, c->bad);
    t.slots[SRC].layers = c->layers;
    t.limit = c->limit;
    s.storage = c->storage;
    s.offset = c->offset;
    s.origin = c->origin;
    s.edge = c->edge;
    s.square = c->square;
    s.fraction_bits = c->wraps ? 20 : -1;
    s.max_box = c->wraps ? 40 : 33;
    if (c->in_place)
        t.slots[DST].own = &t.textures[SRC];
    table_outputs(&t, pass, c->tuning.tile || c->tuning.threads ? &c->tuning : few_texels());
    if (c->placed) {
        trial_slot *dst = &t.slots[DST];
        dst->x = 60;
        dst->y = 70;
        dst->w = dst->width;
        dst->h = dst->height;
        dst->width = dst->height = 150;
    }
    uint64_t before = c->bad ? fixture_scrubbed(f) : 0;
    bool good = trial_check(&t);
    if (c->bad)
        CHECK_EQ(fixture_scrubbed(f) - before, c->bad);
    size_t bytes = texture_value_count(&t.textures[DST], 0) * sizeof *src;
    double *first = t.got[DST];
    t.got[DST] = NULL;
    if (!c->in_place)
        trial_run(&t);
    if (!c->in_place && memcmp(first, t.got[DST], bytes) != 0)
        good = check_case("    again: other bits", false);
    trial_free(&t);
    free(first);
    free(src);
    return good;
}

enum { FLOAT = AG_SAT_FLOAT32, RESIDUAL = AG_SAT_FLOAT32_RESIDUAL, UINT = AG_SAT_UINT32 };
enum { DOUBLE = AG_SAT_DOUBLE_FLOAT, SPLIT = AG_SAT_SPLIT };
enum { OF_MEAN = AG_SAT_OFFSET_MEAN, HALF = AG_SAT_OFFSET_HALF };

#define SHARED(t, n, c)                                                      \
    {                                                                        \
        .tile = t, .threads = n, .carry = c, .without = AG_WITHOUT_SUBGROUPS \
    }
#define SUBGROUPS(t, n, c)                                \
    {                                                     \
        .tile = t, .threads = n, .carry = c, .emulate = 1 \
    }

// Every storage, with what together has every offset, origin, edge, format's kind, tile and
// exchange of sums (through shared memory, or by subgroups, emulated if the driver has none).
static void test_each(void **state)
{
    static const sum sums[] = {
        {"r32f", 203, 151, FLOAT, OF_MEAN, AG_SAT_CENTER, .square = 1},
        {"r32f", 203, 151, RESIDUAL, 0, .square = 1},
        {"r32f", 203, 151, DOUBLE, HALF, 0, AG_SAT_EXCLUSIVE, .square = 1},
        {"r32f", 203, 151, SPLIT, 0, .square = 1},
        {"rg32f", 130, 67, FLOAT, 0, .bad = 7},
        {"rg32f", 130, 67, UINT, 0, .bad = 7},
        {"r32f", 45, 39, FLOAT, 0, .placed = true},
        {"r32f", 203, 145, FLOAT, 0, .in_place = true, .layers = 2},
        // The mean of more tiles than a group adds up at once. It is known as a float, and comes
        // off each texel.
        {"rgba32f", 2113, 70, FLOAT, OF_MEAN, .layers = 2, .limit = 300},
        // 8-bit codes as doubles are off by a unit of a float's last place in some drivers.
        {"rgba8", 37, 35, DOUBLE, 0, .limit = 4},
        {"rg8", 141, 83, UINT, 0, .edge = AG_SAT_EXCLUSIVE, .square = 1, .layers = 3},
        {"rgba8", 141, 83, UINT, 0, .tuning = SUBGROUPS(AG_TILE_32, 256, AG_CARRY_STEP)},
        {"rgba16f", 141, 83, UINT, 0, .wraps = true,
         .tuning = SHARED(AG_TILE_64X32, 512, AG_CARRY_FOLDED)},
        // With 64 threads one thread has several carry-ins, which shows a missing barrier.
        {"r32f", 300, 131, UINT, 0, .wraps = true,
         .tuning = SHARED(AG_TILE_64X32, 64, AG_CARRY_FOLDED)},
    };
    rng r = rng_start("each", 75);
    ag_pass *pass = fixture_pass(*state, "sat");
    bool good = true;
    for (size_t i = 0; i < COUNT(sums); ++i)
        good = check_sum(*state, pass, &r, &sums[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// An axis: about multiples of tiles, of any length, a texel, long. (A bug at widths that are
// multiples of 16 once reached users of another library, because no test had such a width.)
static int length(rng *r, int most)
{
    int kind = rng_int(r, 0, 5);
    int n = kind == 0 ? 1 : kind < 3 ? 16 * rng_int(r, 1, 20) + rng_int(r, -1, 1) : 0;
    n = n ? n : kind < 5 ? rng_int(r, 1, 300) : (int)rng_hdr(r, 1, 16384);
    return n < most ? n : most;
}

static void test_sizes(void **state)
{
    static const ag_tuning ways[] = {SHARED(AG_TILE_64X32, 64, AG_CARRY_FOLDED),
                                     {.tile = AG_TILE_32, .threads = 512},
                                     {.tile = AG_TILE_64, .carry = AG_CARRY_FOLDED, .threads = 512},
                                     {.tile = AG_TILE_32, .carry = AG_CARRY_STEP, .threads = 128},
                                     {.tile = AG_TILE_64, .carry = AG_CARRY_STEP, .threads = 256},
                                     {.threads = 0}};
    rng r = rng_start("sizes", 71);
    ag_pass *pass = fixture_pass(*state, "sat");
    bool good = true, quick = check_tier_now() == CHECK_QUICK;
    sweep *share = sweep_start("sizes", 20);
    for (int i = 0; i < 400; ++i) {
        int first = length(&r, 16384), second = length(&r, first > 600 ? 9 : 300);
        sum c = {
            "r32f", i % 2 ? first : second, i % 2 ? second : first,
            UINT,   .wraps = true,          .tuning = ways[i % (quick ? 2 : (int)COUNT(ways))]};
        if (sweep_takes(share))
            good = check_sum(*state, pass, &r, &c) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Everything with everything that goes together: each case compiles its own shaders.
static void test_random(void **state)
{
    static const int threads[] = {0, 64, 128, 256, 512}; // 0: chosen
    rng r = rng_start("random", 78);
    ag_pass *pass = fixture_pass(*state, "sat");
    bool good = true;
    sweep *share = sweep_start("random", 240);
    for (int i = 0; i < 240; ++i) {
        const format_info *format = format_at(i % FORMAT_COUNT);
        sum c = {format->name, rng_int(&r, 1, 220), rng_int(&r, 1, 160), rng_int(&r, FLOAT, SPLIT),
                 .square = rng_int(&r, 0, 1)};
        if (c.storage == UINT && format->kind == FORMAT_SRGB)
            c.storage = FLOAT; // a driver's pow decides which units a code becomes
        bool integers = c.storage == UINT, split = c.storage == SPLIT;
        c.offset = integers ? 0 : rng_int(&r, 0, 2);
        c.origin = integers || split ? 0 : rng_int(&r, 0, 1);
        c.edge = c.origin || split ? 0 : rng_int(&r, 0, 1);
        c.layers = rng_int(&r, 0, 2) ? 0 : 3;
        c.tuning = (ag_tuning){.tile = rng_int(&r, 0, 3),
                               .threads = threads[rng_int(&r, 0, 4)],
                               .carry = rng_int(&r, 0, 2),
                               .emulate = rng_int(&r, 0, 1)};
        c.tuning.without = c.tuning.emulate ? 0 : AG_WITHOUT_SUBGROUPS;
        c.placed = !c.square && !c.edge && c.storage == FLOAT && c.width < 90 && c.height < 80;
        c.in_place = !c.square && !c.edge && c.storage == FLOAT && !c.placed &&
                     format->bits[0] == 32 && format->kind == FORMAT_FLOAT;
        if (format->kind != FORMAT_FLOAT && !integers)
            c.limit = 12;
        if (c.offset == OF_MEAN)
            c.limit = 300;
        // A driver's float of a 10-bit code, which need not be the nearest to code / 1023, decides
        // which units its square becomes.
        if (integers && c.square && format->bits[0] == 10)
            c.storage = FLOAT;
        if (sweep_takes(share))
            good = check_sum(*state, pass, &r, &c) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// 8-bit codes never wrap up to 4096 x 4096: the last entry is the plain sum.
static void test_codes(void **state)
{
    enum { SIZE = 4096 };
    rng r = rng_start("codes", 73);
    double *src = values_noise(&r, "r8", SIZE, SIZE, 0.9, 1), total = 0;
    ag_sat_settings s;
    trial t = table_of(*state, "codes", "r8", SIZE, SIZE, src, &s);
    s.storage = AG_SAT_UINT32;
    table_outputs(&t, NULL, NULL);
    bool good = trial_check(&t);
    for (size_t i = 0; i < (size_t)SIZE * SIZE; ++i)
        total += rint(src[i] * 255);
    CHECK(good && total > 4e9 && t.got[DST][(size_t)SIZE * SIZE - 1] == total);
    trial_free(&t);
    free(src);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_each),       FIXTURE_SWEEP(test_sizes),
        FIXTURE_SWEEP(test_random),    FIXTURE_FULL(test_codes),
        FIXTURE_SWEEP(test_precision), FIXTURE_SWEEP(test_error_bounds),
        FIXTURE_SWEEP(test_queries),   FIXTURE_TEST(test_query_refuses),
        FIXTURE_TEST(test_declared),   FIXTURE_TEST(test_unscrubbed),
        FIXTURE_TEST(test_shifted),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
