// test_mipchain.c - every level against double precision: sizes, formats, reductions, exactness
// SPDX-License-Identifier: MIT
#include "test_mipchain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "minimums.h"
#include "mip_ref.h"

static const char *const reductions[] = {"mean", "min", "max", "minmax", "first"};
static const char *const weights[] = {"none", "karis", "alpha", "coverage"};

// ---- a chain and its exact levels --------------------------------------------------------------

const char *chain_reduction(int reduce)
{
    return reductions[reduce];
}

ag_mipchain_settings chain_defaults(fixture *f)
{
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    return s;
}

double *chain_noise(rng *r, const char *format, size_t texels)
{
    const format_info *info = format_named(format);
    size_t count = texels * (size_t)info->channels;
    double *values = check_doubles(count);
    if (info->kind == FORMAT_FLOAT)
        rng_fill_hdr(r, values, count, 0.01, 100);
    else
        rng_fill_uniform(r, values, count, 0, 1);
    if (info->kind == FORMAT_FLOAT && info->bits[0] > 11)
        for (size_t i = 0; i < count; i += 3)
            values[i] = -values[i];
    texture_quantise(format, values, texels);
    return values;
}

ag_job chain_job(const ag_texture *slot, const ag_mipchain_settings *s)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slot,
                    .slot_count = 1,
                    .settings = s,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
}

// The error of a value over its limit, in the units of mipchain.h: at most 1.
static double excess(const chain *c, int channel, double exact, double magnitude, double got)
{
    const format_info *info = format_named(c->format);
    if (c->settings.reduce != AG_MIP_MEAN)
        return got == exact || (isnan(got) && isnan(exact)) ? 0 : (double)INFINITY;
    if (isnan(got))
        return (double)NAN;
    if (info->kind == FORMAT_FLOAT && info->bits[0] == 32) {
        double bound = 8 * ldexp(1, -24) * magnitude;
        return bound > 0 ? fabs(got - exact) / bound : got == exact ? 0 : (double)INFINITY;
    }
    if (info->kind == FORMAT_FLOAT) {
        double bound = 0.01 * format_unit(info, channel, magnitude);
        return format_error_units(info, channel, exact, got, bound) / 0.5;
    }
    return format_error_units(info, channel, exact, got, ldexp(1, -14)) / 0.5;
}

bool chain_levels_right(fixture *f, const chain *c, const texture *t, double *worst)
{
    const format_info *info = t->format;
    size_t n = (size_t)info->channels, count = (size_t)c->width * (size_t)c->height * n;
    mip_ref ref = {info->channels, c->settings.reduce, c->settings.weight};
    double *above = check_doubles(count), *size = check_doubles(count);
    for (size_t i = 0; i < count; ++i) {
        above[i] = c->values[i];
        size[i] = fabs(above[i]);
    }
    int levels = texture_full_levels(c->width, c->height) - 1;
    levels = c->settings.levels && c->settings.levels < levels ? c->settings.levels : levels;
    bool good = true;
    for (int level = 1; level <= levels; ++level) {
        int width = texture_level_size(c->width, level - 1),
            height = texture_level_size(c->height, level - 1);
        size_t texels = (size_t)texture_level_size(c->width, level) *
                        (size_t)texture_level_size(c->height, level);
        double *exact = check_doubles(texels * n), *magnitude = check_doubles(texels * n);
        if (c->settings.exactness == AG_MIP_DIRECT)
            mip_ref_direct(c->values, c->width, c->height, info->channels, level, exact, magnitude);
        else
            mip_ref_level(&ref, above, size, width, height, level == 1, exact, magnitude);
        double *got = texture_read(f, t, level);
        for (size_t i = 0; i < texels * n; ++i) {
            double e = excess(c, (int)(i % n), exact[i], magnitude[i], got[i]);
            if (!(e <= *worst))
                *worst = e;
            if (!(e <= 1) && good) {
                printf("  level %d, %zu, %zu, channel %zu: %.9g, exact %.9g\n", level,
                       i / n % (size_t)texture_level_size(c->width, level),
                       i / n / (size_t)texture_level_size(c->width, level), i % n, got[i],
                       exact[i]);
                good = false;
            }
        }
        free(got);
        free(above);
        free(size);
        above = exact;
        size = magnitude;
    }
    free(above);
    free(size);
    return good;
}

