// denoise_values.c - results of "denoise" against the reference: every filter, threshold, format
// SPDX-License-Identifier: MIT
#include "shaders/denoise/interface.h"
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILTERS = 2, SHRINKS = 5 };
static const char *const filters[] = {"ti_haar", "haar", "atrous", "dwt"};
static const char *const shrinks[] = {"soft", "hard", "garrote", "firm", "group"};

// The error of results with thresholds that do not depend on the image.
static const double LIMIT = 1e-6;

static void noisy(denoising *d, rng *r, const char *format, int width, int height)
{
    int channels = format_named(format)->channels;
    double *values = denoising_scene(width, height, channels, rng_int(r, 0, 999), 0);
    for (size_t i = 0; i < (size_t)width * (size_t)height * (size_t)channels; ++i)
        if (channels < 4 || i % 4 < 3)
            values[i] += 0.1 * rng_normal(r);
    denoising_image(d, format, NULL, width, height, 0, values);
}

static void given(denoising *d, float sigma)
{
    d->settings.rule = AG_DENOISE_GIVEN;
    d->settings.sigma = sigma;
}

void test_shrinks(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("shrinks", 901);
    bool good = true;
    sweep *share = sweep_start("shrinks", 15);
    given(&d, 0.1f);
    d.settings.strength = 1.7f;
    d.settings.chroma = 0.6f;
    d.settings.amount = 0.8f;
    for (int filter = 0; filter < FILTERS; ++filter)
        for (int shrink = 0; shrink < SHRINKS; ++shrink)
            for (int channels = 1; channels <= 4; channels *= 2) {
                // firm once in every tier: no other threshold depends on the sign
                bool firm = filter == AG_DENOISE_HAAR && shrink == AG_DENOISE_FIRM && channels == 1;
                if (!sweep_takes(share) && !firm)
                    continue;
                char name[64];
                const char *format = channels == 1 ? "r32f" : channels == 2 ? "rg32f" : "rgba32f";
                snprintf(name, sizeof name, "%s %s %s", filters[filter], shrinks[shrink], format);
                d.settings.filter = filter;
                d.settings.threshold = shrink;
                noisy(&d, &r, format_named(format) ? format : "rgba32f", 67, 45);
                good = denoising_check(&d, name, LIMIT) && good;
            }
    denoising_close(&d);
    CHECK(good);
}

void test_levels(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("levels", 902);
    bool good = true;
    sweep *share = sweep_start("levels", 12);
    given(&d, 0.1f);
    for (int filter = 0; filter < FILTERS; ++filter)
        for (int levels = 1; levels <= 6; ++levels)
            for (int shrink = 0; shrink < SHRINKS; shrink += 4) {
                if (!sweep_takes(share))
                    continue;
                char name[64];
                snprintf(name, sizeof name, "%s, %d levels, %s", filters[filter], levels,
                         shrinks[shrink]);
                d.settings.filter = filter;
                d.settings.levels = levels;
                d.settings.threshold = shrink;
                bool slow = filter == AG_DENOISE_TI_HAAR && levels > 3; // for the reference
                noisy(&d, &r, "rgba32f", slow ? 37 : 93, slow ? 23 : 71);
                good = denoising_check(&d, name, LIMIT) && good;
            }
    denoising_close(&d);
    CHECK(good);
}

