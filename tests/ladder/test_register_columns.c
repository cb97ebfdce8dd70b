// test_register_columns.c - "register_columns": every ratio and weight against double precision
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/ladder_downsample.h>

#include "down_ref.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC = AG_REGISTER_COLUMNS_SRC, DST = AG_REGISTER_COLUMNS_DST };

// ---- a case, and its exact result --------------------------------------------------------------

// Bounds as downsample.h states them.
static bool reduced(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_register_columns_settings *s = t->settings;
    const trial_slot *in = &t->slots[SRC];
    const format_info *format = t->textures[DST].format;
    int n = trial_channels(t, SRC);
    const down_ref ref = {.width = in->w ? in->w : in->width,
                          .height = in->h ? in->h : in->height,
                          .channels = n,
                          .to_width = p->width,
                          .to_height = p->height,
                          .filter = AG_DOWN_AREA,
                          .weight = s->weight};
    size_t texels = (size_t)(p->width * p->height), all = (size_t)(ref.width * ref.height * n);
    double *src = trial_input(t, SRC, p->layer), *exact = check_doubles(texels * (size_t)n);
    double *magnitude = check_doubles(texels * (size_t)n);
    for (size_t i = 0; i < all; ++i) // a texel with one is 0 in all channels
        if (!isfinite(src[i]))
            memset(src + i / (size_t)n * (size_t)n, 0, (size_t)n * sizeof *src);
    texture_quantise(in->format, src, all / (size_t)n);
    down_ref_make(&ref, src, exact, magnitude);
    for (size_t i = 0; i < texels; ++i)
        for (int c = 0; c < p->channels && c < n; ++c) {
            size_t at = i * (size_t)p->channels + (size_t)c, from = i * (size_t)n + (size_t)c;
            want[at] = exact[from];
            bound[at] =
                format->kind == FORMAT_FLOAT ? 8 * ldexp(1, -24) * magnitude[from] : ldexp(1, -14);
        }
    free(magnitude);
    free(exact);
    free(src);
    return true;
}

static trial case_of(fixture *f, ag_pass *pass, const char *format, const int sizes[4],
                     const double *src, ag_register_columns_settings *s)
{
    trial t = trial_of(f, "register_columns", "means", s, sizeof *s);
    t.pass = pass;
    t.slots[SRC] = trial_image(format, sizes[0], sizes[1], src);
    t.slots[DST] = trial_image(format, sizes[2], sizes[3], NULL);
    t.reference = reduced;
    return t;
}

static double *noise(rng *r, const char *format, int width, int height, bool weighted)
{
    return values_hdr(r, format, width, height, 0.01, format_named(format)->bits[0] > 8 ? 100 : 1,
                      !weighted);
}

// ---- tests -------------------------------------------------------------------------------------

