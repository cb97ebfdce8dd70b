// test_reference.c - the double-precision references against each other and against closed forms
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "afterglow/bloom.h"
#include "bloom_ref.h"
#include "check.h"
#include "convolve_ref.h"
#include "random.h"

static double *allocate(size_t count)
{
    double *values = calloc(count ? count : 1, sizeof *values);
    CHECK(values != NULL);
    return values;
}

// Direct against FFTW for one shape; returns max error relative to max|src| sum|kernel|.
static double compare(rng *r, convolve_ref c)
{
    size_t pixels = (size_t)(c.width * c.height), taps = (size_t)(c.kernel_width * c.kernel_height);
    double *src = allocate(pixels * (size_t)c.channels);
    double *kernel = allocate(taps * (size_t)c.kernel_channels);
    double *a = allocate(pixels * (size_t)c.channels), *b = allocate(pixels * (size_t)c.channels);
    rng_fill_normal(r, src, pixels * (size_t)c.channels);
    rng_fill_uniform(r, kernel, taps * (size_t)c.kernel_channels, 0.1, 1);
    c.src = src;
    c.kernel = kernel;
    CHECK(convolve_ref_direct(&c, a));
    CHECK(convolve_ref_fft(&c, b));
    double error = check_max_error(a, b, pixels * (size_t)c.channels) / convolve_ref_scale(&c);
    free(src);
    free(kernel);
    free(a);
    free(b);
    return error;
}

static void test_direct_against_fft(void **state)
{
    (void)state;
    rng r = rng_start("reference", 1);
    static const char *const borders[] = {"zero", "clamp", "mirror", "wrap"};
    bool passed = true;
    for (int border = AG_BORDER_ZERO; border <= AG_BORDER_WRAP; ++border) {
        for (int i = 0; i < 24; ++i) {
            convolve_ref c = {.width = rng_int(&r, 1, 40),
                              .height = rng_int(&r, 1, 40),
                              .channels = rng_int(&r, 1, 4),
                              .kernel_width = rng_int(&r, 1, i < 12 ? 9 : 90),
                              .kernel_height = rng_int(&r, 1, i < 12 ? 9 : 90),
                              .border = border,
                              .normalize = i % 2,
                              .correlate = i % 3 == 0,
                              .alpha = i / 2 % 2};
            static const int kernel_channels[] = {1, 3, 4};
            c.kernel_channels = kernel_channels[c.channels < 4 ? i % 2 : i % 3];
            if (i == 0)
                c.width = c.height = 1; // mirror repeats the one texel
            if (i == 1)
                c.kernel_width = c.kernel_height = 2;
            char name[96];
            snprintf(name, sizeof name, "%s %dx%dx%d kernel %dx%dx%d%s", borders[border], c.width,
                     c.height, c.channels, c.kernel_width, c.kernel_height, c.kernel_channels,
                     c.correlate ? " correlate" : "");
            passed &= check_limit(name, compare(&r, c), 1e-12);
        }
    }
    CHECK(passed);
}

// A kernel of one 1 at (i,j) moves the image by (i - kw/2, j - kh/2): hand-made answers.
static void test_shift(void **state)
{
    (void)state;
    const double src[4] = {1, 2, 3, 4};
    static const struct {
        int kw, at, border;
        bool correlate;
        double expected[4];
    } rows[] = {
        {3, 1, AG_BORDER_ZERO, false, {1, 2, 3, 4}},
        {3, 2, AG_BORDER_ZERO, false, {0, 1, 2, 3}}, // src(x - 1)
        {3, 2, AG_BORDER_ZERO, true, {2, 3, 4, 0}},
        {3, 0, AG_BORDER_CLAMP, false, {2, 3, 4, 4}},
        {4, 0, AG_BORDER_ZERO, false, {3, 4, 0, 0}}, // even: the centre is 2
        {4, 3, AG_BORDER_WRAP, false, {4, 1, 2, 3}},
        {4, 0, AG_BORDER_MIRROR, false, {3, 4, 3, 2}},   // ... 3 4 3 2: the edge is not repeated
        {15, 14, AG_BORDER_MIRROR, false, {2, 1, 2, 3}}, // src(x - 7), period 6
        {15, 0, AG_BORDER_WRAP, false, {4, 1, 2, 3}},    // src(x + 7), period 4
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double kernel[16] = {0}, out[4], both[4];
        kernel[rows[i].at] = 1;
        convolve_ref c = {.src = src,
                          .width = 4,
                          .height = 1,
                          .channels = 1,
                          .kernel = kernel,
                          .kernel_width = rows[i].kw,
                          .kernel_height = 1,
                          .kernel_channels = 1,
                          .border = rows[i].border,
                          .correlate = rows[i].correlate};
        CHECK(convolve_ref_direct(&c, out));
        CHECK_LIMIT("shift, row", check_max_error(out, rows[i].expected, 4), 0);
        CHECK(convolve_ref_fft(&c, both));
        CHECK_LIMIT("shift, row, fft", check_max_error(both, rows[i].expected, 4), 1e-14);
        c.width = c.kernel_width = 1;
        c.height = 4;
        c.kernel_height = rows[i].kw;
        CHECK(convolve_ref_direct(&c, out));
        CHECK_LIMIT("shift, column", check_max_error(out, rows[i].expected, 4), 0);
    }
}

