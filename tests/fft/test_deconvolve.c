// test_deconvolve.c - "convolve" with operation = deconvolve: against FFTW in double, and how much
// of a blurred, noisy picture it restores
// SPDX-License-Identifier: MIT
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convolve_ref.h"
#include "convolving.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { CHANNELS = 4 };

typedef struct deconvolving {
    const char *name;
    int width, height, kernel_width, kernel_height, kernel_channels;
    const double *src, *kernel;
    ag_convolve_settings settings;
} deconvolving;

static ag_convolve_settings settings_of(int border, double noise)
{
    ag_convolve_settings s = AG_CONVOLVE_DEFAULTS;
    s.border = border;
    s.operation = AG_OPERATION_DECONVOLVE;
    s.noise = (float)noise;
    return s;
}

static const char *kernel_format(int channels)
{
    return channels == 1 ? "r32f" : "rgba32f";
}

// Prepares and executes: dst (malloc), and the canvas that the plan's text states.
static double *run(fixture *f, ag_pass *pass, const deconvolving *c, int canvas[2])
{
    texture t[3] = {texture_create(f, "rgba32f", c->width, c->height, c->src),
                    texture_create(f, kernel_format(c->kernel_channels), c->kernel_width,
                                   c->kernel_height, c->kernel),
                    texture_create(f, "rgba32f", c->width, c->height, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_job job = convolving_job(slots, &c->settings);
    fixture_run(f, pass, &job);
    const ag_plan *plan;
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_OK);
    const char *columns = strstr(plan->text, "columns ");
    CHECK(columns && sscanf(plan->text, "fft: rows %d", &canvas[0]) == 1 &&
          sscanf(columns, "columns %d", &canvas[1]) == 1);
    double *got = texture_read(f, &t[2], 0);
    for (int i = 0; i < 3; ++i) {
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
    return got;
}

// ---- the definition ----------------------------------------------------------------------------

// The texel at a place of the canvas's axis; -1: a zero.
static int texel_of(int place, int n, int points, int border)
{
    return convolve_ref_border(place < n + (points - n) / 2 ? place : place - points, n, border);
}

// The definition of afterglow/convolve.h in double.
static void reference(const deconvolving *c, const int canvas[2], double *dst)
{
    int p = canvas[0], q = canvas[1], cx = c->kernel_width / 2, cy = c->kernel_height / 2;
    size_t count = (size_t)p * (size_t)q;
    fftw_complex *image = fftw_alloc_complex(count), *taps = fftw_alloc_complex(count);
    fftw_plan image_forward = fftw_plan_dft_2d(q, p, image, image, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan taps_forward = fftw_plan_dft_2d(q, p, taps, taps, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan back = fftw_plan_dft_2d(q, p, image, image, FFTW_BACKWARD, FFTW_ESTIMATE);
    int sign = c->settings.correlate ? -1 : 1;
    for (int channel = 0; channel < 3; ++channel) {
        memset(taps, 0, count * sizeof *taps);
        double sum = 0;
        for (int i = 0; i < c->kernel_width * c->kernel_height; ++i) {
            int x = sign * (i % c->kernel_width - cx), y = sign * (i / c->kernel_width - cy);
            double k = c->kernel[i * c->kernel_channels + (c->kernel_channels == 1 ? 0 : channel)];
            taps[(y + q) % q * p + (x + p) % p][0] += k;
            sum += k;
        }
        for (int y = 0; y < q; ++y)
            for (int x = 0; x < p; ++x) {
                int u = texel_of(x, c->width, p, c->settings.border);
                int v = texel_of(y, c->height, q, c->settings.border);
                image[y * p + x][0] =
                    u < 0 || v < 0 ? 0 : c->src[(v * c->width + u) * CHANNELS + channel];
                image[y * p + x][1] = 0;
            }
        fftw_execute(image_forward);
        fftw_execute(taps_forward);
        for (size_t i = 0; i < count; ++i) {
            double factor = c->settings.normalize ? 1 / sum : 1;
            double re = taps[i][0] * factor, im = taps[i][1] * factor;
            double weight = 1 / ((re * re + im * im + (double)c->settings.noise) * p * q);
            double a = image[i][0], b = image[i][1];
            image[i][0] = (a * re + b * im) * weight;
            image[i][1] = (b * re - a * im) * weight;
        }
        fftw_execute(back);
        for (int i = 0; i < c->width * c->height; ++i)
            dst[i * CHANNELS + channel] = image[i / c->width * p + i % c->width][0];
    }
    for (int i = 0; i < c->width * c->height; ++i)
        dst[i * CHANNELS + 3] = c->src[i * CHANNELS + 3];
    fftw_destroy_plan(image_forward);
    fftw_destroy_plan(taps_forward);
    fftw_destroy_plan(back);
    fftw_free(image);
    fftw_free(taps);
}

static bool check_run(fixture *f, ag_pass *pass, const deconvolving *c)
{
    int canvas[2], count = c->width * c->height * CHANNELS;
    double *got = run(f, pass, c, canvas), *want = check_doubles((size_t)count);
    reference(c, canvas, want);
    double peak = 0, taps = 0, sum = 0, noise = (double)c->settings.noise;
    for (int i = 0; i < count; ++i)
        peak = fmax(peak, fabs(c->src[i]));
    int channels = c->kernel_channels;
    for (int k = 0; k < (channels == 1 ? 1 : 3); ++k) {
        double absolute = 0, plain = 0;
        for (int i = 0; i < c->kernel_width * c->kernel_height; ++i) {
            absolute += fabs(c->kernel[i * channels + k]);
            plain += c->kernel[i * channels + k];
        }
        taps = fmax(taps, c->settings.normalize ? absolute / fabs(plain) : absolute);
        sum += plain;
    }
    double limit = 1e-7 * peak * (10 / sqrt(noise) + taps / noise);
    char line[160];
    snprintf(line, sizeof line, "%s: %dx%d in %dx%d, kernel %dx%dx%d, border %d, noise %g", c->name,
             c->width, c->height, canvas[0], canvas[1], c->kernel_width, c->kernel_height, channels,
             c->settings.border, noise);
    bool good = check_limit(line, check_max_error(got, want, (size_t)count), limit);
    free(got);
    free(want);
    return good;
}

// Random kernels of every form: any taps, even, even in both axes, a product of lines.
static void test_definition(void **state)
{
    static const int sizes[][4] = {{64, 48, 5, 7}, {61, 45, 8, 4}, {1, 1, 1, 1},
                                   {1, 40, 1, 9},  {37, 1, 37, 1}, {90, 64, 33, 21}};
    fixture *f = *state;
    rng r = rng_start("definition", 801);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("definition", 24);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int border = 0; border < 4; ++border)
            for (int form = 0; form < 4; ++form) {
                if (!sweep_takes(share))
                    continue;
                const int *s = sizes[i];
                int w = s[2], h = s[3], channels = form % 2 ? 1 : 4, last = w * h - 1;
                double *src = check_doubles((size_t)(s[0] * s[1] * CHANNELS));
                double *kernel = check_doubles((size_t)(w * h * channels));
                rng_fill_uniform(&r, src, (size_t)(s[0] * s[1] * CHANNELS), 0, 1);
                rng_fill_uniform(&r, kernel, (size_t)(w * h * channels), 0, 1);
                for (int t = 0; t < w * h * channels; ++t) {
                    int at = t / channels, x = at % w, y = at / w, k = t % channels;
                    int mirrored = form == 1 ? last - at : y * w + (w - 1 - x);
                    if ((form == 1 || form == 2) && mirrored < at)
                        kernel[t] = kernel[mirrored * channels + k];
                    if (form == 2 && h - 1 - y < y)
                        kernel[t] = kernel[((h - 1 - y) * w + x) * channels + k];
                    if (form == 3)
                        kernel[t] = exp(-0.1 * (x - w / 2) * (x - w / 2)) *
                                    exp(-0.2 * (y - h / 2) * (y - h / 2));
                }
                texture_quantise(kernel_format(channels), kernel, (size_t)(w * h));
                texture_quantise("rgba32f", src, (size_t)(s[0] * s[1]));
                deconvolving c = {"definition",
                                  s[0],
                                  s[1],
                                  w,
                                  h,
                                  channels,
                                  src,
                                  kernel,
                                  settings_of(border, rng_hdr(&r, 1e-4, 1))};
                c.settings.normalize = form % 2;
                c.settings.correlate = border % 2;
                good = check_run(f, pass, &c) && good;
                free(src);
                free(kernel);
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- restoration -------------------------------------------------------------------------------

enum { W = 256, H = 192 };

// A picture as photographs are: large soft shades, sharp edges, small detail. Values in 0..1.
static double *photograph(rng *r)
{
    double *p = check_doubles(W * H);
    struct {
        double x, y, radius, value;
    } discs[40];
    for (int i = 0; i < 40; ++i)
        discs[i].x = rng_uniform(r, 0, W), discs[i].y = rng_uniform(r, 0, H),
        discs[i].radius = rng_hdr(r, 3, 50), discs[i].value = rng_uniform(r, 0.05, 0.9);
    for (int i = 0; i < W * H; ++i) {
        double x = i % W, y = i / W, value = 0.3 + 0.3 * y / H;
        for (int d = 0; d < 40; ++d) {
            double inside = discs[d].radius - hypot(x - discs[d].x, y - discs[d].y) + 0.5;
            value += (discs[d].value - value) * fmin(fmax(inside, 0), 1);
        }
        p[i] = value * (1 + 0.1 * sin(0.35 * x) * sin(0.3 * y));
    }
    return p;
}

// Blurs a picture with a border, adds noise of -60 dB, and restores it. Returns the gain in dB.
static double restore(fixture *f, const double *kernel, int taps, int border, rng *r)
{
    enum { NOISE_DB = 60 };
    double *sharp = photograph(r), *blurred = check_doubles(W * H);
    convolve_ref ref = {.src = sharp,
                        .width = W,
                        .height = H,
                        .channels = 1,
                        .kernel = kernel,
                        .kernel_width = taps,
                        .kernel_height = taps,
                        .kernel_channels = 1,
                        .border = border,
                        .normalize = AG_NORMALIZE_SUM};
    CHECK(convolve_ref_fft(&ref, blurred));
    double sigma = pow(10, -NOISE_DB / 20.0);
    for (int i = 0; i < W * H; ++i)
        blurred[i] += sigma * rng_normal(r);
    texture t[3] = {texture_create(f, "r32f", W, H, blurred),
                    texture_create(f, "r32f", taps, taps, kernel),
                    texture_create(f, "r32f", W, H, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_convolve_settings s = settings_of(border, 1e-3);
    s.normalize = AG_NORMALIZE_SUM;
    ag_job job = convolving_job(slots, &s);
    ag_pass *pass = fixture_pass(f, "convolve");
    fixture_run(f, pass, &job);
    double *restored = texture_read(f, &t[2], 0);
    double before = check_psnr(blurred, sharp, W * H, 1),
           after = check_psnr(restored, sharp, W * H, 1);
    printf("  blurred %.2f dB, restored %.2f dB\n", before, after);
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &t[i]);
    free(sharp);
    free(blurred);
    free(restored);
    return after - before;
}

static void test_restores(void **state)
{
    enum { TAPS = 13, C = TAPS / 2 };
    fixture *f = *state;
    rng r = rng_start("restores", 802);
    double disc[TAPS * TAPS], motion[TAPS * TAPS];
    for (int i = 0; i < TAPS * TAPS; ++i) {
        double x = i % TAPS - C, y = i / TAPS - C, along = (x + 0.5 * y) / hypot(1, 0.5);
        double across = fabs(y - 0.5 * x) / hypot(1, 0.5);
        disc[i] = fmin(fmax(5 - hypot(x, y), 0), 1);
        motion[i] = fabs(along) <= 6 ? fmax(1 - across, 0) : 0;
    }
    CHECK_LIMIT("a lens out of focus, mirror: 6 dB less its gain",
                6 - restore(f, disc, TAPS, AG_BORDER_MIRROR, &r), 0);
    CHECK_LIMIT("a lens out of focus, wrap: 6 dB less its gain",
                6 - restore(f, disc, TAPS, AG_BORDER_WRAP, &r), 0);
    CHECK_LIMIT("a camera in motion, wrap: 6 dB less its gain",
                6 - restore(f, motion, TAPS, AG_BORDER_WRAP, &r), 0);
}

// ---- contract ----------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "convolve");
    double zeros[36] = {0}, ones[64];
    for (int i = 0; i < 64; ++i)
        ones[i] = 1;
    for (int channel = 0; channel < 3; ++channel)
        for (int i = 0; i < 9; ++i)
            zeros[4 * i + channel] = channel != 1 && i == 4; // no tap in channel 1
    texture t[3] = {texture_create(f, "r32f", 8, 8, ones),
                    texture_create(f, "rgba32f", 3, 3, zeros),
                    texture_create(f, "r32f", 8, 8, NULL)};
    texture colour = texture_create(f, "rgba32f", 4, 4, ones);
    texture result = texture_create(f, "rgba32f", 4, 4, NULL);
    double none[9] = {0};
    texture empty = texture_create(f, "r32f", 3, 3, none);
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&empty), texture_view(&t[2])};
    ag_convolve_settings s = settings_of(AG_BORDER_ZERO, 0.01);
    ag_job job = convolving_job(slots, &s);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "channel 0 is zero everywhere"));
    slots[0] = texture_view(&colour);
    slots[1] = texture_view(&t[1]);
    slots[2] = texture_view(&result);
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "channel 1 is zero everywhere"));
    s.noise = 0;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "noise is 0"));
    s.noise = 0.01f;
    s.method = AG_CONVOLVE_DIRECT;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "method is direct"));
    s.method = AG_CONVOLVE_AUTO;
    s.storage = AG_STORAGE_COMPACT;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "storage is compact"));
    s.storage = AG_STORAGE_FULL;
    slots[1] = texture_view(&t[0]); // 8 x 8 for 4 x 4
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "no larger"));
    host_log_clear(&f->host);
    CHECK(texture_is_poison(f, &result) && texture_is_poison(f, &t[2]));
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &t[i]);
    texture_destroy(f, &colour);
    texture_destroy(f, &result);
    texture_destroy(f, &empty);
}

