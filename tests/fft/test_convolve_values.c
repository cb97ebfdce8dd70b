// test_convolve_values.c - the effect "convolve" against double precision: methods, borders,
// kernels, formats
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "convolve_ref.h"
#include "convolving.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
static const int methods[] = {AG_CONVOLVE_DIRECT, AG_CONVOLVE_FFT};

static bool run_all(fixture *f, const convolving *cases, size_t count, const char *name)
{
    rng r = rng_start(name, 11);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *s = sweep_start(name, 4);
    for (size_t i = 0; i < count; ++i)
        if (sweep_takes(s))
            good = convolving_check(f, pass, &cases[i], &r) && good;
    f->ag->pass_destroy(pass);
    return good;
}

// Every border with every kind of kernel: odd, even, larger than the image, a line, one texel.
static void test_borders(void **state)
{
    static const int kernels[][2] = {{1, 1}, {3, 3}, {4, 4}, {7, 2}, {1, 9}, {10, 1}, {33, 21}};
    static const int images[][2] = {{16, 12}, {17, 13}, {1, 1}, {1, 19}, {23, 1}, {2, 3}, {64, 30}};
    fixture *f = *state;
    rng r = rng_start("borders", 1);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *s = sweep_start("borders", 28);
    for (size_t m = 0; m < COUNT(methods); ++m)
        for (int border = 0; border < 4; ++border)
            for (size_t k = 0; k < COUNT(kernels); ++k)
                for (size_t i = 0; i < COUNT(images); ++i) {
                    if (!sweep_takes(s))
                        continue;
                    convolving c = {.width = images[i][0],
                                    .height = images[i][1],
                                    .kernel_width = kernels[k][0],
                                    .kernel_height = kernels[k][1],
                                    .settings = *ag_convolve_params(.method = methods[m],
                                                                    .border = border, .scrub = 1,
                                                                    .correlate = (int)(i + k) % 2)};
                    good = convolving_check(f, pass, &c, &r) && good;
                }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_sizes(void **state)
{
    const convolving cases[] = {
        {"hd, odd", 1921, 1081, 65, 49, NULL, "r32f", NULL,
         *ag_convolve_params(.method = 2, .scrub = 1), 0, NULL, NULL, 0},
        {"wide", 4000, 3, 191, 5, NULL, NULL, NULL,
         *ag_convolve_params(.method = 2, .border = 1, .scrub = 1), 0, NULL, NULL, 0},
        {"tall", 3, 4000, 5, 191, NULL, NULL, NULL,
         *ag_convolve_params(.method = 2, .border = 2, .scrub = 1), 0, NULL, NULL, 0},
        {"longest row", 8192, 4, 3, 3, NULL, NULL, NULL,
         *ag_convolve_params(.method = 2, .border = 3, .scrub = 1), 0, NULL, NULL, 0},
        {"longest column", 4, 8192, 3, 3, NULL, NULL, NULL,
         *ag_convolve_params(.method = 2, .border = 3, .scrub = 1), 0, NULL, NULL, 0},
        {"largest direct kernel", 40, 30, 255, 255, NULL, NULL, NULL,
         *ag_convolve_params(.method = 1, .border = 3, .scrub = 1), 0, NULL, NULL, 0},
        {"kernel of the image's size", 200, 150, 200, 150, NULL, NULL, NULL,
         *ag_convolve_params(.method = 2, .scrub = 1), 0, NULL, NULL, 0},
        {"auto, small kernel", 100, 80, 5, 5, NULL, NULL, NULL, *ag_convolve_params(.scrub = 1), 0,
         NULL, NULL, 0},
        {"auto, large kernel", 100, 80, 31, 31, NULL, NULL, NULL, *ag_convolve_params(.scrub = 1),
         0, NULL, NULL, 0},
    };
    CHECK(run_all(*state, cases, COUNT(cases), "sizes"));
}

// Which channels are convolved with which channel of the kernel, and which are copied.
static void test_channels(void **state)
{
    static const char *const images[] = {"r32f", "rg32f", "rgba32f", "r11g11b10f"};
    static const char *const kernels[] = {"r32f", "rgba32f", "r11g11b10f"};
    fixture *f = *state;
    rng r = rng_start("channels", 3);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *s = sweep_start("channels", 6);
    for (size_t m = 0; m < COUNT(methods); ++m)
        for (size_t i = 0; i < COUNT(images); ++i)
            for (size_t k = 0; k < COUNT(kernels); ++k)
                for (int alpha = 0; alpha < 2; ++alpha) {
                    if (!sweep_takes(s))
                        continue;
                    convolving c = {
                        .width = 37,
                        .height = 29,
                        .kernel_width = 6,
                        .kernel_height = 9,
                        .src_format = images[i],
                        .kernel_format = kernels[k],
                        .settings =
                            *ag_convolve_params(.method = methods[m], .border = AG_BORDER_CLAMP,
                                                .alpha = alpha, .normalize = alpha, .scrub = 1)};
                    good = convolving_check(f, pass, &c, &r) && good;
                }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Every input format into float32, float32 into every output format, every kernel format.
static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 4);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *s = sweep_start("formats", 3); // of five or six: each format at least once
    for (int i = 0; i < FRAME_FORMAT_COUNT; ++i)
        for (size_t m = 0; m < COUNT(methods); ++m) {
            const format_info *format = format_at(i);
            convolving in = {.name = "input",
                             .width = 45,
                             .height = 22,
                             .kernel_width = 5,
                             .kernel_height = 8,
                             .src_format = format->name,
                             .settings = *ag_convolve_params(.method = methods[m], .scrub = 1)};
            convolving out = {.name = "output",
                              .width = 45,
                              .height = 22,
                              .kernel_width = 5,
                              .kernel_height = 8,
                              .dst_format = format->name,
                              .settings = *ag_convolve_params(.method = methods[m], .normalize = 1,
                                                              .scrub = 1)};
            convolving kernel = {.name = "kernel",
                                 .width = 45,
                                 .height = 22,
                                 .kernel_width = 5,
                                 .kernel_height = 8,
                                 .kernel_format = format->name,
                                 .settings = *ag_convolve_params(.method = methods[m], .scrub = 1)};
            if (sweep_takes(s))
                good = convolving_check(f, pass, &in, &r) && good;
            if (sweep_takes(s))
                good = convolving_check(f, pass, &out, &r) && good;
            if (format->channels != 2 && i < FORMAT_COUNT && sweep_takes(s))
                good = convolving_check(f, pass, &kernel, &r) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A spot of 60000 in a scene around 0.5: the error in rows without the spot, relative to the values
// of these rows.
static void test_hot_spot(void **state)
{
    fixture *f = *state;
    rng r = rng_start("hot spot", 5);
    enum { W = 320, H = 180, K = 41 };
    double *src = malloc(sizeof(double) * W * H), *want = malloc(sizeof(double) * W * H);
    double kernel[K * K], sum = 0;
    rng_fill_hdr(&r, src, W * H, 0.02, 0.4);
    for (int y = 88; y < 91; ++y)
        for (int x = 150; x < 153; ++x)
            src[y * W + x] = 60000;
    for (int i = 0; i < K * K; ++i) {
        double x = i % K - K / 2, y = i / K - K / 2;
        kernel[i] = i == K * K / 2 ? 0 : 0.008 * exp(-(x * x + y * y) / 80);
        sum += kernel[i];
    }
    kernel[K * K / 2] = 99 * sum; // the centre holds 0.99 of the weight
    texture_quantise("r32f", kernel, K * K);
    texture_quantise("r32f", src, W * H);
    convolve_ref ref = {.src = src,
                        .width = W,
                        .height = H,
                        .channels = 1,
                        .kernel = kernel,
                        .kernel_width = K,
                        .kernel_height = K,
                        .kernel_channels = 1,
                        .normalize = 1};
    CHECK(convolve_ref_run(&ref, want));
    texture t[3] = {texture_create(f, "r32f", W, H, src), texture_create(f, "r32f", K, K, kernel),
                    texture_create(f, "r32f", W, H, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_convolve_settings settings =
        *ag_convolve_params(.method = AG_CONVOLVE_FFT, .normalize = 1, .scrub = 1);
    ag_job job = convolving_job(slots, &settings);
    ag_pass *pass = fixture_pass(f, "convolve");
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &t[2], 0), error = 0, level = 0;
    int count = 0;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            if (abs(y - 89) <= 1 && abs(x - 151) > 60) { // rows of the spot, away from it
                error += pow(got[y * W + x] - want[y * W + x], 2);
                level += want[y * W + x];
                ++count;
            }
    CHECK_LIMIT("rms error beside a spot of 60000, of the local mean",
                sqrt(error / count) / (level / count), 0.003);
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &t[i]);
    free(src);
    free(want);
    free(got);
}

static void test_random(void **state)
{
    fixture *f = *state;
    rng r = rng_start("random", 6);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *s = sweep_start("random", 12);
    for (int i = 0; i < 60; ++i) {
        convolving c = {.width = rng_int(&r, 1, 90),
                        .height = rng_int(&r, 1, 90),
                        .kernel_width = rng_int(&r, 1, 60),
                        .kernel_height = rng_int(&r, 1, 60),
                        .kernel_format = i % 3 ? "rgba32f" : "r32f",
                        .settings = *ag_convolve_params(.method = rng_int(&r, 0, 2),
                                                        .border = rng_int(&r, 0, 3),
                                                        .normalize = rng_int(&r, 0, 1),
                                                        .correlate = rng_int(&r, 0, 1),
                                                        .alpha = rng_int(&r, 0, 1), .scrub = 1)};
        if (sweep_takes(s))
            good = convolving_check(f, pass, &c, &r) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_borders), FIXTURE_SWEEP(test_sizes),   FIXTURE_SWEEP(test_channels),
        FIXTURE_SWEEP(test_formats), FIXTURE_TEST(test_hot_spot), FIXTURE_SWEEP(test_random),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
