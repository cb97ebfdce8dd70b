// denoise_contract.c - what "denoise" leaves alone, non-finite texels, and what it refuses
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 75, H = 58, VALUES = W * H * 4 };

// Nothing is removed: the bits of src, in every space.
void test_identity(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("identity", 921);
    bool good = true;
    sweep *share = sweep_start("identity", 9);
    for (int filter = 0; filter < 2; ++filter)
        for (int space = 0; space < 3; ++space)
            for (int way = 0; way < 3; ++way) {
                if (!sweep_takes(share))
                    continue;
                static const char *const ways[] = {"strength 0", "one colour", "amount 0"};
                double *values = check_doubles(VALUES);
                rng_fill_hdr(&r, values, VALUES, 1e-4, 6e4);
                for (int i = 0; i < VALUES && way == 1; ++i)
                    values[i] = values[i % 4];
                d.settings.filter = filter;
                d.settings.space = space;
                d.settings.strength = way == 0 ? 0 : 1;
                d.settings.amount = way == 2 ? 0 : 1;
                denoising_image(&d, "rgba32f", NULL, W, H, 0, values);
                double *got = denoising_run(&d);
                char name[64];
                snprintf(name, sizeof name, "filter %d, space %d, %s", filter, space, ways[way]);
                good = check_case(name, !memcmp(got, d.values, sizeof *got * VALUES)) && good;
                free(got);
            }
    denoising_close(&d);
    CHECK(good);
}

// One texel of 60 000 in a dark noisy image: other texels change by no more than a few thresholds,
// and their noise goes as it does without it, but for what one of 68 coefficients of level 3 adds
// to a variance. The filters of dwt are longer, so there its removed coefficients show in more
// texels, as a pattern of up to three thresholds of visu, of 4.1 sigma.
void test_firefly(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("firefly", 922);
    bool good = true;
    const double sigma = 0.001;
    sweep *share = sweep_start("firefly", 4);
    for (int filter = 0; filter <= AG_DENOISE_DWT; ++filter)
        for (int rule = 0; rule < 4; ++rule) {
            if (filter > 1 && (rule == AG_DENOISE_BAYES_LOCAL) == (filter == AG_DENOISE_DWT))
                continue; // dwt takes no local rule, atrous has none at all
            if (!sweep_takes(share))
                continue;
            double *values = check_doubles(VALUES), *results[2];
            for (int i = 0; i < VALUES; ++i)
                values[i] = 0.01 + sigma * rng_normal(&r);
            d.settings.filter = filter;
            d.settings.rule = rule;
            denoising_image(&d, "rgba32f", NULL, W, H, 0, values);
            results[0] = denoising_run(&d);
            values = texture_read(d.t.f, &d.t.textures[AG_DENOISE_SRC], 0);
            int at = (30 * W + 37) * 4;
            values[at] = values[at + 1] = values[at + 2] = 60000;
            denoising_upload(&d, values);
            d.t.job.flags = AG_JOB_RESET;
            results[1] = denoising_run(&d);
            d.t.job.flags = 0;
            double worst = 0, before = 0, after = 0;
            for (int i = 0; i < VALUES; ++i)
                if (i / 4 != at / 4 && i % 4 < 3) {
                    worst = check_worse(worst, fabs(results[1][i] - results[0][i]));
                    before += pow(results[0][i] - 0.01, 2);
                    after += pow(results[1][i] - 0.01, 2);
                }
            char name[96];
            snprintf(name, sizeof name,
                     "filter %d, rule %d: largest change of a neighbour, in sigma", filter, rule);
            bool longer = filter == AG_DENOISE_DWT;
            good = check_limit(name, worst / sigma, longer ? 12 : 4) && good;
            good = check_limit("    rms of noise left, over that without it", sqrt(after / before),
                               longer ? 8 : 1.4) &&
                   good;
            good = check_limit("    the texel itself: relative change",
                               fabs(results[1][at] / 60000 - 1), 1e-5) &&
                   good;
            free(results[0]);
            free(results[1]);
        }
    denoising_close(&d);
    CHECK(good);
}

static const float bad_values[] = {NAN, INFINITY, -INFINITY};

// A non-finite channel makes its texel 0 and is counted; the rest is as if it were 0.
void test_not_finite(void **state)
{
    fixture *f = *state;
    denoising d;
    denoising_open(f, &d);
    rng r = rng_start("not finite", 923);
    bool good = true;
    d.settings.firefly = 2; // of atrous, which then reads texels more than once
    for (int filter = 0; filter <= AG_DENOISE_DWT; ++filter) {
        double *values = denoising_scene(W, H, 4, 5, 5), *zeroed = check_doubles(VALUES);
        denoising_add_noise(&r, values, VALUES, 0.1);
        memcpy(zeroed, values, sizeof *values * VALUES);
        for (int i = 0; i < 9; ++i) {
            int texel = rng_int(&r, 0, W * H / 9 - 1) * 9 + i;
            values[texel * 4 + i % 4] = (double)bad_values[i % 3];
            memset(zeroed + texel * 4, 0, 4 * sizeof *zeroed);
        }
        d.settings.filter = filter;
        denoising_image(&d, "rgba32f", NULL, W, H, 0, values);
        uint64_t before = fixture_scrubbed(f);
        double *got = denoising_run(&d);
        good = check_limit("counted, of 9: missing or too many",
                           fabs((double)(fixture_scrubbed(f) - before) - 9), 0) &&
               good;
        denoising_upload(&d, zeroed);
        d.t.job.flags = AG_JOB_RESET;
        double *right = denoising_run(&d);
        d.t.job.flags = 0;
        good = check_case("    the bits of an image with zeros there",
                          !memcmp(got, right, sizeof *got * VALUES)) &&
               good;
        free(got);
        free(right);
    }
    denoising_close(&d);
    CHECK(good);
}

