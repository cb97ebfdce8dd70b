// test_convolve_compact.c - storage compact: its error over scenes, kernels and shapes; spots; NaN
// and Inf
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blooming.h"
#include "convolve_ref.h"
#include "convolving.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- scenes and kernels that lose digits in a shared scale --------------------------------------

static void positive(rng *r, double *src, int width, int height, int channels)
{
    rng_fill_uniform(r, src, (size_t)(width * height * channels), 0, 1);
}

static void hdr(rng *r, double *src, int width, int height, int channels)
{
    rng_fill_hdr(r, src, (size_t)(width * height * channels), 1e-3, 6e4);
}

// A few bright texels in the dark.
static void stars(rng *r, double *src, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        src[i] = rng_int(r, 0, 999) == 0 ? rng_uniform(r, 100, 60000) : rng_uniform(r, 0, 0.1);
    src[width * height / 2 * channels] = 60000;
}

static void gradient(rng *r, double *src, int width, int height, int channels)
{
    (void)r;
    for (int i = 0; i < width * height * channels; ++i) {
        int x = i / channels % width, y = i / channels / width;
        src[i] = 0.1 + (double)(x + 2 * y) / (width + 2 * height);
    }
}

// A bright rectangle: rows with large values beside rows with small ones.
static void window(rng *r, double *src, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i) {
        int x = i / channels % width, y = i / channels / width;
        bool lit = x > 2 * width / 5 && x < 3 * width / 5 && y > 9 * height / 20 && y < height / 2;
        src[i] = (lit ? 50 : 0.02) + rng_uniform(r, 0, 0.01);
    }
}

static void point(rng *r, double *src, int width, int height, int channels)
{
    (void)r;
    for (int i = 0; i < width * height * channels; ++i)
        src[i] = i / channels == (height / 3) * width + width / 3;
}

static void line(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = i / channels / width == height / 2 ? 1.0 / width : 0;
}

static void corner(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = i < channels;
}

static void glare(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i) {
        double x = i / channels % width - width / 2, y = i / channels / width - height / 2;
        kernel[i] = 1 / pow(1 + x * x + y * y, 1.5);
    }
}

static void gaussian(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i) {
        double x = i / channels % width - width / 2, y = i / channels / width - height / 2;
        kernel[i] = exp(-18 * (x * x / (width * width) + y * y / (height * height)));
    }
}

// 0.99 of the sum in the centre, the rest at random.
static void mostly_centre(double *kernel, int width, int height, int channels)
{
    for (int c = 0; c < channels; ++c) {
        double sum = 0;
        int centre = (height / 2 * width + width / 2) * channels + c;
        kernel[centre] = 0;
        for (int i = c; i < width * height * channels; i += channels) {
            kernel[i] = fabs(kernel[i]);
            sum += kernel[i];
        }
        kernel[centre] = 99.5 * sum;
    }
}

static void (*const scenes[])(rng *, double *, int, int, int) = {NULL,     positive, hdr,  stars,
                                                                 gradient, window,   point};
static const struct {
    const char *name;
    void (*reshape)(double *, int, int, int);
    double least;
} kernels[] = {{"random", NULL, 90},       {"line", line, 90},
               {"corner", corner, 90},     {"glare", glare, 90},
               {"gaussian", gaussian, 90}, {"mostly centre", mostly_centre, 105}};

