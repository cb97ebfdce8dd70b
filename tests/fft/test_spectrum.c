// test_spectrum.c - the effect "spectrum" against FFTW in double, and what it promises beside
// numbers
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/spectrum.h>

#include "spectrum_ref.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC = AG_SPECTRUM_SRC, DST = AG_SPECTRUM_DST };

// What afterglow/spectrum.h promises: an error of 1e-6 of max|src| times the gain, and 120 dB. The
// logarithm lies between those of the largest and the smallest magnitude within the bound, give or
// take 0.001 dB.
static bool shown(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_spectrum_settings *s = t->settings;
    const ag_plan *plan;
    int channels = trial_channels(t, SRC), w = p->width, h = p->height, points[2], size[2];
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    CHECK_F(sscanf(plan->text, "fft: %dx%d in %dx%d points", &size[0], &size[1], &points[0],
                   &points[1]) == 4,
            "%s", plan->text);
    CHECK(size[0] == w && size[1] == h && points[0] >= w && points[1] >= h);
    double *src = trial_input(t, SRC, p->layer), peak = 0;
    double *magnitudes = check_doubles((size_t)(w * h * 3));
    values_scrub(src, (size_t)(w * h), channels);
    for (int i = 0; i < w * h * channels; ++i)
        peak = i % channels < 3 ? fmax(peak, fabs(src[i])) : peak;
    spectrum_ref ref = {src, w, h, channels, points[0], points[1], s};
    spectrum_ref_run(&ref, magnitudes);
    double error = 1e-6 * peak * pow(10, (double)s->gain / 20);
    for (int i = 0; i < w * h * p->channels; ++i) {
        int c = i % p->channels;
        double m = c < 3 ? magnitudes[i / p->channels * 3 + c] : 1;
        want[i] = m;
        bound[i] = c < 3 ? error : 0;
        if (s->log && c < 3) {
            double low = spectrum_ref_shown(s, m - error), high = spectrum_ref_shown(s, m + error);
            want[i] = 0.5 * (low + high);
            bound[i] = 0.5 * (high - low) + 0.001 / (double)s->range;
        }
    }
    t->snr = s->log || t->textures[DST].format->bits[0] < 32 || peak == 0 ? 0 : 120;
    free(src);
    free(magnitudes);
    return true;
}

// Of magnitudes, from and into rgba32f.
static trial spectrum_of(fixture *f, const char *name, int width, int height, const double *src,
                         ag_spectrum_settings *s)
{
    trial t = trial_of(f, "spectrum", name, s, sizeof *s);
    s->log = 0;
    t.slots[SRC] = trial_image("rgba32f", width, height, src);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    t.reference = shown;
    return t;
}

// ---- numbers -----------------------------------------------------------------------------------

// Every size in four of its settings, with positive values and with values around 0 (no mean).
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{64, 48}, {48, 45},  {45, 35},  {1, 1},    {2, 2},
                                   {1, 50},  {49, 1},   {3, 2},    {61, 37},  {127, 96},
                                   {331, 1}, {1, 1021}, {97, 360}, {8192, 6}, {6, 8192}};
    fixture *f = *state;
    rng r = rng_start("sizes", 61);
    ag_pass *pass = fixture_pass(f, "spectrum");
    bool good = true;
    sweep *share = sweep_start("sizes", 20);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k < 4; ++k) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            double *src = values_noise(&r, "rgba32f", w, h, k % 2 ? -3 : 0, 3);
            ag_spectrum_settings s;
            trial t = spectrum_of(f, k < 2 ? "plain" : "dB", w, h, src, &s);
            s.log = k >= 2;
            s.window = k == 1 || k == 2;
            s.centred = k != 1;
            s.range = k == 3 ? 150 : 100;
            good = trial_check_and_free(&t, pass) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static ag_texture declared(int width, int height)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .target = GL_TEXTURE_2D,
                        .format = GL_R16F,
                        .width = width,
                        .height = height};
}