// With scrub off a bad texel reaches no farther than its blocks, and later frames are clean.
void test_unscrubbed(void **state)
{
    fixture *f = *state;
    denoising d;
    denoising_open(f, &d);
    rng r = rng_start("unscrubbed", 924);
    bool good = true;
    d.settings.scrub = 0;
    d.settings.rule = AG_DENOISE_GIVEN;
    d.settings.sigma = 0.1f;
    for (int filter = 0; filter < 2; ++filter) {
        double *values = denoising_scene(W, H, 4, 5, 5), *clean = check_doubles(VALUES);
        denoising_add_noise(&r, values, VALUES, 0.1);
        memcpy(clean, values, sizeof *values * VALUES);
        values[(31 * W + 40) * 4 + 1] = (double)NAN;
        d.settings.filter = filter;
        denoising_image(&d, "rgba32f", NULL, W, H, 0, values);
        double *got = denoising_run(&d);
        denoising_upload(&d, clean);
        double *right = denoising_run(&d);
        long far = 0;
        for (int i = 0; i < VALUES; ++i)
            if (got[i] != right[i])
                far += abs(i / 4 % W - 40) > 7 || abs(i / 4 / W - 31) > 7;
        good = check_limit("a NaN, unscrubbed: values changed 8 texels away and farther",
                           (double)far, 0) &&
               good;
        free(got);
        free(right);
    }
    denoising_close(&d);
    CHECK(good);
}

// Equal images give equal bits, whatever the order of groups.
void test_repeats(void **state)
{
    denoising d;
    denoising_open(*state, &d);
    rng r = rng_start("repeats", 925);
    bool good = true;
    sweep *share = sweep_start("repeats", 4);
    for (int i = 0; i < 4; ++i) {
        int filter = i % 2;
        if (!sweep_takes(share))
            continue;
        double *values = denoising_scene(200, 150, 4, 0, 0), *first = NULL;
        denoising_add_noise(&r, values, (size_t)200 * 150 * 4, 0.1);
        d.settings.filter = filter;
        d.settings.rule = i < 2 ? AG_DENOISE_BAYES : AG_DENOISE_GIVEN;
        denoising_image(&d, "rgba16f", NULL, 200, 150, 0, values);
        for (int frame = 0; frame < 6; ++frame) {
            d.t.job.dt = frame < 3 ? 0.1f : 0; // what is counted beside a filter is what came first
            double *got = denoising_run(&d);
            if (first)
                good = check_case("a frame again: the same bits",
                                  !memcmp(got, first, sizeof *got * 200 * 150 * 4)) &&
                       good;
            if (first)
                free(got);
            else
                first = got;
        }
        free(first);
    }
    denoising_close(&d);
    CHECK(good);
}

static void refuse(denoising *d, ag_status expected, const char *part)
{
    host_log_clear(&d->t.f->host);
    CHECK_STATUS(d->t.f->ag->prepare(d->t.pass, &d->t.job), expected);
    CHECK_HAS(host_log_last(&d->t.f->host), part);
}

void test_refusals(void **state)
{
    fixture *f = *state;
    denoising d;
    denoising_open(f, &d);
    denoising_image(&d, "rgba16f", NULL, W, H, 0, denoising_scene(W, H, 4, 0, 0));
    d.settings.levels = 4;
    d.settings.rule = AG_DENOISE_BAYES_LOCAL;
    refuse(&d, AG_E_ARG, "levels is 4; rule = bayes_local takes 1 .. 3");
    d.settings = (ag_denoise_settings)AG_DENOISE_DEFAULTS;
    d.t.views[AG_DENOISE_DST].rect_width = W - 1;
    d.t.views[AG_DENOISE_DST].rect_height = H;
    refuse(&d, AG_E_SIZE, "dst's rectangle is 74x58, src's 75x58");
    for (int i = 0; i < 2; ++i)
        d.t.views[i] = (ag_texture){.struct_size = sizeof d.t.views[i],
                                    .target = GL_TEXTURE_2D_ARRAY,
                                    .format = GL_RGBA16F,
                                    .width = 65536,
                                    .height = 32768,
                                    .layers = 2};
    const ag_plan *plan = NULL;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(d.t.pass, &d.t.job, &plan), AG_E_SIZE);
    CHECK_HAS(host_log_last(&f->host), "the limit is 2147483648");
    d.t.views[0].layers = d.t.views[1].layers = 1;
    CHECK_STATUS(f->ag->declare(d.t.pass, &d.t.job, &plan), AG_OK);
    // counts of a group in 32 bits, and groups as a float
    CHECK((uint64_t)64 * 4096 * 32 * 32 < UINT32_MAX);
    CHECK((double)plan->steps[1].groups[0] * plan->steps[1].groups[1] < ldexp(1, 24));
    denoising_close(&d);
}
