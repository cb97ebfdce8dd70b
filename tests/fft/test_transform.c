// test_transform.c - the effect "fft" against FFTW in double: sizes, settings, formats, methods
// SPDX-License-Identifier: MIT
#include "test_transform.h"

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
                  .settings_size = sizeof c->settings,
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

// ---- values ------------------------------------------------------------------------------------

// Random settings: those that contradict each other are made to agree.
static void draw_settings(rng *r, fft_case *c)
{
    ag_fft_settings *s = &c->settings;
    s->direction = rng_int(r, 0, 1);
    s->norm = rng_int(r, 0, 2);
    s->spectrum = rng_int(r, 0, 3) == 0;
    s->origin = rng_int(r, 0, 1);
    s->axes = rng_int(r, 0, 2);
    s->packing = rng_int(r, 0, 4) == 0;
    c->complex_in = rng_int(r, 0, 1);
    c->complex_out = rng_int(r, 0, 3) > 0;
    bool inverse = s->direction == AG_FFT_INVERSE;
    if (s->packing) {
        c->complex_in = inverse;
        c->complex_out = !inverse;
        c->imag_format = "rg32f";
    } else if (s->spectrum) {
        c->complex_in = c->complex_in && inverse;
        c->complex_out = c->complex_out && !inverse;
    }
}

static void sizes_by(fixture *f, const char *name, int method, const int (*sizes)[2], size_t count,
                     int each, uint32_t quick_of)
{
    static const char *const formats[] = {NULL, "r32f", "rg32f", NULL};
    rng r = rng_start(name, 71);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start(name, quick_of);
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < each; ++k) {
            fft_case c = fft_case_of(f, name, sizes[i][0], sizes[i][1]);
            draw_settings(&r, &c);
            const char *format = formats[rng_int(&r, 0, 3)];
            c.settings.method = method;
            if (!c.settings.packing)
                c.src_format = c.dst_format = c.imag_format = format;
            if (sweep_takes(share))
                good = fft_check(f, pass, &r, &c) && good;
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_tiled(void **state)
{
    static const int sizes[][2] = {{16, 16}, {8, 6},   {2, 2},    {3, 2},    {5, 7},   {9, 10},
                                   {12, 15}, {64, 48}, {45, 35},  {1, 16},   {16, 1},  {128, 3},
                                   {49, 50}, {60, 4},  {256, 32}, {120, 72}, {81, 100}};
    sizes_by(*state, "tiled", AG_FFT_TILED, sizes, COUNT(sizes), 4, 13);
}

static void test_bluestein(void **state)
{
    static const int sizes[][2] = {{1, 1},   {11, 1},  {1, 13},  {37, 61}, {97, 4},
                                   {22, 26}, {17, 64}, {257, 3}, {1, 2}};
    sizes_by(*state, "Bluestein", AG_FFT_TILED, sizes, COUNT(sizes), 3, 9);
}

static void test_multipass(void **state)
{
    static const int sizes[][2] = {{16, 16}, {4, 6},   {60, 64}, {1, 1},   {7, 5},
                                   {37, 12}, {12, 37}, {121, 9}, {512, 4}, {3, 1000}};
    sizes_by(*state, "multipass", AG_FFT_MULTIPASS, sizes, COUNT(sizes), 3, 15);
}

// Lengths of the form 2^a 3^b 5^c 7^d by themselves: every radix at every stage.
static void test_lengths(void **state)
{
    fixture *f = *state;
    rng r = rng_start("lengths", 72);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("lengths", 50);
    for (int n = 2; n <= 1024; ++n) {
        if (!fft_smooth(n) || !sweep_takes(share))
            continue;
        bool y = n / 2 % 2;
        fft_case c = fft_case_of(f, "length", y ? 3 : n, y ? n : 3);
        c.settings.axes = y ? AG_FFT_Y : AG_FFT_X;
        c.settings.direction = n / 4 % 2;
        c.complex_in = n % 3 > 0;
        c.imag_format = c.src_format = c.dst_format = n % 5 ? "r32f" : NULL;
        good = fft_check(f, pass, &r, &c) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void run_long(fixture *f, const char *name, const int (*sizes)[2], size_t count)
{
    rng r = rng_start(name, 73);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        fft_case c = fft_case_of(f, name, sizes[i][0], sizes[i][1]);
        c.complex_in = true;
        c.src_format = c.dst_format = c.imag_format = i % 2 ? "rg32f" : "r32f";
        good = fft_check(f, pass, &r, &c) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_long(void **state)
{
    static const int sizes[][2] = {{2048, 2}, {4096, 1}, {16384, 1}};
    run_long(*state, "long", sizes, COUNT(sizes));
}

static void test_longest(void **state)
{
    static const int sizes[][2] = {{8192, 2}, {3, 8192}, {16384, 8}, {2, 16384},  {15309, 1},
                                   {4099, 2}, {1, 9973}, {16381, 1}, {10000, 10}, {4093, 3}};
    run_long(*state, "longest", sizes, COUNT(sizes));
}

static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 74);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("formats", 4);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        if (!sweep_takes(share))
            continue;
        fft_case from = fft_case_of(f, "from", 12, 10), into = fft_case_of(f, "into", 12, 10);
        from.src_format = format->name;
        good = fft_check(f, pass, &r, &from) && good;
        into.dst_format = format->name; // the inverse of a complex spectrum, as a picture
        into.settings.direction = AG_FFT_INVERSE;
        into.settings.norm = AG_FFT_NORM_ORTHO;
        into.complex_in = true;
        into.complex_out = false;
        good = fft_check(f, pass, &r, &into) && good;
        if (format->kind != FORMAT_FLOAT || format->channels == 3)
            continue;
        fft_case both = fft_case_of(f, "both", 12, 10);
        both.src_format = both.dst_format = both.imag_format = format->name;
        both.complex_in = true;
        good = fft_check(f, pass, &r, &both) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Layers of arrays, and rectangles within textures, of every slot.
static void test_regions(void **state)
{
    fixture *f = *state;
    rng r = rng_start("regions", 75);
    ag_pass *pass = fixture_pass(f, "fft");
    bool good = true;
    sweep *share = sweep_start("regions", 5);
    for (int i = 0; i < 12; ++i) {
        fft_case c = fft_case_of(f, "regions", i % 2 ? 20 : 15, i % 3 ? 12 : 22);
        draw_settings(&r, &c);
        c.settings.method = i % 4 == 3 ? AG_FFT_MULTIPASS : AG_FFT_AUTO;
        c.layers = i % 3;
        c.margin = i % 2 ? 3 : 0;
        if (sweep_takes(share))
            good = fft_check(f, pass, &r, &c) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    static const check_test fft[] = {
        FIXTURE_SWEEP(test_tiled),
        FIXTURE_SWEEP(test_bluestein),
        FIXTURE_SWEEP(test_multipass),
        FIXTURE_SWEEP(test_lengths),
        FIXTURE_TEST(test_long),
        FIXTURE_FULL(test_longest),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_regions),
        FIXTURE_SWEEP(test_fft_round_trip),
        FIXTURE_SWEEP(test_fft_hermitian),
        FIXTURE_TEST(test_fft_laws),
        FIXTURE_SWEEP(test_fft_not_finite),
        FIXTURE_TEST(test_fft_refused),
        FIXTURE_TEST(test_fft_slot_size),
    };
    return CHECK_MAIN(argc, argv, fft, fixture_setup, fixture_teardown);
}
