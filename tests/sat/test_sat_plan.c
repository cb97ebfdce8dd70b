// test_sat_plan.c - choice of storage, fraction bits, plans: pure C
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <afterglow/sat.h>

#include "check.h"
#include "effects/sat/sat_plan.h"
#include "random.h"

static ag_sat_question ask(int width, int height, int min_box, int max_box)
{
    return (ag_sat_question){.struct_size = sizeof(ag_sat_question),
                             .width = width,
                             .height = height,
                             .min_box = min_box,
                             .max_box = max_box,
                             .fraction_bits = -1,
                             .max_value = 1};
}

static void test_ulp(void **state)
{
    (void)state;
    CHECK(ag_sat_ulp(1) == 0x1p-23 && ag_sat_ulp(1.99) == 0x1p-23 && ag_sat_ulp(2) == 0x1p-22);
    CHECK(ag_sat_ulp(16777216) == 2 && ag_sat_ulp(16777215) == 1);
}

// The most bits: with them no box wraps, with one more it could.
static void test_bits(void **state)
{
    rng r = rng_start("bits", 101);
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        ag_sat_question q = ask(rng_int(&r, 1, 16384), rng_int(&r, 1, 16384), 1,
                                rng_int(&r, 0, 3) ? rng_int(&r, 1, 16384) : 0);
        q.max_value = rng_hdr(&r, 1e-5, 60000);
        double w = q.max_box && q.max_box < q.width ? q.max_box : q.width;
        double h = q.max_box && q.max_box < q.height ? q.max_box : q.height;
        int bits = ag_sat_fraction_bits(&q, 1);
        CHECK(bits >= -1 && bits <= 24);
        if (bits >= 0)
            CHECK(w * h * floor(ldexp(q.max_value, bits) + 0.5) < 4294967296.0);
        if (bits < 24)
            CHECK(w * h * (ldexp(q.max_value, bits + 1) + 0.5) >= 4294967296.0);
    }
    ag_sat_question codes = ask(4105, 4105, 1, 0);
    codes.codes = 1;
    CHECK_EQ(ag_sat_fraction_bits(&codes, 1), -1); // 255 * 4105^2 = 2^32 + 2.0 million
    codes.width = codes.height = 4104;
    CHECK_EQ(ag_sat_fraction_bits(&codes, 1), 0);
    CHECK_EQ(ag_sat_fraction_bits(&codes, 2), -1);
    codes.max_box = 257; // 66 049 squares of 255
    CHECK_EQ(ag_sat_fraction_bits(&codes, 2), 0);
    codes.max_box = 258;
    CHECK_EQ(ag_sat_fraction_bits(&codes, 2), -1);
}

// The cheapest storage within the tolerance, against a search here; and known figures.
static void test_choice(void **state)
{
    static const double cost[] = {0, 4, 6, 8, 4.01, 4.5};
    rng r = rng_start("choice", 102);
    (void)state;
    int chosen[6] = {0};
    for (int i = 0; i < 5000; ++i) {
        ag_sat_question q = ask(rng_int(&r, 1, 16384), rng_int(&r, 1, 16384), rng_int(&r, 1, 64),
                                rng_int(&r, 64, 4096));
        q.offset = rng_int(&r, 0, 2);
        q.origin = rng_int(&r, 0, 1);
        q.codes = rng_int(&r, 0, 3) == 0;
        double tolerance = rng_hdr(&r, 1e-8, 1);
        uint32_t allowed = (uint32_t)rng_int(&r, 0, 31) << 1;
        int best = 0;
        for (int s = 1; s <= 5; ++s)
            if ((!allowed || (allowed >> s & 1u)) && ag_sat_error(&q, s) <= tolerance &&
                (!best || cost[s] < cost[best]))
                best = s;
        int got = ag_sat_choose(&q, tolerance, allowed);
        CHECK_EQ(got, best);
        ++chosen[got];
    }
    for (int s = 0; s < 6; ++s) {
        printf("  storage %d chosen %d times\n", s, chosen[s]);
        CHECK(chosen[s] > 0);
    }
    ag_sat_question hd = ask(1920, 1080, 3, 0), large = ask(8192, 8192, 33, 0);
    CHECK_LIMIT("1920x1080 float32, 3x3", ag_sat_error(&hd, AG_SAT_FLOAT32), 0.0573);
    CHECK_LIMIT("8192x8192 float32, 33x33", ag_sat_error(&large, AG_SAT_FLOAT32), 0.0148);
    CHECK_EQ(ag_sat_choose(&hd, 1 / 255.0, 0), AG_SAT_UINT32 + (ag_sat_fraction_bits(&hd, 1) < 7));
    hd.max_value = 60000; // too bright for integers
    CHECK_EQ(ag_sat_choose(&hd, 60000 / 255.0, 0), AG_SAT_SPLIT);
}

