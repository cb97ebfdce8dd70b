// convolving.c - one convolution on random data, on the GPU and in double, and their difference
// SPDX-License-Identifier: MIT
#include "convolving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convolve_ref.h"

ag_job convolving_job(const ag_texture slots[3], const ag_convolve_settings *settings)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = 3,
                    .settings = settings,
                    .next_use = AG_USE_COPY};
}

static double *random_values(rng *r, const format_info *format, size_t texels, bool positive)
{
    size_t count = texels * (size_t)format->channels;
    double *values = malloc(count * sizeof *values);
    bool stores_negative = format->kind == FORMAT_FLOAT && format->bits[0] >= 16;
    rng_fill_uniform(r, values, count, stores_negative && !positive ? -1 : 0, 1);
    texture_quantise(format->name, values, texels);
    return values;
}

// The value that GL reads from a missing channel.
static double missing(int channel)
{
    return channel == 3 ? 1 : 0;
}

// The largest error into 32-bit floats, relative to max|src| * sum|kernel|; other formats add their
// rounding.
static double max_error(const convolving *c)
{
    bool compact =
        c->settings.storage == AG_STORAGE_COMPACT && c->settings.method != AG_CONVOLVE_DIRECT;
    return compact ? 1e-4 : 1e-6;
}

static convolved measure(const convolving *c, const convolve_ref *ref, const texture *dst,
                         const double *got, const double *want)
{
    convolved m = {0};
    double scale = convolve_ref_scale(ref), signal = 0, noise = 0;
    size_t texels = (size_t)(c->width * c->height);
    int channels = dst->format->channels;
    for (size_t i = 0; i < texels; ++i)
        for (int k = 0; k < channels; ++k) {
            double exact =
                k < ref->channels ? want[i * (size_t)ref->channels + (size_t)k] : missing(k);
            double stored = got[i * (size_t)channels + (size_t)k], error = stored - exact;
            double units = format_error_units(dst->format, k, exact, stored, max_error(c) * scale);
            signal += exact * exact;
            noise += error * error;
            // !(a <= b), so that a NaN fails
            if (!(fabs(error) / scale <= m.relative))
                m.relative = fabs(error) / scale;
            if (!(units <= m.units))
                m.units = units;
        }
    m.snr = noise > 0 ? 10 * log10(signal / noise) : 999;
    if (isnan(noise))
        m.snr = NAN;
    return m;
}

convolved convolving_run(fixture *f, ag_pass *pass, const convolving *c, rng *r)
{
    const char *names[3] = {c->src_format, c->kernel_format, c->dst_format};
    for (int i = 0; i < 3; ++i)
        names[i] = names[i] ? names[i] : "rgba32f";
    const format_info *src_format = format_named(names[0]), *kernel_format = format_named(names[1]);
    size_t texels = (size_t)(c->width * c->height),
           taps = (size_t)(c->kernel_width * c->kernel_height);
    double *src = random_values(r, src_format, texels, c->hot > 0);
    double *kernel = random_values(r, kernel_format, taps, c->settings.normalize || c->hot > 0);
    if (c->reshape) {
        c->reshape(kernel, c->kernel_width, c->kernel_height, kernel_format->channels);
        texture_quantise(names[1], kernel, taps);
    }
    if (c->paint) {
        c->paint(r, src, c->width, c->height, src_format->channels);
        texture_quantise(names[0], src, texels);
    }
    if (c->hot > 0)
        src[(texels / 2 + (size_t)c->width / 2) * (size_t)src_format->channels] = c->hot;
    texture textures[3] = {texture_create(f, names[0], c->width, c->height, src),
                           texture_create(f, names[1], c->kernel_width, c->kernel_height, kernel),
                           texture_create(f, names[2], c->width, c->height, NULL)};
    ag_texture slots[3] = {texture_view(&textures[0]), texture_view(&textures[1]),
                           texture_view(&textures[2])};
    // GL reuses the names of deleted test textures.
    static const uint64_t seed = 1;
    for (int i = 0; i < 3; ++i)
        slots[i].version = seed + rng_next(r) % 1000000007;
    ag_job job = convolving_job(slots, &c->settings);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &textures[2], 0);
    ag_health health = {.struct_size = sizeof health};
    CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);

    convolve_ref ref = {.src = src,
                        .width = c->width,
                        .height = c->height,
                        .channels = src_format->channels,
                        .kernel = kernel,
                        .kernel_width = c->kernel_width,
                        .kernel_height = c->kernel_height,
                        .kernel_channels = kernel_format->channels,
                        .border = c->settings.border,
                        .normalize = c->settings.normalize,
                        .correlate = c->settings.correlate,
                        .alpha = c->settings.alpha};
    double *want = malloc(texels * (size_t)src_format->channels * sizeof *want);
    CHECK(convolve_ref_run(&ref, want));
    convolved m = measure(c, &ref, &textures[2], got, want);
    m.held = health.persistent_bytes;
    for (int i = 0; i < 3; ++i) {
        f->ag->forget(f->device, textures[i].name);
        texture_destroy(f, &textures[i]);
    }
    free(src);
    free(kernel);
    free(want);
    free(got);
    return m;
}

bool convolving_check(fixture *f, ag_pass *pass, const convolving *c, rng *r)
{
    static const char *const borders[] = {"zero", "clamp", "mirror", "wrap"};
    static const char *const methods[] = {"auto", "direct", "fft"};
    const char *dst = c->dst_format ? c->dst_format : "rgba32f";
    const format_info *format = format_named(dst);
    bool exact = format->kind == FORMAT_FLOAT && format->bits[0] == 32;
    convolved m = convolving_run(f, pass, c, r);
    bool compact =
        c->settings.storage == AG_STORAGE_COMPACT && c->settings.method != AG_CONVOLVE_DIRECT;
    double limit = c->min_snr > 0 ? c->min_snr : compact ? 90 : 120;
    double most = max_error(c);
    bool good = exact ? m.snr >= limit && m.relative <= most : m.units <= 0.51;
    printf("  %-5s %s: %dx%d %s, kernel %dx%d %s, %s %s%s%s -> %s: ", good ? "ok" : "WRONG",
           c->name ? c->name : "random", c->width, c->height,
           c->src_format ? c->src_format : "rgba32f", c->kernel_width, c->kernel_height,
           c->kernel_format ? c->kernel_format : "rgba32f", methods[c->settings.method],
           borders[c->settings.border], c->settings.correlate ? " correlate" : "",
           c->settings.normalize ? " normalize" : "", dst);
    if (compact)
        printf("compact: ");
    if (exact)
        printf("%.1f dB >= %g, error %.2g <= %g\n", m.snr, limit, m.relative, most);
    else
        printf("%.3f units <= 0.51\n", m.units);
    return good;
}
