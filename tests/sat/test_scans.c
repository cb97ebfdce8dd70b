// test_scans.c - the documents' scans as methods of "sat": bits, bounds, trees, segments, work
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effects/sat/sat_ladder.h"
#include "effects/sat/sat_plan.h"
#include "shaders/sat/ladder/interface.h"
#include "test_scans.h"

static const char *const names[] = {
    "hensley",        "hensley_radix4", "hensley_radix16", "kogge_stone",
    "ladner_fischer", "blelloch",       "segmented",       "scan_transpose_scan",
    "scanrow_brlt",   "scanrowcolumn",  "lookback"};

static summing scan_case(fixture *f, int method, int width, int height, const double *src)
{
    summing c = {
        .name = names[method - AG_SAT_HENSLEY], .width = width, .height = height, .src = src};
    c.settings = summing_defaults(f);
    c.settings.method = method;
    return c;
}

// ---- integers ----------------------------------------------------------------------------------

// Entries that differ from sums modulo 2^32.
size_t scan_wrong(fixture *f, ag_pass *pass, const summing *c)
{
    summed s = summing_run(f, pass, c);
    const format_info *src = format_named(c->src_format ? c->src_format : "r32f");
    bool counts = src->kind == FORMAT_UNORM && src->bits[0] == 8;
    float units = counts ? 255.0f : ldexpf(1, c->settings.fraction_bits);
    size_t count = (size_t)c->width * (size_t)c->height * (size_t)src->channels, wrong = 0;
    uint64_t *codes = check_allocate(count * sizeof *codes);
    for (size_t i = 0; i < count; ++i)
        codes[i] = sat_ref_units(c->src[i], units, c->settings.max_value, 1, counts);
    uint32_t *want = sat_ref_integers(codes, c->width, c->height, src->channels);
    for (size_t i = 0; i < count; ++i)
        wrong += !(s.values[SUMMED_DST][i] == want[i]);
    free(want);
    free(codes);
    summed_free(f, &s);
    printf("  %-5s %s %dx%d %s: %zu of %zu entries differ\n", wrong ? "WRONG" : "ok", c->name,
           c->width, c->height, src->name, wrong, count);
    return wrong;
}

static void set_integers(summing *c)
{
    c->settings.storage = AG_SAT_UINT32;
    c->settings.fraction_bits = 20; // wraps early: entries must be right modulo 2^32
    c->settings.max_box = 40;
}

// The sizes of test_sat.c.
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},     {1, 77},   {77, 1},      {31, 33},   {32, 32},
                                   {33, 31},   {63, 65},  {64, 64},     {65, 63},   {127, 129},
                                   {129, 127}, {1023, 5}, {7, 1025},    {2047, 9},  {3, 2049},
                                   {4097, 3},  {3, 4097}, {1921, 1081}, {16384, 2}, {2, 16384}};
    fixture *f = *state;
    rng r = rng_start("sizes", 101);
    ag_pass *pass = fixture_pass(f, "sat");
    size_t wrong = 0;
    sweep *share = sweep_start("sizes", 12);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double *src = summing_noise(&r, NULL, sizes[i][0], sizes[i][1], 0, 1);
        for (int method = AG_SAT_HENSLEY; method <= SCAN_LAST; ++method) {
            if (!sweep_takes(share))
                continue;
            summing c = scan_case(f, method, sizes[i][0], sizes[i][1], src);
            set_integers(&c);
            wrong += scan_wrong(f, pass, &c);
        }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK_EQ(wrong, 0);
}

