// denoise_noise.c - the noise that "denoise" finds, and how good its results are
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The sigma that the GPU used, by what a soft threshold removed of one large coefficient: a 2 x 2
// block of +A -A -A +A has HH1 = 2 A, of which T = sigma is removed, so each texel loses sigma / 2.
enum { SIDE = 256, PROBE = 128, HEIGHT = 40 };

static void set_probe(double *values, int channels)
{
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < channels; ++c)
            values[((PROBE + i / 2) * SIDE + PROBE + i % 2) * channels + c] =
                (i == 0 || i == 3 ? HEIGHT : -HEIGHT) * (c < 3 ? 1 : 0);
}

static double probed(const denoising *d, const double *got)
{
    int channels = d->t.textures[AG_DENOISE_SRC].format->channels,
        at = (PROBE * SIDE + PROBE) * channels;
    return 2 * (d->values[at] - got[at]) / (channels < 3 ? 1 : sqrt(1 / 3.0));
}

static void probe_settings(denoising *d)
{
    d->settings.filter = AG_DENOISE_HAAR;
    d->settings.levels = 1;
    d->settings.rule = AG_DENOISE_GIVEN;
    d->t.job.flags = AG_JOB_RESET;
}

// Against the same formula in double, at sizes of noise from 1e-4 to 1000, on a scene.
void test_sigma(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("sigma", 911);
    bool good = true;
    probe_settings(&d);
    sweep *share = sweep_start("sigma", 4);
    for (int i = -4; i <= 3; ++i) {
        if (!sweep_takes(share) && i != 0)
            continue;
        char name[64];
        double sigma = pow(10, i) * rng_uniform(&r, 1, 2);
        const char *format = i % 2 ? "rgba32f" : "r32f";
        int channels = i % 2 ? 4 : 1;
        double *values = denoising_scene(SIDE, SIDE, channels, 0, 0);
        for (int k = 0; k < SIDE * SIDE * channels; ++k)
            values[k] = 10 * sigma * values[k] + sigma * rng_normal(&r);
        for (int k = 0; i == 0 && k < SIDE * SIDE; ++k) // flat parts say nothing about noise
            values[k] = k % SIDE < 96 ? 0.25 : values[k];
        set_probe(values, channels);
        if (sigma > 1)
            for (int k = 0; k < 4 * channels; ++k)
                values[((PROBE + k / 2 % 2) * SIDE + PROBE + k % 2) * channels + k / 4] *=
                    100 * sigma;
        denoising_image(&d, format, NULL, SIDE, SIDE, 0, values);
        denoise_ref_image image = denoising_ref(&d);
        denoise_ref_statistics right;
        denoise_ref_count(&image, &d.settings, &right);
        double *got = denoising_run(&d);
        double found = probed(&d, got);
        // what is removed is the difference of two floats of the probe's size
        double rounding = fabs(d.values[(PROBE * SIDE + PROBE) * channels]) * 3e-7;
        snprintf(name, sizeof name, "sigma %.4g, found %.4g, %s: relative error", sigma, found,
                 format);
        good =
            check_limit(name, (fabs(found - right.sigma[0]) - rounding) / right.sigma[0], 0.005) &&
            good;
        free(got);
    }
    denoising_close(&d);
    CHECK(good);
}

// Against the sigma of the noise, on flat images.
void test_true_sigma(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("true sigma", 912);
    bool good = true;
    probe_settings(&d);
    for (int i = 0; i < 6; ++i) {
        char name[64];
        double sigma = rng_hdr(&r, 1e-3, 1);
        double *values = check_doubles(SIDE * SIDE);
        for (int k = 0; k < SIDE * SIDE; ++k)
            values[k] = 0.5 + sigma * rng_normal(&r);
        set_probe(values, 1);
        denoising_image(&d, "r32f", NULL, SIDE, SIDE, 0, values);
        double *got = denoising_run(&d);
        snprintf(name, sizeof name, "sigma %.4g: relative error", sigma);
        good = check_limit(name, fabs(probed(&d, got) / sigma - 1), 0.03) && good;
        free(got);
    }
    denoising_close(&d);
    CHECK(good);
}