// Levels beyond the third of ti_haar: sizes below a block, larger ones, an array, and the rule
// bayes, whose energies come from two dispatches.
void test_coarse_levels(void **state)
{
    static const int sizes[][2] = {{1, 1}, {1, 20}, {7, 3}, {8, 9}, {250, 3}, {3, 310}};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("coarse levels", 909);
    bool good = true;
    sweep *share = sweep_start("coarse levels", 6);
    given(&d, 0.1f);
    for (int i = 0; i < 6; ++i)
        for (int rule = 0; rule < 2; ++rule) {
            if (!sweep_takes(share))
                continue;
            char name[64];
            d.settings.levels = i % 2 && i < 4 ? 5 : 4;
            d.settings.rule = rule ? AG_DENOISE_BAYES : AG_DENOISE_GIVEN;
            d.settings.threshold = i % 3 ? AG_DENOISE_SOFT : AG_DENOISE_GROUP;
            snprintf(name, sizeof name, "%dx%d, %d levels%s", sizes[i][0], sizes[i][1],
                     d.settings.levels, rule ? ", bayes" : "");
            noisy(&d, &r, "rgba32f", sizes[i][0], sizes[i][1]);
            good = denoising_check(&d, name, rule ? 1e-5 : LIMIT) && good;
            d.settings.sigma = rule ? 0 : 0.1f;
            double *first = denoising_run(&d), *again = denoising_run(&d);
            good = check_case("    again: the same bits",
                              !memcmp(first, again,
                                      sizeof *first * 4 * (size_t)(sizes[i][0] * sizes[i][1]))) &&
                   good;
            free(first);
            free(again);
            d.settings.sigma = 0.1f;
        }
    denoising_close(&d);
    CHECK(good);
}

// Tall tiles, which only images of many tiles get (64 and 128 rows; others have 32): a part of such
// an image has the same bits as an image of its own, away from where it was cut.
void test_tall_tiles(void **state)
{
    enum {
        ACROSS = AG_DENOISE_TI_STRIP_GROUPS / 2, // so many tiles in two rows of tiles
        TALL = AG_DENOISE_TI_STRIP_ROWS + 2,
        MIDDLE = AG_DENOISE_TI_STRIP_ROWS / 2 + 2,
        PART = 400
    };
    static const struct {
        int levels, height;
        const char *format;
    } cases[] = {
        {3, TALL, "r32f"}, {3, MIDDLE, "rgba32f"}, {2, TALL, "rg32f"}, {1, MIDDLE, "r32f"}};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("tall tiles", 910);
    bool good = true;
    sweep *share = sweep_start("tall tiles", 2);
    given(&d, 0.1f);
    for (int i = 0; i < 4; ++i) {
        if (!sweep_takes(share))
            continue;
        int halo = (1 << cases[i].levels) - 1,
            width = ACROSS * (AG_DENOISE_TI_STRIP_COLUMNS - 2 * halo);
        size_t channels = (size_t)format_named(cases[i].format)->channels;
        size_t row = channels * (size_t)width, part_row = channels * PART;
        size_t first = channels * (size_t)rng_int(&r, 0, width - PART);
        double *values = malloc(sizeof *values * row * (size_t)cases[i].height);
        double *part = malloc(sizeof *part * part_row * (size_t)cases[i].height);
        for (size_t k = 0; k < row * (size_t)cases[i].height; ++k)
            values[k] = 0.5 + 0.1 * rng_normal(&r);
        for (int y = 0; y < cases[i].height; ++y)
            memcpy(part + (size_t)y * part_row, values + (size_t)y * row + first,
                   sizeof *part * part_row);
        d.settings.levels = cases[i].levels;
        denoising_image(&d, cases[i].format, NULL, width, cases[i].height, 0, values);
        double *whole = denoising_run(&d);
        denoising_image(&d, cases[i].format, NULL, PART, cases[i].height, 0, part);
        double *alone = denoising_run(&d);
        long differ = 0;
        for (int y = 0; y < cases[i].height; ++y)
            for (size_t k = 8 * channels; k < part_row - 8 * channels; ++k)
                differ += whole[(size_t)y * row + first + k] != alone[(size_t)y * part_row + k];
        char name[80];
        snprintf(name, sizeof name, "%dx%d, %d levels, %s: values that differ", width,
                 cases[i].height, cases[i].levels, cases[i].format);
        good = check_limit(name, (double)differ, 0) && good;
        free(whole);
        free(alone);
    }
    denoising_close(&d);
    CHECK(good);
}

