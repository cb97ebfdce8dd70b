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
static const char *const weights[] = {"none", "karis", "alpha", "coverage"};

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
        if (c->settings.exactness == AG_MIP_DIRECT)
            mip_ref_direct(c->values, c->width, c->height, info->channels, level, exact, magnitude);
        else
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
    for (int i = 0; weight && i < width * height * format_named(format)->channels; ++i)
        values[i] = fabs(values[i]); // weights are for light and coverage
    c.values = values;
    bool good = check_chain(f, pass, &c);
    free(values);
    return good;
}

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
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        good &= check_noise(f, pass, &r, "rgba16f", sizes[i][0], sizes[i][1], 0, 0);
        good &= check_noise(f, pass, &r, "rgba8", sizes[i][0], sizes[i][1], 0, 0);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Sizes whose chains are long, odd at many levels, or more than one dispatch; 200 random ones and the
// large ones of them with AG_TEST_LONG.
static void test_more_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{1920, 1080}, {1366, 768}, {4095, 3}, {64, 4096}, {2047, 2047}};
    rng r = rng_start("more sizes", 73);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool more = getenv("AG_TEST_LONG") != NULL, good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        if (more || sizes[i][0] * sizes[i][1] < 300000)
            good &=
                check_noise(f, pass, &r, i % 2 ? "r8" : "rgba16f", sizes[i][0], sizes[i][1], 0, 0);
    for (int i = 0; i < (more ? 200 : 12); ++i) {
        int width = (int)rng_hdr(&r, 1, 700), height = (int)rng_hdr(&r, 1, more ? 700 : 200);
        good &= check_noise(f, pass, &r, i % 2 ? "rg8" : "r16f", width, height,
                            i % 3 ? 0 : i / 3 % 3, 0);
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
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int reduce = 0; reduce <= AG_MIP_FIRST; ++reduce)
            for (int weight = 0; weight <= AG_MIP_WEIGHT_ALPHA; ++weight)
                if (allowed(format_at(i), reduce, weight))
                    good &= check_noise(f, pass, &r, format_at(i)->name, 87, 46, reduce, weight);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Boxes of level 0, at sizes that are odd at level 1, 2 and later, and where both kinds are the same.