static void test_formats(void **state)
{
    static const char *const formats[] = {"r8", "rg8", "rgba8", "rg16f", "rgba16f", "rgba32f"};
    enum { W = 141, H = 83 };
    fixture *f = *state;
    rng r = rng_start("formats", 102);
    ag_pass *pass = fixture_pass(f, "sat");
    size_t wrong = 0;
    sweep *share = sweep_start("formats", 8);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        double *src = summing_noise(&r, formats[i], W, H, 0, 1);
        for (int method = AG_SAT_HENSLEY; method <= SCAN_LAST; ++method)
            if (sweep_takes(share)) {
                summing c = scan_case(f, method, W, H, src);
                c.src_format = formats[i];
                set_integers(&c);
                wrong += scan_wrong(f, pass, &c);
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK_EQ(wrong, 0);
}

// What the bench varies: tiles in shared memory, subgroups and columns a group.
static void test_variants(void **state)
{
    static const struct {
        int method;
        ag_tuning tuning;
    } ways[] = {
        {AG_SAT_SCAN_TRANSPOSE_SCAN, {.scan_tile = AG_SCAN_UNPADDED}},
        {AG_SAT_SCAN_TRANSPOSE_SCAN, {.scan_tile = AG_SCAN_SWIZZLED}},
        {AG_SAT_SCAN_TRANSPOSE_SCAN, {.scan_tile = AG_SCAN_DIRECT}},
        {AG_SAT_BLELLOCH, {.scan_tile = AG_SCAN_UNPADDED}},
        {AG_SAT_SCANROW_BRLT, {.scan_tile = AG_SCAN_UNPADDED, .scan_subgroups = 1}},
        {AG_SAT_SCANROW_BRLT, {.scan_tile = AG_SCAN_SWIZZLED, .scan_subgroups = 2}},
        {AG_SAT_SCANROW_BRLT, {.scan_subgroups = 4}},
        {AG_SAT_SCANROW_BRLT, {.scan_subgroups = 16}},
        {AG_SAT_SCANROW_BRLT, {.scan_subgroups = 32}},
        {AG_SAT_SCANROWCOLUMN, {.scan_subgroups = 1}},
        {AG_SAT_SCANROWCOLUMN, {.scan_subgroups = 32}},
        {AG_SAT_KOGGE_STONE, {.scan_columns = 1}},
        {AG_SAT_LADNER_FISCHER, {.scan_columns = 32, .without = AG_WITHOUT_SUBGROUPS}},
        {AG_SAT_LADNER_FISCHER, {.emulate = 1}},
        {AG_SAT_BLELLOCH, {.scan_columns = 16}},
    };
    static const char *const formats[] = {"r32f", "rgba8"};
    enum { W = 205, H = 147 };
    fixture *f = *state;
    rng r = rng_start("variants", 103);
    ag_pass *pass = fixture_pass(f, "sat");
    size_t wrong = 0;
    sweep *share = sweep_start("variants", 5);
    for (size_t k = 0; k < COUNT(formats); ++k) {
        double *src = summing_noise(&r, formats[k], W, H, 0, 1);
        for (size_t i = 0; i < COUNT(ways); ++i)
            if (sweep_takes(share)) {
                summing c = scan_case(f, ways[i].method, W, H, src);
                c.src_format = formats[k];
                c.tuning = ways[i].tuning;
                set_integers(&c);
                wrong += scan_wrong(f, pass, &c);
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK_EQ(wrong, 0);
}

// ---- floats ------------------------------------------------------------------------------------

// The bound that the plan states.
static double stated_bound(fixture *f, ag_pass *pass, const summing *c)
{
    const format_info *src = format_named(c->src_format ? c->src_format : "r32f");
    static const uint32_t tables[] = {0, GL_R32F, GL_RG32F, GL_RGBA32F, GL_RGBA32F};
    ag_texture slots[1 + SUMMED];
    for (int i = 0; i < 1 + SUMMED; ++i)
        slots[i] = texture_no_view();
    for (int i = 0; i < 2; ++i)
        slots[i] = (ag_texture){.struct_size = sizeof(ag_texture),
                                .target = GL_TEXTURE_2D,
                                .format = i ? tables[src->channels] : src->internal,
                                .width = c->width,
                                .height = c->height};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 1 + SUMMED,
                  .settings = &c->settings,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    const char *within = strstr(plan->text, "within ");
    CHECK_F(within != NULL, "%s", plan->text);
    return strtod(within + 7, NULL);
}

bool scan_check_floats(fixture *f, ag_pass *pass, const summing *c)
{
    const format_info *src = format_named(c->src_format ? c->src_format : "r32f");
    int n = src->channels;
    size_t count = (size_t)c->width * (size_t)c->height * (size_t)n;
    double limit = stated_bound(f, pass, c), worst = 0, *sizes = check_doubles(count);
    summed s = summing_run(f, pass, c);
    double *want = sat_ref_table(c->src, c->width, c->height, n, NULL, 1, false);
    for (size_t i = 0; i < count; ++i)
        sizes[i] = fabs(c->src[i]);
    double *all = sat_ref_table(sizes, c->width, c->height, n, NULL, 1, false);
    double ulp = ag_sat_ulp(all[count - 1] > 0 ? all[count - 1] : 1);
    for (size_t i = 0; i < count; ++i) {
        double error = fabs(s.values[SUMMED_DST][i] - want[i]) / ulp;
        worst = error <= worst ? worst : error; // a NaN stays
    }
    char what[96];
    snprintf(what, sizeof what, "%s %dx%d %s, last places", c->name, c->width, c->height,
             src->name);
    free(want);
    free(all);
    free(sizes);
    summed_free(f, &s);
    return check_limit(what, worst, limit);
}

static void test_floats(void **state)
{
    static const int sizes[][2] = {{1, 1}, {203, 151}, {1201, 66}, {5, 1301}};
    static const char *const formats[] = {"rgba32f", "r32f", "rg16f", "rgba8"};
    fixture *f = *state;
    rng r = rng_start("floats", 104);
    ag_pass *pass = fixture_pass(f, "sat");
    bool good = true;
    sweep *share = sweep_start("floats", 8);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        double low = i == 1 ? -1 : 0;
        double *src = summing_noise(&r, formats[i], sizes[i][0], sizes[i][1], low, 1);
        for (int method = AG_SAT_HENSLEY; method <= SCAN_LAST; ++method)
            if (sweep_takes(share)) {
                summing c = scan_case(f, method, sizes[i][0], sizes[i][1], src);
                c.src_format = formats[i];
                good = scan_check_floats(f, pass, &c) && good;
            }
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// With scrub each bad texel is 0 and counted once; without, its quadrant is not finite.
static void test_bad_texels(void **state)
{
    enum { W = 70, H = 45, BAD = 5 };
    static const int at[BAD][2] = {{0, 0}, {69, 44}, {33, 7}, {34, 7}, {12, 40}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "sat");
    rng r = rng_start("bad texels", 105);
    size_t wrong = 0;
    sweep *share = sweep_start("bad texels", 3);
    double *src = summing_noise(&r, "r32f", W, H, 0, 1), *clean = check_doubles(W * H);
    memcpy(clean, src, W * H * sizeof *src);
    for (int i = 0; i < BAD; ++i) {
        src[at[i][1] * W + at[i][0]] = i % 2 ? (double)INFINITY : (double)NAN;
        clean[at[i][1] * W + at[i][0]] = 0;
    }
    double *want = sat_ref_table(clean, W, H, 1, NULL, 1, false);
    for (int method = AG_SAT_HENSLEY; method <= SCAN_LAST; ++method)
        if (sweep_takes(share)) {
            summing c = scan_case(f, method, W, H, src);
            c.tuning.scan_turns = 1 << 24; // of lookback: a repair would count them again
            uint64_t before = fixture_scrubbed(f);
            summed s = summing_run(f, pass, &c);
            uint64_t counted = fixture_scrubbed(f) - before;
            double worst = check_max_error(s.values[SUMMED_DST], want, W * H);
            summed_free(f, &s);
            c.settings.scrub = 0;
            s = summing_run(f, pass, &c);
            bool spreads = !isfinite(s.values[SUMMED_DST][W * H - 1]);
            summed_free(f, &s);
            printf("  %s: %d counted, error %.3g, %s without scrub\n", c.name, (int)counted, worst,
                   spreads ? "not finite" : "FINITE");
            wrong += counted != BAD || !(worst < 0.01) || !spreads;
        }
    free(want);
    free(clean);
    free(src);
    f->ag->pass_destroy(pass);
    CHECK_EQ(wrong, 0);
}

// ---- refusals ----------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    static const struct {
        const char *name, *word;
        int32_t storage, offset, origin, edge, square;
    } cases[] = {
        {"auto", "storage float32 or uint32", AG_SAT_AUTO, 0, 0, 0, 0},
        {"split", "storage float32 or uint32", AG_SAT_SPLIT, 0, 0, 0, 0},
        {"offset", "offset none", AG_SAT_FLOAT32, AG_SAT_OFFSET_HALF, 0, 0, 0},
        {"origin", "origin corner", AG_SAT_FLOAT32, 0, AG_SAT_CENTER, 0, 0},
        {"edge", "edge inclusive", AG_SAT_FLOAT32, 0, 0, AG_SAT_EXCLUSIVE, 0},
        {"square", "no squares", AG_SAT_FLOAT32, 0, 0, 0, 1},
        {"layers", "one layer", AG_SAT_FLOAT32, 0, 0, 0, 0},
    };
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "sat");
    for (int method = AG_SAT_HENSLEY; method <= SCAN_LAST; ++method)
        for (size_t i = 0; i < COUNT(cases); ++i) {
            summing c = scan_case(f, method, 40, 30, NULL);
            bool layers = i == COUNT(cases) - 1;
            c.settings.storage = cases[i].storage;
            c.settings.offset = cases[i].offset;
            c.settings.origin = cases[i].origin;
            c.settings.edge = cases[i].edge;
            c.settings.square = cases[i].square;
            ag_texture slots[1 + SUMMED];
            for (int k = 0; k < 1 + SUMMED; ++k)
                slots[k] = texture_no_view();
            for (int k = 0; k < 2; ++k)
                slots[k] = (ag_texture){.struct_size = sizeof(ag_texture),
                                        .target = layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D,
                                        .format = GL_R32F,
                                        .width = 40 + (k && c.settings.edge),
                                        .height = 30 + (k && c.settings.edge),
                                        .layers = layers ? 2 : 0};
            ag_job job = {.struct_size = sizeof job,
                          .slots = slots,
                          .slot_count = 1 + SUMMED,
                          .settings = &c.settings,
                          .scratch = {.struct_size = sizeof(ag_buffer)}};
            const ag_plan *plan;
            host_log_clear(&f->host);
            CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
            CHECK_HAS(host_log_last(&f->host), cases[i].word);
            CHECK_HAS(host_log_last(&f->host), names[method - AG_SAT_HENSLEY]);
        }
    printf("  ok    the last one: %s\n", host_log_last(&f->host));
    f->ag->pass_destroy(pass);
}

// ---- work --------------------------------------------------------------------------------------

// Each network on an array, an addition at a time: the sums are right, and so is the number.
static uint64_t count_network(int method, int n)
{
    uint64_t *v = check_allocate((size_t)n * sizeof *v), *w = check_allocate((size_t)n * sizeof *w);
    uint64_t *src = check_allocate((size_t)n * sizeof *src), count = 0;
    int radix = method == AG_SAT_HENSLEY_RADIX16 ? 16 : method == AG_SAT_HENSLEY_RADIX4 ? 4 : 2;
    for (int i = 0; i < n; ++i)
        v[i] = src[i] = (uint64_t)(i * i % 97 + 1);
    if (method <= AG_SAT_HENSLEY_RADIX16 || method == AG_SAT_KOGGE_STONE)
        for (int by = 1; by < n; by *= radix) {
            for (int i = 0; i < n; ++i) {
                w[i] = v[i];
                for (int k = 1; k < radix && i - k * by >= 0; ++k, ++count)
                    w[i] += v[i - k * by];
            }
            memcpy(v, w, (size_t)n * sizeof *v);
        }
    else if (method == AG_SAT_LADNER_FISCHER || method == AG_SAT_SCANROW_BRLT ||
             method == AG_SAT_SCANROWCOLUMN) {
        for (int by = 1; by < n; by *= 2)
            for (int i = 0; i < n; ++i)
                if (i & by) {
                    v[i] += v[(i & ~(2 * by - 1)) + by - 1];
                    ++count;
                }
    } else {
        for (int by = 1; by < n; by *= 2)
            for (int last = 2 * by - 1; last < n; last += 2 * by, ++count)
                v[last] += v[last - by];
        v[n - 1] = 0;
        for (int by = n / 2; by > 0; by /= 2)
            for (int last = 2 * by - 1; last < n; last += 2 * by, ++count) {
                uint64_t sum = v[last - by];
                v[last - by] = v[last];
                v[last] += sum;
            }
        for (int i = 0; i < n; ++i, ++count)
            v[i] += src[i];
    }
    uint64_t sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += src[i];
        CHECK(v[i] == sum);
    }
    free(v);
    free(w);
    free(src);
    return count;
}

