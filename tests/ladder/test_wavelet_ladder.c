// test_wavelet_ladder.c - "wavelet_ladder", a document's kernel, against its definition in double
// SPDX-License-Identifier: MIT
#include <afterglow/ladder_wavelet.h>
#include <afterglow/wavelet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"
#include "values.h"
#include "wavelet_ref.h"

#define WAVELET_ERROR 2e-6          // of the largest value, as ladder_wavelet.h promises
#define WAVELET_RECONSTRUCTION 1e-6 // forward and inverse, of the largest texel

enum { SRC = AG_WAVELET_LADDER_SRC, DST = AG_WAVELET_LADDER_DST, TAPS = AG_WAVELET_LADDER_TAPS };
#define COUNT(array) (sizeof(array) / sizeof *(array))

// One channel after the other. A texel that is not finite counts as 0.
static bool exact(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_wavelet_ladder_settings *s = t->settings;
    size_t texels = (size_t)p->width * (size_t)p->height, channels = (size_t)p->channels;
    double *in = trial_input(t, SRC, 0), *plane = check_doubles(texels), *right;
    const double *taps = t->slots[TAPS].values;
    int count = t->slots[TAPS].width;
    wavelet_ref ref =
        s->wavelet == AG_WAVELET_CUSTOM
            ? wavelet_ref_custom(count, taps, t->slots[TAPS].height > 1 ? taps + count : NULL,
                                 AG_WAVELET_PERIODIZATION, s->levels, false, p->width, p->height)
            : wavelet_ref_make(s->wavelet, AG_WAVELET_PERIODIZATION, s->levels, false, p->width,
                               p->height);
    // Of a few coefficients the sum may nearly cancel: then its terms, of about 1, are the measure.
    for (size_t i = 0; i < texels * channels && s->direction == AG_WAVELET_INVERSE; ++i)
        bound[i] = WAVELET_ERROR;
    for (size_t c = 0; c < channels; ++c) {
        for (size_t i = 0; i < texels; ++i) {
            bool finite = true;
            for (size_t k = 0; k < channels; ++k)
                finite = finite && isfinite(in[i * channels + k]);
            plane[i] = finite ? in[i * channels + c] : 0;
        }
        right = s->direction == AG_WAVELET_INVERSE ? wavelet_ref_inverse(&ref, plane)
                                                   : wavelet_ref_forward(&ref, plane);
        for (size_t i = 0; i < texels; ++i)
            want[i * channels + c] = right[i];
        free(right);
    }
    free(in);
    free(plane);
    return true;
}

// Random values within a margin of others; the output's margin has to stay poison. Free `values`.
static trial open_trial(fixture *f, rng *r, ag_wavelet_ladder_settings *s, const char *format,
                        int width, int height, int margin, double **values)
{
    trial t = trial_of(f, "wavelet_ladder", "a transform", s, sizeof *s);
    *values = values_noise(r, format, width + 2 * margin, height + 2 * margin, -1, 1);
    for (int i = SRC; i <= DST; ++i) {
        t.slots[i] =
            trial_image(format, width + 2 * margin, height + 2 * margin, i == SRC ? *values : NULL);
        t.slots[i].x = t.slots[i].y = margin;
        t.slots[i].w = width;
        t.slots[i].h = height;
    }
    t.reference = exact;
    t.relative = WAVELET_ERROR;
    return t;
}

// Every filter, both ways, of the sizes and formats that the kernel takes. A texel that is not
// finite counts as 0, and is counted.
static void test_transforms(void **state)
{
    static const int sizes[][3] = {{2, 2, 1}, {64, 32, 5}, {16, 128, 2}, {4, 256, 2}};
    static const char *const formats[] = {"rgba32f", "r32f", "rg32f", "rgba16f", "rg16f", "r16f"};
    fixture *f = *state;
    rng r = rng_start("transforms", 506);
    bool good = true;
    sweep *share = sweep_start("transforms", 7);
    int case_number = 0;
    for (int wavelet = AG_WAVELET_HAAR; wavelet <= AG_WAVELET_CDF97; ++wavelet)
        for (size_t i = 0; i < COUNT(sizes); ++i)
            for (int direction = 0; direction < 2; ++direction) {
                ag_wavelet_ladder_settings s;
                double *values;
                const char *format = formats[case_number++ % (int)COUNT(formats)];
                if (!sweep_takes(share))
                    continue;
                trial t =
                    open_trial(f, &r, &s, format, sizes[i][0], sizes[i][1], i % 2 ? 3 : 0, &values);
                s.wavelet = wavelet;
                s.levels = sizes[i][2];
                s.direction = direction;
                int channels = format_named(format)->channels;
                int first = i % 2 ? 3 * (sizes[i][0] + 6) + 3 : 0; // texel of the rectangle
                values[channels * first] = (double)INFINITY;
                uint64_t before = fixture_scrubbed(f);
                good = trial_check(&t) && good;
                CHECK_EQ(fixture_scrubbed(f) - before, 1);
                trial_free(&t);
                free(values);
            }
    CHECK(good);
}