static void test_direct(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{87, 46}, {255, 127}, {64, 64}, {300, 7}, {1, 30}, {40, 24}};
    static const char *const formats[] = {"rgba16f", "rgba8",      "r32f",
                                          "srgb8",   "r11g11b10f", "rg16f"};
    rng r = rng_start("direct", 78);
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    for (size_t i = 0; i < 12; ++i) {
        chain c = {formats[(i + i / 6) % 6], sizes[i % 6][0], sizes[i % 6][1], defaults(f), NULL};
        c.settings.exactness = AG_MIP_DIRECT;
        double *values = noise(&r, c.format, (size_t)c.width * (size_t)c.height);
        c.values = values;
        good &= check_chain(f, pass, &c);
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Alpha as leaves have it: blobs with soft edges, on nothing.
static double *leaves(rng *r, const char *format, int width, int height)
{
    double *values = noise(r, format, (size_t)(width * height));
    double at[40][3];
    for (int i = 0; i < 40; ++i) {
        at[i][0] = rng_uniform(r, 0, width);
        at[i][1] = rng_uniform(r, 0, height);
        at[i][2] = rng_uniform(r, 1, 6);
    }
    for (int i = 0; i < width * height; ++i) {
        double alpha = 0;
        for (int k = 0; k < 40; ++k)
            alpha =
                fmax(alpha, at[k][2] - hypot(i % width - at[k][0], (double)i / width - at[k][1]));
        values[4 * i + 3] = fmin(fmax(alpha + rng_uniform(r, -0.2, 0.2), 0), 1);
        for (int k = 0; k < 3; ++k)
            values[4 * i + k] = fabs(values[4 * i + k]);
    }
    texture_quantise(format, values, (size_t)(width * height));
    return values;
}

static double share(const double *texels, size_t count, double reference)
{
    size_t covered = 0;
    for (size_t i = 0; i < count; ++i)
        covered += texels[4 * i + 3] >= reference;
    return (double)covered / (double)count;
}

// The nearest share to `wanted` that any threshold on these alphas has.
static double nearest_share(const double *texels, size_t count, double wanted)
{
    double best = fabs(0 - wanted);
    for (size_t i = 0; i < count; ++i)
        best = fmin(best, fabs(share(texels, count, fmin(texels[4 * i + 3], 1)) - wanted));
    return best;
}

// Each level covers what level 0 does, as nearly as its alphas allow; colours are those of weight alpha.
static void test_coverage(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba8", "srgb8", "rgba16f", "rgb10a2", "rgba32f"};
    rng r = rng_start("coverage", 79);
    ag_pass *pass = fixture_pass(f, "mipchain"), *plain = fixture_pass(f, "mipchain");
    for (int i = 0; i < 10; ++i) {
        const char *format = formats[i % 5];
        int width = i % 2 ? 93 : 128, height = i % 2 ? 50 : 64;
        double *values = leaves(&r, format, width, height), worst_off = 0, large_off = 0;
        chain c = {format, width, height, defaults(f), values};
        c.settings.reference = (float)(i < 5 ? 0.5 : rng_uniform(&r, 0.1, 0.95));
        double reference = (double)c.settings.reference;
        double wanted = share(values, (size_t)(width * height), reference);
        texture t[2];
        for (int k = 0; k < 2; ++k) {
            t[k] = make_texture(f, &c);
            c.settings.weight = k ? AG_MIP_WEIGHT_ALPHA : AG_MIP_WEIGHT_COVERAGE;
            ag_texture slot = texture_view(&t[k]);
            ag_job job = job_of(&slot, &c.settings);
            fixture_run(f, k ? plain : pass, &job);
            fixture_run(f, k ? plain : pass, &job); // histograms are left empty
        }
        for (int level = 1; level < t[0].levels; ++level) {
            double *got = texture_read(f, &t[0], level), *bare = texture_read(f, &t[1], level);
            size_t count = texture_value_count(&t[0], level) / 4;
            double off = fabs(share(got, count, reference) - wanted);
            double allowed = nearest_share(bare, count, wanted);
            // 32-bit alphas are sorted as 16-bit ones
            double slack = strcmp(format, "rgba32f") == 0 ? 1.0 / 255 : 1e-7;
            CHECK_F(off <= allowed + slack, "%s level %d: off by %g, possible %g", format, level,
                    off, allowed);
            worst_off = fmax(worst_off, off - 0.5 / (double)count);
            large_off =
                count > 255 && strcmp(format, "rgb10a2") != 0 ? fmax(large_off, off) : large_off;
            for (size_t k = 0; k < 4 * count; ++k)
                CHECK(k % 4 == 3 || got[k] == bare[k]);
            free(got);
            free(bare);
        }
        char name[96];
        snprintf(name, sizeof name, "%s: share %.3f at %.3f, levels of more than 255 texels off by",
                 format, wanted, reference);
        CHECK_LIMIT(name, large_off, 1.0 / 255 + 1e-9);
        printf("        beyond half a texel, at any level: %.4f\n", worst_off);
        free(values);
        for (int k = 0; k < 2; ++k) {
            f->ag->forget(f->device, t[k].name);
            texture_destroy(f, &t[k]);
        }
    }
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(plain);
}

// A texel of 1 among zeros, at each place: its value at every level is its weight.
static void test_impulses(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{2, 2}, {3, 3}, {5, 4}, {7, 5}, {9, 1}};
    ag_pass *pass = fixture_pass(f, "mipchain");
    bool good = true;
    double largest = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        int texels = sizes[s][0] * sizes[s][1];
        double *values = allocate((size_t)texels);
        chain c = {"r32f", sizes[s][0], sizes[s][1], defaults(f), values};
        texture t = make_texture(f, &c);
        ag_texture slot = texture_view(&t);
        ag_job job = job_of(&slot, &c.settings);
        for (int i = 0; i < texels; ++i) {
            for (int k = 0; k < texels; ++k)
                values[k] = k == i;
            texture_upload(f, &t, 0, values);
            fixture_run(f, pass, &job);
            worst w = {0};
            good &= check_levels(f, &c, &t, &w);
            double *last = texture_read(f, &t, t.levels - 1);
            largest = fmax(largest, fabs(*last * texels - 1)); // every texel counts alike
            free(last);
        }
        free(values);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
    CHECK_LIMIT("weights of single texels in the last level of 1 x 1", largest, 1e-6);
}

