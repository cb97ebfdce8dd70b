// wavelet_ladder_gsl.c - the document's kernel against GSL, whose dwt_step has the same loop
// SPDX-License-Identifier: MIT
//
// GSL's first sample is that of the coefficient: offset 0. Ours is s = taps / 2 - 1 samples before,
// so the level l of an image equals GSL's level l of the image moved by (2^l - 1) s, which is once
// more s at each level.
#include <gsl/gsl_wavelet2d.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_wavelet_ladder.h"

enum { N = 64, LEVELS = 6 };

// GSL's transform of the image, moved by `by` texels both ways.
static void transform(const gsl_wavelet *wavelet, const double *image, int by, double *out)
{
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            out[(y + by) % N * N + (x + by) % N] = image[y * N + x];
    gsl_wavelet_workspace *work = gsl_wavelet_workspace_alloc(N);
    CHECK(work && gsl_wavelet2d_nstransform_forward(wavelet, out, N, N, N, work) == 0);
    gsl_wavelet_workspace_free(work);
}

// The largest difference of the bands of a level; of the last one with LL.
static double level_error(const double *got, const double *right, int level, double *largest)
{
    int band = N >> level;
    double worst = 0;
    for (int y = 0; y < 2 * band; ++y)
        for (int x = 0; x < 2 * band; ++x) {
            if (x < band && y < band && level < LEVELS)
                continue;
            double off = fabs(got[y * N + x] - right[y * N + x]);
            worst = check_worse(worst, off);
            *largest = fmax(*largest, fabs(right[y * N + x]));
        }
    return worst;
}

static bool check_gsl(fixture *f, rng *r, int ours, const gsl_wavelet_type *type, size_t taps)
{
    double *right = check_doubles(N * N), largest = 0, worst = 0;
    double *image = values_noise(r, "r32f", N, N, -1, 1);
    char name[64];
    ag_wavelet_ladder_settings s;
    trial t = trial_of(f, "wavelet_ladder", "GSL", &s, sizeof s);
    gsl_wavelet *wavelet = gsl_wavelet_alloc(type, taps);
    CHECK(wavelet != NULL);
    s.wavelet = ours;
    s.levels = LEVELS;
    t.slots[AG_WAVELET_LADDER_SRC] = trial_image("r32f", N, N, image);
    t.slots[AG_WAVELET_LADDER_DST] = trial_image("r32f", N, N, NULL);
    trial_run(&t);
    for (int l = 1; l <= LEVELS; ++l) {
        transform(wavelet, image, ((1 << l) - 1) * ((int)taps / 2 - 1) % N, right);
        double error = level_error(t.got[AG_WAVELET_LADDER_DST], right, l, &largest);
        worst = check_worse(worst, error);
    }
    snprintf(name, sizeof name, "GSL's %s, %zu taps, of the largest", gsl_wavelet_name(wavelet),
             taps);
    bool good = check_limit(name, worst / largest, WAVELET_ERROR);
    gsl_wavelet_free(wavelet);
    trial_free(&t);
    free(image);
    free(right);
    return good;
}

void test_gsl(void **state)
{
    rng r = rng_start("GSL", 521);
    bool good = check_gsl(*state, &r, AG_WAVELET_HAAR, gsl_wavelet_haar, 2);
    good = check_gsl(*state, &r, AG_WAVELET_DB2, gsl_wavelet_daubechies, 4) && good;
    good = check_gsl(*state, &r, AG_WAVELET_DB4, gsl_wavelet_daubechies, 8) && good;
    CHECK(good);
}
