// test_sat_ladder.c - the documents' scans, "sat_ladder": bits of integers, bounds of floats
// SPDX-License-Identifier: MIT
#include "test_sat_ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tuning.h"
#include "sat_ref.h"

enum { SRC = AG_SAT_LADDER_SRC, DST = AG_SAT_LADDER_DST };

// ---- a scan, and its exact result --------------------------------------------------------------

static double ulp_of(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent - 24);
}

// Bad texels count as 0. Codes are exact, which Mesa's reads of them as floats are not.
static double *clean_input(const trial *t, const trial_part *p)
{
    size_t texels = (size_t)(p->width * p->height), count = texels * (size_t)p->channels;
    double *values = trial_input(t, SRC, 0);
    for (size_t i = 0; i < count; ++i)
        values[i] = isfinite(values[i]) ? values[i] : 0;
    texture_quantise(t->slots[SRC].format, values, texels);
    return values;
}

// t->limit: last places of the largest sum of magnitudes.
static bool scanned(trial *t, const trial_part *p, double *want, double *bound)
{
    int n = p->channels;
    size_t count = (size_t)(p->width * p->height * n);
    double *src = clean_input(t, p), *sizes = check_doubles(count);
    for (size_t i = 0; i < count; ++i)
        sizes[i] = fabs(src[i]);
    double *sums = sat_ref_table(src, p->width, p->height, n, NULL, 1, false);
    double *all = sat_ref_table(sizes, p->width, p->height, n, NULL, 1, false);
    double largest = all[count - 1];
    for (size_t i = 0; i < count; ++i)
        bound[i] = t->limit * ulp_of(largest > 0 ? largest : 1);
    memcpy(want, sums, count * sizeof *want);
    free(all);
    free(sums);
    free(sizes);
    free(src);
    return true;
}

static bool scanned_integers(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_sat_ladder_settings *s = t->settings;
    const format_info *src = t->textures[SRC].format;
    bool counts = src->kind == FORMAT_UNORM && src->bits[0] == 8;
    float units = counts ? 255.0f : ldexpf(1, s->fraction_bits);
    size_t count = (size_t)(p->width * p->height * p->channels);
    double *values = clean_input(t, p);
    uint64_t *codes = check_allocate(count * sizeof *codes);
    (void)bound;
    for (size_t i = 0; i < count; ++i)
        codes[i] = sat_ref_units(values[i], units, s->max_value, 1, counts);
    uint32_t *sums = sat_ref_integers(codes, p->width, p->height, p->channels);
    for (size_t i = 0; i < count; ++i)
        want[i] = sums[i];
    free(sums);
    free(codes);
    free(values);
    return true;
}

trial scan_of(fixture *f, ag_pass *pass, int method, const char *format, int width, int height,
              const double *src, ag_sat_ladder_settings *s)
{
    static const char *const tables[] = {"", "r32f", "rg32f", "rgba32f", "rgba32f"};
    trial t = trial_of(f, "sat_ladder", "sums", s, sizeof *s);
    s->method = method;
    t.pass = pass;
    t.slots[SRC] = trial_image(format, width, height, src);
    t.slots[DST] = trial_image(tables[format_named(format)->channels], width, height, NULL);
    t.reference = scanned;
    return t;
}

trial scan_of_integers(fixture *f, ag_pass *pass, int method, const char *format, int width,
                       int height, const double *src, ag_sat_ladder_settings *s)
{
    static const char *const tables[] = {"", "r32ui", "rg32ui", "rgba32ui", "rgba32ui"};
    trial t = scan_of(f, pass, method, format, width, height, src, s);
    s->storage = AG_SCAN_UINT32;
    s->fraction_bits = 20; // wraps early: entries must be right modulo 2^32
    s->max_box = 40;
    t.slots[DST].format = tables[format_named(format)->channels];
    t.reference = scanned_integers;
    return t;
}

// The bound that the plan states.
static double stated_bound(trial *t)
{
    const ag_plan *plan = NULL;
    ag_tuning *tuning = ag_device_tuning(t->f->device), former = *tuning;
    trial_make(t);
    if (t->tuning)
        *tuning = *t->tuning;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    *tuning = former;
    const char *within = strstr(plan->text, "within ");
    CHECK_F(within != NULL, "%s", plan->text);
    return strtod(within + 7, NULL);
}

bool scan_check(trial *t)
{
    if (t->reference == scanned)
        t->limit = stated_bound(t);
    bool good = trial_check(t);
    trial_free(t);
    return good;
}

// ---- integers ----------------------------------------------------------------------------------