// Additions of an inclusive scan of n elements in one block, n a power of two where the method
// halves: the serial scan's n - 1 is the least that is possible.
uint64_t ag_scan_additions(int32_t method, int32_t n);
static uint64_t additions_of(int32_t method, int32_t n)
{
    uint64_t count = (uint64_t)n, log = 0, sum = 0;
    int32_t radix = method == AG_SAT_HENSLEY_RADIX16 ? 16 : method == AG_SAT_HENSLEY_RADIX4 ? 4 : 2;
    while (n > 1 << log)
        ++log;
    switch (method) {
    case AG_SAT_HENSLEY:
    case AG_SAT_HENSLEY_RADIX4:
    case AG_SAT_HENSLEY_RADIX16:
        for (int64_t by = 1; by < n; by *= radix)
            for (int64_t k = 1; k < radix && k * by < n; ++k)
                sum += (uint64_t)(n - k * by);
        return sum;
    case AG_SAT_KOGGE_STONE: return count * log - count + 1;
    case AG_SAT_LADNER_FISCHER:
    case AG_SAT_SCANROW_BRLT:
    case AG_SAT_SCANROWCOLUMN: return count / 2 * log;
    case AG_SAT_BLELLOCH:
    case AG_SAT_SEGMENTED:
    case AG_SAT_SCAN_TRANSPOSE_SCAN: return 2 * (count - 1) + count;
    default: return count - 1;
    }
}

