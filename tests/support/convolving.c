// convolving.c - trials of "convolve" against the convolution in double
// SPDX-License-Identifier: MIT
#include "convolving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convolve_ref.h"
#include "values.h"

enum { SRC = AG_CONVOLVE_SRC, KERNEL = AG_CONVOLVE_KERNEL, DST = AG_CONVOLVE_DST };

// ---- the reference -----------------------------------------------------------------------------

static bool is_compact(const ag_convolve_settings *s)
{
    return s->storage == AG_STORAGE_COMPACT && s->method != AG_CONVOLVE_DIRECT;
}

static bool convolved(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_convolve_settings *s = t->settings;
    const ag_texture *taps = &t->views[KERNEL];
    int channels = trial_channels(t, SRC), texels = p->width * p->height;
    double *src = trial_input(t, SRC, p->layer), *kernel = trial_input(t, KERNEL, 0);
    double *exact = check_doubles((size_t)(texels * channels));
    convolve_ref ref = {.width = p->width,
                        .height = p->height,
                        .channels = channels,
                        .kernel = kernel,
                        .kernel_width = taps->rect_width ? taps->rect_width : taps->width,
                        .kernel_height = taps->rect_height ? taps->rect_height : taps->height,
                        .kernel_channels = trial_channels(t, KERNEL),
                        .border = s->border,
                        .normalize = s->normalize,
                        .correlate = s->correlate,
                        .alpha = s->alpha};
    bool copies = s->alpha != AG_ALPHA_CONVOLVE || ref.kernel_channels == 3;
    double *clean = check_doubles((size_t)(texels * channels));
    memcpy(clean, src, (size_t)(texels * channels) * sizeof *src);
    bool bad = values_scrub(clean, (size_t)texels, channels) && !s->scrub;
    values_scrub(kernel, (size_t)(ref.kernel_width * ref.kernel_height), ref.kernel_channels);
    ref.src = bad ? src : clean;
    CHECK(bad ? convolve_ref_direct(&ref, exact) : convolve_ref_run(&ref, exact));
    ref.src = clean;
    for (int i = 3; copies && channels == 4 && i < texels * channels; i += 4)
        clean[i] = 0; // no part of max|src|
    double error = (is_compact(s) ? 1e-4 : 1e-6) * convolve_ref_scale(&ref);
    bool codes = t->textures[SRC].format->kind != FORMAT_FLOAT;
    bool open = bad && s->method != AG_CONVOLVE_DIRECT; // what an FFT makes of it
    for (int i = 0; i < texels * p->channels; ++i) {
        int c = i % p->channels;
        if (c >= channels)
            continue;
        bool copied = c == 3 && copies;
        want[i] = open && !copied ? TRIAL_ANY : exact[i / p->channels * channels + c];
        bound[i] = !copied ? error : codes ? 0x1p-22 * fabs(want[i]) : 0; // codes become floats
    }
    free(src);
    free(clean);
    free(kernel);
    free(exact);
    return true;
}

trial convolving_of(fixture *f, const char *name, trial_slot src, trial_slot kernel, trial_slot dst,
                    ag_convolve_settings *s)
{
    ag_convolve_settings given = *s;
    trial t = trial_of(f, "convolve", name, s, sizeof *s);
    const format_info *format = format_named(dst.format);
    *s = given;
    t.slots[SRC] = src;
    t.slots[KERNEL] = kernel;
    t.slots[DST] = dst;
    t.reference = convolved;
    t.snr = format->bits[0] < 32 ? 0 : is_compact(s) ? 90 : 120;
    return t;
}

// ---- rows of tables ----------------------------------------------------------------------------

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

static double *noise(rng *r, const char *format, int width, int height, bool positive)
{
    const format_info *info = format_named(format);
    bool has_signs = info->kind == FORMAT_FLOAT && info->bits[0] >= 16;
    return values_noise(r, format, width, height, has_signs && !positive ? -1 : 0, 1);
}

bool convolving_check(fixture *f, ag_pass *pass, const convolving *c, rng *r)
{
    const char *from = or_float(c->src_format), *taps = or_float(c->kernel_format);
    int w = c->width, h = c->height, kw = c->kernel_width, kh = c->kernel_height;
    double *src = noise(r, from, w, h, false);
    double *kernel = noise(r, taps, kw, kh, c->settings.normalize);
    if (c->reshape) {
        c->reshape(kernel, kw, kh, format_named(taps)->channels);
        texture_quantise(taps, kernel, (size_t)(kw * kh));
    }
    if (c->paint) {
        c->paint(r, src, w, h, format_named(from)->channels);
        texture_quantise(from, src, (size_t)(w * h));
    }
    ag_convolve_settings s = c->settings;
    trial t = convolving_of(f, c->name ? c->name : "random", trial_image(from, w, h, src),
                            trial_image(taps, kw, kh, kernel),
                            trial_image(or_float(c->dst_format), w, h, NULL), &s);
    t.pass = pass;
    t.snr = c->min_snr > 0 ? c->min_snr : t.snr;
    bool good = trial_check(&t);
    if (c->held) {
        ag_health health = {.struct_size = sizeof health};
        CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);
        *c->held = health.persistent_bytes;
    }
    trial_free(&t);
    free(src);
    free(kernel);
    return good;
}
