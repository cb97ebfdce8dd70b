// test_denoise.c - "denoise" against its definition (reference/denoise_ref.h)
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- a pass, an image and its result ------------------------------------------------------------

void denoising_open(fixture *f, denoising *d)
{
    *d = (denoising){.f = f, .pass = fixture_pass(f, "denoise")};
    CHECK_STATUS(f->ag->defaults("denoise", &d->settings, sizeof d->settings), AG_OK);
    d->job = (ag_job){.struct_size = sizeof d->job,
                      .slots = d->slots,
                      .slot_count = 2,
                      .settings = &d->settings,
                      .scratch = {.struct_size = sizeof(ag_buffer)}};
}

static void drop(denoising *d)
{
    if (d->src.name)
        texture_destroy(d->f, &d->src);
    if (d->dst.name)
        texture_destroy(d->f, &d->dst);
    free(d->values);
    d->values = NULL;
}

void denoising_image(denoising *d, const char *format, const char *to, int width, int height,
                     int layers, double *values)
{
    drop(d);
    d->src = texture_create_array(d->f, format, width, height, layers, 1, values);
    d->dst = texture_create_array(d->f, to ? to : format, width, height, layers, 1, NULL);
    d->slots[AG_DENOISE_SRC] = texture_view(&d->src);
    d->slots[AG_DENOISE_DST] = texture_view(&d->dst);
    d->values = texture_read(d->f, &d->src, 0);
    free(values);
}

void denoising_upload(denoising *d, double *values)
{
    texture_upload(d->f, &d->src, 0, values);
    free(d->values);
    d->values = texture_read(d->f, &d->src, 0);
    free(values);
}

double *denoising_run(denoising *d)
{
    texture_poison(d->f, &d->dst);
    fixture_run(d->f, d->pass, &d->job);
    return texture_read(d->f, &d->dst, 0);
}

denoise_ref_image denoising_ref(const denoising *d)
{
    return (denoise_ref_image){d->values, d->src.width, d->src.height, d->src.format->channels};
}

// How much the inverse of y multiplies an error of y at x.
static double slope(const ag_denoise_settings *s, double x)
{
    double gain = (double)s->gain;
    return s->space == AG_DENOISE_LOG        ? log(2) * (fabs(x) + gain)
           : s->space == AG_DENOISE_ANSCOMBE ? gain / 2 * denoise_ref_to_space(s, x)
                                             : 1;
}

bool denoising_check(denoising *d, const char *name, double limit)
{
    denoise_ref_image image = denoising_ref(d);
    size_t texels = (size_t)image.width * (size_t)image.height, channels = (size_t)image.channels;
    double *right = check_doubles(texels * channels), *slack = check_doubles(texels);
    double *got = denoising_run(d), largest = 1e-30, worst = 0, moved = 0;
    denoise_ref_statistics statistics;
    denoise_ref_count(&image, &d->settings, &statistics);
    denoise_ref(&image, &d->settings, &statistics, limit, right, slack);
    for (size_t i = 0; i < texels * channels; ++i)
        if (channels < 4 || i % channels < 3)
            largest = fmax(largest, fabs(denoise_ref_to_space(&d->settings, d->values[i])));
    for (size_t i = 0; i < texels * channels; ++i) {
        double steep = fmax(slope(&d->settings, right[i]), slope(&d->settings, d->values[i]));
        double allowed = (limit * largest + slack[i / channels]) * steep;
        allowed += 2e-7 * fabs(right[i]);
        // in shares of what is allowed, stored as the format of dst can
        double error =
            format_error_units(d->dst.format, (int)(i % channels), right[i], got[i], allowed);
        double share = d->dst.format->kind == FORMAT_FLOAT && d->dst.format->bits[0] == 32
                           ? fabs(got[i] - right[i]) / allowed
                           : error / 0.5001;
        if (channels == 4 && i % 4 == 3 && d->src.format == d->dst.format)
            share = got[i] == d->values[i] ? 0 : INFINITY;
        worst = isnan(share) ? NAN : fmax(worst, share);
        moved = fmax(moved, fabs(right[i] - d->values[i]));
    }
    char text[200];
    snprintf(text, sizeof text, "%s: moves up to %.3g; share of the allowed error", name, moved);
    free(right);
    free(slack);
    free(got);
    return check_limit(text, worst, 1);
}

void denoising_close(denoising *d)
{
    drop(d);
    d->f->ag->pass_destroy(d->pass);
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
        FIXTURE_SWEEP(test_dwt_more),       FIXTURE_TEST(test_dwt_quality),
        FIXTURE_TEST(test_dwt_contract),    FIXTURE_SWEEP(test_coarse_levels),
        FIXTURE_SWEEP(test_tall_tiles),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