// Counts are sums of energies rounded to 1/4096 of sigma^2, so thresholds are nearly exact.
void test_rules(void **state)
{
    static const char *const rules[] = {"bayes", "bayes_local", "visu", "given"};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("rules", 903);
    bool good = true;
    sweep *share = sweep_start("rules", 12);
    for (int filter = 0; filter < FILTERS; ++filter)
        for (int rule = 0; rule < 4; ++rule)
            for (int shrink = 0; shrink < SHRINKS; shrink += 2) {
                if (!sweep_takes(share))
                    continue;
                char name[64];
                snprintf(name, sizeof name, "%s %s %s", filters[filter], rules[rule],
                         shrinks[shrink]);
                d.settings.filter = filter;
                d.settings.rule = rule;
                d.settings.threshold = shrink;
                d.settings.sigma = 0.09f;
                d.settings.strength = rule == AG_DENOISE_VISU ? 0.6f : 1;
                noisy(&d, &r, "rgba32f", 93, 71);
                good = denoising_check(&d, name,
                                       rule == AG_DENOISE_BAYES_LOCAL ? 5e-5
                                       : rule == AG_DENOISE_BAYES     ? 1e-5
                                                                      : LIMIT) &&
                       good;
            }
    denoising_close(&d);
    CHECK(good);
}

// Values up to 1000, with noise as each space expects it.
void test_spaces(void **state)
{
    static const char *const spaces[] = {"linear", "log", "anscombe"};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("spaces", 904);
    bool good = true;
    sweep *share = sweep_start("spaces", 3);
    for (int filter = 0; filter < FILTERS; ++filter)
        for (int space = 0; space < 3; ++space) {
            if (!sweep_takes(share))
                continue;
            char name[64];
            snprintf(name, sizeof name, "%s in %s", filters[filter], spaces[space]);
            double *values = denoising_scene(61, 47, 4, 100, 50);
            for (size_t i = 0; i < (size_t)61 * 47 * 4; ++i) {
                double x = 2 * values[i] * (i / 4 % 61 > 40 ? 500 : 1) - 0.01;
                values[i] = x + (space == AG_DENOISE_LOG ? 0.2 * x : 0.2) * rng_normal(&r);
            }
            d.settings.filter = filter;
            d.settings.space = space;
            d.settings.gain = space == AG_DENOISE_LOG ? 0.05f : 0.03f;
            d.settings.offset = 0.04f;
            given(&d, space == AG_DENOISE_ANSCOMBE ? 2 : 0.3f);
            denoising_image(&d, "rgba32f", NULL, 61, 47, 0, values);
            good = denoising_check(&d, name, 1e-5) && good;
        }
    denoising_close(&d);
    CHECK(good);
}

// Every format to itself, and as an image unit reads it where no view can be made.
void test_formats(void **state)
{
    fixture *f = *state;
    denoising d;
    denoising_open(f, &d);
    rng r = rng_start("formats", 905);
    bool good = true;
    given(&d, 0.1f);
    sweep *share = sweep_start("formats", 4);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        if (!sweep_takes(share))
            continue;
        d.settings.filter = i % 2;
        noisy(&d, &r, format->name, 41, 37);
        good = denoising_check(&d, format->name, LIMIT) && good;
        if (format->kind == FORMAT_SRGB || format->channels == 3) // not taken without a view
            continue;
        double *first = texture_read(f, &d.t.textures[AG_DENOISE_DST], 0);
        uint8_t *bytes = texture_read_bytes(f, &d.t.textures[AG_DENOISE_SRC], 0);
        GLuint name = 0;
        f->gl.GenTextures(1, &name);
        f->gl.BindTexture(GL_TEXTURE_2D, name);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
        f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)format->internal, 41, 37, 0, format->base,
                         format->type, bytes);
        f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
        f->gl.BindTexture(GL_TEXTURE_2D, 0);
        free(bytes);
        ag_texture view = d.t.views[AG_DENOISE_SRC];
        d.t.views[AG_DENOISE_SRC].name = name;
        double *second = denoising_run(&d);
        // Another program: its compiler may contract other products, so a value next to the middle
        // of two codes may go to the other one.
        double apart = 0;
        for (int k = 0; k < 41 * 37 * format->channels; ++k) {
            double unit = format->kind != FORMAT_FLOAT ? 1.0 / 255
                          : strcmp(format->name, "r11g11b10f") == 0
                              ? fmax(fabs(first[k]), 1e-3) / 32
                              : fmax(fabs(first[k]), 1e-3) / 1024;
            double off = fabs(first[k] - second[k]) / unit;
            apart = off <= apart ? apart : off;
        }
        good = check_limit("    by an image unit, in units of the format", apart, 1.01) && good;
        d.t.views[AG_DENOISE_SRC] = view;
        f->ag->forget(f->device, name);
        f->gl.DeleteTextures(1, &name);
        free(first);
        free(second);
    }
    denoising_close(&d);
    CHECK(good);
}

