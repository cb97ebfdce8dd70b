// test_filter_spectrum.c - the effect "filter_spectrum" against FFTW in double, and closed forms
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter_spectrum_ref.h"
#include "fixture.h"
#include "random.h"
#include "reloading.h"
#include "texture.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SLOTS = 3 };

typedef struct filtering { // what to run; NULL formats are rgba32f
    const char *name;
    int width, height;
    const char *src_format, *dst_format, *mask_format;
    const double *src; // as many channels as the format
    int mask_width, mask_height;
    const double *mask;
    ag_filter_spectrum_settings settings;
} filtering;

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

static ag_filter_spectrum_settings defaults(void)
{
    return (ag_filter_spectrum_settings)AG_FILTER_SPECTRUM_DEFAULTS;
}

// Random texels in low..high, rounded to the format. malloc.
static double *noise(rng *r, const char *format, int width, int height, double low, double high)
{
    size_t texels = (size_t)width * (size_t)height;
    size_t count = texels * (size_t)format_named(or_float(format))->channels;
    double *values = check_doubles(count);
    rng_fill_uniform(r, values, count, low, high);
    texture_quantise(or_float(format), values, texels);
    return values;
}

static ag_job job_of(const ag_texture slots[SLOTS], const ag_filter_spectrum_settings *settings)
{
    return (ag_job){.struct_size = sizeof(ag_job),
                    .slots = slots,
                    .slot_count = SLOTS,
                    .settings = settings,
                    .next_use = AG_USE_COPY,
                    .scratch = {.struct_size = sizeof(ag_buffer)}};
}

// Prepares and executes: the values of dst (malloc), and the canvas that the plan's text states.
static double *run(fixture *f, ag_pass *pass, const filtering *c, int canvas[2])
{
    texture t[SLOTS] = {texture_create(f, or_float(c->src_format), c->width, c->height, c->src)};
    if (c->mask)
        t[1] = texture_create(f, or_float(c->mask_format), c->mask_width, c->mask_height, c->mask);
    t[2] = texture_create(f, or_float(c->dst_format), c->width, c->height, NULL);
    ag_texture slots[SLOTS] = {texture_view(&t[0]),
                               c->mask ? texture_view(&t[1]) : texture_no_view(),
                               texture_view(&t[2])};
    ag_job job = job_of(slots, &c->settings);
    fixture_run(f, pass, &job);
    const ag_plan *plan;
    int width, height, p[2];
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    CHECK_F(sscanf(plan->text, "fft: %dx%d in a canvas of %dx%d", &width, &height, &p[0], &p[1]) ==
                4,
            "%s", plan->text);
    CHECK(width == c->width && height == c->height && p[0] >= width && p[1] >= height);
    if (canvas)
        memcpy(canvas, p, sizeof p);
    double *got = texture_read(f, &t[2], 0);
    for (int i = 0; i < SLOTS; ++i)
        if (t[i].name) {
            f->ag->forget(f->device, t[i].name);
            texture_destroy(f, &t[i]);
        }
    return got;
}

