// denoise_dwt.c - the filter "dwt" of "denoise": values, noise gains, quality
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const wavelets[] = {"haar", "db2", "db4", "sym4", "coif1", "cdf53", "cdf97"};

static void open_dwt(fixture *f, denoising *d)
{
    denoising_open(f, d);
    d->settings.filter = AG_DENOISE_DWT;
}

static void noisy(denoising *d, rng *r, const char *format, int width, int height, int layers)
{
    int channels = format_named(format)->channels, rows = height * (layers ? layers : 1);
    double *values = denoising_scene(width, rows, channels, rng_int(r, 0, 999), 0);
    for (int i = 0; i < width * rows * channels; ++i)
        values[i] += channels == 4 && i % 4 == 3 ? 0 : 0.1 * rng_normal(r);
    denoising_image(d, format, NULL, width, height, layers, values);
}

// Every wavelet, rule and threshold, at odd sizes. A hard threshold decides by the last bit.
void test_dwt(void **state)
{
    static const int rules[] = {AG_DENOISE_BAYES, AG_DENOISE_VISU, AG_DENOISE_GIVEN};
    static const char *const names[] = {"bayes", "visu", "given"};
    denoising d;
    open_dwt(*state, &d);
    rng r = rng_start("dwt", 951);
    bool good = true;
    sweep *share = sweep_start("dwt", 24);
    d.settings.sigma = 0.1f;
    d.settings.strength = 0.9f;
    d.settings.chroma = 1.2f;
    for (int wavelet = 0; wavelet <= AG_WAVELET_CDF97; ++wavelet)
        for (int rule = 0; rule < 3; ++rule)
            for (int shrink = 0; shrink <= AG_DENOISE_GROUP; ++shrink) {
                int levels = rng_int(&r, 1, 6), w = rng_int(&r, 20, 150), h = rng_int(&r, 20, 99);
                if (shrink == AG_DENOISE_HARD || !sweep_takes(share))
                    continue;
                char name[96];
                snprintf(name, sizeof name, "%s %dx%d, %d levels, %s, threshold %d",
                         wavelets[wavelet], w, h, levels, names[rule], shrink);
                d.settings.wavelet = wavelet;
                d.settings.rule = rules[rule];
                d.settings.threshold = shrink;
                d.settings.levels = levels;
                noisy(&d, &r, "rgba32f", w, h, 0);
                good = denoising_check(&d, name, rule ? 2e-6 : 1e-5) && good;
            }
    denoising_close(&d);
    CHECK(good);
}

// Formats, small sizes, spaces.
void test_dwt_more(void **state)
{
    static const char *const formats[] = {"r32f", "rg32f", "rgba16f", "rgba8", "r11g11b10f"};
    static const int sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 3}, {5, 7}, {33, 31}};
    denoising d;
    open_dwt(*state, &d);
    rng r = rng_start("dwt more", 952);
    bool good = true;
    char name[96];
    sweep *share = sweep_start("dwt more", 4);
    d.settings.sigma = 0.1f;
    d.settings.levels = 4;
    d.settings.rule = AG_DENOISE_GIVEN;
    for (int i = 0; i < 5; ++i) {
        if (!sweep_takes(share) || !format_named(formats[i]))
            continue;
        noisy(&d, &r, formats[i], 70, 55, 0);
        good = denoising_check(&d, formats[i], 2e-6) && good;
    }
    for (int i = 0; i < 6; ++i) {
        if (!sweep_takes(share))
            continue;
        snprintf(name, sizeof name, "%dx%d", sizes[i][0], sizes[i][1]);
        noisy(&d, &r, "rgba32f", sizes[i][0], sizes[i][1], 0);
        good = denoising_check(&d, name, 2e-6) && good;
    }
    for (int space = AG_DENOISE_LOG; space <= AG_DENOISE_ANSCOMBE; ++space) {
        if (!sweep_takes(share))
            continue;
        snprintf(name, sizeof name, "space %d", space);
        d.settings.space = space;
        d.settings.sigma = space == AG_DENOISE_LOG ? 0.3f : 1;
        d.settings.gain = 0.05f;
        d.settings.offset = 0.1f; // nothing is below the scale
        noisy(&d, &r, "rgba32f", 60, 44, 0);
        good = denoising_check(&d, name, 2e-6) && good;
    }
    denoising_close(&d);
    CHECK(good);
}

static double psnr_of(denoising *d, const double *clean, size_t count)
{
    double *got = denoising_run(d), result = check_psnr(got, clean, count, 1);
    free(got);
    return result;
}

