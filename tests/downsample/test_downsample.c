// test_downsample.c - every filter, method and format against double precision, at sizes of every
// kind
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "down_ref.h"

// ---- a case and its exact result ---------------------------------------------------------------

ag_downsample_settings scale_defaults(fixture *f)
{
    ag_downsample_settings s;
    CHECK_STATUS(f->ag->defaults("downsample", &s, sizeof s), AG_OK);
    return s;
}

const char *scale_method(int method)
{
    static const char *const names[] = {"auto", "tile", "columns", "partial_sums", "blocks"};
    return names[method];
}

const char *scale_filter(int filter)
{
    static const char *const names[] = {"area", "nearest", "bilinear", "bicubic", "lanczos"};
    return names[filter];
}

double scale_worse(double worst, double e)
{
    return isnan(worst) || e <= worst ? worst : e;
}

ag_job scale_job(const ag_texture *slots, int targets, const ag_downsample_settings *s)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = 1 + (uint32_t)targets,
                    .settings = s,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
}

double *scale_noise(rng *r, const char *format, size_t texels, bool positive)
{
    const format_info *info = format_named(format);
    size_t count = texels * (size_t)info->channels;
    double *values = check_doubles(count);
    if (info->kind == FORMAT_FLOAT)
        rng_fill_hdr(r, values, count, 0.01, 100);
    else
        rng_fill_uniform(r, values, count, 0, 1);
    if (info->kind == FORMAT_FLOAT && info->bits[0] > 11 && !positive)
        for (size_t i = 0; i < count; i += 3)
            values[i] = -values[i];
    texture_quantise(format, values, texels);
    return values;
}

static const char *target_format(const scale *c)
{
    return c->to ? c->to : c->format;
}

// Of a value, over its limit: as downsample.h states it.
static double excess(const scale *c, int channel, double exact, double magnitude, double got)
{
    const format_info *info = format_named(target_format(c));
    double bound = 8 * ldexp(1, -24) * magnitude;
    if (isnan(got))
        return (double)NAN;
    if (info->kind == FORMAT_FLOAT && info->bits[0] == 32)
        return bound > 0 ? fabs(got - exact) / bound : got == exact ? 0 : (double)INFINITY;
    if (info->kind == FORMAT_FLOAT)
        return format_error_units(info, channel, exact, got, bound) / 0.5;
    bool plain = c->settings.filter == AG_DOWN_AREA && c->settings.weight == AG_DOWN_WEIGHT_NONE;
    double limit = ldexp(1, -14); // of the value 1; of a unit where sums of codes are exact
    if (info->kind == FORMAT_UNORM && plain && !c->to)
        limit *= format_unit(info, channel, 0.5);
    return format_error_units(info, channel, exact, got, limit) / 0.5;
}

double scale_error(const scale *c, int target, const double *got)
{
    int channels = format_named(c->format)->channels, n = format_named(target_format(c))->channels;
    down_ref ref = {c->width,
                    c->height,
                    channels,
                    c->sizes[target][0],
                    c->sizes[target][1],
                    c->settings.filter,
                    c->settings.weight,
                    c->settings.radius};
    size_t texels = (size_t)ref.to_width * (size_t)ref.to_height;
    double *exact = check_doubles(texels * (size_t)channels),
           *magnitude = check_doubles(texels * (size_t)channels), worst = 0;
    down_ref_make(&ref, c->values, exact, magnitude);
    bool said = false;
    for (size_t i = 0; i < texels * (size_t)n; ++i) {
        int channel = (int)(i % (size_t)n);
        size_t at = i / (size_t)n * (size_t)channels + (size_t)channel;
        bool there = channel < channels; // else what a format without that channel reads as
        double want = there ? exact[at] : channel == 3, size = there ? magnitude[at] : 1;
        double e = excess(c, channel, want, size, got[i]);
        worst = scale_worse(worst, e);
        if (!(e <= 1) && !said) {
            printf("  target %d, %zu, %zu, channel %d: %.9g, exact %.12g\n", target,
                   i / (size_t)n % (size_t)ref.to_width, i / (size_t)n / (size_t)ref.to_width,
                   channel, got[i], want);
            said = true;
        }
    }
    free(exact);
    free(magnitude);
    return worst;
}

