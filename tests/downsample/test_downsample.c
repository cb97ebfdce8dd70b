// test_downsample.c - every filter, method and format against double precision, at sizes of every
// kind
// SPDX-License-Identifier: MIT
#include "test_downsample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "down_ref.h"

// ---- a case and its exact result ---------------------------------------------------------------

int scale_method(int method, int width, int height, int w, int h)
{
    bool far = width > 64 * w || height > 64 * h;
    return method == AG_DOWN_TILE && far ? AG_DOWN_AUTO : method;
}

trial scale_of(fixture *f, ag_pass *pass, const scale *c, const double *values,
               ag_downsample_settings *s)
{
    trial t = trial_of(f, "downsample", "noise", s, sizeof *s);
    t.pass = pass;
    t.slots[SRC] = trial_image(c->format, c->width, c->height, values);
    for (int i = 0; i < SCALE_TARGETS && c->sizes[i][0]; ++i)
        t.slots[DST + i] =
            trial_image(c->to ? c->to : c->format, c->sizes[i][0], c->sizes[i][1], NULL);
    t.reference = scaled;
    s->method = c->method;
    s->filter = c->filter;
    s->weight = c->weight;
    s->radius = c->radius ? c->radius : s->radius;
    return t;
}

// As downsample.h states it.
static double bound_of(const trial *t, const format_info *info, int channel, double magnitude)
{
    const ag_downsample_settings *s = t->settings;
    if (info->kind == FORMAT_FLOAT)
        return 8 * ldexp(1, -24) * magnitude;
    bool plain = s->filter == AG_DOWN_AREA && s->weight == AG_DOWN_WEIGHT_NONE;
    bool exact = plain && info->kind == FORMAT_UNORM && info == t->textures[SRC].format;
    // Of the value 1; of a unit where sums of codes are exact.
    return ldexp(1, -14) * (exact ? format_unit(info, channel, 0.5) : 1);
}

bool scaled(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_downsample_settings *s = t->settings;
    const ag_texture *v = &t->views[SRC];
    int n = trial_channels(t, SRC);
    down_ref ref = {v->rect_width ? v->rect_width : v->width,
                    v->rect_height ? v->rect_height : v->height,
                    n,
                    p->width,
                    p->height,
                    s->filter,
                    s->weight,
                    s->radius};
    size_t texels = (size_t)(p->width * p->height), count = texels * (size_t)n;
    double *src = trial_input(t, SRC, p->layer), *exact = check_doubles(count);
    double *magnitude = check_doubles(count);
    values_scrub(src, (size_t)(ref.width * ref.height), n);
    down_ref_make(&ref, src, exact, magnitude);
    for (size_t i = 0; i < texels * (size_t)p->channels; ++i) {
        int channel = (int)(i % (size_t)p->channels);
        size_t at = i / (size_t)p->channels * (size_t)n + (size_t)channel;
        want[i] = channel < n ? exact[at] : want[i];
        bound[i] =
            bound_of(t, t->textures[p->slot].format, channel, channel < n ? magnitude[at] : 1);
    }
    free(src);
    free(exact);
    free(magnitude);
    return true;
}

bool scale_check(fixture *f, ag_pass *pass, rng *r, const scale *c)
{
    ag_downsample_settings s;
    double *values =
        values_hdr(r, c->format, c->width, c->height, 0.01, 100, c->weight == AG_DOWN_WEIGHT_NONE);
    trial t = scale_of(f, pass, c, values, &s);
    bool good = trial_check(&t);
    trial_free(&t);
    free(values);
    return good;
}

// ---- sizes -------------------------------------------------------------------------------------

enum { METHODS = 3 }; // tile, columns, partial_sums: any ratio

static bool check_size(fixture *f, ag_pass *pass, rng *r, const char *format, const int size[4],
                       int method)
{
    scale c = {.format = format,
               .width = size[0],
               .height = size[1],
               .sizes = {{size[2], size[3]}},
               .method = scale_method(method, size[0], size[1], size[2], size[3])};
    return scale_check(f, pass, r, &c);
}