static void test_ratios(void **state)
{
    static const int sizes[][4] = {{64, 64, 2, 2},   {128, 96, 8, 6},  {96, 64, 24, 32},
                                   {2, 2, 1, 1},     {66, 40, 33, 5},  {48, 32, 48, 1},
                                   {37, 50, 37, 50}, {352, 16, 11, 1}, {1, 1, 1, 1}};
    static const char *const formats[] = {"rgba32f", "rgba8", "rgba16f", "rgb10a2", "r32f"};
    fixture *f = *state;
    rng r = rng_start("ratios", 224);
    ag_pass *pass = fixture_pass(f, "register_columns");
    bool good = true;
    sweep *share = sweep_start("ratios", 21);
    for (size_t i = 0; i < COUNT(formats); ++i)
        for (int weight = AG_DOWN_WEIGHT_NONE; weight <= AG_DOWN_WEIGHT_ALPHA; ++weight)
            for (size_t k = 0; k < COUNT(sizes); ++k) {
                if (weight == AG_DOWN_WEIGHT_ALPHA && format_named(formats[i])->channels < 4)
                    continue;
                if (!sweep_takes(share))
                    continue;
                ag_register_columns_settings s;
                double *src = noise(&r, formats[i], sizes[k][0], sizes[k][1], weight > 0);
                trial t = case_of(f, pass, formats[i], sizes[k], src, &s);
                s.weight = weight;
                good = trial_check(&t) && good;
                trial_free(&t);
                free(src);
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The example of the document: 4 x 4 texels, a ratio of 2, four threads. Its steps by hand, and
// what a GPU makes of the columns alone (a ratio of 1 across), and of both.
static void test_worked_example(void **state)
{
    static const double texels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    static const double columns[2][4] = {{6, 8, 10, 12}, {22, 24, 26, 28}}; // sums of two, down
    static const double sums[2][2] = {{14, 22}, {46, 54}}; // of two of those, across
    fixture *f = *state;
    for (int step = 0; step < 2; ++step) {
        ag_register_columns_settings s;
        int w = step ? 2 : 4;
        trial t = case_of(f, NULL, "r32f", (const int[]){4, 4, w, 2}, texels, &s);
        trial_run(&t);
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < w; ++x)
                CHECK_F(t.got[DST][y * w + x] == (step ? sums[y][x] / 4 : columns[y][x] / 2),
                        "%g at %d, %d", t.got[DST][y * w + x], x, y);
        trial_free(&t);
    }
    printf("  ok    columns 6 8 10 12, 22 24 26 28 over 2; then 14 22, 46 54 over 4\n");
}

// A rectangle of three layers, in larger textures. Bad texels count once each, also those of the
// last column and row, which threads beyond the image read again.
static void test_rectangles_and_bad_texels(void **state)
{
    enum { W = 61, H = 45, LAYERS = 3, BAD = 4, LEFT = 5, TOP = 3, WIDE = 40, HIGH = 36 };
    static const int at[BAD][3] = {{LEFT, TOP, 0},
                                   {LEFT + WIDE - 1, TOP + HIGH - 1, 1},
                                   {LEFT + WIDE - 1, TOP, 1},
                                   {LEFT + 17, TOP + HIGH - 1, 2}};
    fixture *f = *state;
    rng r = rng_start("rectangles", 225);
    ag_register_columns_settings s;
    double *src = noise(&r, "rgba32f", W, LAYERS * H, false);
    for (int i = 0; i < BAD; ++i)
        src[4 * ((at[i][2] * H + at[i][1]) * W + at[i][0]) + i] =
            i % 2 ? (double)INFINITY : (double)NAN;
    trial t = case_of(f, NULL, "rgba32f", (const int[]){W, H, 27, 23}, src, &s);
    t.slots[SRC].layers = t.slots[DST].layers = LAYERS;
    t.slots[SRC].x = LEFT;
    t.slots[SRC].y = TOP;
    t.slots[SRC].w = WIDE;
    t.slots[SRC].h = HIGH;
    t.slots[DST].x = 6;
    t.slots[DST].y = 2;
    t.slots[DST].w = WIDE / 2;
    t.slots[DST].h = HIGH / 4;
    uint64_t before = fixture_scrubbed(f);
    CHECK(trial_check(&t));
    CHECK_EQ(fixture_scrubbed(f) - before, BAD);
    trial_free(&t);
    free(src);
}

static void test_refusals(void **state)
{
    static const struct {
        int sizes[4], weight, status;
        const char *format, *word;
    } cases[] = {
        {{60, 40, 20, 20}, 0, AG_E_ARG, "r32f", "dst is 20x20, src 60x40; it takes ratios of 1, 2"},
        {{60, 40, 60, 13}, 0, AG_E_ARG, "r32f", "dst is 60x13"},
        {{64, 64, 1, 64}, 0, AG_E_ARG, "r32f", "dst is 1x64"},
        {{64, 64, 128, 64}, 0, AG_E_ARG, "r32f", "dst is 128x64"},
        {{64, 64, 32, 32}, AG_DOWN_WEIGHT_ALPHA, AG_E_FORMAT, "rg16f", "weight is alpha and src"},
    };
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_register_columns_settings s;
        trial t = case_of(*state, NULL, cases[i].format, cases[i].sizes, NULL, &s);
        s.weight = cases[i].weight;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_ratios),
        FIXTURE_TEST(test_worked_example),
        FIXTURE_TEST(test_rectangles_and_bad_texels),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_ladder, fixture_teardown);
}