static double *flat_noise(rng *r, double sigma)
{
    double *values = check_doubles(SIDE * SIDE);
    for (int k = 0; k < SIDE * SIDE; ++k)
        values[k] = 0.5 + sigma * rng_normal(r);
    set_probe(values, 1);
    return values;
}

static double next_sigma(denoising *d)
{
    double *got = denoising_run(d), sigma = probed(d, got);
    free(got);
    return sigma;
}

// Each frame uses the noise of the frames before, which it follows at the rate of `adapt`.
void test_frames(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("frames", 913);
    probe_settings(&d);
    for (int filter = 0; filter < 2; ++filter) {
        d.settings.filter = filter;
        d.settings.adapt = 3;
        d.t.job.flags = 0;
        d.t.job.dt = 0.1f;
        denoising_image(&d, "r32f", NULL, SIDE, SIDE, 0, flat_noise(&r, 0.1));
        double scale = filter == AG_DENOISE_TI_HAAR ? next_sigma(&d) : 1;
        d.settings.exact = 1; // the probe of ti_haar has other coefficients beside it
        double quiet = next_sigma(&d);
        d.settings.exact = 0;
        if (filter == AG_DENOISE_TI_HAAR)
            CHECK_LIMIT("first frame of a plan counts first", fabs(scale / quiet - 1), 1e-4);
        CHECK_LIMIT("a new plan counts first", fabs(next_sigma(&d) / quiet - 1), 1e-4);
        denoising_upload(&d, flat_noise(&r, 0.4));
        CHECK_LIMIT("a louder frame: still the noise of the last one",
                    fabs(next_sigma(&d) / quiet - 1), 1e-4);
        double second = next_sigma(&d);
        d.t.job.flags = AG_JOB_RESET;
        double loud = next_sigma(&d);
        CHECK_LIMIT("its noise, with reset, about four times as much", fabs(loud / quiet / 4 - 1),
                    0.03);
        CHECK_LIMIT("a frame later: one step towards it",
                    fabs((second - quiet) / (loud - quiet) + expm1(-0.1 * 3)), 1e-4);
        d.t.job.flags = 0;
        d.t.job.dt = 0;
        denoising_upload(&d, flat_noise(&r, 0.1));
        next_sigma(&d);
        CHECK_LIMIT("dt = 0: it stays", fabs(next_sigma(&d) / loud - 1), 0.03);
        d.settings.exact = 1;
        CHECK_LIMIT("exact: at once", fabs(next_sigma(&d) / quiet - 1), 0.03);
        d.settings.exact = 0;
    }
    denoising_close(&d);
}

// Of a large image one tile in four counts beside the filter: those of even column and row. The
// others have twice the noise, so that only the even ones alone give the sigma that is expected:
//
//        | 1 2 1 2 .
//        | 2 2 2 2 .     sigma of a tile of 32 x 32; all tiles together give some 1.6
//        | 1 2 1 2 .
//
// The probe is in a tile that does not count. The first frame counts all tiles, all of one sigma.
void test_large_frames(void **state)
{
    enum { LARGE = 1024, LEFT = 992, TILE = 32 }; // LEFT: the last tile, odd in x and y
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("large frames", 916);
    d.settings.filter = AG_DENOISE_HAAR;
    d.settings.rule = AG_DENOISE_GIVEN;
    d.settings.levels = 1;
    d.t.job.dt = 1000; // what was counted replaces what was known
    double found[3];
    for (int frame = 0; frame < 3; ++frame) {
        double sigma = frame ? 0.3 : 0.1, *values = check_doubles(LARGE * LARGE);
        for (int i = 0; i < LARGE * LARGE; ++i) {
            bool counts = i % LARGE / TILE % 2 == 0 && i / LARGE / TILE % 2 == 0;
            values[i] = 0.5 + (frame && !counts ? 2 : 1) * sigma * rng_normal(&r);
        }
        for (int i = 0; i < 4; ++i)
            values[(LEFT + i / 2) * LARGE + LEFT + i % 2] = i == 0 || i == 3 ? HEIGHT : -HEIGHT;
        if (frame)
            denoising_upload(&d, values);
        else
            denoising_image(&d, "r32f", NULL, LARGE, LARGE, 0, values);
        double *got = denoising_run(&d);
        int at = LEFT * LARGE + LEFT;
        found[frame] = 2 * (d.values[at] - got[at]);
        free(got);
    }
    CHECK_LIMIT("the first frame, counted whole", fabs(found[0] / 0.1 - 1), 0.03);
    CHECK_LIMIT("a louder frame: still the noise of the last one", fabs(found[1] / found[0] - 1),
                0.03);
    CHECK_LIMIT("a frame later: its noise, of the tiles that count", fabs(found[2] / 0.3 - 1),
                0.03);
    denoising_close(&d);
}

