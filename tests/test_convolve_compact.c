// test_convolve_compact.c - storage compact: its error over scenes, kernels and shapes; spots; NaN and Inf
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blooming.h"
#include "convolve_ref.h"
#include "convolving.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- scenes and kernels that are hard on a shared scale ----------------------------------------

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

// A bright rectangle: rows of one size next to rows of another.
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

static void (*const scenes[])(rng *, double *, int, int, int) = {NULL,  positive, hdr,  stars,
                                                                 gradient, window, point};
static const struct {
    const char *name;
    void (*reshape)(double *, int, int, int);
    double least;
} kernels[] = {{"random", NULL, 90},     {"line", line, 90},         {"corner", corner, 90},
               {"glare", glare, 90},     {"gaussian", gaussian, 90}, {"mostly centre", mostly_centre, 105}};

static void test_scenes(void **state)
{
    fixture *f = *state;
    rng r = rng_start("scenes", 91);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    for (size_t s = 0; s < COUNT(scenes); ++s)
        for (size_t k = 0; k < COUNT(kernels); ++k) {
            convolving c = {.name = kernels[k].name,
                            .width = 320,
                            .height = 180,
                            .kernel_width = 41,
                            .kernel_height = 33,
                            .src_format = "r32f",
                            .dst_format = "r32f",
                            .kernel_format = "r32f",
                            .settings = {.method = AG_CONVOLVE_FFT,
                                         .border = AG_BORDER_CLAMP,
                                         .scrub = 1,
                                         .storage = AG_STORAGE_COMPACT},
                            .reshape = kernels[k].reshape,
                            .paint = scenes[s],
                            .least_snr = kernels[k].least};
            good = convolving_check(f, pass, &c, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- shapes ------------------------------------------------------------------------------------

// Sizes whose plans differ: lines a group, few and many row pairs, odd pairs, tails of tiles, long lines
// of one a group, every number of channels.
static void test_shapes(void **state)
{
    static const struct {
        int width, height;
        const char *format;
    } cases[] = {{1, 1, "r32f"},     {2, 3, "r32f"},      {1, 9, "rgba32f"},   {17, 13, "rgba32f"},
                 {37, 53, "rg32f"},  {64, 48, "rgba32f"}, {101, 77, "r32f"},   {250, 3, "rgba32f"},
                 {3, 250, "rg32f"},  {30, 641, "rgba32f"}, {1200, 7, "rgba32f"}, {4096, 6, "r32f"},
                 {6, 4096, "r32f"},  {8192, 4, "r32f"},   {4, 8192, "r32f"},   {333, 181, "rgba32f"}};
    fixture *f = *state;
    rng r = rng_start("shapes", 92);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int again = 0; again < 2; ++again) {
            bool longest = cases[i].width > 8000 || cases[i].height > 8000;
            convolving c = {.width = cases[i].width,
                            .height = cases[i].height,
                            .kernel_width = longest ? 1 : rng_int(&r, 1, 12),
                            .kernel_height = longest ? 1 : rng_int(&r, 1, 12),
                            .src_format = cases[i].format,
                            .dst_format = cases[i].format,
                            .kernel_format = again ? "rgba32f" : "r32f",
                            .settings = {.method = AG_CONVOLVE_FFT,
                                         .border = (int)i % 3 + again,
                                         .correlate = again,
                                         .alpha = again,
                                         .scrub = 1,
                                         .storage = AG_STORAGE_COMPACT}};
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
    for (int i = 0; i < 24; ++i) {
        convolving c = {.width = rng_int(&r, 20, 90),
                        .height = rng_int(&r, 20, 90),
                        .kernel_width = rng_int(&r, 2, 60),
                        .kernel_height = rng_int(&r, 2, 60),
                        .kernel_format = i % 3 ? "rgba32f" : "r32f",
                        .settings = {.method = rng_int(&r, 0, 2),
                                     .border = rng_int(&r, 0, 3),
                                     .normalize = rng_int(&r, 0, 1),
                                     .correlate = rng_int(&r, 0, 1),
                                     .alpha = rng_int(&r, 0, 1),
                                     .scrub = 1,
                                     .storage = AG_STORAGE_COMPACT}};
        good = convolving_check(f, pass, &c, &r) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(test_scenes),
        FIXTURE_TEST(test_shapes),
        FIXTURE_TEST(test_random),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