bool scale_right(fixture *f, ag_pass *pass, const scale *c, double *worst)
{
    int count = c->count ? c->count : 1;
    texture src = texture_create(f, c->format, c->width, c->height, c->values), dst[SCALE_TARGETS];
    ag_texture slots[1 + SCALE_TARGETS] = {texture_view(&src)};
    for (int i = 0; i < count; ++i) {
        dst[i] = texture_create(f, target_format(c), c->sizes[i][0], c->sizes[i][1], NULL);
        slots[1 + i] = texture_view(&dst[i]);
    }
    ag_job job = scale_job(slots, count, &c->settings);
    fixture_run(f, pass, &job);
    bool good = true;
    for (int i = 0; i < count; ++i) {
        double *got = texture_read(f, &dst[i], 0), e = scale_error(c, i, got);
        *worst = scale_worse(*worst, e);
        good &= e <= 1;
        free(got);
        texture_destroy(f, &dst[i]);
    }
    texture_destroy(f, &src);
    return good;
}

bool scale_check_noise(fixture *f, ag_pass *pass, rng *r, scale c)
{
    size_t texels = (size_t)c.width * (size_t)c.height;
    double *values = scale_noise(r, c.format, texels, c.settings.weight != AG_DOWN_WEIGHT_NONE);
    double worst = 0;
    char name[160];
    c.values = values;
    bool good = scale_right(f, pass, &c, &worst);
    snprintf(name, sizeof name, "%s%s%s %dx%d to %dx%d %s %s weight %d", c.format,
             c.to ? " to " : "", c.to ? c.to : "", c.width, c.height, c.sizes[0][0], c.sizes[0][1],
             scale_filter(c.settings.filter), scale_method(c.settings.method), c.settings.weight);
    good &= check_limit(name, worst, 1);
    free(values);
    return good;
}

// ---- sizes -------------------------------------------------------------------------------------

enum { METHODS = 3 }; // tile, columns, partial_sums: any ratio

// Tile refuses ratios beyond 64: those are for auto to choose.
static scale case_of(fixture *f, const char *format, int width, int height, int w, int h,
                     int method)
{
    scale c = {.format = format, .width = width, .height = height, .sizes = {{w, h}}};
    c.settings = scale_defaults(f);
    bool far = width > 64 * w || height > 64 * h;
    c.settings.method = method == AG_DOWN_TILE && far ? AG_DOWN_AUTO : method;
    return c;
}

// All pairs of 1 .. 9, each axis its own, by every method.
static void test_small_pairs(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba8", "rgba16f", "r32f"};
    rng r = rng_start("small pairs", 221);
    ag_pass *pass = fixture_pass(f, "downsample");
    sweep *share = sweep_start("small pairs", 40);
    double worst = 0;
    bool good = true;
    int pairs = 0;
    for (int a = 1; a <= 9; ++a)
        for (int b = 1; b <= a; ++b)
            for (int k = 0; k < METHODS * 3; ++k) {
                if (!sweep_takes(share))
                    continue;
                int height = rng_int(&r, 1, 9), h = rng_int(&r, 1, height);
                bool flips = k % 2; // the pair in y
                scale c = case_of(f, formats[k / METHODS], flips ? height : a, flips ? a : height,
                                  flips ? h : b, flips ? b : h, AG_DOWN_TILE + k % METHODS);
                double *values = scale_noise(&r, c.format, (size_t)(a * height), false);
                c.values = values;
                good &= scale_right(f, pass, &c, &worst);
                free(values);
                ++pairs;
            }
    f->ag->pass_destroy(pass);
    printf("  %d cases\n", pairs);
    CHECK_LIMIT("1..9 to 1..9, error over limit", worst, 1);
    CHECK(good);
}