// Sizes for which the header promises the exact DFT, and sizes with longer lines.
static void test_points(void **state)
{
    static const int cases[][4] = {{640, 360, 1, 1}, {45, 35, 2, 1},  {1, 1, 2, 2},
                                   {4095, 2, 0, 1},  {3645, 5, 2, 1}, {61, 37, 0, 0}};
    fixture *f = *state;
    ag_spectrum_settings s;
    trial t = trial_of(f, "spectrum", "points", &s, sizeof s);
    trial_make(&t);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const int *c = cases[i];
        const ag_plan *plan;
        int p[2], size[2];
        t.views[SRC] = t.views[DST] = declared(c[0], c[1]);
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
        CHECK_EQ(sscanf(plan->text, "fft: %dx%d in %dx%d", &size[0], &size[1], &p[0], &p[1]), 4);
        printf("  %dx%d in %dx%d points\n", c[0], c[1], p[0], p[1]);
        for (int k = 0; k < 2; ++k)
            CHECK(c[2 + k] ? p[k] == c[k] * c[2 + k] : p[k] > c[k] && p[k] <= c[k] * 9 / 8 + 8);
    }
    trial_free(&t);
}

static void test_formats(void **state)
{
    enum { W = 48, H = 45 };
    fixture *f = *state;
    rng r = rng_start("formats", 62);
    ag_pass *pass = fixture_pass(f, "spectrum");
    bool good = true;
    sweep *share = sweep_start("formats", 12);
    for (int i = 0; i < 4 * FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        bool luminance = i % 2, into = i / 2 % 2;
        const char *name = format_at(i / 4)->name, *from = into ? "rgba32f" : name;
        double *src = values_noise(&r, from, W, H, 0, 1);
        ag_spectrum_settings s;
        trial t = spectrum_of(f, into ? "into" : "from", W, H, src, &s);
        t.slots[into ? DST : SRC].format = name;
        s.window = luminance && !into;
        s.channels = luminance && !into ? AG_SPECTRUM_LUMINANCE : AG_SPECTRUM_EACH;
        s.log = luminance && into;
        s.gain = !into ? 0 : luminance ? 3 : 40;
        good = trial_check_and_free(&t, pass) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- laws --------------------------------------------------------------------------------------

// A wave of its own in each channel: two points each, half its height. The red wave's points are at
// its own place and opposite of it where the picture is not centred.
static void test_waves(void **state)
{
    static const int sizes[][2] = {{48, 45}, {45, 35}, {64, 27}};
    static const int waves[3][2] = {{3, 5}, {-7, 4}, {0, 11}};
    fixture *f = *state;
    sweep *share = sweep_start("waves", 3);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        int w = sizes[i][0], h = sizes[i][1];
        if (!sweep_takes(share))
            continue;
        double *src = check_doubles((size_t)(4 * w * h)), worst = 0;
        for (int k = 0; k < 4 * w * h; ++k) {
            int x = k / 4 % w, y = k / 4 / w, c = k % 4;
            double turns = c < 3 ? (double)waves[c][0] * x / w + (double)waves[c][1] * y / h : 0;
            src[k] = c == 3 ? 9 : cos(6.283185307179586 * (turns + 0.1));
        }
        ag_spectrum_settings s;
        trial t = spectrum_of(f, "waves", w, h, src, &s);
        double *got = trial_take(&t, DST);
        for (int k = 0; k < 4 * w * h; ++k) {
            int u = k / 4 % w - w / 2, v = k / 4 / w - h / 2, c = k % 4;
            int a = c < 3 ? waves[c][0] : 0, b = c < 3 ? waves[c][1] : 0;
            bool there = (u == a && v == b) || (u == -a && v == -b);
            worst = check_worse(worst, fabs(got[k] - (c == 3 ? 1 : there ? 0.5 : 0)));
        }
        CHECK_LIMIT("two points of each wave, and nothing else", worst, 1e-6);
        free(got);
        s.centred = 0;
        got = trial_take(&t, DST);
        CHECK_LIMIT("at (3, 5)", fabs(got[4 * (5 * w + 3)] - 0.5), 1e-6);
        CHECK_LIMIT("at (-3, -5)", fabs(got[4 * ((h - 5) * w + w - 3)] - 0.5), 1e-6);
        free(got);
        free(src);
    }
}

// Real images have F(-k) = conj F(k): the picture is point symmetric, bit for bit, padded or not.
static void test_symmetry(void **state)
{
    static const int sizes[][2] = {{48, 45}, {45, 35}, {61, 37}, {94, 53}};
    fixture *f = *state;
    rng r = rng_start("symmetry", 65);
    sweep *share = sweep_start("symmetry", 4);
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        if (!sweep_takes(share))
            continue;
        int w = sizes[i][0], h = sizes[i][1], wrong = 0;
        double *src = values_noise(&r, "rgba32f", w, h, 0, 1);
        ag_spectrum_settings s;
        trial t = spectrum_of(f, "symmetry", w, h, src, &s);
        double *got = trial_take(&t, DST);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                int mx = 2 * (w / 2) - x, my = 2 * (h / 2) - y;
                if (mx < w && my < h)
                    wrong += memcmp(got + 4 * (y * w + x), got + 4 * (my * w + mx), 32) != 0;
            }
        CHECK_EQ(wrong, 0);
        free(got);
        free(src);
    }
}