void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},   {1, 97},  {97, 1},  {2, 3},   {3, 2},   {7, 5},
                                   {28, 28}, {29, 27}, {32, 32}, {33, 31}, {64, 65}, {127, 65}};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("sizes", 906);
    bool good = true;
    sweep *share = sweep_start("sizes", 24);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int filter = 0; filter < FILTERS; ++filter) {
            if (!sweep_takes(share))
                continue;
            char name[64];
            snprintf(name, sizeof name, "%dx%d %s", sizes[i][0], sizes[i][1], filters[filter]);
            d.settings.filter = filter;
            d.settings.levels = filter ? 5 : 3;
            given(&d, 0.1f);
            noisy(&d, &r, "rgba32f", sizes[i][0], sizes[i][1]);
            good = denoising_check(&d, name, LIMIT) && good;
            d.settings.rule = AG_DENOISE_BAYES_LOCAL;
            d.settings.levels = 3;
            good = denoising_check(&d, "    bayes_local", 2e-5) && good;
            d.settings.rule = AG_DENOISE_BAYES;
            d.settings.sigma = 0; // only that it works; test_sigma has its value
            double *got = denoising_run(&d);
            for (size_t k = 0; k < texture_value_count(&d.t.textures[AG_DENOISE_DST], 0); ++k)
                good = got[k] == got[k] && got[k] < 3 && got[k] > -3 && good;
            free(got);
        }
    denoising_close(&d);
    CHECK(good);
}

// A rectangle is filtered as if it were the whole image, and nothing else is written.
void test_rectangles(void **state)
{
    enum { W = 90, H = 70, X = 13, Y = 9, RW = 51, RH = 40, TO_X = 3, TO_Y = 22 };
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("rectangles", 907);
    bool good = true;
    sweep *share = sweep_start("rectangles", 4);
    for (int filter = 0; filter <= AG_DENOISE_DWT; ++filter) {
        if (!sweep_takes(share))
            continue;
        d.settings.filter = filter;
        noisy(&d, &r, "rgba32f", W, H);
        double *part = check_doubles((size_t)RW * RH * 4);
        for (int y = 0; y < RH; ++y)
            memcpy(part + y * RW * 4, d.values + ((Y + y) * W + X) * 4, sizeof *part * RW * 4);
        d.t.views[AG_DENOISE_SRC].rect_x = X;
        d.t.views[AG_DENOISE_SRC].rect_y = Y;
        d.t.views[AG_DENOISE_DST].rect_x = TO_X;
        d.t.views[AG_DENOISE_DST].rect_y = TO_Y;
        for (int i = 0; i < 2; ++i) {
            d.t.views[i].rect_width = RW;
            d.t.views[i].rect_height = RH;
        }
        double *whole = denoising_run(&d);
        printf("  %s\n", filters[filter]);
        good = check_case("only the rectangle is written",
                          texture_poison_count(d.t.f, &d.t.textures[AG_DENOISE_DST], 0, 0, 0, 0,
                                               0) == (size_t)W * H - (size_t)RW * RH &&
                              !texture_poison_count(d.t.f, &d.t.textures[AG_DENOISE_DST], 0, TO_X,
                                                    TO_Y, RW, RH)) &&
               good;
        denoising_image(&d, "rgba32f", NULL, RW, RH, 0, part);
        double *alone = denoising_run(&d);
        bool same = true;
        for (int y = 0; y < RH; ++y)
            same = !memcmp(alone + y * RW * 4, whole + ((TO_Y + y) * W + TO_X) * 4,
                           sizeof *part * RW * 4) &&
                   same;
        good = check_case("    the bits of an image of its own", same) && good;
        free(whole);
        free(alone);
    }
    denoising_close(&d);
    CHECK(good);
}