// An algorithm is work-efficient if it adds O(n) times: the documents' definition.
static void test_work(void **state)
{
    (void)state;
    printf("  additions of an inclusive scan, by n, and by n - 1 of the serial one\n");
    for (int method = AG_SAT_HENSLEY; method <= AG_SAT_SCANROWCOLUMN; ++method) {
        printf("  %-20s", names[method - AG_SAT_HENSLEY]);
        for (int n = 8; n <= 4096; n *= 8) {
            uint64_t counted = count_network(method, n);
            CHECK_EQ(counted, additions_of(method, n));
            printf(" %6d: %6d (%5.2f)", n, (int)counted, (double)counted / (n - 1));
        }
        puts("");
    }
    CHECK_EQ(additions_of(AG_SAT_HENSLEY, 8), 17);
    CHECK_EQ(additions_of(AG_SAT_LADNER_FISCHER, 32), 80);
    CHECK_EQ(additions_of(AG_SAT_BLELLOCH, 8), 22);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),      FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_variants),   FIXTURE_SWEEP(test_floats),
        FIXTURE_SWEEP(test_bad_texels), FIXTURE_TEST(test_refusals),
        FIXTURE_TEST(test_golden),      FIXTURE_TEST(test_segments),
        UNIT_TEST(test_work),           FIXTURE_SWEEP(test_silent_tiles),
        FIXTURE_TEST(test_expired),     FIXTURE_TEST(test_indirect_binding),
        FIXTURE_TEST(test_narrow),      FIXTURE_FULL(test_many_runs),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