// Filters of a texture: PyWavelets' db3, of one row, and bior1.3, of two.
static void test_custom(void **state)
{
    static const double half = 0.7071067811865476;
    static const double filters[][12] = {
        {0.03522629188570937, -0.08544127388202669, -0.13501102001025458, 0.4598775021184915,
         0.8068915093110925, 0.33267055295008263},
        {-0.08838834764831845, 0.08838834764831845, half, half, 0.08838834764831845,
         -0.08838834764831845, 0, 0, half, half, 0, 0}};
    rng r = rng_start("custom", 505);
    bool good = true;
    for (int rows = 1; rows <= 2; ++rows)
        for (int direction = 0; direction < 2; ++direction) {
            ag_wavelet_ladder_settings s;
            double *values, taps[12];
            trial t = open_trial(*state, &r, &s, "rgba32f", 32, 64, 0, &values);
            memcpy(taps, filters[rows - 1], sizeof taps);
            texture_quantise("r32f", taps, 12);
            t.slots[TAPS] = trial_image("r32f", 6, rows, taps);
            s.wavelet = AG_WAVELET_CUSTOM;
            s.levels = 3;
            s.direction = direction;
            good = trial_check(&t) && good;
            trial_free(&t);
            free(values);
        }
    CHECK(good);
}

// The inverse, which the document does not print, gives the image back.
static void test_round_trip(void **state)
{
    enum { SIZE = 64 };
    rng r = rng_start("round trip", 509);
    double *values, *coefficients, worst = 0;
    ag_wavelet_ladder_settings s;
    trial t = open_trial(*state, &r, &s, "rgba32f", SIZE, SIZE, 0, &values);
    s.wavelet = AG_WAVELET_CDF97;
    s.levels = 6;
    trial_run(&t);
    coefficients = t.got[DST];
    t.got[DST] = NULL;
    trial_free(&t);
    s.direction = AG_WAVELET_INVERSE;
    t.slots[SRC].values = coefficients;
    trial_run(&t);
    for (int i = 0; i < 4 * SIZE * SIZE; ++i)
        worst = check_worse(worst, fabs(t.got[DST][i] - values[i]));
    CHECK_LIMIT("forward and inverse, texels up to 1", worst, WAVELET_RECONSTRUCTION);
    trial_free(&t);
    free(coefficients);
    free(values);
}

static void test_refused(void **state)
{
    static const struct {
        int width, height, levels, wavelet, taps;
        const char *dst;
        ag_status status;
        const char *word;
    } cases[] = {
        {20, 16, 1, 0, 0, "rgba32f", AG_E_SIZE, "20x16; with 1 levels it takes powers of two"},
        {16, 1, 1, 0, 0, "rgba32f", AG_E_SIZE, "16x1"},
        {16, 8, 4, 0, 0, "rgba32f", AG_E_SIZE, "from 16 on"},
        {16, 16, 1, 0, 0, "r32f", AG_E_FORMAT, "dst R32F with 1"},
        {16, 16, 1, 0, 0, "rgba8", AG_E_FORMAT, "RGBA8"},
        {16, 16, 1, AG_WAVELET_CUSTOM, 0, "rgba32f", AG_E_ARG, "taps is empty"},
        {16, 16, 1, AG_WAVELET_CUSTOM, 5, "rgba32f", AG_E_SIZE, "taps is 5x1"},
    };
    rng r = rng_start("refused", 508);
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_wavelet_ladder_settings s;
        double *values;
        trial t =
            open_trial(*state, &r, &s, "rgba32f", cases[i].width, cases[i].height, 0, &values);
        t.slots[DST].format = cases[i].dst;
        if (cases[i].taps)
            t.slots[TAPS] = trial_image("r32f", cases[i].taps, 1, NULL);
        s.levels = cases[i].levels;
        s.wavelet = cases[i].wavelet;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
        free(values);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    static const check_test tests[] = {
        FIXTURE_SWEEP(test_transforms),
        FIXTURE_TEST(test_custom),
        FIXTURE_TEST(test_round_trip),
        FIXTURE_TEST(test_refused),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_ladder, fixture_teardown);
}