texture chain_texture(fixture *f, const chain *c)
{
    texture t = texture_create_array(f, c->format, c->width, c->height, 0,
                                     texture_full_levels(c->width, c->height), NULL);
    texture_poison(f, &t);
    texture_upload(f, &t, 0, c->values);
    return t;
}

// Runs a case; level 0 must stay as it was, and levels that were not asked for poison.
static bool check_chain(fixture *f, ag_pass *pass, const chain *c)
{
    texture t = chain_texture(f, c);
    uint8_t *before = texture_read_bytes(f, &t, 0);
    ag_texture slot = texture_view(&t);
    ag_job job = chain_job(&slot, &c->settings);
    fixture_run(f, pass, &job);
    uint8_t *after = texture_read_bytes(f, &t, 0);
    bool kept = memcmp(before, after, texture_byte_count(&t, 0)) == 0;
    for (int i = c->settings.levels + 1; c->settings.levels && i < t.levels; ++i)
        kept &= texture_poison_count(f, &t, i, 0, 0, 0, 0) ==
                texture_value_count(&t, i) / (size_t)t.format->channels;
    double w = 0;
    bool good = chain_levels_right(f, c, &t, &w) && kept;
    char name[128];
    snprintf(name, sizeof name, "%s %dx%d %s %s", c->format, c->width, c->height,
             reductions[c->settings.reduce], weights[c->settings.weight]);
    good &= check_limit(name, w, 1) && check_case("level 0 is kept", kept);
    free(before);
    free(after);
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    return good;
}

static bool check_noise(fixture *f, ag_pass *pass, rng *r, const char *format, int width,
                        int height, int reduce, int weight)
{
    chain c = {format, width, height, chain_defaults(f), NULL};
    c.settings.reduce = reduce;
    c.settings.weight = weight;
    double *values = chain_noise(r, format, (size_t)width * (size_t)height);
    for (int i = 0; weight && i < width * height * format_named(format)->channels; ++i)
        values[i] = fabs(values[i]); // weights are for light and coverage
    c.values = values;
    bool good = check_chain(f, pass, &c);
    free(values);
    return good;
}

// ---- tests -------------------------------------------------------------------------------------

static void test_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{1, 1},     {2, 2},     {3, 3},     {5, 5},     {7, 7},
                                   {1, 9},     {64, 64},   {128, 32},  {65, 63},   {255, 257},
                                   {257, 255}, {79, 79},   {513, 1},   {320, 180}, {683, 384},
                                   {1023, 3},  {16, 1024}, {511, 511}, {127, 47}};
    rng r = rng_start("sizes", 72);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("sizes", 4);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int k = 0; k < 2; ++k)
            if (sweep_takes(share))
                good &= check_noise(f, pass, &r, k ? "rgba8" : "rgba16f", sizes[i][0], sizes[i][1],
                                    0, 0);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Sizes whose chains are long, odd at many levels, or more than one dispatch; 200 random ones and
