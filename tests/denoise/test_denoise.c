// test_denoise.c - "denoise" against its definition (reference/denoise_ref.h)
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- a pass, an image and its result ------------------------------------------------------------

static bool denoised(trial *t, const trial_part *p, double *want, double *bound);

void denoising_open(fixture *f, denoising *d)
{
    *d = (denoising){.t = trial_of(f, "denoise", "", &d->settings, sizeof d->settings)};
    CHECK_STATUS(f->ag->defaults("denoise", &d->settings, sizeof d->settings), AG_OK);
    d->t.pass = fixture_pass(f, "denoise");
    d->t.reference = denoised;
    d->t.job.slot_count = AG_DENOISE_DST + 1;
}

void denoising_image(denoising *d, const char *format, const char *to, int width, int height,
                     int layers, double *values)
{
    trial_free(&d->t);
    d->t.slots[AG_DENOISE_SRC] = trial_image(format, width, height, values);
    d->t.slots[AG_DENOISE_DST] = trial_image(to ? to : format, width, height, NULL);
    d->t.slots[AG_DENOISE_SRC].layers = d->t.slots[AG_DENOISE_DST].layers = layers;
    trial_make(&d->t);
    d->values = d->t.held[AG_DENOISE_SRC] = texture_read(d->t.f, &d->t.textures[AG_DENOISE_SRC], 0);
    free(values);
}

void denoising_upload(denoising *d, double *values)
{
    texture_upload(d->t.f, &d->t.textures[AG_DENOISE_SRC], 0, values);
    free(d->values);
    d->values = d->t.held[AG_DENOISE_SRC] = texture_read(d->t.f, &d->t.textures[AG_DENOISE_SRC], 0);
    free(values);
}

double *denoising_run(denoising *d)
{
    trial_run(&d->t);
    double *got = d->t.got[AG_DENOISE_DST];
    d->t.got[AG_DENOISE_DST] = NULL;
    return got;
}

static denoise_ref_image image_of(const trial *t)
{
    const texture *src = &t->textures[AG_DENOISE_SRC];
    return (denoise_ref_image){t->held[AG_DENOISE_SRC], src->width, src->height,
                               src->format->channels};
}

denoise_ref_image denoising_ref(const denoising *d)
{
    return image_of(&d->t);
}

// How much the inverse of y multiplies an error of y at x.
static double slope(const ag_denoise_settings *s, double x)
{
    double gain = (double)s->gain;
    return s->space == AG_DENOISE_LOG        ? log(2) * (fabs(x) + gain)
           : s->space == AG_DENOISE_ANSCOMBE ? gain / 2 * denoise_ref_to_space(s, x)
                                             : 1;
}

static bool denoised(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_denoise_settings *s = t->settings;
    denoise_ref_image image = image_of(t);
    size_t texels = (size_t)(p->width * p->height), channels = (size_t)p->channels;
    double *slack = check_doubles(texels), limit = bound[0], largest = 1e-30;
    denoise_ref_statistics statistics;
    denoise_ref_count(&image, s, &statistics);
    denoise_ref(&image, s, &statistics, limit, want, slack);
    for (size_t i = 0; i < texels * channels; ++i)
        if (channels < 4 || i % channels < 3)
            largest = fmax(largest, fabs(denoise_ref_to_space(s, image.values[i])));
    bool same = t->textures[AG_DENOISE_SRC].format == t->textures[AG_DENOISE_DST].format;
    for (size_t i = 0; i < texels * channels; ++i) {
        double steep = fmax(slope(s, want[i]), slope(s, image.values[i]));
        bound[i] = (limit * largest + slack[i / channels]) * steep + 2e-7 * fabs(want[i]);
        if (channels == 4 && i % 4 == 3 && same) {
            want[i] = image.values[i];
            bound[i] = 0;
        }
    }
    free(slack);
    return true;
}

bool denoising_check(denoising *d, const char *name, double limit)
{
    d->t.name = name;
    d->t.limit = limit;
    return trial_check(&d->t);
}

void denoising_close(denoising *d)
{
    trial_free(&d->t);
    d->t.f->ag->pass_destroy(d->t.pass);
}

// ---- images -------------------------------------------------------------------------------------

static double scene_at(int x, int y, int c)
{
    double v = 0.35 + 0.15 * sin(x / 37.0 + c) * cos(y / 29.0); // a gradient
    if ((x / 48 + y / 40) % 3 == 0)
        v += 0.3; // edges
    if (hypot(x % 128 - 64, y % 128 - 64) < 25)
        v = 0.8 - 0.15 * c;
    if ((x / 96) % 2 && (y / 96) % 2)
        v += 0.06 * sin(x * 0.9 + y * 0.5) * (c == 1 ? 1 : 0.6); // texture
    if (abs(x - y) % 150 < 2)
        v -= 0.25; // a thin line
    if ((x * 7 + y * 13) % 997 == 5)
        v = 1; // stars
    return v;
}

double *denoising_scene(int width, int height, int channels, int offset_x, int offset_y)
{
    double *values = check_doubles((size_t)width * (size_t)height * (size_t)channels);
    for (int i = 0; i < width * height * channels; ++i) {
        int texel = i / channels, c = i % channels;
        values[i] = c == 3 ? 0.5 : scene_at(texel % width + offset_x, texel / width + offset_y, c);
    }
    return values;
}

void denoising_add_noise(rng *r, double *values, size_t count, double sigma)
{
    for (size_t i = 0; i < count; ++i)
        values[i] += sigma * rng_normal(r);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_shrinks),        FIXTURE_SWEEP(test_levels),
        FIXTURE_SWEEP(test_rules),          FIXTURE_SWEEP(test_spaces),
        FIXTURE_SWEEP(test_formats),        FIXTURE_SWEEP(test_sizes),
        FIXTURE_SWEEP(test_rectangles),     FIXTURE_SWEEP(test_arrays),
        FIXTURE_SWEEP(test_sigma),          FIXTURE_TEST(test_true_sigma),
        FIXTURE_TEST(test_frames),          FIXTURE_TEST(test_large_frames),
        FIXTURE_SWEEP(test_shifts),         FIXTURE_SWEEP(test_quality),
        FIXTURE_SWEEP(test_group_quality),  FIXTURE_SWEEP(test_identity),
        FIXTURE_SWEEP(test_firefly),        FIXTURE_TEST(test_not_finite),
        FIXTURE_SWEEP(test_repeats),        FIXTURE_TEST(test_refusals),
        FIXTURE_TEST(test_unscrubbed),      FIXTURE_SWEEP(test_history_mean),
        FIXTURE_SWEEP(test_history_gain),   FIXTURE_TEST(test_history_ghost),
        FIXTURE_TEST(test_history_states),  FIXTURE_SWEEP(test_history_array),
        FIXTURE_SWEEP(test_atrous),         FIXTURE_SWEEP(test_atrous_more),
        FIXTURE_SWEEP(test_atrous_firefly), FIXTURE_FULL(test_atrous_quality),
        FIXTURE_TEST(test_atrous_refusals), FIXTURE_SWEEP(test_dwt),
        FIXTURE_SWEEP(test_dwt_more),       FIXTURE_FULL(test_dwt_quality),
        FIXTURE_TEST(test_dwt_contract),    FIXTURE_SWEEP(test_coarse_levels),
        FIXTURE_SWEEP(test_tall_tiles),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