// The sizes of test_sat.c.
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},     {1, 77},   {77, 1},      {31, 33},   {32, 32},
                                   {33, 31},   {63, 65},  {64, 64},     {65, 63},   {127, 129},
                                   {129, 127}, {1023, 5}, {7, 1025},    {2047, 9},  {3, 2049},
                                   {4097, 3},  {3, 4097}, {1921, 1081}, {16384, 2}, {2, 16384}};
    fixture *f = *state;
    rng r = rng_start("sizes", 101);
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    bool good = true;
    sweep *share = sweep_start("sizes", 80);
    for (int method = 0; method < METHODS; ++method)
        for (size_t i = 0; i < COUNT(sizes); ++i) {
            if (!sweep_takes(share))
                continue;
            ag_sat_ladder_settings s;
            double *src = values_noise(&r, "r32f", sizes[i][0], sizes[i][1], 0, 1);
            trial t = scan_of_integers(f, pass, method, "r32f", sizes[i][0], sizes[i][1], src, &s);
            good = scan_check(&t) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Every other one is a rectangle within larger textures.
static void test_formats(void **state)
{
    static const char *const formats[] = {"r8", "rg8", "rgba8", "rg16f", "rgba16f", "rgba32f"};
    enum { W = 141, H = 83 };
    fixture *f = *state;
    rng r = rng_start("formats", 102);
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    bool good = true;
    sweep *share = sweep_start("formats", 72);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        double *src = values_noise(&r, formats[i], W, H, 0, 1);
        for (int method = 0; method < METHODS; ++method)
            if (sweep_takes(share)) {
                ag_sat_ladder_settings s;
                trial t = scan_of_integers(f, pass, method, formats[i], W, H, src, &s);
                if (method % 2)
                    for (int slot = SRC; slot <= DST; ++slot) {
                        t.slots[slot].x = 3 + 4 * slot;
                        t.slots[slot].y = 9 - 7 * slot;
                        t.slots[slot].w = W - 15;
                        t.slots[slot].h = H - 12;
                    }
                good = scan_check(&t) && good;
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// What the bench varies: tiles in shared memory, subgroups and columns a group.
static void test_variants(void **state)
{
    enum { W = 205, H = 147 };
    static const struct {
        int method, subgroups, columns, tile;
        ag_tuning tuning;
    } ways[] = {
        {AG_SCAN_TRANSPOSE_SCAN, 8, 8, AG_SCAN_TILE_UNPADDED, {0}},
        {AG_SCAN_TRANSPOSE_SCAN, 8, 8, AG_SCAN_TILE_SWIZZLED, {0}},
        {AG_SCAN_TRANSPOSE_SCAN, 8, 8, AG_SCAN_TILE_DIRECT, {0}},
        {AG_SCAN_BLELLOCH, 8, 8, AG_SCAN_TILE_UNPADDED, {0}},
        {AG_SCAN_SCANROW_BRLT, 1, 8, AG_SCAN_TILE_UNPADDED, {0}},
        {AG_SCAN_SCANROW_BRLT, 2, 8, AG_SCAN_TILE_SWIZZLED, {0}},
        {AG_SCAN_SCANROW_BRLT, 4, 8, 0, {0}},
        {AG_SCAN_SCANROW_BRLT, 16, 8, 0, {0}},
        {AG_SCAN_SCANROW_BRLT, 32, 8, 0, {0}},
        {AG_SCAN_SCANROWCOLUMN, 1, 8, 0, {0}},
        {AG_SCAN_SCANROWCOLUMN, 32, 8, 0, {0}},
        {AG_SCAN_KOGGE_STONE, 8, 1, 0, {0}},
        {AG_SCAN_LADNER_FISCHER, 8, 32, 0, {.without = AG_WITHOUT_SUBGROUPS}},
        {AG_SCAN_LADNER_FISCHER, 8, 8, 0, {.emulate = 1}},
        {AG_SCAN_BLELLOCH, 8, 16, 0, {0}},
    };
    static const char *const formats[] = {"r32f", "rgba8"};
    fixture *f = *state;
    rng r = rng_start("variants", 103);
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    bool good = true;
    sweep *share = sweep_start("variants", 30);
    for (size_t k = 0; k < COUNT(formats); ++k) {
        double *src = values_noise(&r, formats[k], W, H, 0, 1);
        for (size_t i = 0; i < COUNT(ways); ++i)
            if (sweep_takes(share)) {
                ag_sat_ladder_settings s;
                trial t = scan_of_integers(f, pass, ways[i].method, formats[k], W, H, src, &s);
                s.tile = ways[i].tile;
                s.subgroups = ways[i].subgroups;
                s.columns = ways[i].columns;
                t.tuning = &ways[i].tuning;
                good = scan_check(&t) && good;
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- floats ------------------------------------------------------------------------------------

static void test_floats(void **state)
{
    static const int sizes[][2] = {{1, 1}, {203, 151}, {1201, 66}, {5, 1301}};
    static const char *const formats[] = {"rgba32f", "r32f", "rg16f", "rgba8"};
    fixture *f = *state;
    rng r = rng_start("floats", 104);
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    bool good = true;
    sweep *share = sweep_start("floats", 48);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double low = i == 1 ? -1 : 0;
        double *src = values_noise(&r, formats[i], sizes[i][0], sizes[i][1], low, 1);
        for (int method = 0; method < METHODS; ++method)
            if (sweep_takes(share)) {
                ag_sat_ladder_settings s;
                trial t = scan_of(f, pass, method, formats[i], sizes[i][0], sizes[i][1], src, &s);
                good = scan_check(&t) && good;
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Each method, in each tier. With scrub a bad texel is 0 and counted once; without, the entries
// right of it and below are not finite.
static void test_bad_texels(void **state)
{
    enum { W = 141, H = 83, BAD = 5 };
    static const int at[BAD][2] = {{0, 0}, {W - 1, H - 1}, {33, 7}, {34, 7}, {12, 40}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "sat_ladder");
    rng r = rng_start("bad texels", 105);
    bool good = true;
    double *src = values_noise(&r, "r32f", W, H, 0, 1);
    for (int i = 0; i < BAD; ++i)
        src[at[i][1] * W + at[i][0]] = i % 2 ? (double)INFINITY : (double)NAN;
    for (int method = 0; method < METHODS; ++method) {
        ag_sat_ladder_settings s;
        trial t = scan_of(f, pass, method, "r32f", W, H, src, &s);
        s.turns = 1 << 24; // of lookback: a repair would count them again
        t.limit = stated_bound(&t);
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        uint64_t counted = fixture_scrubbed(f) - before;
        bool spreads = true;
        if (check_tier_now() != CHECK_QUICK || method % 4 == 0) { // shaders of their own
            s.scrub = 0;
            trial_run(&t);
            spreads = !isfinite(t.got[DST][W * H - 1]);
        }
        printf("  %-5s %d bad texels of %d counted; without scrub they spread: %d\n",
               counted == BAD && spreads ? "ok" : "WRONG", (int)counted, BAD, spreads);
        good = good && counted == BAD && spreads;
        trial_free(&t);
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- refusals ----------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    const ag_sat_ladder_settings plain = AG_SAT_LADDER_DEFAULTS;
    ag_sat_ladder_settings tree = plain, bands = plain, columns = plain, rows = plain, deep = plain;
    tree.method = AG_SCAN_BLELLOCH;
    tree.tile = AG_SCAN_TILE_SWIZZLED;
    bands.method = AG_SCAN_SCANROW_BRLT;
    bands.tile = AG_SCAN_TILE_DIRECT;
    columns.columns = 3;
    rows.rows = 48;
    deep.storage = AG_SCAN_UINT32;
    deep.fraction_bits = 24;
    const struct {
        const char *word, *src, *dst;
        const ag_sat_ladder_settings *settings;
        int layers, more, status;
    } cases[] = {
        {"method blelloch takes tile padded or unpadded", "r32f", "r32f", &tree, 0, 0, AG_E_ARG},
        {"method scanrow_brlt takes tile padded, unpadded", "r32f", "r32f", &bands, 0, 0, AG_E_ARG},
        {"takes columns 1, 2, 4", "r32f", "r32f", &columns, 0, 0, AG_E_ARG},
        {"takes rows 32 or 64", "r32f", "r32f", &rows, 0, 0, AG_E_ARG},
        {"max_box 0 (0: the image) of 40x30", "r32f", "r32ui", &deep, 0, 0, AG_E_ARG},
        {"storage float32 wants 32F", "r32f", "r32ui", &plain, 0, 0, AG_E_FORMAT},
        {"storage uint32 wants 32UI", "r32f", "r32f", &deep, 0, 0, AG_E_FORMAT},
        {"dst has 2 channels, src only 1", "r32f", "rg32f", &plain, 0, 0, AG_E_FORMAT},
        {"src", "r32f", "r32f", &plain, 2, 0, AG_E_ARG},
        {"dst", "r32f", "r32f", &plain, 0, 1, AG_E_SIZE},
    };
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_sat_ladder_settings s;
        trial t = scan_of(*state, NULL, 0, cases[i].src, 40, 30, NULL, &s);
        s = *cases[i].settings;
        t.slots[DST].format = cases[i].dst;
        t.slots[DST].width += cases[i].more;
        t.slots[SRC].layers = t.slots[DST].layers = cases[i].layers;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),           FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_variants),        FIXTURE_SWEEP(test_floats),
        FIXTURE_TEST(test_bad_texels),       FIXTURE_TEST(test_refusals),
        FIXTURE_TEST(test_golden),           UNIT_TEST(test_work),
        FIXTURE_SWEEP(test_silent_tiles),    FIXTURE_TEST(test_expired),
        FIXTURE_TEST(test_indirect_binding), FIXTURE_TEST(test_narrow),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_ladder, fixture_teardown);
}