// All pairs of 1 .. 9, each axis its own, by every method.
static void test_small_pairs(void **state)
{
    static const char *const formats[] = {"rgba8", "rgba16f", "r32f"};
    rng r = rng_start("small pairs", 221);
    ag_pass *pass = fixture_pass(*state, "downsample");
    sweep *share = sweep_start("small pairs", 40);
    bool good = true;
    for (int a = 1; a <= 9; ++a)
        for (int b = 1; b <= a; ++b)
            for (int k = 0; k < METHODS * 3; ++k) {
                if (!sweep_takes(share))
                    continue;
                int height = rng_int(&r, 1, 9), h = rng_int(&r, 1, height);
                int pair[4] = {a, height, b, h}, flipped[4] = {height, a, h, b};
                good = check_size(*state, pass, &r, formats[k / METHODS], k % 2 ? flipped : pair,
                                  AG_DOWN_TILE + k % METHODS) &&
                       good;
            }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Then 200 random pairs; and, beyond the quick tier, what the issue of area averages is known by:
// HD to one texel less each way, all to one.
static void test_sizes(void **state)
{
    static const int sizes[][4] = {
        {64, 64, 63, 61},   {257, 255, 127, 128}, {300, 200, 37, 41},  {211, 199, 13, 11},
        {512, 300, 16, 9},  {640, 360, 639, 359}, {1031, 67, 1, 1},    {37, 1200, 5, 3},
        {1000, 1, 7, 1},    {1, 1000, 1, 7},      {515, 130, 257, 65}, {600, 64, 600, 1},
        {300, 90, 150, 45}, {255, 257, 85, 257},  {520, 260, 65, 33},  {700, 40, 2, 39},
        {4096, 3, 1, 1},    {16384, 1, 16383, 1}, {16384, 1, 1, 1},    {1, 16384, 1, 5},
    };
    static const int large[][4] = {{1920, 1080, 1279, 719},
                                   {4096, 4096, 1, 1},
                                   {1366, 768, 683, 384},
                                   {2048, 2048, 64, 64},
                                   {2047, 1999, 31, 30}};
    static const char *const formats[] = {"rgba16f", "rgba8", "r32f"};
    fixture *f = *state;
    rng r = rng_start("sizes", 222);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool more = check_tier_now() != CHECK_QUICK, good = true;
    sweep *share = sweep_start("sizes", 16);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k <= METHODS; ++k) // formats take turns with methods
            if (sweep_takes(share))
                good = check_size(f, pass, &r, formats[(i + i / 3 + (size_t)k) % 3], sizes[i], k) &&
                       good;
    share = sweep_start("random sizes", 50);
    for (int i = 0; i < 200; ++i) {
        int width = (int)rng_hdr(&r, 1, more ? 700 : 300);
        int height = (int)rng_hdr(&r, 1, more ? 700 : 100);
        int w = (int)rng_hdr(&r, 1, width + 1), h = (int)rng_hdr(&r, 1, height + 1);
        int size[4] = {width, height, w < width ? w : width, h < height ? h : height};
        if (sweep_takes(share))
            good =
                check_size(f, pass, &r, i % 2 ? "rg8" : "rgba32f", size, i % (METHODS + 1)) && good;
    }
    if (more) {
        share = sweep_start("large sizes", 1);
        for (size_t i = 0; i < COUNT(large); ++i)
            for (int k = 0; k <= METHODS; ++k)
                if (sweep_takes(share))
                    good = check_size(f, pass, &r, i % 2 ? "r32f" : "rgba16f", large[i], k) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Whole ratios by blocks: every first cell, blocks of few and of many cells, groups cut by the
// image's edge, one to four targets.
static void test_blocks(void **state)
{
    static const scale cases[] = {
        {.width = 64, .height = 64, .sizes = {{64, 64}}},
        {.width = 130, .height = 70, .sizes = {{65, 35}}},
        {.width = 99, .height = 66, .sizes = {{33, 22}}},
        {.width = 84, .height = 52, .sizes = {{21, 13}}},
        {.width = 105, .height = 55, .sizes = {{21, 11}}},
        {.width = 96, .height = 30, .sizes = {{12, 5}}},
        {.width = 133, .height = 70, .sizes = {{19, 10}}},
        {.width = 320, .height = 192, .sizes = {{5, 3}}},
        {.width = 200, .height = 51, .sizes = {{8, 17}}},
        {.width = 64, .height = 64, .sizes = {{1, 1}}},
        {.width = 80, .height = 96, .sizes = {{40, 48}, {20, 24}}},
        {.width = 128, .height = 64, .sizes = {{64, 32}, {32, 16}, {16, 8}, {8, 4}}},
        {.width = 60, .height = 30, .sizes = {{30, 10}, {20, 30}}},
        {.width = 160, .height = 120, .sizes = {{80, 60}, {20, 15}, {160, 120}}},
        {.width = 72, .height = 40, .sizes = {{36, 5}, {12, 20}}},
        {.width = 64, .height = 48, .sizes = {{4, 3}, {8, 6}, {16, 12}, {32, 24}}},
    };
    static const char *const formats[] = {"rgba16f", "rgba8", "rgba32f", "srgb8", "rgb10a2"};
    fixture *f = *state;
    rng r = rng_start("blocks", 240);
    ag_pass *pass = fixture_pass(f, "downsample");
    sweep *share = sweep_start("blocks", 8);
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int k = 0; k < 2; ++k) {
            scale c = cases[i];
            c.format = formats[(i + (size_t)k * 2) % 5];
            c.method = AG_DOWN_BLOCKS;
            c.weight = k;
            if (sweep_takes(share))
                good = scale_check(f, pass, &r, &c) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- formats and filters -----------------------------------------------------------------------

// Every format with every weight and method, and into one other format each.
static void test_formats(void **state)
{
    static const int methods[] = {AG_DOWN_TILE, AG_DOWN_COLUMNS, AG_DOWN_PARTIAL_SUMS,
                                  AG_DOWN_BLOCKS};
    fixture *f = *state;
    rng r = rng_start("formats", 225);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("formats", 24);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int weight = 0; weight <= AG_DOWN_WEIGHT_ALPHA; ++weight)
            for (size_t k = 0; k < COUNT(methods); ++k) {
                bool whole = methods[k] == AG_DOWN_BLOCKS; // ratios
                scale c = {format_at(i)->name,
                           NULL,
                           whole ? 72 : 87,
                           whole ? 48 : 46,
                           {{whole ? 9 : 19, whole ? 24 : 17}},
                           .method = methods[k],
                           .weight = weight};
                if ((weight != AG_DOWN_WEIGHT_ALPHA || format_at(i)->channels == 4) &&
                    sweep_takes(share))
                    good = scale_check(f, pass, &r, &c) && good;
            }
    share = sweep_start("other formats", 6);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const char *to = format_at((i + 5) % FORMAT_COUNT)->name;
        scale c = {format_at(i)->name, to, 50, 31, {{17, 8}}, .method = AG_DOWN_AUTO};
        if (sweep_takes(share))
            good = scale_check(f, pass, &r, &c) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_filters(void **state)
{
    static const char *const formats[] = {"rgba32f", "rgba8",      "rgba16f",
                                          "srgb8",   "r11g11b10f", "r16f"};
    static const int sizes[][4] = {{87, 46, 19, 17}, {64, 64, 32, 32}, {50, 31, 49, 30},
                                   {100, 7, 7, 7},   {31, 20, 62, 40}, {20, 31, 47, 50},
                                   {1, 1, 1, 1},     {97, 53, 13, 5},  {160, 9, 10, 1},
                                   {40, 40, 40, 40}, {33, 65, 11, 13}, {3, 2, 1, 2}};
    fixture *f = *state;
    rng r = rng_start("filters", 226);
    ag_pass *pass = fixture_pass(f, "downsample");
    bool good = true;
    sweep *share = sweep_start("filters", 48);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int filter = AG_DOWN_NEAREST; filter <= AG_DOWN_LANCZOS; ++filter)
            for (int k = 0; k < 3; ++k) {
                scale c = {formats[(i + (size_t)k * 2) % 6],
                           NULL,
                           sizes[i][0],
                           sizes[i][1],
                           {{sizes[i][2], sizes[i][3]}},
                           .filter = filter,
                           .radius = 2 + k % 2};
                // Each filter once in every tier, at ratios of which every weight counts.
                if (sweep_takes(share) || (i == 0 && k == 0))
                    good = scale_check(f, pass, &r, &c) && good;
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_small_pairs),
        FIXTURE_SWEEP(test_sizes),
        FIXTURE_SWEEP(test_blocks),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_filters),
        FIXTURE_SWEEP(test_identity),
        FIXTURE_TEST(test_worked_example),
        FIXTURE_TEST(test_lattice),
        FIXTURE_TEST(test_half_of_the_sampler),
        FIXTURE_SWEEP(test_constants),
        FIXTURE_SWEEP(test_scrub),
        FIXTURE_SWEEP(test_targets),
        FIXTURE_SWEEP(test_rectangles_and_layers),
        FIXTURE_SWEEP(test_image_units),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
