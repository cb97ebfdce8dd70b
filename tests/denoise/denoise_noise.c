// denoise_noise.c - the noise that "denoise" finds, and how good its results are
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- sigma --------------------------------------------------------------------------------------

// The sigma that the GPU used, by what a soft threshold removed of one large coefficient: a 2 x 2
// block of +A -A -A +A has HH1 = 2 A, of which T = sigma is removed, so each texel loses sigma / 2.
// Below 0 there is no curve.
static void set_probe(double *values, int side, int at, int channels, double height)
{
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < channels; ++c)
            values[((at + i / 2) * side + at + i % 2) * channels + c] =
                (i == 0 || i == 3 ? height : -height) * (c < 3 ? 1 : 0);
}

static double next_sigma(trial *t, int at, double *values)
{
    int side = t->slots[SRC].width, channels = format_named(t->slots[SRC].format)->channels;
    int probe = (at * side + at + 1) * channels;
    double height = (double)(float)values[probe];
    const double *got = denoise_next(t, values);
    return 2 * (got[probe] - height) / (channels < 3 ? 1 : sqrt(1 / 3.0));
}

static trial probing(fixture *f, const char *format, int side, ag_denoise_settings *s)
{
    trial t = denoise_of(f, "a probe", format, side, side, NULL, s);
    s->filter = AG_DENOISE_HAAR;
    s->levels = 1;
    s->sigma = 0;
    return t;
}

enum { SIDE = 256, PROBE = 128, HEIGHT = 40 };

// Against the same formula in double, at sizes of noise from 1e-4 to 1000, on a scene.
void test_sigma(void **state)
{
    rng r = rng_start("sigma", 911);
    bool good = true;
    sweep *share = sweep_start("sigma", 8);
    for (int i = -4; i <= 3; ++i) {
        if (!sweep_takes(share) && i != 0)
            continue;
        int channels = i % 2 ? 4 : 1;
        double sigma = pow(10, i) * rng_uniform(&r, 1, 2), height = HEIGHT * fmax(1, 100 * sigma);
        double *values = denoise_scene(SIDE, SIDE, channels, 0, 0);
        for (int k = 0; k < SIDE * SIDE * channels; ++k) {
            values[k] = 10 * sigma * values[k] + sigma * rng_normal(&r);
            if (i == 0 && k % SIDE < 96) // flat parts say nothing about noise
                values[k] = 0.25;
        }
        set_probe(values, SIDE, PROBE, channels, height);
        texture_quantise(channels == 1 ? "r32f" : "rgba32f", values, (size_t)SIDE * SIDE);
        ag_denoise_settings s;
        trial t = probing(*state, channels == 1 ? "r32f" : "rgba32f", SIDE, &s);
        denoise_ref_image image = {values, SIDE, SIDE, channels, 0};
        denoise_ref_statistics right;
        denoise_ref_count(&image, &s, &right);
        double found = next_sigma(&t, PROBE, values), want = right.sigma[0][0][2];
        // what is removed is the difference of two floats of the probe's size
        double off = (fabs(found - want) - height * 3e-7) / want;
        char name[96];
        snprintf(name, sizeof name, "sigma %.4g, found %.4g, slope %.3g: relative error", sigma,
                 found, right.slope);
        good = check_limit(name, off, 1e-4) && good;
        good = check_limit("    from that of the noise", fabs(found / sigma - 1), 0.1) && good;
        trial_free(&t);
    }
    CHECK(good);
}

// The same noise each time, as ti_haar's probe has other coefficients beside it. All of one octave,
// so there is no curve.
static double *flat_noise(double sigma)
{
    rng r = {913};
    double *values = check_doubles(SIDE * SIDE);
    for (int k = 0; k < SIDE * SIDE; ++k)
        values[k] = 3 + sigma * rng_normal(&r);
    set_probe(values, SIDE, PROBE, 1, HEIGHT);
    return values;
}

static double flat_sigma(trial *t, double sigma)
{
    return next_sigma(t, PROBE, flat_noise(sigma));
}