// Layers count together: their results have the bits of single images with the statistics of all.
void test_arrays(void **state)
{
    enum { W = 64, H = 56, LAYERS = 3, TEXELS = W * H };
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("arrays", 908);
    bool good = true;
    sweep *share = sweep_start("arrays", 4);
    for (int filter = 0; filter <= AG_DENOISE_DWT; ++filter) {
        if (!sweep_takes(share))
            continue;
        d.settings.filter = filter;
        given(&d, 0.1f);
        double *values = denoising_scene(W, H * LAYERS, 4, 0, 0);
        denoising_add_noise(&r, values, (size_t)TEXELS * LAYERS * 4, 0.1);
        denoising_image(&d, "rgba32f", NULL, W, H, LAYERS, values);
        double *all = denoising_run(&d);
        d.t.views[AG_DENOISE_SRC].first_layer = d.t.views[AG_DENOISE_DST].first_layer = 1;
        d.t.views[AG_DENOISE_SRC].layers = d.t.views[AG_DENOISE_DST].layers = 1;
        double *one = denoising_run(&d);
        good = check_case("layer 1 of 3 alone: the same bits",
                          !memcmp(all + TEXELS * 4, one + TEXELS * 4, sizeof *all * TEXELS * 4)) &&
               check_case("    the others are not written",
                          texture_poison_count(d.t.f, &d.t.textures[AG_DENOISE_DST], 0, 0, 0, 0,
                                               0) == (size_t)TEXELS * (LAYERS - 1)) &&
               good;
        free(one);
        free(all);
        d.t.views[AG_DENOISE_SRC].layers = d.t.views[AG_DENOISE_DST].layers = LAYERS;
        d.t.views[AG_DENOISE_SRC].first_layer = d.t.views[AG_DENOISE_DST].first_layer = 0;
        if (filter >= FILTERS) // atrous has no rules, and a band of dwt reaches across an edge
            continue;
        // Statistics: below each other, as multiples of 8 rows, layers are one image.
        d.settings.rule = AG_DENOISE_BAYES;
        d.settings.sigma = 0;
        double *tall = check_doubles((size_t)TEXELS * LAYERS * 4);
        memcpy(tall, d.values, sizeof *tall * TEXELS * LAYERS * 4);
        d.t.views[AG_DENOISE_SRC] = texture_view(&d.t.textures[AG_DENOISE_SRC]);
        d.t.views[AG_DENOISE_DST] = texture_view(&d.t.textures[AG_DENOISE_DST]);
        all = denoising_run(&d);
        denoising_image(&d, "rgba32f", NULL, W, H * LAYERS, 0, tall);
        one = denoising_run(&d);
        double error = 0; // of rows that no other layer is near
        for (int y = 8; y < H - 8; ++y)
            for (int i = 0; i < W * 4; ++i)
                error += all[y * W * 4 + i] != one[y * W * 4 + i];
        good =
            check_limit("    estimated: texels unlike those of one tall image", error, 0) && good;
        free(one);
        free(all);
    }
    denoising_close(&d);
    CHECK(good);
}