// cdf53's bands have noise of their own sizes: thresholds that know them remove it better than
// thresholds of db2, whose bands have all the same. Sigma is estimated; twice the same bits.
void test_dwt_quality(void **state)
{
    enum { W = 320, H = 240 };
    denoising d;
    open_dwt(*state, &d);
    rng r = rng_start("dwt quality", 953);
    double *clean = denoising_scene(W, H, 1, 37, 11), *values = check_doubles(W * H);
    memcpy(values, clean, sizeof *clean * W * H);
    denoising_add_noise(&r, values, W * H, 0.1);
    denoising_image(&d, "r32f", NULL, W, H, 0, values);
    double before = check_psnr(d.values, clean, W * H, 1), results[AG_WAVELET_CDF97 + 1];
    static const int chosen[] = {AG_WAVELET_DB2, AG_WAVELET_CDF53, AG_WAVELET_CDF97};
    for (int i = 0; i < 3; ++i) {
        int wavelet = d.settings.wavelet = chosen[i];
        d.t.job.flags = AG_JOB_RESET;
        results[wavelet] = psnr_of(&d, clean, W * H);
        printf("  %s: %.2f dB, before %.2f\n", wavelets[wavelet], results[wavelet], before);
    }
    denoise_ref_image image = denoising_ref(&d);
    denoise_ref_statistics statistics;
    double *right = check_doubles(W * H);
    denoise_ref_count(&image, &d.settings, &statistics);
    denoise_ref(&image, &d.settings, &statistics, 0, right, NULL);
    CHECK_LIMIT("cdf97: dB from the same rule in double",
                fabs(results[AG_WAVELET_CDF97] - check_psnr(right, clean, W * H, 1)), 0.1);
    CHECK_LIMIT("cdf97 6 dB over the noisy image: lacks", before + 6 - results[AG_WAVELET_CDF97],
                0);
    CHECK_LIMIT("cdf53 as good as db2 within 1 dB: lacks",
                results[AG_WAVELET_DB2] - 1 - results[AG_WAVELET_CDF53], 0);
    double *first = denoising_run(&d), *again = denoising_run(&d);
    CHECK(!memcmp(first, again, sizeof *first * W * H));
    free(first);
    free(again);
    free(right);
    free(clean);
    denoising_close(&d);
}

// Layers count together, and a NaN reaches no farther than the transform does.
void test_dwt_contract(void **state)
{
    enum { W = 64, H = 48, LAYERS = 2, TEXELS = W * H };
    denoising d;
    open_dwt(*state, &d);
    rng r = rng_start("dwt contract", 954);
    d.settings.sigma = 0.1f;
    d.settings.rule = AG_DENOISE_GIVEN;
    noisy(&d, &r, "rgba32f", W, H, LAYERS);
    double *all = denoising_run(&d);
    d.t.views[AG_DENOISE_SRC].first_layer = d.t.views[AG_DENOISE_DST].first_layer = 1;
    d.t.views[AG_DENOISE_SRC].layers = d.t.views[AG_DENOISE_DST].layers = 1;
    double *one = denoising_run(&d);
    CHECK(!memcmp(all + TEXELS * 4, one + TEXELS * 4, sizeof *all * TEXELS * 4));
    free(all);
    free(one);
    d.t.views[AG_DENOISE_SRC] = texture_view(&d.t.textures[AG_DENOISE_SRC]);
    d.t.views[AG_DENOISE_DST] = texture_view(&d.t.textures[AG_DENOISE_DST]);
    double *values = texture_read(d.t.f, &d.t.textures[AG_DENOISE_SRC], 0);
    values[(20 * W + 30) * 4 + 1] = NAN;
    denoising_upload(&d, values);
    for (size_t i = 0; i < (size_t)TEXELS * LAYERS * 4; ++i) // as the contract says
        if (i / 4 == 20 * W + 30)
            d.values[i] = 0;
    double *bad = denoising_run(&d);
    values = check_doubles((size_t)TEXELS * LAYERS * 4);
    memcpy(values, d.values, sizeof *values * TEXELS * LAYERS * 4);
    denoising_upload(&d, values);
    double *zero = denoising_run(&d);
    CHECK(!memcmp(bad, zero, sizeof *bad * TEXELS * LAYERS * 4));
    free(bad);
    free(zero);
    d.settings.rule = AG_DENOISE_BAYES_LOCAL;
    host_log_clear(&d.t.f->host);
    CHECK_STATUS(d.t.f->ag->prepare(d.t.pass, &d.t.job), AG_E_ARG);
    CHECK_HAS(host_log_last(&d.t.f->host), "rule = bayes_local needs tiles");
    denoising_close(&d);
}