// ---- plans -------------------------------------------------------------------------------------

static bool apart(ag_sat_range a, ag_sat_range b)
{
    return !a.bytes || !b.bytes || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
}

// Bytes of shared memory, as the shaders declare it.

static int32_t lanes_shared(const ag_sat_plan *p) // common/subgroups.glsl
{
    return p->subgroups == AG_SUBGROUPS_EMULATED ? p->group_x * p->group_y * 4 : 0;
}

static int32_t reduce_shared(const ag_sat_plan *p)
{
    int32_t threads = p->group_x * p->group_y, sum = ag_sat_sums_wide(&p->request) ? 8 : 4;
    int32_t subgroups = p->planes * threads / 32 * (p->tile_w + 1) * sum + lanes_shared(p);
    int32_t lines =
        p->reduce_batch * (p->group_y * (p->tile_w + 1) + p->group_x * (p->tile_h + 1)) * sum +
        p->planes * (p->tile_w + 1 + 8) * sum;
    return p->subgroups && subgroups > lines
               ? subgroups
               : lines; // the source's texture decides between the two
}

static int32_t finish_shared(const ag_sat_plan *p)
{
    int32_t local = ag_sat_scans_wide(&p->request) ? 8 : 4;
    int32_t wide = p->request.storage == AG_TABLE_UINT32 ? 4 : 8;
    int32_t items = p->tile_w + p->tile_h + (p->folded ? 64 : 0);
    int32_t threads = p->group_x * p->group_y;
    // Last rows of one plane or two, twice if there are more (sat/tile_scan_subgroups.glsl); or the
    // tile of one plane (sat/tile_scan_shared.glsl).
    int32_t at_once = p->planes == 1 || p->tile_w * p->tile_h > 16 * threads ? 1 : 2;
    int32_t rows = threads / 32 * at_once * (p->planes > at_once ? 2 : 1) * p->tile_w * local +
                   lanes_shared(p);
    int32_t tile = (p->tile_h / 2 * (2 * p->tile_w + 17) + threads) * local;
    int32_t corners = p->request.storage == AG_TABLE_SPLIT ? p->planes : 0; // sat/carry_ins.glsl
    return (p->subgroups && rows > tile ? rows : tile) +
           (p->planes * (items + items / 8) + corners) * wide;
}

static void check_plan(const ag_sat_request *r)
{
    ag_sat_plan p;
    CHECK(ag_sat_plan_make(r, &p));
    const ag_sat_range all[] = {p.column_sums, p.row_sums, p.column_carry, p.row_carry};
    for (int i = 0; i < 4; ++i) {
        CHECK(all[i].offset % r->alignment == 0 && all[i].offset + all[i].bytes <= p.layer_bytes);
        for (int k = 0; k < i; ++k)
            CHECK(apart(all[i], all[k]));
    }
    CHECK(p.layer_bytes % r->alignment == 0 && p.scratch_bytes == p.layer_bytes * r->layers);
    CHECK(p.steps >= 2 && p.steps <= 3);
    int threads = p.group_x * p.group_y;
    int texels = p.tile_w * p.tile_h / threads;
    CHECK(p.group_x == 16 && p.group_y % 2 == 0 && texels * threads == p.tile_w * p.tile_h);
    CHECK(threads >= p.tile_w && threads >= p.tile_h && threads <= 512 && texels >= 2 &&
          texels <= 32);
    CHECK(p.tiles_x * p.tile_w >= p.part_width && (p.tiles_x - 1) * p.tile_w < p.part_width);
    CHECK(p.tiles_y * p.tile_h >= p.part_height && (p.tiles_y - 1) * p.tile_h < p.part_height);
    CHECK(p.column_pitch >= p.tiles_x * (p.tile_w + 1) && p.column_pitch % AG_TABLE_LANES == 0);
    CHECK(p.row_pitch >= p.tiles_y * p.tile_h && p.row_pitch % AG_TABLE_LANES == 0);
    CHECK(!p.folded || r->offset == AG_TABLE_PLAIN);
    CHECK(r->storage != AG_TABLE_SPLIT || (p.tile_w == 32 && p.tile_h == 32));
    CHECK(reduce_shared(&p) <= 32768 && finish_shared(&p) <= 32768); // what GL 4.3 promises
    for (int i = 0; i < p.steps; ++i) {
        ag_sat_step step = ag_sat_step_of(&p, i);
        for (int k = 0; k < 3; ++k)
            CHECK(step.groups[k] > 0 && step.groups[k] <= 65535);
    }
}