// Each frame uses the noise of the frames before, which it follows at the rate of `adapt`.
void test_frames(void **state)
{
    ag_denoise_settings s;
    for (int filter = 0; filter < 2; ++filter) {
        trial t = probing(*state, "r32f", SIDE, &s);
        s.filter = filter;
        s.adapt = 3;
        t.job.dt = 0.1f;
        double quiet = flat_sigma(&t, 0.1);
        if (filter == AG_DENOISE_HAAR)
            CHECK_LIMIT("the first frame: error of its sigma", fabs(quiet / 0.1 - 1), 0.08);
        CHECK_LIMIT("a louder frame: still the noise of the last one",
                    fabs(flat_sigma(&t, 0.4) / quiet - 1), 0.05);
        double second = flat_sigma(&t, 0.4);
        t.job.flags = AG_JOB_RESET;
        double loud = flat_sigma(&t, 0.4);
        CHECK_LIMIT("its noise, with reset, is four times as much", fabs(loud / quiet / 4 - 1),
                    0.05);
        if (filter == AG_DENOISE_HAAR)
            CHECK_LIMIT("a frame later: one step towards it",
                        fabs((second - quiet) / (loud - quiet) + expm1(-0.1 * 3)), 1e-4);
        t.job.flags = 0;
        t.job.dt = 0;
        flat_sigma(&t, 0.4);
        CHECK_LIMIT("dt = 0: it stays", fabs(flat_sigma(&t, 0.4) / loud - 1), 1e-4);
        s.exact = 1;
        CHECK_LIMIT("exact: at once", fabs(flat_sigma(&t, 0.1) / quiet - 1), 1e-4);
        trial_free(&t);
    }
}

// Of a large image at most 512 tiles count: here those of even columns. The others have twice the
// noise, so that only the even ones alone give the sigma that is expected. The probe is in a tile
// that does not count.
void test_large_frames(void **state)
{
    enum { LARGE = 1024, LEFT = 992, TILE = 32 }; // LEFT: the last tile, odd in x
    rng r = rng_start("large frames", 916);
    ag_denoise_settings s;
    trial t = probing(*state, "r32f", LARGE, &s);
    t.job.dt = 1000; // what was counted replaces what was known
    double found[3];
    for (int frame = 0; frame < 3; ++frame) {
        double sigma = frame ? 0.3 : 0.1, *values = check_doubles(LARGE * LARGE);
        for (int i = 0; i < LARGE * LARGE; ++i)
            values[i] = 3 + (i % LARGE / TILE % 2 ? 2 : 1) * sigma * rng_normal(&r);
        set_probe(values, LARGE, LEFT, 1, HEIGHT);
        found[frame] = next_sigma(&t, LEFT, values);
    }
    CHECK_LIMIT("the first frame", fabs(found[0] / 0.1 - 1), 0.08);
    CHECK_LIMIT("a louder frame: still the noise of the last one", fabs(found[1] / found[0] - 1),
                0.03);
    CHECK_LIMIT("a frame later: its noise, of the tiles that count", fabs(found[2] / 0.3 - 1),
                0.08);
    trial_free(&t);
}

// ---- quality ------------------------------------------------------------------------------------

// One texel of 60 000 in a dark noisy image: other texels change by no more than a few thresholds,
// and their noise goes as it does without it, but for what one of 68 coefficients of level 3 adds
// to a variance. The filters of dwt are longer, so there its removed coefficients show in more
// texels, as a pattern of up to three thresholds of visu, of 4.1 sigma.
void test_firefly(void **state)
{
    enum { W = 75, H = 58, VALUES = W * H * 4, AT = (30 * W + 37) * 4 };
    const double sigma = 0.001;
    rng r = rng_start("firefly", 922);
    bool good = true;
    sweep *share = sweep_start("firefly", 13);
    for (int filter = 0; filter <= AG_DENOISE_DWT; ++filter)
        for (int rule = 0; rule < 4; ++rule) {
            bool longer = filter == AG_DENOISE_DWT;
            if (filter == AG_DENOISE_ATROUS && rule)
                continue; // it has none
            if (!sweep_takes(share))
                continue;
            double values[VALUES], *got[2], worst = 0, before = 0, after = 0;
            for (int i = 0; i < VALUES; ++i)
                values[i] = 0.01 + sigma * rng_normal(&r);
            for (int k = 0; k < 2; ++k) {
                ag_denoise_settings s;
                trial t = denoise_of(*state, "a firefly", "rgba32f", W, H, values, &s);
                s.filter = filter;
                s.rule = rule;
                s.sigma = 0;
                got[k] = trial_take(&t, DST);
                values[AT] = values[AT + 1] = values[AT + 2] = 60000;
            }
            for (int i = 0; i < VALUES; ++i)
                if (i / 4 != AT / 4 && i % 4 < 3) {
                    worst = check_worse(worst, fabs(got[1][i] - got[0][i]));
                    before += pow(got[0][i] - 0.01, 2);
                    after += pow(got[1][i] - 0.01, 2);
                }
            printf("  filter %d, rule %d\n", filter, rule);
            good = check_limit("largest change of a neighbour, in sigma", worst / sigma,
                               longer ? 12 : 4) &&
                   check_limit("rms of noise left, over that without it", sqrt(after / before),
                               longer ? 8 : 1.4) &&
                   check_limit("the texel itself: relative change", fabs(got[1][AT] / 60000 - 1),
                               1e-5) &&
                   good;
            free(got[0]);
            free(got[1]);
        }
    CHECK(good);
}