// the large ones of them beyond the quick tier.
static void test_more_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{1920, 1080}, {1366, 768}, {4095, 3}, {64, 4096}, {2047, 2047}};
    rng r = rng_start("more sizes", 73);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool more = check_tier_now() != CHECK_QUICK, good = true;
    sweep *share = sweep_start("more sizes", 4);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        if ((more || sizes[i][0] * sizes[i][1] < 300000) && sweep_takes(share))
            good &=
                check_noise(f, pass, &r, i % 2 ? "r8" : "rgba16f", sizes[i][0], sizes[i][1], 0, 0);
    for (int i = 0; i < (more ? 200 : 12); ++i) {
        int width = (int)rng_hdr(&r, 1, 700), height = (int)rng_hdr(&r, 1, more ? 700 : 200);
        if (!sweep_takes(share))
            continue;
        good &= check_noise(f, pass, &r, i % 2 ? "rg8" : "r16f", width, height,
                            i % 3 ? 0 : i / 3 % 3, 0);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Some of the levels: never more dispatches than two, also where the chain's end is made elsewhere
// than by one group (6 and 7 levels of a long line, of odd sizes and of even ones).
static void test_some_levels(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{5000, 3}, {700, 517}, {2, 1040}};
    rng r = rng_start("some levels", 79);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("some levels", 4);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        int width = sizes[i][0], height = sizes[i][1];
        double *values = chain_noise(&r, "rgba8", (size_t)width * (size_t)height);
        int most = texture_full_levels(width, height) - 1;
        for (int levels = 1; levels <= most; ++levels) {
            chain c = {"rgba8", width, height, chain_defaults(f), values};
            c.settings.levels = levels;
            if (levels != 7 && !sweep_takes(share))
                continue;
            good &= check_chain(f, pass, &c);
            texture t = chain_texture(f, &c);
            ag_texture slot = texture_view(&t);
            ag_job job = chain_job(&slot, &c.settings);
            const ag_plan *plan = NULL;
            CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
            CHECK_F(plan->step_count <= 2 || minimums_wanted(), "%d levels of %dx%d: %s", levels,
                    width, height, plan->text);
            texture_destroy(f, &t);
        }
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static bool allowed(const format_info *format, int reduce, int weight)
{
    bool alpha = weight != AG_MIP_WEIGHT_ALPHA || format->channels == 4;
    bool two = reduce != AG_MIP_MINMAX || format->channels == 2;
    return alpha && two && (reduce == AG_MIP_MEAN || weight == AG_MIP_WEIGHT_NONE);
}

// Every combination that is allowed, at a size that is odd at most levels.
static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 74);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("formats", 5); // of six to eight: each format at least once
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int reduce = 0; reduce <= AG_MIP_FIRST; ++reduce)
            for (int weight = 0; weight <= AG_MIP_WEIGHT_ALPHA; ++weight)
                if (allowed(format_at(i), reduce, weight) && sweep_takes(share))
                    good &= check_noise(f, pass, &r, format_at(i)->name, 87, 46, reduce, weight);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// exactness = direct, at sizes that are odd at level 1, 2 and later, and where both kinds are the
// same.
static void test_direct(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{87, 46}, {255, 127}, {64, 64}, {300, 7}, {1, 30}, {40, 24}};
    static const char *const formats[] = {"rgba16f", "rgba8",      "r32f",
                                          "srgb8",   "r11g11b10f", "rg16f"};
    rng r = rng_start("direct", 78);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    sweep *share = sweep_start("direct", 4);
    for (size_t i = 0; i < 12; ++i) {
        if (!sweep_takes(share))
            continue;
        chain c = {formats[(i + i / 6) % 6], sizes[i % 6][0], sizes[i % 6][1], chain_defaults(f),
                   NULL};
        c.settings.exactness = AG_MIP_DIRECT;
        double *values = chain_noise(&r, c.format, (size_t)c.width * (size_t)c.height);
        c.values = values;
        good &= check_chain(f, pass, &c);
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),           FIXTURE_SWEEP(test_more_sizes),
        FIXTURE_SWEEP(test_formats),         FIXTURE_SWEEP(test_direct),
        FIXTURE_SWEEP(test_coverage),        FIXTURE_TEST(test_impulses),
        FIXTURE_TEST(test_constants),        FIXTURE_TEST(test_checker),
        FIXTURE_SWEEP(test_scrub),           FIXTURE_SWEEP(test_rectangles_and_layers),
        FIXTURE_TEST(test_units_and_levels), FIXTURE_SWEEP(test_some_levels),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