static void test_channels(void **state)
{
    (void)state;
    const double src[4] = {1, 10, 100, 1000}, kernel3[3] = {2, 3, 4}, kernel4[4] = {2, 3, 4, 5};
    double out[4];
    convolve_ref c = {.src = src,
                      .width = 1,
                      .height = 1,
                      .channels = 4,
                      .kernel = kernel4,
                      .kernel_width = 1,
                      .kernel_height = 1,
                      .kernel_channels = 4};
    static const double copied[4] = {2, 30, 400, 1000}, convolved[4] = {2, 30, 400, 5000},
                        single[4] = {2, 20, 200, 2000};
    CHECK(convolve_ref_run(&c, out));
    CHECK_LIMIT("4 channels, alpha copied", check_max_error(out, copied, 4), 0);
    c.alpha = AG_ALPHA_CONVOLVE;
    CHECK(convolve_ref_run(&c, out));
    CHECK_LIMIT("4 channels, alpha convolved", check_max_error(out, convolved, 4), 0);
    c.kernel = kernel3;
    c.kernel_channels = 3;
    CHECK(convolve_ref_run(&c, out));
    CHECK_LIMIT("3 channels", check_max_error(out, copied, 4), 0);
    c.kernel_channels = 1;
    CHECK(convolve_ref_run(&c, out));
    CHECK_LIMIT("1 channel, alpha convolved", check_max_error(out, single, 4), 0);
    const double zero_sum[2] = {1, -1};
    c.kernel = zero_sum;
    c.kernel_width = 2;
    c.normalize = AG_NORMALIZE_SUM;
    CHECK(!convolve_ref_run(&c, out));
}

static void test_bloom_threshold(void **state)
{
    (void)state;
    ag_bloom_settings s = {.threshold = 4, .knee = 0.5f, .exposure = 1};
    // t = 4 / 2 = 2, k = 1: nothing at b <= 1; b - t beyond 3; a quarter of k at b = t
    static const double rows[][2] = {{1, 0}, {0.5, 0}, {2, 0.25}, {3, 1}, {10, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const double in[3] = {rows[i][0], rows[i][0] / 2, 0};
        double out[3];
        bloom_ref_texel(&s, in, 3, out);
        CHECK_LIMIT("threshold, red", fabs(out[0] - rows[i][1]), 1e-15);
        CHECK_LIMIT("threshold, green", fabs(out[1] - rows[i][1] / 2), 1e-15);
    }
    s = (ag_bloom_settings){.clamp = 6, .exposure = 1};
    const double bright[3] = {10, 2, 3.5};
    static const double clamped[3] = {3, 2, 3};
    double out[3];
    bloom_ref_texel(&s, bright, 3, out);
    CHECK_LIMIT("clamp", check_max_error(out, clamped, 3), 0);
}

// A uniform image keeps its value where the kernel sees no border; the sum of light stays.
static void test_bloom_energy(void **state)
{
    (void)state;
    enum { SIDE = 31 };
    double src[SIDE * SIDE * 4] = {0}, dst[SIDE * SIDE * 4], kernel[25], sum = 0;
    for (int i = 0; i < 25; ++i)
        kernel[i] = 1 / 25.0;
    for (int c = 0; c < 4; ++c)
        src[(15 * SIDE + 15) * 4 + c] = 100;
    ag_bloom_settings s = {.intensity = 0.5f, .tint = {1, 1, 1}};
    bloom_ref b = {.src = src,
                   .width = SIDE,
                   .height = SIDE,
                   .channels = 4,
                   .kernel = kernel,
                   .kernel_width = 5,
                   .kernel_height = 5,
                   .kernel_channels = 1,
                   .settings = &s};
    bloom_ref_run(&b, dst);
    for (int i = 0; i < SIDE * SIDE; ++i)
        sum += dst[i * 4];
    CHECK_LIMIT("energy", fabs(sum - 100), 1e-12);
    CHECK_LIMIT("centre", fabs(dst[(15 * SIDE + 15) * 4] - (100 + 0.5 * (4 - 100))), 1e-12);
    CHECK_LIMIT("ring", fabs(dst[(17 * SIDE + 13) * 4 + 1] - 2), 1e-12);
    CHECK_LIMIT("alpha", fabs(dst[(15 * SIDE + 15) * 4 + 3] - 100), 0);
    s.output = AG_BLOOM_ONLY;
    s.tint[1] = 0.25f;
    bloom_ref_run(&b, dst);
    CHECK_LIMIT("bloom only", fabs(dst[(15 * SIDE + 15) * 4] - 2), 1e-12);
    CHECK_LIMIT("tint", fabs(dst[(15 * SIDE + 15) * 4 + 1] - 0.5), 1e-12);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_direct_against_fft), UNIT_TEST(test_shift),        UNIT_TEST(test_channels),
        UNIT_TEST(test_bloom_threshold),    UNIT_TEST(test_bloom_energy),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
