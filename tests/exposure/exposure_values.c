// exposure_values.c - the texels that "exposure" uses, their weights, and closed forms of the
// result
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_exposure.h"

// ---- texels ------------------------------------------------------------------------------------

// Texels on every edge of a bin, one float below and one above: one in the wrong bin would move the
// mean by 1/8 EV / 765.
void test_edges(void **state)
{
    exposing e;
    exposing_open(*state, &e);
    bool good = true;
    static const float ranges[][2] = {{-16, 16}, {-1, 0}, {-3.3f, 7.1f}, {-20, 64}};
    for (int i = 0; i < 4; ++i) {
        e.settings.min_ev = ranges[i][0];
        e.settings.max_ev = ranges[i][1];
        e.settings.low = 0;
        e.settings.high = 1;
        e.job.flags = AG_JOB_RESET;
        double *values = exposing_grey(255, 3, 0);
        double width = ((double)ranges[i][1] - (double)ranges[i][0]) / 256;
        for (int k = 0; k < 255; ++k) {
            float edge = (float)exp2((double)ranges[i][0] + (k + 1) * width);
            values[k] = nextafterf(edge, 0);
            values[255 + k] = edge;
            values[510 + k] = nextafterf(edge, INFINITY);
        }
        char name[64];
        snprintf(name, sizeof name, "edges of %g .. %g", (double)ranges[i][0],
                 (double)ranges[i][1]);
        exposing_image(&e, "r32f", 255, 3, 0, values);
        good = exposing_check(&e, name) && good;
    }
    exposing_close(&e);
    CHECK(good);
}

// NaN, infinities, negative values and what is too dark: left out, and with scrub on counted where
// not finite.
void test_left_out(void **state)
{
    enum { W = 93, H = 71 };
    fixture *f = *state;
    rng r = rng_start("left out", 406);
    exposing e;
    exposing_open(f, &e);
    bool good = true;
    e.job.flags = AG_JOB_RESET;
    for (int scrub = 0; scrub < 2; ++scrub)
        for (int half = 0; half < 2; ++half) {
            const char *format = half ? "rgba16f" : "rgba32f";
            const double odd[] = {NAN, INFINITY,      -INFINITY,     -3,
                                  0,   ldexp(1, -20), ldexp(1, -21), 1e-40};
            double *values = exposing_noise(&r, format, W, H, 1e-3, 10);
            uint64_t bad = 0;
            for (int i = 0; i < W * H; ++i) {
                bool finite = true;
                if (rng_int(&r, 0, 3) == 0)
                    values[4 * i + rng_int(&r, 0, 3)] = odd[rng_int(&r, 0, 7)];
                if (rng_int(&r, 0, 20) == 0)
                    values[4 * i] = values[4 * i + 1] = values[4 * i + 2] = odd[rng_int(&r, 4, 7)];
                for (int c = 0; c < 4; ++c)
                    finite = finite && isfinite(values[4 * i + c]);
                bad += !finite;
            }
            char name[64];
            snprintf(name, sizeof name, "%s, scrub %d", format, scrub);
            e.settings.scrub = scrub;
            uint64_t before = fixture_scrubbed(f);
            exposing_image(&e, format, W, H, 0, values);
            good = exposing_check(&e, name) && good;
            uint64_t counted = fixture_scrubbed(f) - before;
            printf("  %u texels counted, of %u\n", (unsigned)counted, (unsigned)bad);
            CHECK_EQ(counted, scrub ? bad : 0);
        }
    exposing_close(&e);
    CHECK(good);
}

// Without a texel to use r and g stay, b is 0, a stays; an invalid state becomes zeros.
void test_black(void **state)
{
    exposing e;
    exposing_open(*state, &e);
    double got[4];
    static const double nothing[4] = {0};
    bool good = true;
    for (int i = 0; i < 3; ++i) {
        exposing_image(&e, "r32f", 50, 40, 0,
                       exposing_grey(50, 40,
                                     i == 0   ? 0
                                     : i == 1 ? (double)NAN
                                              : -2));
        exposing_set_state(&e, 0, 0, 0, 0);
        good = exposing_check(&e, "nothing, before the first") && good;
        exposing_read(&e, got);
        CHECK(!memcmp(got, nothing, sizeof got));
        exposing_set_state(&e, (double)NAN, 3, 1, 1);
        good = exposing_check(&e, "nothing, and the state was NaN") && good;
        exposing_read(&e, got);
        CHECK(!memcmp(got, nothing, sizeof got));
        exposing_set_state(&e, 1.5, -4.25, 0.75, 1);
        e.job.dt = 0.5f;
        good = exposing_check(&e, "nothing, later") && good;
        exposing_read(&e, got);
        CHECK(got[0] == 1.5 && got[1] == -4.25 && got[2] == 0 && got[3] == 1);
        e.job.flags = AG_JOB_RESET;
        good = exposing_check(&e, "nothing, reset") && good;
        exposing_read(&e, got);
        CHECK(!memcmp(got, nothing, sizeof got));
        e.job.flags = 0;
    }
    exposing_close(&e);
    CHECK(good);
}