static void test_plans(void **state)
{
    static const int threads[] = {0, 64, 128, 256, 512};
    rng r = rng_start("plans", 103);
    (void)state;
    for (int i = 0; i < 20000; ++i) {
        int storage = rng_int(&r, 0, 4);
        bool integers = storage == AG_TABLE_UINT32, split = storage == AG_TABLE_SPLIT;
        int offset = integers ? 0 : rng_int(&r, 0, 2), most = rng_int(&r, 0, 1) ? 16384 : 200;
        check_plan(
            &(ag_sat_request){.width = rng_int(&r, 1, most),
                              .height = rng_int(&r, 1, most),
                              .layers = rng_int(&r, 1, 5),
                              .channels = 1 << rng_int(&r, 0, 2),
                              .storage = storage,
                              .offset = offset,
                              .center = !integers && !split && rng_int(&r, 0, 1),
                              .square = rng_int(&r, 0, 1),
                              .tuning = {.tile = rng_int(&r, 0, 3),
                                         .threads = threads[rng_int(&r, 0, 4)],
                                         .carry = rng_int(&r, 0, 2)},
                              .subgroups = rng_int(&r, AG_SUBGROUPS_NONE, AG_SUBGROUPS_EMULATED),
                              .max_value = 1,
                              .max_block_bytes = INT64_MAX,
                              .alignment = 1 << rng_int(&r, 2, 8)});
    }
    ag_sat_plan p;
    CHECK(!ag_sat_plan_make(&(ag_sat_request){.width = 4096,
                                              .height = 4096,
                                              .layers = 1,
                                              .channels = 4,
                                              .max_value = 1,
                                              .max_block_bytes = 1 << 20,
                                              .alignment = 256},
                            &p));
}

// ---- tables of boxes

// Automatic choices, with the minimum limits of GL 4.3, and for the largest images.
static void test_asked_by_default(void **state)
{
    enum { MIN_BLOCK = 1 << 24, MIN_TEXTURE = 16384 };
    static const struct {
        int width, height, storage;
        bool square;
        int64_t block;
        int query;
        const char *text;
    } cases[] = {
        {1024, 1024, AG_TABLE_FLOAT32, false, MIN_BLOCK, AG_QUERY_BUFFER, "a buffer"},
        {1025, 1024, AG_TABLE_FLOAT32, false, MIN_BLOCK, AG_QUERY_TEXTURE,
         "a texture unit (too large for a buffer)"},
        {16384, 16384, AG_TABLE_FLOAT32, false, MIN_BLOCK, AG_QUERY_TEXTURE,
         "a texture unit (too large for a buffer)"},
        {1024, 4096, AG_TABLE_DOUBLE, true, MIN_BLOCK, AG_QUERY_TEXTURE,
         "a texture unit (too large for a buffer)"},
        {1024, 4097, AG_TABLE_DOUBLE, true, MIN_BLOCK, AG_QUERY_IMAGE,
         "image units (too large for a buffer or one texture)"},
        {8192, 8192, AG_TABLE_FLOAT32, false, INT32_MAX, AG_QUERY_BUFFER, "a buffer"},
        {16384, 16384, AG_TABLE_FLOAT32, false, INT32_MAX, AG_QUERY_TEXTURE,
         "a texture unit (too large for a buffer)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ag_sat_request q = {.width = cases[i].width,
                            .height = cases[i].height,
                            .layers = 1,
                            .channels = 4,
                            .storage = cases[i].storage,
                            .square = cases[i].square,
                            .max_block_bytes = cases[i].block,
                            .alignment = 256};
        int query = ag_sat_query(&q, MIN_TEXTURE);
        const char *text = ag_sat_query_text(&q, query);
        printf("  %dx%d, blocks of %lld bytes: %s\n", q.width, q.height,
               (long long)q.max_block_bytes, text);
        CHECK_EQ(query, cases[i].query);
        CHECK(strcmp(text, cases[i].text) == 0);
    }
    // A ready table lies in a texture, so a buffer is no choice.
    CHECK_EQ(ag_sat_query_ready(AG_TABLES_AUTO, true), AG_QUERY_TEXTURE);
    CHECK_EQ(ag_sat_query_ready(AG_TABLES_TEXTURE, true), AG_QUERY_TEXTURE);
    for (int wanted = AG_TABLES_AUTO; wanted <= AG_TABLES_BUFFER; ++wanted)
        CHECK_EQ(ag_sat_query_ready(wanted, false), AG_QUERY_IMAGE);
    CHECK_EQ(ag_sat_query_ready(AG_TABLES_IMAGE, true), AG_QUERY_IMAGE);
    CHECK_EQ(ag_sat_query_ready(AG_TABLES_BUFFER, true), AG_QUERY_IMAGE);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_ulp), UNIT_TEST(test_bits), UNIT_TEST(test_choice),
                                UNIT_TEST(test_plans), UNIT_TEST(test_asked_by_default)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
