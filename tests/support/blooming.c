// blooming.c - trials of "bloom" against double precision
// SPDX-License-Identifier: MIT
#include "blooming.h"

#include <math.h>
#include <stdlib.h>

#include "bloom_ref.h"

enum { SRC = AG_BLOOM_SRC, IMAGE = AG_BLOOM_KERNEL_IMAGE, DST = AG_BLOOM_DST };

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

// The kernel image's first three channels (or one), each divided by its sum.
static double *normalised(const trial *t, bloom_ref *ref)
{
    const texture *image = &t->textures[IMAGE];
    int texels = image->width * image->height, stored = image->format->channels;
    int kept = stored < 3 ? stored : 3;
    double *kernel = check_doubles((size_t)(texels * kept));
    for (int k = 0; k < kept; ++k) {
        double sum = 0;
        for (int i = 0; i < texels; ++i)
            sum += t->held[IMAGE][i * stored + k];
        for (int i = 0; i < texels; ++i)
            kernel[i * kept + k] = t->held[IMAGE][i * stored + k] / sum;
    }
    ref->kernel_width = image->width;
    ref->kernel_height = image->height;
    ref->kernel_channels = kept;
    return kernel;
}

static double peak_of(const bloom_ref *ref)
{
    size_t count = (size_t)(ref->width * ref->height * ref->channels);
    double *light = check_doubles(count), peak = 0;
    bloom_ref_threshold(ref, light);
    for (size_t i = 0; i < count; ++i)
        peak = fmax(peak, fabs(light[i]));
    free(light);
    return peak;
}

static bloom_ref input_of(const trial *t, int layer)
{
    const ag_texture *v = &t->views[SRC];
    const ag_bloom_settings *s = t->settings;
    bloom_ref ref = {.width = v->rect_width ? v->rect_width : v->width,
                     .height = v->rect_height ? v->rect_height : v->height,
                     .channels = trial_channels(t, SRC),
                     .settings = s};
    double *src = trial_input(t, SRC, layer);
    if (s->scrub)
        values_scrub(src, (size_t)(ref.width * ref.height), ref.channels);
    ref.src = src;
    return ref;
}

static bool bloomed(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_bloom_settings *s = t->settings;
    bloom_ref ref = input_of(t, p->layer);
    double *src = (double *)(uintptr_t)ref.src, *kernel;
    CHECK(s->shape == AG_BLOOM_GAUSSIAN ||
          (s->shape == AG_BLOOM_TEXTURE && s->kernel_fit == AG_BLOOM_FIT_EXACT));
    if (s->shape == AG_BLOOM_GAUSSIAN) {
        kernel = blooming_gaussian((double)s->size, ref.height);
        ref.kernel_width = ref.kernel_height = blooming_extent((double)s->size, ref.height);
        ref.kernel_channels = 1;
    } else
        kernel = normalised(t, &ref);
    ref.kernel = kernel;
    double *exact = check_doubles((size_t)(ref.width * ref.height * ref.channels));
    double error = 1e-6 * peak_of(&ref);
    bool codes = t->textures[SRC].format->kind != FORMAT_FLOAT;
    bloom_ref_run(&ref, exact);
    for (int i = 0; i < p->width * p->height * p->channels; ++i) {
        int c = i % p->channels;
        if (c >= ref.channels)
            continue;
        want[i] = exact[i / p->channels * ref.channels + c];
        // Alpha is copied; that of codes becomes a float. The composite holds src: four roundings.
        bool rounds = c == 3 ? codes : s->output == AG_BLOOM_COMPOSITE;
        bound[i] += (c == 3 ? 0 : error) + (rounds ? 0x1p-22 * fabs(want[i]) : 0);
    }
    free(src);
    free(kernel);
    free(exact);
    return true;
}

trial blooming_of(fixture *f, const char *name, int width, int height, const double *src,
                  ag_bloom_settings *s)
{
    trial t = trial_of(f, "bloom", name, s, sizeof *s);
    s->shape = AG_BLOOM_GAUSSIAN;
    s->size = BLOOMING_SIZE;
    s->intensity = 1;
    t.slots[SRC] = trial_image("rgba32f", width, height, src);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    t.reference = bloomed;
    t.snr = 120;
    return t;
}

void blooming_formats(trial *t, const char *src, const char *dst)
{
    t->slots[SRC].format = src;
    t->slots[DST].format = dst;
    t->snr = format_named(dst)->bits[0] < 32 ? 0 : t->snr;
}

double *blooming_scene(rng *r, const char *format, int width, int height, double low, double high)
{
    const format_info *info = format_named(format);
    size_t texels = (size_t)(width * height), channels = (size_t)info->channels;
    double *values = check_doubles(texels * channels);
    for (size_t i = 0; i < texels * channels; ++i)
        values[i] = i % channels == 3 ? rng_uniform(r, 0, 1) : rng_hdr(r, low, high);
    texture_quantise(format, values, texels);
    return values;
}