// ---- contract ----------------------------------------------------------------------------------

// NaN and Inf count as 0, each texel once; with a window, too.
static void test_scrub(void **state)
{
    enum { W = 48, H = 45 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("scrub", 66);
    double *src = values_noise(&r, "rgba32f", W, H, 0, 1);
    bool good = true;
    for (int i = 0; i < 9; ++i) // one channel of each: the whole texel counts as 0
        src[4 * (i == 0 ? 0 : i == 1 ? W * H - 1 : 250 * i) + i % 4] = bad[i % 3];
    for (int window = 0; window < 2; ++window) {
        ag_spectrum_settings s;
        trial t = spectrum_of(f, "scrub", W, H, src, &s);
        s.window = window;
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, 9);
        trial_free(&t);
    }
    free(src);
    CHECK(good);
}

// Rectangles inside layers of arrays, with scratch of the host's: outside dst's nothing is written.
static void test_rects_and_layers(void **state)
{
    enum { W = 48, H = 45, BW = 61, BH = 66, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("layers", 67);
    double *src = values_noise(&r, "rgba32f", BW, BH * LAYERS, 0, 1);
    ag_spectrum_settings s;
    trial t = spectrum_of(f, "rectangles", W, H, src, &s);
    t.slots[SRC] = (trial_slot){"rgba32f", BW, BH, LAYERS, 1, src, 8, 5, W, H, 0, 0, 0, NULL};
    t.slots[DST] = (trial_slot){"rgba32f", BW, BH, LAYERS, 1, NULL, 11, 19, W, H, 0, 0, 0, NULL};
    t.lend = true;
    CHECK(trial_check_and_free(&t, NULL));
    free(src);
}

// No setting is structural: all of them may change between frames.
static void test_settings(void **state)
{
    static const float gains[] = {10, -200, -20, 6, 200}, ranges[] = {50, 1, 20, 250, 400};
    fixture *f = *state;
    rng r = rng_start("settings", 68);
    double *src = values_noise(&r, "rgba32f", 48, 45, 0, 1);
    ag_spectrum_settings s;
    trial t = spectrum_of(f, "settings", 48, 45, src, &s);
    trial_run(&t);
    bool good = true;
    for (int i = 0; i < 16; ++i) {
        s = *ag_spectrum_params(.channels = i & 1, .window = i >> 1 & 1, .log = i >> 2 & 1,
                                .range = ranges[i % 5], .gain = gains[i % 5],
                                .centred = i >> 3 & 1);
        CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK);
        double *unprepared = texture_read(f, &t.textures[DST], 0);
        good = trial_check(&t) && good;
        CHECK(values_same(unprepared, t.got[DST], 4 * 48 * 45));
        free(unprepared);
    }
    trial_free(&t);
    free(src);
    CHECK(good);
}

static void test_refusals(void **state)
{
    static const int widths[][2] = {{8193, 8193}, {64, 63}};
    bool good = true;
    for (size_t i = 0; i < COUNT(widths); ++i) {
        ag_spectrum_settings s;
        trial t = spectrum_of(*state, "refused", widths[i][0], 4, NULL, &s);
        t.slots[DST].width = widths[i][1];
        good = trial_refused(&t, AG_E_SIZE, i ? "63x4" : "8192") && good;
        host_log_clear(&t.f->host);
        trial_free(&t);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),    FIXTURE_TEST(test_points),
        FIXTURE_SWEEP(test_formats),  FIXTURE_SWEEP(test_waves),
        FIXTURE_SWEEP(test_symmetry), FIXTURE_TEST(test_scrub),
        FIXTURE_TEST(test_settings),  FIXTURE_TEST(test_rects_and_layers),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
