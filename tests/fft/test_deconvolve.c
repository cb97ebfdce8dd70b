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
    const char *format; // of src; NULL: rgba32f
} deconvolving;

enum { TAPER = -1 }; // in place of a border

static ag_convolve_settings settings_of(int border, double noise)
{
    ag_convolve_settings s = AG_CONVOLVE_DEFAULTS;
    s.border = border == TAPER ? AG_BORDER_ZERO : border;
    s.edges = border == TAPER ? AG_EDGES_TAPER : AG_EDGES_BORDER;
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
    const char *format = c->format ? c->format : "rgba32f";
    texture t[3] = {texture_create(f, format, c->width, c->height, c->src),
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

// What a place of the canvas's axis holds: 1 - share of a texel, and a share of another; -1: zero.
typedef struct filled {
    int texel, other;
    double share;
} filled;

static filled fill(int place, int n, int points, const ag_convolve_settings *s)
{
    if (s->edges == AG_EDGES_TAPER && place >= n) {
        double t = (place - n + 1) / (double)(points - n + 1);
        return (filled){n - 1, 0, t * t * (3 - 2 * t)};
    }
    int from = place < n + (points - n) / 2 ? place : place - points;
    int texel = s->edges == AG_EDGES_TAPER ? place : convolve_ref_border(from, n, s->border);
    return (filled){texel, texel, 0};
}

static double texel(const deconvolving *c, int x, int y, int channel)
{
    return x < 0 || y < 0 ? 0 : c->src[(y * c->width + x) * CHANNELS + channel];
}

static double roughness(int frequency, int points)
{
    return pow(2 * sin(acos(-1) * frequency / points), 2);
}

// The definition of afterglow/convolve.h in double. Returns the least of what it divides by.
static double reference(const deconvolving *c, const int canvas[2], double *dst)
{
    double least = INFINITY;
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
                filled u = fill(x, c->width, p, &c->settings);
                filled v = fill(y, c->height, q, &c->settings);
                double upper = (1 - u.share) * texel(c, u.texel, v.texel, channel) +
                               u.share * texel(c, u.other, v.texel, channel);
                double lower = (1 - u.share) * texel(c, u.texel, v.other, channel) +
                               u.share * texel(c, u.other, v.other, channel);
                image[y * p + x][0] = (1 - v.share) * upper + v.share * lower;
                image[y * p + x][1] = 0;
            }
        fftw_execute(image_forward);
        fftw_execute(taps_forward);
        for (int i = 0; i < p * q; ++i) {
            double factor = c->settings.normalize ? 1 / sum : 1;
            double re = taps[i][0] * factor, im = taps[i][1] * factor;
            double rough = 1 / 1024.0 + roughness(i % p, p) + roughness(i / p, q);
            double divisor = re * re + im * im + (double)c->settings.noise * rough;
            double weight = 1 / (divisor * p * q);
            least = fmin(least, divisor);
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
    return least;
}

static bool check_run(fixture *f, ag_pass *pass, const deconvolving *c)
{
    int canvas[2], count = c->width * c->height * CHANNELS;
    double *got = run(f, pass, c, canvas), *want = check_doubles((size_t)count);
    if (c->settings.border == AG_BORDER_WRAP) // whatever lengths the plan takes for it
        canvas[0] = c->width, canvas[1] = c->height;
    double least = reference(c, canvas, want);
    double peak = 0, taps = 0;
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
    }
    double limit = 1e-7 * peak * (10 / sqrt(least) + taps / least);
    char line[160];
    snprintf(line, sizeof line, "%s: %dx%d in %dx%d, kernel %dx%dx%d, border %d, noise %g", c->name,
             c->width, c->height, canvas[0], canvas[1], c->kernel_width, c->kernel_height, channels,
             c->settings.edges == AG_EDGES_TAPER ? TAPER : c->settings.border,
             (double)c->settings.noise);
    bool good = check_limit(line, check_max_error(got, want, (size_t)count), limit);
    free(got);
    free(want);
    return good;
}

// Random kernels of every form: any taps, even, even in both axes, a product of lines.
static void test_definition(void **state)
{
    static const int sizes[][4] = {{64, 48, 5, 7}, {61, 45, 8, 4}, {1, 1, 1, 1},
                                   {1, 40, 1, 9},  {37, 1, 37, 1}, {90, 64, 33, 21},
                                   {97, 51, 9, 6}, {50, 53, 7, 7}, {22, 40, 11, 3}};
    static const char *const formats[] = {"rgba32f", "rgba16f", "rgba8"};
    fixture *f = *state;
    rng r = rng_start("definition", 801);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("definition", 24);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int border = TAPER; border < 4; ++border)
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
                const char *format = formats[(i + (size_t)form) % COUNT(formats)];
                texture_quantise(format, src, (size_t)(s[0] * s[1]));
                deconvolving c = {format, s[0],   s[1],
                                  w,      h,      channels,
                                  src,    kernel, settings_of(border, rng_hdr(&r, 1e-4, 1)),
                                  format};
                c.settings.normalize = form % 2;
                c.settings.correlate = border & 1;
                good = check_run(f, pass, &c) && good;
                free(src);
                free(kernel);
            }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// What wraps is exact at every size, whatever its prime factors.