// What afterglow/filter_spectrum.h promises of a run.
static bool check_run(fixture *f, ag_pass *pass, const filtering *c)
{
    const format_info *in = format_named(or_float(c->src_format));
    const format_info *out = format_named(or_float(c->dst_format));
    const format_info *masks = format_named(or_float(c->mask_format));
    int canvas[2];
    double *got = run(f, pass, c, canvas);
    size_t texels = (size_t)c->width * (size_t)c->height;
    double *want = check_doubles(texels * (size_t)in->channels);
    filter_spectrum_ref ref = {c->src,         c->width,        c->height,   in->channels,
                               canvas[0],      canvas[1],       c->mask,     c->mask_width,
                               c->mask_height, masks->channels, &c->settings};
    filter_spectrum_ref_run(&ref, want);
    double peak = 0, gain = 1, error = 0, units = 0, signal = 0, power = 0;
    for (size_t i = 0; i < texels * (size_t)in->channels; ++i)
        if (in->channels < 4 || i % 4 != 3) {
            peak = fmax(peak, fabs(c->src[i]));
            signal += c->src[i] * c->src[i];
        }
    for (int i = 0; c->mask && i < c->mask_width * c->mask_height * masks->channels; ++i)
        gain = fmax(gain, fabs(c->mask[i]));
    double bound = 2e-6 * peak * gain;
    for (size_t t = 0; t < texels; ++t)
        for (int k = 0; k < out->channels; ++k) {
            double missing = k == 3 ? 1 : 0;
            double exact = k < in->channels ? want[t * (size_t)in->channels + (size_t)k] : missing;
            double value = got[t * (size_t)out->channels + (size_t)k], e = value - exact;
            bool filtered = k < 3 && k < in->channels;
            double u = format_error_units(out, k, exact, value, filtered ? bound : 6e-8);
            units = !(u <= units) ? u : units;
            if (filtered) {
                power += e * e;
                error = !(fabs(e) <= error) ? fabs(e) : error;
            }
        }
    bool full = out->kind == FORMAT_FLOAT && out->bits[0] == 32;
    double relative = peak > 0 ? error / (peak * gain) : 0;
    double snr = power > 0 ? 10 * log10(signal * gain * gain / power) : 999;
    bool good = units <= 0.51 && (!full || (relative <= 2e-6 && snr >= 120));
    if (c->mask)
        printf("  mask %dx%d, %s\n", c->mask_width, c->mask_height, masks->name);
    printf("  %-5s %s: %dx%d in %dx%d, %s -> %s, shape %d profile %d border %d: ",
           good ? "ok" : "WRONG", c->name, c->width, c->height, canvas[0], canvas[1], in->name,
           out->name, c->settings.shape, c->settings.profile, c->settings.border);
    if (full)
        printf("%.2g <= 2e-6, %.1f dB >= 120\n", relative, snr);
    else
        printf("%.3f units <= 0.51\n", units);
    free(got);
    free(want);
    return good;
}

// ---- against the reference ---------------------------------------------------------------------