// One value everywhere stays itself at every level: no border takes in zeros, nothing overflows.
static void test_constants(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *format;
        double value[4];
    } cases[] = {{"rgba8", {1, 0, 0, 1}},
                 {"srgb8", {1, 0, 0, 1}},
                 {"rgb10a2", {1, 0, 0, 1}},
                 {"rgba16f", {65504, 0, -65504, 1}},
                 {"r11g11b10f", {65024, 0, 64512, 1}},
                 {"rgba32f", {1e30, 0, -1e30, 1}}};
    ag_pass *pass = fixture_pass(f, "mipchain");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int channels = format_named(cases[i].format)->channels, width = 129, height = 71;
        double *values = allocate((size_t)(width * height * channels));
        for (int k = 0; k < width * height * channels; ++k)
            values[k] = cases[i].value[k % channels];
        chain c = {cases[i].format, width, height, defaults(f), values};
        texture t = make_texture(f, &c);
        ag_texture slot = texture_view(&t);
        ag_job job = job_of(&slot, &c.settings);
        fixture_run(f, pass, &job);
        double off = 0;
        for (int level = 1; level < t.levels; ++level) {
            double *got = texture_read(f, &t, level);
            for (size_t k = 0; k < texture_value_count(&t, level); ++k) {
                double want = cases[i].value[k % (size_t)channels];
                double e = fabs(got[k] - want) / fmax(fabs(want), 1);
                off = !(e <= off) ? e : off;
            }
            free(got);
        }
        CHECK_LIMIT(cases[i].format, off,
                    strcmp(cases[i].format, "rgba32f") ? 0 : 8 * ldexp(1, -24));
        free(values);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
    f->ag->pass_destroy(pass);
}

// A checker of black and white is 188 in sRGB at every level.
static void test_checker(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "mipchain");
    double values[64 * 64 * 4];
    for (int i = 0; i < 64 * 64 * 4; ++i)
        values[i] = i % 4 == 3 ? 1 : (i / 4 + i / 256) % 2;
    chain c = {"srgb8", 64, 64, defaults(f), values};
    texture t = make_texture(f, &c);
    ag_texture slot = texture_view(&t);
    ag_job job = job_of(&slot, &c.settings);
    fixture_run(f, pass, &job);
    for (int level = 1; level < t.levels; ++level) {
        uint8_t *codes = texture_read_bytes(f, &t, level);
        for (size_t i = 0; i < texture_byte_count(&t, level); ++i)
            CHECK_EQ(codes[i], i % 4 == 3 ? 255 : 188);
        free(codes);
    }
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    f->ag->pass_destroy(pass);
}