static void test_wrap_sizes(void **state)
{
    enum { SIZES = 96 };
    fixture *f = *state;
    rng r = rng_start("wrap sizes", 804);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("wrap sizes", SIZES / 3);
    for (int n = 1; n <= SIZES; ++n) {
        int width = n, height = n * 37 % SIZES + 1;
        int taps[2] = {width < 6 ? width : 6, height < 5 ? height : 5};
        if (!sweep_takes(share))
            continue;
        double *src = check_doubles((size_t)(width * height * CHANNELS)), kernel[30];
        rng_fill_uniform(&r, src, (size_t)(width * height * CHANNELS), 0, 1);
        rng_fill_uniform(&r, kernel, COUNT(kernel), 0, 1);
        texture_quantise("rgba32f", src, (size_t)(width * height));
        texture_quantise("r32f", kernel, COUNT(kernel));
        deconvolving c = {"wraps", width,   height,
                          taps[0], taps[1], 1,
                          src,     kernel,  settings_of(AG_BORDER_WRAP, rng_hdr(&r, 1e-4, 1)),
                          NULL};
        c.settings.normalize = AG_NORMALIZE_SUM;
        c.settings.correlate = n & 1;
        good = check_run(f, pass, &c) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- restoration -------------------------------------------------------------------------------

enum { W = 256, H = 192, AROUND = 24, TAPS = 13 };
enum { LARGE_W = W + 2 * AROUND, LARGE_H = H + 2 * AROUND };

// A picture as photographs are: large soft shades, sharp edges, small detail. Values in 0..1.
static double *photograph(rng *r)
{
    double *p = check_doubles(LARGE_W * LARGE_H);
    struct {
        double x, y, radius, value;
    } discs[40];
    for (int i = 0; i < 40; ++i)
        discs[i].x = rng_uniform(r, 0, LARGE_W), discs[i].y = rng_uniform(r, 0, LARGE_H),
        discs[i].radius = rng_hdr(r, 3, 50), discs[i].value = rng_uniform(r, 0.05, 0.9);
    for (int i = 0; i < LARGE_W * LARGE_H; ++i) {
        double x = i % LARGE_W, y = i / LARGE_W, value = 0.3 + 0.3 * y / LARGE_H;
        for (int d = 0; d < 40; ++d) {
            double inside = discs[d].radius - hypot(x - discs[d].x, y - discs[d].y) + 0.5;
            value += (discs[d].value - value) * fmin(fmax(inside, 0), 1);
        }
        p[i] = value * (1 + 0.1 * sin(0.35 * x) * sin(0.3 * y));
    }
    return p;
}

static double *cropped(const double *large)
{
    double *p = check_doubles(W * H);
    for (int i = 0; i < W * H; ++i)
        p[i] = large[(i / W + AROUND) * LARGE_W + i % W + AROUND];
    return p;
}

// Blurs a picture, crops it, so that light from outside is in it, adds noise and restores it. With
// border = wrap the crop itself is blurred, as what repeats. Returns the gain in dB.
static double restore(fixture *f, const double *kernel, const ag_convolve_settings *s, double sigma,
                      rng *r)
{
    bool wraps = s->border == AG_BORDER_WRAP;
    double *large = photograph(r), *sharp = cropped(large);
    double *light = check_doubles(LARGE_W * LARGE_H);
    convolve_ref ref = {.src = wraps ? sharp : large,
                        .width = wraps ? W : LARGE_W,
                        .height = wraps ? H : LARGE_H,
                        .channels = 1,
                        .kernel = kernel,
                        .kernel_width = TAPS,
                        .kernel_height = TAPS,
                        .kernel_channels = 1,
                        .border = s->border,
                        .normalize = AG_NORMALIZE_SUM};
    CHECK(convolve_ref_fft(&ref, light));
    double *blurred = wraps ? light : cropped(light);
    for (int i = 0; i < W * H; ++i)
        blurred[i] += sigma * rng_normal(r);
    texture t[3] = {texture_create(f, "r32f", W, H, blurred),
                    texture_create(f, "r32f", TAPS, TAPS, kernel),
                    texture_create(f, "r32f", W, H, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_job job = convolving_job(slots, s);
    ag_pass *pass = fixture_pass(f, "convolve");
    fixture_run(f, pass, &job);
    double *restored = texture_read(f, &t[2], 0);
    double before = check_psnr(blurred, sharp, W * H, 1),
           after = check_psnr(restored, sharp, W * H, 1);
    printf("  noise %g: blurred %.2f dB, restored %.2f dB\n", sigma, before, after);
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i)
        texture_destroy(f, &t[i]);
    if (blurred != light)
        free(blurred);
    free(light);
    free(large);
    free(sharp);
    free(restored);
    return after - before;
}

enum { BLURS = 5 };
static const char *const blurs[BLURS] = {"a lens out of focus", "a little out of focus",
                                         "a soft lens", "a camera in motion",
                                         "a streak to one side"};

static void blur(int which, double kernel[TAPS * TAPS])
{
    for (int i = 0; i < TAPS * TAPS; ++i) {
        double x = i % TAPS - TAPS / 2, y = i / TAPS - TAPS / 2;
        double along = (x + 0.5 * y) / hypot(1, 0.5), across = fabs(y - 0.5 * x) / hypot(1, 0.5);
        double line = fabs(along) <= 6 ? fmax(1 - across, 0) : 0;
        double all[BLURS] = {fmin(fmax(5 - hypot(x, y), 0), 1), fmin(fmax(2.5 - hypot(x, y), 0), 1),
                             exp(-(x * x + y * y) / 8), line,
                             along < 0 ? 0 : line * exp(-along / 3)};
        kernel[i] = all[which];
    }
}

// With the default settings no crop becomes worse, whatever its blur and its noise.
static void test_defaults_restore(void **state)
{
    static const double sigmas[] = {0.001, 0.01, 0.03, 0.06};
    fixture *f = *state;
    rng r = rng_start("defaults restore", 802);
    ag_convolve_settings s = AG_CONVOLVE_DEFAULTS;
    s.operation = AG_OPERATION_DECONVOLVE;
    s.normalize = AG_NORMALIZE_SUM;
    double kernel[TAPS * TAPS];
    bool good = true;
    for (int i = 0; i < BLURS; ++i)
        for (size_t k = 0; k < COUNT(sigmas); ++k) {
            blur(i, kernel);
            char name[64];
            snprintf(name, sizeof name, "%s: 0.2 dB less its gain", blurs[i]);
            good = check_limit(name, 0.2 - restore(f, kernel, &s, sigmas[k], &r), 0) && good;
        }
    CHECK(good);
}

// Little noise, and a setting for it: what can be had.
static void test_restores(void **state)
{
    static const struct {
        int blur, border;
        double gain;
    } cases[] = {{0, TAPER, 5},
                 {3, TAPER, 3},
                 {0, AG_BORDER_MIRROR, 4},
                 {0, AG_BORDER_WRAP, 6},
                 {3, AG_BORDER_WRAP, 8}};
    fixture *f = *state;
    rng r = rng_start("restores", 805);
    double kernel[TAPS * TAPS];
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_convolve_settings s = settings_of(cases[i].border, 1e-3);
        s.normalize = AG_NORMALIZE_SUM;
        blur(cases[i].blur, kernel);
        char name[96];
        snprintf(name, sizeof name, "%s, border %d: %g dB less its gain", blurs[cases[i].blur],
                 cases[i].border, cases[i].gain);
        good = check_limit(name, cases[i].gain - restore(f, kernel, &s, 1e-3, &r), 0) && good;
    }
    CHECK(good);
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
    s.edges = AG_EDGES_TAPER;
    s.border = AG_BORDER_MIRROR;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "border is mirror"));
    s.border = AG_BORDER_ZERO;
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
    texture wide[2] = {texture_create(f, "r8", 4099, 4, NULL),
                       texture_create(f, "r8", 4099, 4, NULL)};
    slots[0] = texture_view(&wide[0]);
    slots[2] = texture_view(&wide[1]);
    slots[1] = texture_view(&colour);
    s.edges = AG_EDGES_BORDER;
    s.border = AG_BORDER_WRAP;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "no prime factor above 7"));
    texture_destroy(f, &wide[0]);
    texture_destroy(f, &wide[1]);
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
    enum { WIDTH = 37, HEIGHT = 30 }; // 37: wrap has no FFT of it
    static const struct {
        int operation, border, height;
        float noise;
    } steps[] = {{AG_OPERATION_CONVOLVE, AG_BORDER_CLAMP, HEIGHT, 0.01f},
                 {AG_OPERATION_DECONVOLVE, AG_BORDER_CLAMP, HEIGHT, 0.01f},
                 {AG_OPERATION_DECONVOLVE, TAPER, HEIGHT, 0.01f},
                 {AG_OPERATION_DECONVOLVE, TAPER, HEIGHT, 0.1f},
                 {AG_OPERATION_DECONVOLVE, AG_BORDER_WRAP, HEIGHT - 1, 0.1f},
                 {AG_OPERATION_DECONVOLVE, AG_BORDER_WRAP, HEIGHT, 0.1f}, // its taps are not even
                 {AG_OPERATION_CONVOLVE, AG_BORDER_WRAP, HEIGHT, 0.1f},
                 {AG_OPERATION_DECONVOLVE, AG_BORDER_WRAP, HEIGHT, 0.01f},
                 {AG_OPERATION_DECONVOLVE, TAPER, HEIGHT - 1, 0.01f}};
    double src[WIDTH * HEIGHT], kernel[25];
    rng_fill_uniform(&r, src, COUNT(src), 0, 1);
    for (int i = 0; i < 25; ++i)
        kernel[i] = i < 13 ? rng_uniform(&r, 0, 0.1) : kernel[24 - i];
    texture t[3] = {texture_create(f, "r32f", WIDTH, HEIGHT, src),
                    texture_create(f, "r32f", 5, 5, kernel),
                    texture_create(f, "r32f", WIDTH, HEIGHT, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_convolve_settings s;
    ag_job job = convolving_job(slots, &s);
    ag_pass *pass = fixture_pass(f, "convolve");
    for (size_t i = 0; i < COUNT(steps); ++i) {
        s = settings_of(steps[i].border, steps[i].noise);
        s.method = AG_CONVOLVE_FFT;
        s.operation = steps[i].operation;
        for (int k = 0; k < 3; k += 2) {
            slots[k].rect_width = WIDTH;
            slots[k].rect_height = steps[i].height;
        }
        fixture_run(f, pass, &job);
        double *a = texture_read(f, &t[2], 0);
        ag_pass *fresh = fixture_pass(f, "convolve");
        fixture_run(f, fresh, &job);
        double *b = texture_read(f, &t[2], 0);
        CHECK_F(memcmp(a, b, sizeof *a * WIDTH * HEIGHT) == 0, "step %zu", i);
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
        FIXTURE_SWEEP(test_definition),      FIXTURE_SWEEP(test_wrap_sizes),
        FIXTURE_TEST(test_defaults_restore), FIXTURE_TEST(test_restores),
        FIXTURE_TEST(test_refusals),         FIXTURE_TEST(test_changes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