static void test_shapes(void **state)
{
    static const int sizes[][2] = {{64, 48}, {61, 45}, {1, 1}, {1, 40}, {37, 1}, {2, 3}, {150, 98}};
    fixture *f = *state;
    rng r = rng_start("shapes", 701);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("shapes", 84);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int shape = 0; shape < AG_FILTER_SPECTRUM_MASK; ++shape)
            for (int profile = 0; profile < 3; ++profile)
                for (int border = 0; border < 4; ++border) {
                    if (!sweep_takes(share))
                        continue;
                    filtering c = {"shapes", sizes[i][0], sizes[i][1], .settings = defaults()};
                    c.settings.shape = shape;
                    c.settings.profile = profile;
                    c.settings.border = border;
                    c.settings.order = rng_int(&r, 1, 16);
                    c.settings.cutoff = (float)rng_hdr(&r, 0.01, 0.7);
                    c.settings.low = (float)rng_hdr(&r, 0.01, 0.3);
                    c.settings.high = c.settings.low + (float)rng_uniform(&r, 0.02, 0.3);
                    double *src = noise(&r, NULL, c.width, c.height, -1, 1);
                    c.src = src;
                    good = check_run(f, pass, &c) && good;
                    free(src);
                }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_masks(void **state)
{
    static const int sizes[][2] = {{64, 48}, {45, 61}, {1, 1}, {40, 1}};
    static const int masks[][2] = {{64, 48}, {1, 1}, {7, 4}, {33, 91}};
    static const char *const formats[] = {"r32f", "rgba32f", "r16f", "rgba8"};
    fixture *f = *state;
    rng r = rng_start("masks", 702);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("masks", 32);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (size_t m = 0; m < COUNT(masks); ++m)
            for (size_t k = 0; k < COUNT(formats); ++k) {
                if (!sweep_takes(share))
                    continue;
                filtering c = {"masks", sizes[i][0], sizes[i][1], .settings = defaults()};
                c.settings.shape = AG_FILTER_SPECTRUM_MASK;
                c.settings.border = (int)(i + m + k) % 4;
                c.mask_format = formats[k];
                c.mask_width = masks[m][0];
                c.mask_height = masks[m][1];
                double *src = noise(&r, NULL, c.width, c.height, -1, 1);
                double *mask = noise(&r, formats[k], c.mask_width, c.mask_height, 0, 1);
                c.src = src;
                c.mask = mask;
                good = check_run(f, pass, &c) && good;
                free(src);
                free(mask);
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 703);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("formats", 8);
    for (int i = 0; i < 2 * FRAME_FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *format = format_at(i / 2)->name;
        filtering c = {"formats", 30, 21, .settings = defaults()};
        c.settings.profile = AG_PROFILE_BUTTERWORTH;
        c.src_format = i % 2 ? format : NULL;
        c.dst_format = i % 2 ? NULL : format;
        double *src = noise(&r, c.src_format, c.width, c.height, 0, 1);
        c.src = src;
        good = check_run(f, pass, &c) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// The longest lines, and a plan whose C2R rows need nothing of src but its alpha.
static void test_sizes(void **state)
{
    static const struct {
        int width, height, border;
        const char *format;
    } cases[] = {{8192, 4, AG_BORDER_WRAP, NULL},
                 {4, 8192, AG_BORDER_MIRROR, NULL},
                 {8191, 2, AG_BORDER_CLAMP, "r32f"},
                 {48, 1000, AG_BORDER_MIRROR, "rgba16f"},
                 {640, 360, AG_BORDER_MIRROR, NULL}};
    fixture *f = *state;
    rng r = rng_start("sizes", 704);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("sizes", 5);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        filtering c = {"sizes", cases[i].width, cases[i].height, .settings = defaults()};
        c.settings.border = cases[i].border;
        c.settings.cutoff = 0.05f;
        c.src_format = c.dst_format = cases[i].format;
        double *src = noise(&r, c.src_format, c.width, c.height, 0, 1);
        c.src = src;
        good = check_run(f, pass, &c) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Frequencies that are a cut-off exactly belong to `ideal`, also where neither of their parts is
// one of binary fractions: (9/60)^2 + (12/60)^2 = (15/60)^2. Others just miss one.
static void test_cutoffs(void **state)
{
    static const struct {
        int width, height;
        float cut[2]; // cut[0]: also the only one
    } cases[] = {{60, 60, {0.125f, 0.25f}},     {60, 60, {0.25f, 0.375f}},
                 {120, 60, {0.25f, 0.5f}},      {336, 48, {0.0625f, 0.3125f}},
                 {64, 48, {0.25f, 0.2500001f}}, {64, 48, {0.2499999f, 0.25f}},
                 {60, 48, {0.1f, 0.2f}},        {420, 105, {0.25f, 0.4f}}};
    fixture *f = *state;
    rng r = rng_start("cut-offs", 708);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    bool good = true;
    sweep *share = sweep_start("cut-offs", 32);
    for (size_t i = 0; i < COUNT(cases); ++i)
        for (int shape = 0; shape < AG_FILTER_SPECTRUM_MASK; ++shape) {
            if (!sweep_takes(share))
                continue;
            filtering c = {"cut-offs", cases[i].width, cases[i].height, .settings = defaults()};
            c.settings.border = AG_BORDER_WRAP;
            c.settings.profile = AG_PROFILE_IDEAL;
            c.settings.shape = shape;
            c.settings.cutoff = c.settings.low = cases[i].cut[0];
            c.settings.high = cases[i].cut[1];
            double *src = noise(&r, NULL, c.width, c.height, -1, 1);
            c.src = src;
            good = check_run(f, pass, &c) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- closed forms ------------------------------------------------------------------------------

// With wrap a wave of the image's own frequencies is multiplied by H there, and nothing else; its
// channels have frequencies of their own.
static void test_waves(void **state)
{
    enum { W = 60, H = 48 };
    static const int waves[3][2] = {{3, 4}, {-7, 4}, {0, 11}};
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    double *src = check_doubles(4 * W * H), *want = check_doubles(4 * W * H);
    filtering c = {"waves", W, H, .src = src, .settings = defaults()};
    c.settings.border = AG_BORDER_WRAP;
    c.settings.profile = AG_PROFILE_BUTTERWORTH;
    for (int shape = 0; shape < AG_FILTER_SPECTRUM_MASK; ++shape) {
        c.settings.shape = shape;
        filter_spectrum_ref ref = {NULL, W, H, 4, W, H, NULL, 0, 0, 0, &c.settings};
        for (int i = 0; i < W * H; ++i)
            for (int k = 0; k < 4; ++k) {
                int a = k < 3 ? waves[k][0] : 0, b = k < 3 ? waves[k][1] : 0;
                double wave = cos(6.283185307179586 *
                                  ((double)a * (i % W) / W + (double)b * (i / W) / H + 0.1));
                double weight = k < 3 ? filter_spectrum_ref_weight(&ref, k, a, b) : 1;
                src[4 * i + k] = wave;
                want[4 * i + k] = wave * weight;
            }
        double *got = run(f, pass, &c, NULL);
        CHECK_LIMIT("a wave, weighted", check_max_error(got, want, 4 * W * H), 1e-6);
        free(got);
    }
    free(src);
    free(want);
    f->ag->pass_destroy(pass);
}

// A sharp frequency limit: what lies below 1/8 stays, what lies above goes. Lowpass and highpass
// of one image add up to it, so do bandpass and notch; a bright dot gives the Gaussian that the
// profile is the transform of.
static void test_identities(void **state)
{
    enum { W = 96, H = 64, DOT = 4 * (20 * W + 50) };
    fixture *f = *state;
    rng r = rng_start("identities", 705);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    double *src = noise(&r, NULL, W, H, 0, 1);
    filtering c = {"identities", W, H, .src = src, .settings = defaults()};
    for (int profile = 0; profile < 3; ++profile)
        for (int band = 0; band < 2; ++band) {
            double *part[2];
            for (int i = 0; i < 2; ++i) {
                c.settings.profile = profile;
                c.settings.shape = 2 * band + i;
                part[i] = run(f, pass, &c, NULL);
            }
            double error = 0;
            for (int i = 0; i < 4 * W * H; ++i)
                if (i % 4 < 3)
                    error = check_worse(error, fabs(part[0][i] + part[1][i] - src[i]));
            CHECK_LIMIT(band ? "bandpass + notch = src" : "lowpass + highpass = src", error, 2e-6);
            free(part[0]);
            free(part[1]);
        }
    // exp(-f^2 / (2 c^2)) is the transform of 2 pi c^2 exp(-2 (pi c r)^2).
    c.settings = defaults();
    c.settings.border = AG_BORDER_ZERO;
    memset(src, 0, sizeof *src * 4 * W * H);
    src[DOT] = 1;
    double *got = run(f, pass, &c, NULL), error = 0, cut = (double)c.settings.cutoff;
    for (int i = 0; i < W * H; ++i) {
        double x = i % W - 50, y = i / W - 20, pi = 3.14159265358979;
        double want = 2 * pi * cut * cut * exp(-2 * pi * pi * cut * cut * (x * x + y * y));
        error = check_worse(error, fabs(got[4 * i] - want));
    }
    CHECK_LIMIT("a dot becomes a Gaussian", error, 1e-6);
    free(got);
    free(src);
    f->ag->pass_destroy(pass);
}

// ---- contract ----------------------------------------------------------------------------------

static void test_scrub(void **state)
{
    enum { W = 61, H = 45 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("scrub", 706);
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    double *src = noise(&r, NULL, W, H, 0, 1), *clean = check_doubles(4 * W * H);
    memcpy(clean, src, sizeof *clean * 4 * W * H);
    for (int i = 0; i < 9; ++i) {
        int texel = i == 0 ? 0 : i == 1 ? W * H - 1 : 301 * i;
        src[4 * texel + i % 4] = bad[i % 3];
        memset(clean + 4 * texel, 0, 4 * sizeof *clean);
    }
    filtering a = {"bad", W, H, .src = src, .settings = defaults()}, b = a;
    a.settings.border = b.settings.border = AG_BORDER_ZERO; // each texel is read once
    b.src = clean;
    uint64_t before = fixture_scrubbed(f);
    double *x = run(f, pass, &a, NULL);
    CHECK_EQ(fixture_scrubbed(f) - before, 9);
    double *y = run(f, pass, &b, NULL);
    CHECK(check_case("NaN and Inf count as 0, bit for bit",
                     memcmp(x, y, sizeof *x * 4 * W * H) == 0));
    free(x);
    // In a mask, too.
    a.settings.shape = AG_FILTER_SPECTRUM_MASK;
    a.src = clean;
    a.mask = src;
    a.mask_width = W;
    a.mask_height = H;
    b = a;
    b.mask = clean;
    x = run(f, pass, &a, NULL);
    free(y);
    y = run(f, pass, &b, NULL);
    CHECK(check_case("in a mask, too", memcmp(x, y, sizeof *x * 4 * W * H) == 0));
    free(x);
    free(y);
    free(src);
    free(clean);
    f->ag->pass_destroy(pass);
}

// Settings that change H need a prepare, which makes the spectrum anew; one and the same H is kept.
static void test_frames(void **state)
{
    enum { W = 40, H = 30 };
    fixture *f = *state;
    rng r = rng_start("frames", 707);
    ag_pass *pass = fixture_pass(f, "filter_spectrum"), *fresh = fixture_pass(f, "filter_spectrum");
    double *values = noise(&r, NULL, W, H, 0, 1);
    texture src = texture_create(f, "rgba32f", W, H, values);
    texture dst = texture_create(f, "rgba32f", W, H, NULL);
    ag_texture slots[SLOTS] = {texture_view(&src), texture_no_view(), texture_view(&dst)};
    ag_filter_spectrum_settings s = defaults();
    ag_job job = job_of(slots, &s);
    fixture_run(f, pass, &job);
    for (int i = 0; i < 6; ++i) {
        s.cutoff = 0.1f + 0.05f * (float)(i / 2);
        s.shape = i % 2;
        if (i)
            CHECK(f->ag->execute(pass, &job, NULL) < 0); // not without a prepare
        fixture_run(f, pass, &job);
        double *a = texture_read(f, &dst, 0);
        fixture_run(f, fresh, &job);
        double *b = texture_read(f, &dst, 0);
        CHECK(memcmp(a, b, sizeof *a * 4 * W * H) == 0);
        free(a);
        free(b);
    }
    host_log_clear(&f->host);
    free(values);
    f->ag->pass_destroy(pass);
    f->ag->pass_destroy(fresh);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "filter_spectrum");
    ag_filter_spectrum_settings s = defaults();
    const ag_plan *plan;
    ag_texture t = {.struct_size = sizeof t,
                    .target = GL_TEXTURE_2D,
                    .format = GL_R16F,
                    .width = 8193,
                    .height = 4};
    ag_texture slots[SLOTS] = {t, texture_no_view(), t};
    ag_job job = job_of(slots, &s);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "8193x4") && host_log_has(&f->host, "8192"));
    slots[0].width = 64;
    slots[2].width = 63;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "63x4") && host_log_has(&f->host, "64x4"));
    slots[2].width = 64;
    s.shape = AG_FILTER_SPECTRUM_NOTCH;
    s.low = s.high = 0.2f;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "below high"));
    s.shape = AG_FILTER_SPECTRUM_MASK;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "slot mask is empty"));
    slots[1] = slots[0];
    slots[1].format = GL_RG16F;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_FORMAT);
    CHECK(host_log_error(&f->host, AG_E_FORMAT, "2 channels"));
    host_log_clear(&f->host);
    f->ag->pass_destroy(pass);
}