// A shifted image has shifted results, bit for bit where no border is near.
void test_shifts(void **state)
{
    enum { W = 120, H = 100, MARGIN = 32 };
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("shifts", 914);
    bool good = true;
    double *large = denoising_scene(W + 16, H + 16, 4, 0, 0);
    denoising_add_noise(&r, large, (size_t)(W + 16) * (H + 16) * 4, 0.1);
    d.settings.rule = AG_DENOISE_GIVEN;
    d.settings.sigma = 0.15f;
    sweep *share = sweep_start("shifts", 5);
    for (int i = 0; i <= 2 * AG_DENOISE_GROUP + 1; ++i) { // 3 levels, in one dispatch; 4, in three
        int shrink = i / 2, levels = 3 + i % 2;
        double *results[2];
        int x[2] = {0, rng_int(&r, 1, 15)}, y[2] = {0, rng_int(&r, 1, 15)};
        if (!sweep_takes(share))
            continue;
        d.settings.threshold = shrink;
        d.settings.levels = levels;
        for (int k = 0; k < 2; ++k) {
            double *values = check_doubles((size_t)W * H * 4);
            for (int row = 0; row < H; ++row)
                memcpy(values + row * W * 4, large + ((row + y[k]) * (W + 16) + x[k]) * 4,
                       sizeof *values * W * 4);
            denoising_image(&d, "rgba32f", NULL, W, H, 0, values);
            results[k] = denoising_run(&d);
        }
        long differ = 0, count = 0;
        for (int row = MARGIN; row < H - MARGIN - y[1]; ++row) // no border near in either image
            for (int k = MARGIN * 4; k < (W - MARGIN - x[1]) * 4; ++k, ++count)
                differ +=
                    results[1][row * W * 4 + k] != results[0][(row + y[1]) * W * 4 + k + x[1] * 4];
        char name[96];
        snprintf(name, sizeof name,
                 "threshold %d, %d levels, shifted by %d, %d: of %ld values differ", shrink, levels,
                 x[1], y[1], count);
        good = check_limit(name, (double)differ, 0) && good;
        free(results[0]);
        free(results[1]);
    }
    free(large);
    denoising_close(&d);
    CHECK(good);
}

// ---- quality ------------------------------------------------------------------------------------

enum { QW = 384, QH = 256 };

static double colour_psnr(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < QW * QH * 4; ++i)
        if (i % 4 < 3)
            sum += (a[i] - b[i]) * (a[i] - b[i]);
    return -10 * log10(sum / (QW * QH * 3.0));
}

static double quality(denoising *d, int filter, const double *clean)
{
    d->settings.filter = filter;
    d->t.job.flags = AG_JOB_RESET;
    double *got = denoising_run(d), result = colour_psnr(got, clean);
    free(got);
    return result;
}