// NaN and Inf: nothing in a mean, and counted once each; skipped NaN and kept Inf elsewhere.
static void test_scrub(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba16f", "r32f", "rg32f"};
    rng r = rng_start("scrub", 75);
    for (int i = 0; i < 3 * 4 * 2; ++i) {
        const char *format = formats[i % 3];
        int width = i % 2 ? 37 : 64, height = i % 2 ? 1 + i : 64;
        if (i >= 3 * 4) { // of several tiles, and odd in y, too
            width = i % 2 ? 135 : 66;
            height = i % 4 < 2 ? 71 : 133;
        }
        int channels = format_named(format)->channels;
        int row = i / 3 % 4, reduce = row == 3 ? AG_MIP_FIRST : row;
        ag_pass *pass = fixture_pass(f, "mipchain");
        double *values = noise(&r, format, (size_t)(width * height));
        chain c = {format, width, height, defaults(f), values};
        c.settings.reduce = reduce;
        ag_health before = {.struct_size = sizeof before}, after = before;
        CHECK_STATUS(f->ag->health(f->device, &before), AG_OK);
        uint64_t bad = 0;
        for (int k = 0; k < width * height; ++k) {
            if (rng_int(&r, 0, 5))
                continue;
            bool nan = rng_int(&r, 0, 1);
            values[k * channels + rng_int(&r, 0, channels - 1)] = nan ? (double)NAN
                                                                  : rng_int(&r, 0, 1)
                                                                      ? (double)INFINITY
                                                                      : -(double)INFINITY;
            bad += nan || reduce == AG_MIP_MEAN;
        }
        texture t = make_texture(f, &c);
        ag_texture slot = texture_view(&t);
        ag_job job = job_of(&slot, &c.settings);
        fixture_run(f, pass, &job);
        for (int k = 0; k < 3; ++k) { // the count travels with a frame's delay
            CHECK_STATUS(f->ag->frame(f->device, 1), AG_OK);
            f->gl.Finish();
        }
        CHECK_STATUS(f->ag->health(f->device, &after), AG_OK);
        if (reduce == AG_MIP_MEAN) // what the mean takes them for
            for (int k = 0; k < width * height; ++k) {
                bool finite = true;
                for (int n = 0; n < channels; ++n)
                    finite &= isfinite(values[k * channels + n]) != 0;
                for (int n = 0; n < channels && !finite; ++n)
                    values[k * channels + n] = 0;
            }
        worst w = {0};
        CHECK(check_levels(f, &c, &t, &w));
        printf("  ok    %s %s: %u bad texels\n", format, reductions[reduce], (unsigned)bad);
        CHECK_EQ(after.scrubbed_texels - before.scrubbed_texels, bad);
        free(values);
        f->ag->pass_destroy(pass);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
}

// A rectangle is an image of its own: its chain has the bits of a texture that holds nothing else, at
// x >> k, y >> k, and all other texels stay poison. In the layers asked for, and no others.
static void test_rectangles_and_layers(void **state)
{
    fixture *f = *state;
    rng r = rng_start("rectangles", 76);
    for (int i = 0; i < 12; ++i) {
        const char *format = i % 2 ? "rgba8" : "rgba16f";
        int W = rng_int(&r, 60, 150), H = rng_int(&r, 20, 90), layers = i % 3 ? 3 : 0;
        int x = rng_int(&r, 0, W - 1), y = rng_int(&r, 0, H - 1), levels = full_levels(W, H) + 1;
        int w = rng_int(&r, 1, W - x), h = rng_int(&r, 1, H - y);
        int first = layers ? 1 : 0, count = layers ? 2 : 1, stored = layers ? layers : 1;
        ag_pass *pass = fixture_pass(f, "mipchain");
        ag_mipchain_settings s = defaults(f);
        double *big = noise(&r, format, (size_t)(W * H * stored)),
               *part = allocate((size_t)(w * h * 4));
        texture t = texture_create_array(f, format, W, H, layers, levels, NULL);
        texture_upload(f, &t, 0, big);
        ag_texture slot = texture_view(&t);
        slot.x = x;
        slot.y = y;
        slot.w = w;
        slot.h = h;
        slot.first_layer = first;
        slot.layers = count;
        ag_job job = job_of(&slot, &s);
        fixture_run(f, pass, &job);
        size_t poison[17];
        for (int k = 1; k < levels; ++k)
            poison[k] = (size_t)(size_at(W, k) * size_at(H, k) * stored);
        for (int layer = first; layer < first + count; ++layer) {
            for (int row = 0; row < h; ++row)
                memcpy(part + 4 * row * w, big + 4 * ((layer * H + y + row) * W + x),
                       sizeof *part * 4 * (size_t)w);
            texture alone = texture_create_array(f, format, w, h, 0, full_levels(w, h) + 1, NULL);
            texture_upload(f, &alone, 0, part);
            ag_texture view = texture_view(&alone);
            job.slots = &view;
            fixture_run(f, pass, &job);
            for (int k = 1; k < alone.levels; ++k) {
                double *got = texture_read(f, &t, k), *want = texture_read(f, &alone, k);
                int at_x = x >> k, at_y = y >> k, ww = size_at(w, k), hh = size_at(h, k);
                at_x = at_x < size_at(W, k) ? at_x : size_at(W, k) - 1;
                at_y = at_y < size_at(H, k) ? at_y : size_at(H, k) - 1;
                for (int row = 0; row < hh; ++row)
                    CHECK(memcmp(got + 4 * ((layer * size_at(H, k) + at_y + row) * size_at(W, k) +
                                            at_x),
                                 want + 4 * row * ww, sizeof *got * 4 * (size_t)ww) == 0);
                poison[k] -= (size_t)(ww * hh);
                free(got);
                free(want);
            }
            f->ag->forget(f->device, alone.name);
            texture_destroy(f, &alone);
        }
        for (int k = 1; k < levels; ++k)
            CHECK_EQ(texture_poison_count(f, &t, k, 0, 0, 0, 0), poison[k]);
        printf("  ok    %dx%d at %d,%d of %dx%d, %d layers\n", w, h, x, y, W, H, layers);
        free(big);
        free(part);
        f->ag->pass_destroy(pass);
        f->ag->forget(f->device, t.name);
        texture_destroy(f, &t);
    }
}

// Every number of levels, and image units that leave three to eight: the same bits.
static void test_units_and_levels(void **state)
{
    fixture *f = *state;
    rng r = rng_start("units", 77);
    double *values = noise(&r, "rgba8", 200 * 131);
    chain c = {"rgba8", 200, 131, defaults(f), values};
    texture t = make_texture(f, &c);
    uint8_t *want[8] = {0};
    for (int base = 0; base <= 5; ++base) {
        ag_device *device = NULL, *own = f->device;
        ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = (uint32_t)base};
        CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &device), AG_OK);
        f->device = device;
        ag_pass *pass = fixture_pass(f, "mipchain");
        for (int levels = base ? 7 : 1; levels <= 7; ++levels) {
            texture_poison(f, &t);
            texture_upload(f, &t, 0, values);
            c.settings.levels = levels;
            ag_texture slot = texture_view(&t);
            ag_job job = job_of(&slot, &c.settings);
            for (int again = 0; again < 3; ++again) // counters are left as they were found
                fixture_run(f, pass, &job);
            for (int k = 1; k < t.levels; ++k) {
                uint8_t *got = texture_read_bytes(f, &t, k);
                if (k > levels)
                    CHECK_EQ(texture_poison_count(f, &t, k, 0, 0, 0, 0),
                             size_at(200, k) * size_at(131, k));
                else if (want[k])
                    CHECK(memcmp(got, want[k], texture_byte_count(&t, k)) == 0);
                if (k <= levels && !want[k])
                    want[k] = got;
                else
                    free(got);
            }
        }
        const ag_plan *plan;
        ag_texture slot = texture_view(&t);
        ag_job job = job_of(&slot, &c.settings);
        CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
        printf("  ok    base %d: %s\n", base, plan->text);
        f->ag->device_destroy(device, 0);
        f->device = own;
    }
    for (int k = 1; k < 8; ++k)
        free(want[k]);
    free(values);
    texture_destroy(f, &t);
}