static void test_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][4] = {
        {64, 64, 63, 61},   {257, 255, 127, 128}, {300, 200, 37, 41},  {211, 199, 13, 11},
        {512, 300, 16, 9},  {640, 360, 639, 359}, {1031, 67, 1, 1},    {37, 1200, 5, 3},
        {1000, 1, 7, 1},    {1, 1000, 1, 7},      {515, 130, 257, 65}, {600, 64, 600, 1},
        {300, 90, 150, 45}, {255, 257, 85, 257},  {520, 260, 65, 33},  {700, 40, 2, 39},
    };
    rng r = rng_start("sizes", 222);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("sizes", 32);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int method = 0; method <= METHODS; ++method)
            for (int k = 0; k < 2; ++k)
                if (sweep_takes(share))
                    good &=
                        scale_check_noise(f, pass, &r,
                                          case_of(f, k ? "rgba8" : "rgba16f", sizes[i][0],
                                                  sizes[i][1], sizes[i][2], sizes[i][3], method));
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// 200 random pairs, and what the issue of area averages is known by: HD to one texel less each way,
// all to one.
static void test_more_sizes(void **state)
{
    fixture *f = *state;
    static const int sizes[][4] = {{1920, 1080, 1279, 719}, {4096, 4096, 1, 1},
                                   {4096, 3, 1, 1},         {1366, 768, 683, 384},
                                   {2048, 2048, 64, 64},    {2047, 1999, 31, 30},
                                   {16384, 1, 16383, 1},    {16384, 1, 1, 1},
                                   {1, 16384, 1, 5}};
    rng r = rng_start("more sizes", 223);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool more = check_tier_now() != CHECK_QUICK, good = true;
    sweep *share = sweep_start("more sizes", 54);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int method = AG_DOWN_AUTO; method <= METHODS; ++method)
            if ((more || sizes[i][0] * sizes[i][1] < 20000) && sweep_takes(share))
                good &= scale_check_noise(f, pass, &r,
                                          case_of(f, i % 2 ? "r32f" : "rgba16f", sizes[i][0],
                                                  sizes[i][1], sizes[i][2], sizes[i][3], method));
    for (int i = 0; i < 200; ++i) {
        int width = (int)rng_hdr(&r, 1, more ? 700 : 300),
            height = (int)rng_hdr(&r, 1, more ? 700 : 100);
        int w = (int)rng_hdr(&r, 1, width + 1), h = (int)rng_hdr(&r, 1, height + 1);
        w = w < width ? w : width;
        h = h < height ? h : height;
        if (sweep_takes(share))
            good &= scale_check_noise(f, pass, &r,
                                      case_of(f, i % 2 ? "rg8" : "rgba32f", width, height, w, h,
                                              i % (METHODS + 1)));
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Whole ratios by blocks: every first cell, blocks of few and of many cells, groups cut by the
// image's edge, one to four targets.
static void test_blocks(void **state)
{
    fixture *f = *state;
    static const int sizes[][10] = {
        {64, 64, 64, 64},         {130, 70, 65, 35},
        {99, 66, 33, 22},         {84, 52, 21, 13},
        {105, 55, 21, 11},        {96, 30, 12, 5},
        {133, 70, 19, 10},        {320, 192, 5, 3},
        {200, 51, 8, 17},         {64, 64, 1, 1},
        {80, 96, 40, 48, 20, 24}, {128, 64, 64, 32, 32, 16, 16, 8, 8, 4},
        {60, 30, 30, 10, 20, 30}, {160, 120, 80, 60, 20, 15, 160, 120},
        {72, 40, 36, 5, 12, 20},  {64, 48, 4, 3, 8, 6, 16, 12, 32, 24},
    };
    static const char *const formats[] = {"rgba16f", "rgba8", "rgba32f", "srgb8", "rgb10a2"};
    rng r = rng_start("blocks", 240);
    ag_pass *pass = fixture_pass(f, "downsample");
    sweep *share = sweep_start("blocks", 8);
    bool good = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int k = 0; k < 2; ++k) {
            if (!sweep_takes(share))
                continue;
            scale c = case_of(f, formats[(i + (size_t)k * 2) % 5], sizes[i][0], sizes[i][1],
                              sizes[i][2], sizes[i][3], AG_DOWN_BLOCKS);
            for (int t = 1; t < 4; ++t)
                for (int axis = 0; axis < 2; ++axis)
                    c.sizes[t][axis] = sizes[i][2 + 2 * t + axis];
            c.settings.weight = k;
            good &= scale_check_noise(f, pass, &r, c);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- formats and filters -----------------------------------------------------------------------

// Every format with every weight and method, and into one other format each.
static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 225);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("formats", 20);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int weight = 0; weight <= AG_DOWN_WEIGHT_ALPHA; ++weight)
            for (int method = AG_DOWN_TILE; method <= METHODS + 1; ++method) {
                if (weight == AG_DOWN_WEIGHT_ALPHA && format_at(i)->channels != 4)
                    continue;
                if (!sweep_takes(share))
                    continue;
                bool powers = method > METHODS; // blocks
                scale c = case_of(f, format_at(i)->name, powers ? 72 : 87, powers ? 48 : 46,
                                  powers ? 9 : 19, powers ? 24 : 17, method);
                c.settings.weight = weight;
                good &= scale_check_noise(f, pass, &r, c);
            }
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        scale c = case_of(f, format_at(i)->name, 50, 31, 17, 8, AG_DOWN_AUTO);
        c.to = format_at((i + 5) % FORMAT_COUNT)->name;
        good &= scale_check_noise(f, pass, &r, c);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_filters(void **state)
{
    fixture *f = *state;
    static const char *const formats[] = {"rgba32f", "rgba8",      "rgba16f",
                                          "srgb8",   "r11g11b10f", "r16f"};
    static const int sizes[][4] = {{87, 46, 19, 17}, {64, 64, 32, 32}, {50, 31, 49, 30},
                                   {100, 7, 7, 7},   {31, 20, 62, 40}, {20, 31, 47, 50},
                                   {1, 1, 1, 1},     {97, 53, 13, 5},  {160, 9, 10, 1},
                                   {40, 40, 40, 40}, {33, 65, 11, 13}, {3, 2, 1, 2}};
    rng r = rng_start("filters", 226);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("filters", 18);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int filter = AG_DOWN_NEAREST; filter <= AG_DOWN_LANCZOS; ++filter)
            for (int k = 0; k < 3; ++k) {
                if (!sweep_takes(share))
                    continue;
                scale c = case_of(f, formats[(i + (size_t)k * 2) % 6], sizes[i][0], sizes[i][1],
                                  sizes[i][2], sizes[i][3], AG_DOWN_AUTO);
                c.settings.filter = filter;
                c.settings.radius = 2 + k % 2;
                good &= scale_check_noise(f, pass, &r, c);
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_small_pairs),
        FIXTURE_SWEEP(test_sizes),
        FIXTURE_SWEEP(test_more_sizes),
        FIXTURE_SWEEP(test_blocks),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_filters),
        FIXTURE_SWEEP(test_identity),
        FIXTURE_TEST(test_worked_example),
        FIXTURE_TEST(test_impulses),
        FIXTURE_TEST(test_lattice),
        FIXTURE_TEST(test_half_of_the_sampler),
        FIXTURE_SWEEP(test_constants),
        FIXTURE_TEST(test_checker),
        FIXTURE_SWEEP(test_scrub),
        FIXTURE_SWEEP(test_targets),
        FIXTURE_SWEEP(test_rectangles_and_layers),
        FIXTURE_SWEEP(test_image_units),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