// An edit of the formula's shader is in the picture of the next frames: the spectrum is made anew.
static void test_reload(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    test_job j;
    job_create(r->f, "filter_spectrum", 20, 12, &j);
    ag_pass *pass = fixture_pass(r->f, "filter_spectrum");
    fixture_run(r->f, pass, &j.job);
    double *plain = texture_read(r->f, job_output(&j), 0);
    CHECK_EQ(reloading_factor_of(r, pass, &j, plain), 1);
    reloading_edit(&r->d, "fft/filter.comp", "weight(f2) * FACTOR", "weight(f2) * FACTOR * 2.0");
    reloading_settle(r);
    double *edited = reloading_picture(r, pass, &j);
    double error = 0;
    for (int i = 0; i < 4 * 20 * 12; ++i) // alpha is copied
        error = check_worse(error, fabs(edited[i] - (i % 4 < 3 ? 2 : 1) * plain[i]));
    CHECK_LIMIT("twice as bright after an edit", error, 0);
    free(plain);
    free(edited);
    r->f->ag->pass_destroy(pass);
    job_destroy(r->f, &j);
    reloading_close(r);
}

// The shader of a mask is edited while it runs: the picture follows, an edit that does not compile
// keeps the mask that was good and names the line, and the next good one is used.
static void test_reload_mask(void **state)
{
    enum { W = 20, H = 12 };
    static const char mask_shader[] = "fft/filter.comp", stored[] = "= value[c];";
    double ones[4 * W * H], mean[4] = {0};
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    test_job j;
    job_create(r->f, "filter_spectrum", W, H, &j);
    for (int i = 0; i < 4 * W * H; ++i)
        ones[i] = 1;
    uint32_t slot = job_slot(&j, "mask");
    j.textures[slot] = texture_create(r->f, "rgba32f", W, H, ones);
    j.slots[slot] = texture_view(&j.textures[slot]);
    job_set(&j, "shape", 0, AG_FILTER_SPECTRUM_MASK);
    job_set(&j, "border", 0, AG_BORDER_WRAP);
    ag_pass *pass = fixture_pass(r->f, "filter_spectrum");
    fixture_run(r->f, pass, &j.job);
    double *plain = texture_read(r->f, job_output(&j), 0);
    for (int i = 0; i < 4 * W * H; ++i)
        mean[i % 4] += plain[i] / (W * H);

    // Frequency 0 alone: each texel is the mean of all.
    reloading_edit(&r->d, mask_shader, stored, "= column == 0 && row == 0 ? value[c] : 0.0;");
    reloading_settle(r);
    double *means = reloading_picture(r, pass, &j), error = 0, differ = 0;
    for (int i = 0; i < 4 * W * H; ++i)
        if (i % 4 < 3) { // alpha is copied
            error = check_worse(error, fabs(means[i] - mean[i % 4]));
            differ = fmax(differ, fabs(plain[i] - mean[i % 4]));
        }
    printf("  texels differ from their mean by up to %.3f before the edit\n", differ);
    CHECK(differ > 0.1);
    CHECK_LIMIT("the mean in each texel after the edit", error, 2e-6);

    host_log_clear(&r->f->host);
    reloading_edit(&r->d, mask_shader, stored, "= value[c] + no_such_mask;");
    reloading_settle(r);
    ag_reload status = reloading_status(r);
    CHECK_EQ(status.failed, 1);
    CHECK_EQ(status.line, reloading_line(mask_shader, stored));
    CHECK(status.file && strcmp(status.file, mask_shader) == 0);
    CHECK(host_log_error(&r->f->host, AG_E_SHADER, "no_such_mask"));
    double *kept = reloading_picture(r, pass, &j);
    CHECK_EQ(memcmp(kept, means, sizeof *means * 4 * W * H), 0);

    reloading_edit(&r->d, mask_shader, stored, "= 4.0 * value[c];");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 0);
    double *mended = reloading_picture(r, pass, &j);
    error = 0;
    for (int i = 0; i < 4 * W * H; ++i)
        error = check_worse(error, fabs(mended[i] - (i % 4 < 3 ? 4 : 1) * plain[i]));
    CHECK_LIMIT("four times as bright after a good edit", error, 0);
    free(plain);
    free(means);
    free(kept);
    free(mended);
    r->f->ag->pass_destroy(pass);
    job_destroy(r->f, &j);
    reloading_close(r);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_shapes),    FIXTURE_SWEEP(test_masks),   FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_sizes),     FIXTURE_SWEEP(test_cutoffs), FIXTURE_TEST(test_waves),
        FIXTURE_TEST(test_identities), FIXTURE_TEST(test_scrub),    FIXTURE_TEST(test_frames),
        FIXTURE_TEST(test_refusals),   UNIT_TEST(test_reload),      UNIT_TEST(test_reload_mask),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