typedef struct way {
    int filter, threshold, wavelet;
} way;

static double decibels(fixture *f, const char *format, const way *w, const double *noisy,
                       const double *clean)
{
    enum { W = 384, H = 256 };
    ag_denoise_settings s;
    trial t = denoise_of(f, "quality", format, W, H, noisy, &s);
    s.rule = w->threshold == AG_DENOISE_FIRM ? AG_DENOISE_NOISE : AG_DENOISE_BAYES;
    s.sigma = 0;
    s.filter = w->filter;
    s.threshold = w->threshold;
    s.wavelet = w->wavelet;
    double *got = trial_take(&t, DST), *right = check_doubles(W * H * 4);
    int n = format_named(format)->channels;
    double result = check_psnr(got, clean, (size_t)(W * H * n), 1);
    if (s.filter != AG_DENOISE_ATROUS) { // the reference has exact quantiles
        denoise_ref_image image = {noisy, W, H, n, 0};
        denoise_ref_statistics statistics;
        denoise_ref_count(&image, &s, &statistics);
        denoise_ref(&image, &s, &statistics, 0, right, NULL);
        double exact = check_psnr(right, clean, (size_t)(W * H * n), 1);
        CHECK_LIMIT("dB from the same rule in double", fabs(result - exact), 0.2);
    }
    free(got);
    free(right);
    return result;
}

// What the definitions are worth, on scenes of edges, gradients, texture and stars: all shifts over
// one; a joint threshold is nearly as good as a soft one of each component; thresholds that know
// the noise of each of cdf53's bands are as good as those of db2, whose bands have all the same.
void test_quality(void **state)
{
    enum { W = 384, H = 256 };
    enum { TI = AG_DENOISE_TI_HAAR, HAAR = AG_DENOISE_HAAR, DWT = AG_DENOISE_DWT };
    enum { FIRM = AG_DENOISE_FIRM };
    static const struct {
        double sigma, gain; // dB of `better` over `other`, at least
        const char *format;
        way better, other;
    } cases[] = {
        {0.1, 1.2, "rgba32f", {TI, 0, 0}, {HAAR, 0, 0}},
        {0.05, 0.8, "rgba32f", {TI, 0, 0}, {HAAR, 0, 0}},
        {0.02, 0, "rgba32f", {TI, 0, 0}, {HAAR, 0, 0}},
        {0.05, 0, "rgba32f", {TI, FIRM, 0}, {TI, 0, 0}},
        {0.2, 0, "rg32f", {TI, FIRM, 0}, {TI, 0, 0}},
        {0.1, -1, "r32f", {DWT, 0, AG_WAVELET_CDF53}, {DWT, 0, AG_WAVELET_DB2}},
    };
    rng r = rng_start("quality", 915);
    bool good = true;
    sweep *share = sweep_start("quality", 6);
    for (int i = 0; i < (int)COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        int n = format_named(cases[i].format)->channels;
        double *clean = denoise_scene(W, H, n, 37 * i, 11), *noisy = check_doubles(W * H * 4);
        for (int k = 0; k < W * H * n; ++k)
            noisy[k] = clean[k] + (n < 4 || k % 4 < 3 ? cases[i].sigma * rng_normal(&r) : 0);
        texture_quantise(cases[i].format, noisy, W * H);
        double better = decibels(*state, cases[i].format, &cases[i].better, noisy, clean);
        double other = decibels(*state, cases[i].format, &cases[i].other, noisy, clean);
        double before = check_psnr(noisy, clean, (size_t)(W * H * n), 1);
        char name[128];
        snprintf(name, sizeof name, "%s, sigma %.2f: %.2f dB, %.2f, %.2f: gain lacks",
                 cases[i].format, cases[i].sigma, before, other, better);
        good = check_limit(name, cases[i].gain - (better - other), 0) && good;
        good = check_limit("    more dB than the noisy image: lacks", before - better, 0) && good;
        free(clean);
        free(noisy);
    }
    CHECK(good);
}