// A joint threshold is as good as a soft one of each component, and the same where there is one.
void test_group_quality(void **state)
{
    static const char *const formats[] = {"r32f", "rg32f", "rgba32f"};
    static const int filters[] = {AG_DENOISE_TI_HAAR, AG_DENOISE_HAAR, AG_DENOISE_DWT};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("group quality", 917);
    bool good = true;
    sweep *share = sweep_start("group quality", 14);
    for (int i = 0; i < 27; ++i) {
        int channels = 1 << i % 3, filter = filters[i / 3 % 3];
        double sigma = 0.05 * (1 << i / 9);
        if (!sweep_takes(share))
            continue;
        double *clean = denoising_scene(QW, QH, channels, 41 * i, 13), *got[2];
        double *noisy = check_doubles((size_t)QW * QH * (size_t)channels);
        memcpy(noisy, clean, sizeof *clean * QW * QH * (size_t)channels);
        denoising_add_noise(&r, noisy, (size_t)(QW * QH * channels), sigma);
        denoising_image(&d, formats[i % 3], NULL, QW, QH, 0, noisy);
        d.settings.filter = filter;
        for (int k = 0; k < 2; ++k) {
            d.settings.threshold = k ? AG_DENOISE_GROUP : AG_DENOISE_SOFT;
            d.t.job.flags = AG_JOB_RESET;
            got[k] = denoising_run(&d);
        }
        size_t count = (size_t)(QW * QH * channels);
        double soft = check_psnr(got[0], clean, count, 1),
               group = check_psnr(got[1], clean, count, 1);
        char name[128];
        snprintf(name, sizeof name,
                 "%s, filter %d, sigma %.2f: soft %.2f dB, group %.2f: group lacks", formats[i % 3],
                 filter, sigma, soft, group);
        good = check_limit(name, soft - group, 0.4) && good;
        if (channels == 1)
            good = check_limit("    one component: group from soft",
                               check_max_error(got[0], got[1], count), 1e-6) &&
                   good;
        free(clean);
        free(got[0]);
        free(got[1]);
    }
    denoising_close(&d);
    CHECK(good);
}

// By how much ti_haar is better than haar with the same rule, on scenes of edges, gradients,
// texture and stars; and whether both are as good as the reference with its exact median.
void test_quality(void **state)
{
    static const struct {
        double sigma, gain; // gain: dB of ti_haar over haar, at least
    } cases[] = {{0.1, 1.5}, {0.05, 0.8}, {0.02, 0}};
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("quality", 915);
    bool good = true;
    sweep *share = sweep_start("quality", 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (!sweep_takes(share))
            continue;
        double *clean = denoising_scene(QW, QH, 4, 37 * (int)i, 11);
        double *noisy = check_doubles((size_t)QW * QH * 4), *right = check_doubles(QW * QH * 4);
        memcpy(noisy, clean, sizeof *clean * QW * QH * 4);
        denoising_add_noise(&r, noisy, (size_t)QW * QH * 4, cases[i].sigma);
        denoising_image(&d, "rgba32f", NULL, QW, QH, 0, noisy);
        double before = colour_psnr(d.values, clean);
        double plain = quality(&d, AG_DENOISE_HAAR, clean);
        double all = quality(&d, AG_DENOISE_TI_HAAR, clean);
        denoise_ref_image image = denoising_ref(&d);
        denoise_ref_statistics statistics;
        denoise_ref_count(&image, &d.settings, &statistics);
        denoise_ref(&image, &d.settings, &statistics, 0, right, NULL);
        double exact = colour_psnr(right, clean);
        char name[160];
        snprintf(name, sizeof name, "sigma %.2f: %.2f dB, haar %.2f, ti_haar %.2f: gain lacks",
                 cases[i].sigma, before, plain, all);
        good = check_limit(name, cases[i].gain - (all - plain), 0) && good;
        good = check_limit("    dB from the same rule in double", fabs(all - exact), 0.1) && good;
        free(clean);
        free(right);
    }
    denoising_close(&d);
    CHECK(good);
}