static void expect_refusal(fixture *f, ag_pass *pass, const ag_texture *slot,
                           const ag_mipchain_settings *s, ag_status status, const char *part)
{
    ag_job job = job_of(slot, s);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), status);
    CHECK_F(host_log_error(&f->host, status, part), "no \"%s\" in \"%s\"", part,
            host_log_last(&f->host));
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "mipchain");
    ag_mipchain_settings s = defaults(f);
    texture t = texture_create_array(f, "rgba16f", 32, 32, 0, 3, NULL);
    ag_texture slot = texture_view(&t);
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "set `levels` to 2");
    s.levels = 2;
    ag_job job = job_of(&slot, &s);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    s.weight = AG_MIP_WEIGHT_KARIS;
    s.reduce = AG_MIP_MAX;
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "karis");
    s = defaults(f);
    s.exactness = AG_MIP_DIRECT;
    s.reduce = AG_MIP_FIRST;
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "direct with reduce first");
    s = defaults(f);
    s.reduce = AG_MIP_MINMAX;
    s.levels = 2;
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "RG8 RG16F RG32F");
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    t = texture_create_array(f, "r8", 32, 32, 0, 6, NULL);
    slot = texture_view(&t);
    s = defaults(f);
    s.weight = AG_MIP_WEIGHT_ALPHA;
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "SRGB8_ALPHA8");
    slot.format = GL_RGB8;
    s.weight = AG_MIP_WEIGHT_NONE;
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "RGBA32F");
    f->ag->forget(f->device, t.name);
    texture_destroy(f, &t);
    // mutable textures: sRGB cannot be viewed, a level of another size, one beyond MAX_LEVEL
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    for (int i = 0; i < 3; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, GL_SRGB8_ALPHA8, 4 >> i, 4 >> i, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, NULL);
    slot = (ag_texture){.struct_size = sizeof slot,
                        .name = name,
                        .target = GL_TEXTURE_2D,
                        .format = GL_SRGB8_ALPHA8,
                        .width = 4,
                        .height = 4};
    expect_refusal(f, pass, &slot, &s, AG_E_FORMAT, "glTexStorage");
    for (int i = 0; i < 3; ++i)
        f->gl.TexImage2D(GL_TEXTURE_2D, i, GL_RGBA8, i == 2 ? 2 : 4 >> i, 4 >> i, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, NULL);
    slot.format = GL_RGBA8;
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "the chain needs 1x1");
    f->gl.TexImage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
    expect_refusal(f, pass, &slot, &s, AG_E_ARG, "MAX_LEVEL 1");
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 2);
    job = job_of(&slot, &s);
    fixture_run(f, pass, &job);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    f->ag->pass_destroy(pass);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    host_log_clear(&f->host);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(test_sizes),
        FIXTURE_TEST(test_more_sizes),
        FIXTURE_TEST(test_formats),
        FIXTURE_TEST(test_direct),
        FIXTURE_TEST(test_coverage),
        FIXTURE_TEST(test_impulses),
        FIXTURE_TEST(test_constants),
        FIXTURE_TEST(test_checker),
        FIXTURE_TEST(test_scrub),
        FIXTURE_TEST(test_rectangles_and_layers),
        FIXTURE_TEST(test_units_and_levels),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
