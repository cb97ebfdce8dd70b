// test_mipchain.c - every level against double precision: sizes, formats, reductions, rectangles, layers
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/mipchain.h"
#include "fixture.h"
#include "mip_ref.h"
#include "random.h"
#include "texture.h"

static const char *const reductions[] = {"mean", "min", "max", "minmax", "first"};
static const char *const weights[] = {"none", "karis", "alpha"};

typedef struct chain { // a case
    const char *format;
    int width, height;
    ag_mipchain_settings settings;
    const double *values; // of level 0
} chain;

typedef struct worst { // of a chain: the error over its limit's unit, see check_level
    double units, limit;
} worst;

static double *allocate(size_t count)
{
    double *p = malloc((count ? count : 1) * sizeof *p);
    CHECK(p != NULL);
    return p;
}

static ag_mipchain_settings defaults(fixture *f)
{
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    return s;
}

static int full_levels(int width, int height)
{
    int levels = 0;
    while (width >> levels > 1 || height >> levels > 1)
        ++levels;
    return levels;
}

static int size_at(int size, int level)
{
    return size >> level > 1 ? size >> level : 1;
}

// What a format's texels are like: codes, or floats whose sizes vary, of both signs where it has them.
static double *noise(rng *r, const char *format, size_t texels)
{
    const format_info *info = format_named(format);
    size_t count = texels * (size_t)info->channels;
    double *values = allocate(count);
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

static ag_job job_of(const ag_texture *slot, const ag_mipchain_settings *s)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slot,
                    .slot_count = 1,
                    .settings = s,
                    .settings_size = sizeof *s,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
}

// The error of a value in what mipchain.h counts in, relative to its limit: at most 1.
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

static bool check_levels(fixture *f, const chain *c, const texture *t, worst *w)
{
    const format_info *info = t->format;
    size_t n = (size_t)info->channels, count = (size_t)c->width * (size_t)c->height * n;
    mip_ref ref = {info->channels, c->settings.reduce, c->settings.weight};
    double *above = allocate(count), *size = allocate(count);
    for (size_t i = 0; i < count; ++i) {
        above[i] = c->values[i];
        size[i] = fabs(above[i]);
    }
    int levels = full_levels(c->width, c->height);
    levels = c->settings.levels && c->settings.levels < levels ? c->settings.levels : levels;
    bool good = true;
    for (int level = 1; level <= levels; ++level) {
        int width = size_at(c->width, level - 1), height = size_at(c->height, level - 1);
        size_t texels = (size_t)size_at(c->width, level) * (size_t)size_at(c->height, level);
        double *exact = allocate(texels * n), *magnitude = allocate(texels * n);
        mip_ref_level(&ref, above, size, width, height, level == 1, exact, magnitude);
        double *got = texture_read(f, t, level);
        for (size_t i = 0; i < texels * n; ++i) {
            double e = excess(c, (int)(i % n), exact[i], magnitude[i], got[i]);
            if (!(e <= w->units))
                w->units = e;
            if (!(e <= 1) && good) {
                printf("  level %d, %zu, %zu, channel %zu: %.9g, exact %.9g\n", level,
                       i / n % (size_t)size_at(c->width, level),
                       i / n / (size_t)size_at(c->width, level), i % n, got[i], exact[i]);
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

static texture make_texture(fixture *f, const chain *c)
{
    texture t = texture_create_array(f, c->format, c->width, c->height, 0,
                                     full_levels(c->width, c->height) + 1, NULL);
    texture_poison(f, &t);
    texture_upload(f, &t, 0, c->values);
    return t;
}

// Runs a case; level 0 must stay as it was, and levels that were not asked for poison.
static bool check_chain(fixture *f, ag_pass *pass, const chain *c)
{
    texture t = make_texture(f, c);
    uint8_t *before = texture_read_bytes(f, &t, 0);
    ag_texture slot = texture_view(&t);
    ag_job job = job_of(&slot, &c->settings);
    fixture_run(f, pass, &job);
    uint8_t *after = texture_read_bytes(f, &t, 0);
    bool kept = memcmp(before, after, texture_byte_count(&t, 0)) == 0;
    for (int i = c->settings.levels + 1; c->settings.levels && i < t.levels; ++i)
        kept &= texture_poison_count(f, &t, i, 0, 0, 0, 0) ==
                texture_value_count(&t, i) / (size_t)t.format->channels;
    worst w = {0};
    bool good = check_levels(f, c, &t, &w) && kept;
    char name[128];
    snprintf(name, sizeof name, "%s %dx%d %s %s", c->format, c->width, c->height,
             reductions[c->settings.reduce], weights[c->settings.weight]);
    good &= check_limit(name, w.units, 1) && check_case("level 0 is kept", kept);
    free(before);
    free(after);
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    return good;
}

static bool check_noise(fixture *f, ag_pass *pass, rng *r, const char *format, int width,
                        int height, int reduce, int weight)
{
    chain c = {format, width, height, defaults(f), NULL};
    c.settings.reduce = reduce;
    c.settings.weight = weight;
    double *values = noise(r, format, (size_t)width * (size_t)height);
    c.values = values;
    bool good = check_chain(f, pass, &c);
    free(values);
    return good;
}

static void test_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{1, 1},     {2, 2},     {3, 3},    {5, 5},     {7, 7},
                                   {1, 9},     {64, 64},   {128, 32}, {65, 63},   {255, 257},
                                   {257, 255}, {79, 79},   {513, 1},  {320, 180}, {683, 384},
                                   {1023, 3},  {16, 1024}, {511, 511}};
    rng r = rng_start("sizes", 72);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        good &= check_noise(f, pass, &r, "rgba16f", sizes[i][0], sizes[i][1], 0, 0);
        good &= check_noise(f, pass, &r, "rgba8", sizes[i][0], sizes[i][1], 0, 0);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(test_sizes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
