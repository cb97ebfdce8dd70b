// transforming.c - runs the effect "fft" and compares it with the reference
// SPDX-License-Identifier: MIT
#include "transforming.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---- running a case ----------------------------------------------------------------------------

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

bool fft_smooth(int n)
{
    static const int primes[] = {2, 3, 5, 7};
    for (size_t i = 0; i < COUNT(primes); ++i)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

double fft_limit(const fft_case *c)
{
    bool x = c->settings.axes != AG_FFT_Y, y = c->settings.axes != AG_FFT_X;
    if (format_named(or_float(c->src_format))->kind == FORMAT_SRGB)
        return 120; // the decoding of codes
    return (!x || fft_smooth(c->width)) && (!y || fft_smooth(c->height)) ? 130 : 120;
}

fft_case fft_case_of(fixture *f, const char *name, int width, int height)
{
    fft_case c = {.name = name, .width = width, .height = height, .complex_out = true};
    CHECK_STATUS(f->ag->defaults("fft", &c.settings, sizeof c.settings), AG_OK);
    return c;
}

static fft_planes planes_of(const fft_case *c, bool input)
{
    fft_ref ref = {c->width, c->height, c->settings};
    int in[2], out[2];
    fft_ref_sizes(&ref, in, out);
    const int *size = input ? in : out;
    bool imag = input ? c->complex_in : c->complex_out;
    int layers = c->layers ? c->layers : 1;
    fft_planes p = {.width = size[0], .height = size[1], .layers = layers};
    size_t texels = (size_t)size[0] * (size_t)size[1] * (size_t)layers;
    p.channels = format_named(or_float(input ? c->src_format : c->dst_format))->channels;
    p.real = check_doubles(texels * (size_t)p.channels);
    if (imag) {
        p.imag_channels = format_named(or_float(c->imag_format))->channels;
        p.imag = check_doubles(texels * (size_t)p.imag_channels);
    }
    return p;
}

void fft_free(fft_planes *p)
{
    free(p->real);
    free(p->imag);
    *p = (fft_planes){0};
}

static size_t texels_of(const fft_planes *p)
{
    return (size_t)p->width * (size_t)p->height * (size_t)p->layers;
}

fft_planes fft_noise(rng *r, const fft_case *c)
{
    fft_planes p = planes_of(c, true);
    size_t texels = texels_of(&p);
    bool codes = format_named(or_float(c->src_format))->kind != FORMAT_FLOAT;
    rng_fill_uniform(r, p.real, texels * (size_t)p.channels, codes ? 0 : -1, 1);
    texture_quantise(or_float(c->src_format), p.real, texels);
    if (p.imag) {
        rng_fill_uniform(r, p.imag, texels * (size_t)p.imag_channels, -1, 1);
        texture_quantise(or_float(c->imag_format), p.imag, texels);
    }
    return p;
}

// Copies between a rectangle of a texture with a margin and plain values.
static void copy_rectangle(double *outer, double *inner, int width, int height, int layers,
                           int channels, int margin, bool inwards)
{
    int across = width + 2 * margin, down = height + 2 * margin;
    for (int l = 0; l < layers; ++l)
        for (int y = 0; y < height; ++y) {
            size_t o = (((size_t)l * (size_t)down + (size_t)(y + margin)) * (size_t)across +
                        (size_t)margin) *
                       (size_t)channels;
            size_t i = ((size_t)l * (size_t)height + (size_t)y) * (size_t)width * (size_t)channels;
            size_t bytes = (size_t)width * (size_t)channels * sizeof *inner;
            memcpy(inwards ? inner + i : outer + o, inwards ? outer + o : inner + i, bytes);
        }
}

static texture make_texture(fixture *f, const char *format, const fft_case *c, const fft_planes *p,
                            double *values, int channels)
{
    int width = p->width + 2 * c->margin, height = p->height + 2 * c->margin;
    size_t count = (size_t)width * (size_t)height * (size_t)p->layers * (size_t)channels;
    double *whole = NULL;
    if (values) {
        whole = check_doubles(count);
        for (size_t i = 0; i < count; ++i) // around the rectangle: must not be read
            whole[i] = 1e4;
        copy_rectangle(whole, values, p->width, p->height, p->layers, channels, c->margin, false);
    }
    texture t = texture_create_array(f, format, width, height, c->layers, 1, whole);
    free(whole);
    return t;
}

static ag_texture view_of(const texture *t, const fft_case *c, const fft_planes *p)
{
    ag_texture view = texture_view(t);
    if (c->margin) {
        view.rect_x = view.rect_y = c->margin;
        view.rect_width = p->width;
        view.rect_height = p->height;
    }
    return view;
}

static double *read_rectangle(fixture *f, const texture *t, const fft_case *c, const fft_planes *p,
                              int channels)
{
    double *whole = texture_read(f, t, 0), *inner = check_doubles(texels_of(p) * (size_t)channels);
    copy_rectangle(whole, inner, p->width, p->height, p->layers, channels, c->margin, true);
    size_t around = (size_t)(t->width * t->height) * (size_t)p->layers - texels_of(p);
    size_t poison = texture_poison_count(f, t, 0, 0, 0, 0, 0);
    CHECK_F(poison >= around, "%zu of %zu texels around the rectangle are poison", poison, around);
    free(whole);
    return inner;
}

fft_planes fft_run(fixture *f, ag_pass *pass, const fft_case *c, const fft_planes *in)
{
    fft_planes out = planes_of(c, false);
    const char *imag = or_float(c->imag_format);
    texture t[4] = {{0}};
    ag_texture slots[4];
    t[0] = make_texture(f, or_float(c->src_format), c, in, in->real, in->channels);
    t[1] = make_texture(f, or_float(c->dst_format), c, &out, NULL, out.channels);
    if (in->imag)
        t[2] = make_texture(f, imag, c, in, in->imag, in->imag_channels);
    if (out.imag)
        t[3] = make_texture(f, imag, c, &out, NULL, out.imag_channels);
    for (int i = 0; i < 4; ++i)
        slots[i] = t[i].name ? view_of(&t[i], c, i % 2 ? &out : in) : texture_no_view();
    ag_job job = {.struct_size = sizeof(ag_job),
                  .slots = slots,
                  .slot_count = 4,
                  .settings = &c->settings,
                  .next_use = AG_USE_COPY,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    fixture_run(f, pass, &job);
    free(out.real);
    out.real = read_rectangle(f, &t[1], c, &out, out.channels);
    if (out.imag) {
        free(out.imag);
        out.imag = read_rectangle(f, &t[3], c, &out, out.imag_channels);
    }
    for (int i = 0; i < 4; ++i)
        if (t[i].name) {
            f->ag->forget(f->device, t[i].name);
            texture_destroy(f, &t[i]);
        }
    return out;
}

// ---- comparing ---------------------------------------------------------------------------------

// Where packing rgba_rg stores channel c's imaginary part: in the first texture (its alpha) or in
// the second.
static double *packed_imag(const fft_planes *p, size_t texel, int c)
{
    return c ? &p->imag[texel * (size_t)p->imag_channels + (size_t)c - 1]
             : &p->real[texel * (size_t)p->channels + 3];
}

fft_planes fft_exact(const fft_case *c, const fft_planes *in)
{
    const fft_ref ref = {c->width, c->height, c->settings};
    bool packed = c->settings.packing == AG_FFT_RGBA_RG;
    bool inverse = c->settings.direction == AG_FFT_INVERSE;
    fft_planes out = planes_of(c, false);
    int channels = packed ? 3 : in->channels < out.channels ? in->channels : out.channels;
    size_t ins = (size_t)(in->width * in->height), outs = (size_t)(out.width * out.height);
    double complex *a = calloc(ins, sizeof *a), *b = calloc(outs, sizeof *b);
    CHECK(a && b);
    memset(out.real, 0, texels_of(&out) * (size_t)out.channels * sizeof *out.real);
    if (out.imag)
        memset(out.imag, 0, texels_of(&out) * (size_t)out.imag_channels * sizeof *out.imag);
    for (size_t i = 0; i < texels_of(&out) && out.channels == 4; ++i)
        out.real[4 * i + 3] = inverse && !out.imag; // the alpha of a picture
    for (int layer = 0; layer < out.layers; ++layer)
        for (int k = 0; k < channels; ++k) {
            for (size_t i = 0; i < ins; ++i) {
                size_t at = (size_t)layer * ins + i;
                double real = in->real[at * (size_t)in->channels + (size_t)k];
                double imag = !in->imag ? 0
                              : packed && inverse
                                  ? *packed_imag(in, at, k)
                                  : in->imag[at * (size_t)in->imag_channels + (size_t)k];
                a[i] = real + imag * I;
            }
            fft_ref_run(&ref, a, b);
            for (size_t i = 0; i < outs; ++i) {
                size_t at = (size_t)layer * outs + i;
                out.real[at * (size_t)out.channels + (size_t)k] = creal(b[i]);
                if (packed && !inverse)
                    *packed_imag(&out, at, k) = cimag(b[i]);
                else if (out.imag)
                    out.imag[at * (size_t)out.imag_channels + (size_t)k] = cimag(b[i]);
            }
        }
    free(a);
    free(b);
    return out;
}

double fft_snr(const fft_planes *got, const fft_planes *want)
{
    double signal = 0, noise = 0;
    size_t texels = texels_of(want);
    for (size_t i = 0; i < texels * (size_t)want->channels; ++i) {
        double e = got->real[i] - want->real[i];
        signal += want->real[i] * want->real[i];
        noise += e * e;
    }
    for (size_t i = 0; want->imag && i < texels * (size_t)want->imag_channels; ++i) {
        double e = got->imag[i] - want->imag[i];
        signal += want->imag[i] * want->imag[i];
        noise += e * e;
    }
    return noise > 0 || isnan(noise) ? 10 * log10(signal / noise) : 999;
}

// The worst error of the real part in units of dst's format, beyond the bound of 32-bit floats.
static double units_of(const fft_case *c, const fft_planes *got, const fft_planes *want)
{
    const format_info *format = format_named(or_float(c->dst_format));
    double peak = 0, worst = 0;
    size_t count = texels_of(want) * (size_t)want->channels;
    for (size_t i = 0; i < count; ++i)
        peak = fmax(peak, fabs(want->real[i]));
    for (size_t i = 0; i < count; ++i) {
        double u = format_error_units(format, (int)(i % (size_t)want->channels), want->real[i],
                                      got->real[i], 1e-6 * peak);
        worst = !(u <= worst) ? u : worst;
    }
    return worst;
}

bool fft_check(fixture *f, ag_pass *pass, rng *r, const fft_case *c)
{
    fft_planes in = fft_noise(r, c), got = fft_run(f, pass, c, &in), want = fft_exact(c, &in);
    const format_info *format = format_named(or_float(c->dst_format));
    bool full = format->kind == FORMAT_FLOAT && format->bits[0] == 32;
    char name[200];
    snprintf(name, sizeof name, "%s: %dx%d, %s%s %s%s, axes %d, norm %d, %s%s%s", c->name, c->width,
             c->height, c->settings.direction ? "inverse " : "",
             c->settings.spectrum ? "half" : "full", or_float(c->src_format),
             c->complex_in ? " complex" : "", c->settings.axes, c->settings.norm,
             c->settings.origin ? "centered, " : "", c->settings.packing ? "packed, " : "",
             or_float(c->dst_format));
    double limit = fft_limit(c), snr = full ? fft_snr(&got, &want) : 0;
    bool good = full ? snr >= limit : check_limit(name, units_of(c, &got, &want), 0.51);
    if (full)
        printf("  %-5s %s: %.1f dB >= %.0f\n", good ? "ok" : "WRONG", name, snr, limit);
    fft_free(&in);
    fft_free(&got);
    fft_free(&want);
    return good;
}
