// transforming.c - runs the effect "fft" and compares it with the reference
// SPDX-License-Identifier: MIT
#include "transforming.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

// The values in the middle of a texture that is larger by the margin on each side, around them what
// must not be read (malloc).
static double *framed(const fft_case *c, const fft_planes *p, const double *values, int channels)
{
    int m = c->margin, across = p->width + 2 * m, down = p->height + 2 * m, n = channels;
    double *whole = check_doubles((size_t)(across * down * p->layers * n));
    for (int i = 0; i < across * down * p->layers * n; ++i) {
        int texel = i / n, x = texel % across - m, y = texel / across % down - m;
        int at = (texel / across / down * p->height + y) * p->width + x;
        bool inside = x >= 0 && y >= 0 && x < p->width && y < p->height;
        whole[i] = inside ? values[at * n + i % n] : 1e4;
    }
    return whole;
}

static trial_slot slot_of(const fft_case *c, const fft_planes *p, const char *format,
                          const double *values)
{
    int m = c->margin;
    trial_slot s = trial_image(or_float(format), p->width + 2 * m, p->height + 2 * m, values);
    s.layers = c->layers;
    s.x = s.y = m;
    s.w = m ? p->width : 0;
    s.h = m ? p->height : 0;
    return s;
}

// Lets `use` have a trial of a case.
static void with_trial(fixture *f, ag_pass *pass, const fft_case *c, const fft_planes *in,
                       void (*use)(trial *t, void *user), void *user)
{
    ag_fft_settings s;
    fft_planes out = planes_of(c, false);
    trial t = trial_of(f, "fft", c->name, &s, sizeof s);
    double *real = framed(c, in, in->real, in->channels);
    double *imag = in->imag ? framed(c, in, in->imag, in->imag_channels) : NULL;
    t.pass = pass;
    t.slots[AG_FFT_SRC] = slot_of(c, in, c->src_format, real);
    t.slots[AG_FFT_DST] = slot_of(c, &out, c->dst_format, NULL);
    if (imag)
        t.slots[AG_FFT_SRC_IMAG] = slot_of(c, in, c->imag_format, imag);
    if (out.imag)
        t.slots[AG_FFT_DST_IMAG] = slot_of(c, &out, c->imag_format, NULL);
    s = c->settings;
    use(&t, user);
    trial_free(&t);
    fft_free(&out);
    free(real);
    free(imag);
}

static void take(trial *t, void *user)
{
    fft_planes *out = user;
    trial_run(t);
    free(out->real);
    free(out->imag);
    out->real = t->got[AG_FFT_DST];
    out->imag = t->got[AG_FFT_DST_IMAG];
    t->got[AG_FFT_DST] = t->got[AG_FFT_DST_IMAG] = NULL;
}

fft_planes fft_run(fixture *f, ag_pass *pass, const fft_case *c, const fft_planes *in)
{
    fft_planes out = planes_of(c, false);
    with_trial(f, pass, c, in, take, &out);
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

typedef struct expected {
    fft_planes want;
    double snr;
    bool good;
} expected;

static bool transformed(trial *t, const trial_part *p, double *want, double *bound)
{
    const expected *e = t->user;
    const double *plane = p->slot == AG_FFT_DST ? e->want.real : e->want.imag;
    size_t count = (size_t)(p->width * p->height * p->channels);
    (void)bound;
    memcpy(want, plane + (size_t)p->layer * count, count * sizeof *want);
    return true;
}

// Of 32 bits the ratio to the noise is promised; of others the rounding beyond the error of floats.
static void compare(trial *t, void *user)
{
    expected *e = user;
    bool wide = format_named(t->slots[AG_FFT_DST].format)->bits[0] == 32;
    t->user = e;
    t->reference = transformed;
    t->limit = wide ? (double)INFINITY : 0;
    t->relative = wide ? 0 : 1e-6;
    t->snr = wide ? e->snr : 0;
    e->good = trial_check(t);
}

bool fft_check(fixture *f, ag_pass *pass, rng *r, const fft_case *c)
{
    fft_planes in = fft_noise(r, c);
    expected e = {fft_exact(c, &in), fft_limit(c), false};
    with_trial(f, pass, c, &in, compare, &e);
    fft_free(&in);
    fft_free(&e.want);
    return e.good;
}