static void test_scenes(void **state)
{
    fixture *f = *state;
    rng r = rng_start("scenes", 91);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("scenes", 6);
    for (size_t s = 0; s < COUNT(scenes); ++s)
        for (size_t k = 0; k < COUNT(kernels); ++k) {
            if (!sweep_takes(share))
                continue;
            convolving c = {.name = kernels[k].name,
                            .width = 320,
                            .height = 180,
                            .kernel_width = 41,
                            .kernel_height = 33,
                            .src_format = "r32f",
                            .dst_format = "r32f",
                            .kernel_format = "r32f",
                            .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                            .border = AG_BORDER_CLAMP, .scrub = 1,
                                                            .storage = AG_STORAGE_COMPACT),
                            .reshape = kernels[k].reshape,
                            .paint = scenes[s],
                            .min_snr = kernels[k].least};
            good = convolving_check(f, pass, &c, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- shapes ------------------------------------------------------------------------------------

// Sizes whose plans differ: lines a group, few and many row pairs, odd pairs, tails of tiles, long
// lines of one a group, every number of channels.
static void test_shapes(void **state)
{
    static const struct {
        int width, height;
        const char *format;
    } cases[] = {{1, 1, "r32f"},        {2, 3, "r32f"},       {37, 53, "rg32f"},
                 {30, 641, "rgba32f"},  {8192, 4, "r32f"},    {4, 8192, "r32f"},
                 {333, 181, "rgba32f"}, {1, 9, "rgba32f"},    {17, 13, "rgba32f"},
                 {64, 48, "rgba32f"},   {101, 77, "r32f"},    {250, 3, "rgba32f"},
                 {3, 250, "rg32f"},     {1200, 7, "rgba32f"}, {4096, 6, "r32f"},
                 {6, 4096, "r32f"}};
    fixture *f = *state;
    rng r = rng_start("shapes", 92);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("shapes", 16);
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int again = 0; again < 2; ++again) {
            if (!sweep_takes(share))
                continue;
            bool longest = cases[i].width > 8000 || cases[i].height > 8000;
            convolving c = {.width = cases[i].width,
                            .height = cases[i].height,
                            .kernel_width = longest ? 1 : rng_int(&r, 1, 12),
                            .kernel_height = longest ? 1 : rng_int(&r, 1, 12),
                            .src_format = cases[i].format,
                            .dst_format = cases[i].format,
                            .kernel_format = again ? "rgba32f" : "r32f",
                            .settings =
                                *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                    .border = (int)i % 3 + again,
                                                    .correlate = again, .alpha = again, .scrub = 1,
                                                    .storage = AG_STORAGE_COMPACT)};
            good = convolving_check(f, pass, &c, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Images a few texels wide: lines of every small length, most of whose columns are exact.
static void test_narrow(void **state)
{
    fixture *f = *state;
    rng r = rng_start("narrow", 95);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    for (int w = 1; w <= 9; ++w)
        for (int k = 1; k <= 12; ++k) {
            convolving c = {.width = w,
                            .height = (int[]){9, 31, 250}[(w + k) % 3],
                            .kernel_width = k,
                            .kernel_height = 5,
                            .src_format = "rgba32f",
                            .dst_format = "rgba32f",
                            .kernel_format = "r32f",
                            .settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT,
                                                            .border = AG_BORDER_CLAMP, .scrub = 1,
                                                            .storage = AG_STORAGE_COMPACT)};
            good = convolving_check(f, pass, &c, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Odd heights that fill a line: the last pair has one row, and the place of the other must not
// change the result.
static void test_odd_whole_heights(void **state)
{
    static const int cases[][5] = {{600, 7, 7, 1, AG_BORDER_MIRROR},
                                   {36, 25, 43, 14, AG_BORDER_WRAP}};
    fixture *f = *state;
    rng r = rng_start("odd whole heights", 97);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        convolving c = {.width = cases[i][0],
                        .height = cases[i][1],
                        .kernel_width = cases[i][2],
                        .kernel_height = cases[i][3],
                        .kernel_format = "rgba32f",
                        .settings =
                            *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = cases[i][4],
                                                .scrub = 1, .storage = AG_STORAGE_COMPACT)};
        good = convolving_check(f, pass, &c, &r) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_random(void **state)
{
    fixture *f = *state;
    rng r = rng_start("random", 93);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("random", 40); // each compiles programs of its own
    for (int i = 0; i < 40; ++i) {
        if (!sweep_takes(share))
            continue;
        convolving c = {.width = rng_int(&r, 20, 90),
                        .height = rng_int(&r, 20, 90),
                        .kernel_width = rng_int(&r, 2, 60),
                        .kernel_height = rng_int(&r, 2, 60),
                        .kernel_format = i % 3 ? "rgba32f" : "r32f",
                        .settings = *ag_convolve_params(.method = rng_int(&r, 0, 2),
                                                        .border = rng_int(&r, 0, 3),
                                                        .normalize = rng_int(&r, 0, 1),
                                                        .correlate = rng_int(&r, 0, 1),
                                                        .alpha = rng_int(&r, 0, 1), .scrub = 1,
                                                        .storage = AG_STORAGE_COMPACT)};
        good = convolving_check(f, pass, &c, &r) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- spots -------------------------------------------------------------------------------------

enum { SW = 320, SH = 180, SK = 41 };

// A spot of 60000 in a scene of 0.02 .. 0.4, and a kernel with this share of its sum in the centre.
// The rms error of dark texels, relative to their exact values: of texels in the spot's rows, and
// of the others.
static void check_spot(fixture *f, ag_pass *pass, double in_centre, double rows_limit, double limit)
{
    rng r = rng_start("spot", 94);
    double *src = malloc(sizeof(double) * SW * SH), *want = malloc(sizeof(double) * SW * SH);
    double kernel[SK * SK], rest = 0, error[2] = {0}, level[2] = {0};
    rng_fill_hdr(&r, src, SW * SH, 0.02, 0.4);
    for (int y = 88; y < 91; ++y)
        for (int x = 150; x < 153; ++x)
            src[y * SW + x] = 60000;
    for (int i = 0; i < SK * SK; ++i) {
        double x = i % SK - SK / 2, y = i / SK - SK / 2;
        kernel[i] = i == SK * SK / 2 ? 0 : exp(-(x * x + y * y) / 80);
        rest += kernel[i];
    }
    kernel[SK * SK / 2] = in_centre > 0 ? rest * in_centre / (1 - in_centre) : 1;
    texture_quantise("r32f", kernel, SK * SK);
    texture_quantise("r32f", src, SW * SH);
    convolve_ref ref = {.src = src,
                        .width = SW,
                        .height = SH,
                        .channels = 1,
                        .kernel = kernel,
                        .kernel_width = SK,
                        .kernel_height = SK,
                        .kernel_channels = 1,
                        .normalize = 1};
    CHECK(convolve_ref_run(&ref, want));
    texture t[3] = {texture_create(f, "r32f", SW, SH, src),
                    texture_create(f, "r32f", SK, SK, kernel),
                    texture_create(f, "r32f", SW, SH, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    slots[1].version = 1 + (uint64_t)(in_centre * 1000);
    ag_convolve_settings settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .normalize = 1,
                                                        .scrub = 1, .storage = AG_STORAGE_COMPACT);
    ag_job job = convolving_job(slots, &settings);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &t[2], 0);
    for (int y = 0; y < SH; ++y)
        for (int x = 0; x < SW; ++x)
            if (abs(x - 151) > 30 || abs(y - 89) > 30) { // dark: out of the kernel's reach
                int other = abs(y - 89) > 1;
                error[other] += pow(got[y * SW + x] - want[y * SW + x], 2);
                level[other] += pow(want[y * SW + x], 2);
            }
    char name[96];
    for (int other = 0; other < 2; ++other) {
        snprintf(name, sizeof name, "spot of 60000, centre %g: rms error of %s over their rms",
                 in_centre, other ? "dark texels of other rows" : "the spot's rows");
        CHECK_LIMIT(name, sqrt(error[other] / level[other]), other ? limit : rows_limit);
    }
    for (int i = 0; i < 3; ++i) {
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
    free(src);
    free(want);
    free(got);
}

static void test_spots(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    check_spot(f, pass, 0.99, 5e-4, 2e-4);
    check_spot(f, pass, 0, 0.05, 0.02);
    f->ag->pass_destroy(pass);
}

// ---- what is not finite ------------------------------------------------------------------------

// With scrub, non-finite texels give the same bits as zeros. Without, each of them makes every
// texel of the result NaN or infinite, as in full storage.
static void test_not_finite(void **state)
{
    enum { W = 48, H = 36, K = 5 };
    fixture *f = *state;
    rng r = rng_start("not finite", 95);
    double src[3][W * H], kernel[K * K];
    rng_fill_uniform(&r, src[0], W * H, -1, 1);
    rng_fill_uniform(&r, kernel, K * K, -1, 1);
    src[0][W * 7 + 11] = 0;
    ag_pass *pass = fixture_pass(f, "convolve");
    texture k = texture_create(f, "r32f", K, K, kernel);
    double *clean = NULL;
    const double bad[] = {0, (double)NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 7; ++i) {
        bool scrub = i < 4;
        src[0][W * 7 + 11] = bad[scrub ? i : i - 3];
        texture s = texture_create(f, "r32f", W, H, src[0]),
                d = texture_create(f, "r32f", W, H, NULL);
        ag_texture slots[3] = {texture_view(&s), texture_view(&k), texture_view(&d)};
        ag_convolve_settings settings =
            *ag_convolve_params(.method = AG_CONVOLVE_FFT, .scrub = scrub,
                                .storage = AG_STORAGE_COMPACT);
        ag_job job = convolving_job(slots, &settings);
        fixture_run(f, pass, &job);
        double *got = texture_read(f, &d, 0);
        int wrong = 0;
        for (int p = 0; p < W * H; ++p)
            wrong += i == 0 ? !isfinite(got[p]) : scrub ? !(got[p] == clean[p]) : isfinite(got[p]);
        char name[64];
        snprintf(name, sizeof name, "%g, scrub %s: texels that are wrong", bad[scrub ? i : i - 3],
                 scrub ? "on" : "off");
        CHECK_LIMIT(name, wrong, 0);
        if (i == 0)
            clean = got;
        else
            free(got);
        f->ag->forget(f->device, s.name);
        f->ag->forget(f->device, d.name);
        texture_destroy(f, &s);
        texture_destroy(f, &d);
    }
    free(clean);
    f->ag->pass_destroy(pass);
    texture_destroy(f, &k);
}

// ---- bloom -------------------------------------------------------------------------------------

static void test_bloom(void **state)
{
    enum { W = 161, H = 90 };
    fixture *f = *state;
    rng r = rng_start("bloom", 96);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.001, 60000);
    blooming c = {
        .name = "compact", .width = W, .height = H, .src = src, .settings = blooming_defaults(f)};
    c.settings.storage = AG_STORAGE_COMPACT;
    int extent = blooming_extent((double)c.settings.size, H);
    double *k = blooming_gaussian((double)c.settings.size, H);
    double *got = blooming_run(f, pass, &c);
    bloomed m = blooming_measure(&c, k, extent, extent, 1, got);
    CHECK_LIMIT("bloom, compact: largest error over max|T|", m.relative, 1e-5);
    CHECK_LIMIT("bloom, compact: dB", -m.snr, -105);
    free(src);
    free(k);
    free(got);
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_scenes),           FIXTURE_SWEEP(test_shapes),
        FIXTURE_SWEEP(test_random),           FIXTURE_TEST(test_spots),
        FIXTURE_TEST(test_not_finite),        FIXTURE_TEST(test_bloom),
        FIXTURE_TEST(test_odd_whole_heights), FIXTURE_TEST(test_narrow),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