// Between the two operations and other noise, one pass gives what a new one gives.
static void test_changes(void **state)
{
    fixture *f = *state;
    rng r = rng_start("changes", 803);
    double src[40 * 30], kernel[25];
    rng_fill_uniform(&r, src, COUNT(src), 0, 1);
    rng_fill_uniform(&r, kernel, COUNT(kernel), 0, 0.1);
    texture t[3] = {texture_create(f, "r32f", 40, 30, src), texture_create(f, "r32f", 5, 5, kernel),
                    texture_create(f, "r32f", 40, 30, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_convolve_settings s = settings_of(AG_BORDER_CLAMP, 0.01);
    s.method = AG_CONVOLVE_FFT;
    ag_job job = convolving_job(slots, &s);
    ag_pass *pass = fixture_pass(f, "convolve");
    for (int i = 0; i < 6; ++i) {
        s.operation = i % 2;
        s.noise = i < 3 ? 0.01f : 0.1f;
        fixture_run(f, pass, &job);
        double *a = texture_read(f, &t[2], 0);
        ag_pass *fresh = fixture_pass(f, "convolve");
        fixture_run(f, fresh, &job);
        double *b = texture_read(f, &t[2], 0);
        CHECK(memcmp(a, b, sizeof *a * 40 * 30) == 0);
        f->ag->pass_destroy(fresh);
        free(a);
        free(b);
    }
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &t[i]);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_definition),
        FIXTURE_TEST(test_restores),
        FIXTURE_TEST(test_refusals),
        FIXTURE_TEST(test_changes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
