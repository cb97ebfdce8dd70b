// blooming.c - one bloom on the GPU and in double, and their difference
// SPDX-License-Identifier: MIT
#include "blooming.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bloom_ref.h"

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

ag_bloom_settings blooming_defaults(fixture *f)
{
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    return s;
}

int blooming_extent(double size, int height)
{
    return 2 * (int)floor(size * height / 2) + 1;
}

double *blooming_gaussian(double size, int height)
{
    int extent = blooming_extent(size, height), centre = extent / 2;
    double sigma = size * height / 12, sum = 0;
    double *kernel = check_doubles((size_t)(extent * extent));
    for (int i = 0; i < extent * extent; ++i) {
        double x = i % extent - centre, y = i / extent - centre;
        kernel[i] = x == 0 && y == 0 ? 1 : exp(-(x * x + y * y) / (2 * sigma * sigma));
        sum += kernel[i];
    }
    for (int i = 0; i < extent * extent; ++i)
        kernel[i] /= sum;
    return kernel;
}

double *blooming_normalised(const blooming *c, int *channels)
{
    const format_info *format = format_named(or_float(c->image_format));
    size_t texels = (size_t)(c->image_width * c->image_height), stored = (size_t)format->channels;
    size_t kept = stored < 3 ? stored : 3;
    double *kernel = check_doubles(texels * kept);
    for (size_t k = 0; k < kept; ++k) {
        double sum = 0;
        for (size_t i = 0; i < texels; ++i)
            sum += c->image[i * stored + k];
        for (size_t i = 0; i < texels; ++i)
            kernel[i * kept + k] = c->image[i * stored + k] / sum;
    }
    *channels = (int)kept;
    return kernel;
}

double *blooming_scene(rng *r, const char *format, int width, int height, double low, double high)
{
    const format_info *info = format_named(or_float(format));
    size_t texels = (size_t)(width * height), channels = (size_t)info->channels;
    double *values = check_doubles(texels * channels);
    for (size_t i = 0; i < texels * channels; ++i)
        values[i] = i % channels == 3 ? rng_uniform(r, 0, 1) : rng_hdr(r, low, high);
    texture_quantise(info->name, values, texels);
    return values;
}

ag_job blooming_job(const ag_texture slots[3], const ag_bloom_settings *settings)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = 3,
                    .settings = settings,
                    .next_use = AG_USE_COPY};
}

double *blooming_run(fixture *f, ag_pass *pass, const blooming *c)
{
    texture t[3] = {0};
    t[0] = texture_create(f, or_float(c->src_format), c->width, c->height, c->src);
    t[2] = texture_create(f, or_float(c->dst_format), c->width, c->height, NULL);
    if (c->image)
        t[1] =
            texture_create(f, or_float(c->image_format), c->image_width, c->image_height, c->image);
    ag_texture slots[3] = {texture_view(&t[0]), texture_no_view(), texture_view(&t[2])};
    if (c->image)
        slots[1] = texture_view(&t[1]);
    ag_job job = blooming_job(slots, &c->settings);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &t[2], 0);
    for (int i = 0; i < 3; ++i)
        if (t[i].name) { // GL reuses names
            f->ag->forget(f->device, t[i].name);
            texture_destroy(f, &t[i]);
        }
    return got;
}

// The largest |T|; errors are relative to it.
static double largest_t(const bloom_ref *ref)
{
    size_t count = (size_t)(ref->width * ref->height * ref->channels);
    double *t = check_doubles(count), peak = 0;
    bloom_ref_threshold(ref, t);
    for (size_t i = 0; i < count; ++i)
        peak = fmax(peak, fabs(t[i]));
    free(t);
    return peak;
}

static bloom_ref reference(const blooming *c, const double *kernel, int kw, int kh, int channels)
{
    return (bloom_ref){.src = c->src,
                       .width = c->width,
                       .height = c->height,
                       .channels = format_named(or_float(c->src_format))->channels,
                       .kernel = kernel,
                       .kernel_width = kw,
                       .kernel_height = kh,
                       .kernel_channels = channels,
                       .settings = &c->settings};
}

double *blooming_want(const blooming *c, const double *kernel, int kw, int kh, int channels)
{
    bloom_ref ref = reference(c, kernel, kw, kh, channels);
    double *want = check_doubles((size_t)(c->width * c->height * ref.channels));
    bloom_ref_run(&ref, want);
    return want;
}

bloomed blooming_measure(const blooming *c, const double *kernel, int kw, int kh, int channels,
                         const double *got)
{
    const format_info *in = format_named(or_float(c->src_format));
    const format_info *out = format_named(or_float(c->dst_format));
    size_t texels = (size_t)(c->width * c->height);
    bloom_ref ref = reference(c, kernel, kw, kh, channels);
    double peak = largest_t(&ref), *want = blooming_want(c, kernel, kw, kh, channels);
    bloomed m = {0};
    double signal = 0, noise = 0;
    for (size_t i = 0; i < texels; ++i)
        for (int k = 0; k < out->channels; ++k) {
            // the value that GL reads from a missing channel
            double exact =
                k < in->channels ? want[i * (size_t)in->channels + (size_t)k] : (k == 3 ? 1 : 0);
            double stored = got[i * (size_t)out->channels + (size_t)k], error = stored - exact;
            double units = format_error_units(out, k, exact, stored, 1e-6 * peak);
            signal += exact * exact;
            noise += error * error;
            // !(a <= b), so that a NaN fails
            if (!(fabs(error) <= m.relative * peak))
                m.relative = peak > 0 ? fabs(error) / peak : (double)INFINITY;
            if (!(units <= m.units))
                m.units = units;
        }
    m.snr = noise > 0 ? 10 * log10(signal / noise) : 999;
    if (isnan(noise))
        m.snr = m.relative = m.units = (double)NAN;
    free(want);
    return m;
}

bool blooming_check(fixture *f, ag_pass *pass, const blooming *c, const double *kernel, int kw,
                    int kh, int channels)
{
    const format_info *out = format_named(or_float(c->dst_format));
    bool exact = out->kind == FORMAT_FLOAT && out->bits[0] == 32;
    double *got = blooming_run(f, pass, c);
    bloomed m = blooming_measure(c, kernel, kw, kh, channels, got);
    free(got);
    bool good = exact ? m.snr >= 120 && m.relative <= 1e-6 : m.units <= 0.51;
    printf("  %-5s %s: %dx%d %s -> %s, K %dx%d: ", good ? "ok" : "WRONG", c->name, c->width,
           c->height, or_float(c->src_format), out->name, kw, kh);
    if (exact)
        printf("%.1f dB >= 120, error %.2g <= 1e-06 of max|T|\n", m.snr, m.relative);
    else
        printf("%.3f units <= 0.51\n", m.units);
    return good;
}