// ---- closed forms ------------------------------------------------------------------------------

// One value: its bin's centre, whatever the weights; key and compensation move the target.
void test_one_value(void **state)
{
    rng r = rng_start("one value", 407);
    exposing e;
    exposing_open(*state, &e);
    double worst = 0, got[4];
    e.job.flags = AG_JOB_RESET;
    for (int i = 0; i < 24; ++i) {
        double value =
            (float)exp2(rng_uniform(&r, -19.9, 18)); // darker and brighter than the bins, too
        e.settings.key = (float)rng_hdr(&r, 0.001, 1);
        e.settings.compensation = (float)rng_uniform(&r, -16, 16);
        e.settings.center = (float)rng_uniform(&r, 0, 1);
        e.settings.low = (float)rng_uniform(&r, 0, 0.5);
        e.settings.high = (float)rng_uniform(&r, 0.51, 1);
        exposing_image(&e, "r32f", 37, 61, 0, exposing_grey(37, 61, value));
        fixture_run(e.f, e.pass, &e.job);
        exposing_read(&e, got);
        double bin = fmin(fmax(floor((log2(value) + 16) * 8), 0), 255);
        double mean = -16 + (bin + 0.5) / 8;
        double exposure = log2((double)e.settings.key) - mean + (double)e.settings.compensation;
        worst = check_worse(check_worse(worst, fabs(got[0] - exposure)), fabs(got[1] - mean));
    }
    CHECK_LIMIT("24 frames of one value: error in EV", worst, EXPOSURE_ERROR);
    exposing_close(&e);
}

// Two values, half each: the share of either between the percentiles.
void test_percentiles(void **state)
{
    static const float cuts[][2] = {{0, 1},        {0.25f, 0.9f},    {0.5f, 0.95f},
                                    {0, 0.5f},     {0.499f, 0.501f}, {0, 1e-7f},
                                    {0.99999f, 1}, {0.3f, 0.30001f}};
    rng r = rng_start("percentiles", 408);
    exposing e;
    exposing_open(*state, &e);
    bool good = true;
    double got[4];
    const double dark = -3.9375, bright = 2.0625; // centres of the bins of 2^-4 and 4
    e.job.flags = AG_JOB_RESET;
    for (int i = 0; i < 8; ++i) {
        double low = (double)cuts[i][0], high = (double)cuts[i][1];
        double *values = exposing_grey(40, 30, 0.0625);
        for (int k = 0; k < 600; ++k)
            values[2 * k] = 4;
        e.settings.low = cuts[i][0];
        e.settings.high = cuts[i][1];
        exposing_image(&e, "r16f", 40, 30, 0, values);
        fixture_run(e.f, e.pass, &e.job);
        exposing_read(&e, got);
        double a = fmax(fmin(high, 0.5) - low, 0), b = fmax(high - fmax(low, 0.5), 0);
        double right = (a * dark + b * bright) / (a + b);
        char name[64];
        snprintf(name, sizeof name, "two values, %g .. %g: error in EV", low, high);
        good = check_limit(name, fabs(got[1] - right), EXPOSURE_ERROR) && good;
        e.settings.center = 0.3f;
        exposing_image(&e, "rgba16f", 83, 59, 0, exposing_noise(&r, "rgba16f", 83, 59, 1e-3, 100));
        good = exposing_check(&e, "    noise, the same") && good;
        e.settings.center = 0;
    }
    exposing_close(&e);
    CHECK(good);
}

// Weights against the formula in double, without rounding: within the error of half a 256th each.
void test_centre(void **state)
{
    rng r = rng_start("centre", 409);
    exposing e;
    exposing_open(*state, &e);
    static const int sizes[][2] = {{64, 64}, {161, 90}, {3, 200}, {333, 77}};
    bool good = true;
    double got[4], bound;
    e.settings.low = 0;
    e.settings.high = 1;
    e.job.flags = AG_JOB_RESET;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k <= 4; ++k) {
            int w = sizes[i][0], h = sizes[i][1];
            double *values = exposing_noise(&r, "rgba32f", w, h, 0.5, 1);
            for (int p = 0; p < w * h; ++p) { // brighter to the right: a wrong centre shows
                double gain = exp2(6.0 * (p % w) / w);
                for (int c = 0; c < 3; ++c)
                    values[4 * p + c] *= gain;
            }
            char name[96];
            e.settings.center = (float)k / 4;
            exposing_image(&e, "rgba32f", w, h, 0, values);
            snprintf(name, sizeof name, "%dx%d, center %g", w, h, k / 4.0);
            good = exposing_check(&e, name) && good;
            exposing_read(&e, got);
            exposure_ref_image image = exposing_ref(&e);
            double exact = exposure_ref_exact(&image, &e.settings, &bound);
            good = check_limit("    against weights in double", fabs(got[1] - exact),
                               bound + EXPOSURE_ERROR) &&
                   good;
        }
    exposing_close(&e);
    CHECK(good);
}
