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
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { CHANNELS = 4 };

enum { SRC = AG_CONVOLVE_SRC, KERNEL = AG_CONVOLVE_KERNEL, DST = AG_CONVOLVE_DST };

typedef struct deconvolving { // what the reference needs
    int width, height, kernel_width, kernel_height, kernel_channels;
    const double *src, *kernel; // src: rgba
    const ag_convolve_settings *settings;
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

// The canvas that the plan's text states; of what wraps the image, whatever lengths the plan takes.
static void canvas_of(const trial *t, int canvas[2])
{
    const ag_plan *plan;
    CHECK_STATUS(t->f->ag->declare(t->pass, &t->job, &plan), AG_OK);
    const char *columns = strstr(plan->text, "columns ");
    CHECK(columns && sscanf(plan->text, "fft: rows %d", &canvas[0]) == 1 &&
          sscanf(columns, "columns %d", &canvas[1]) == 1);
    if (((const ag_convolve_settings *)t->settings)->border == AG_BORDER_WRAP) {
        canvas[0] = t->views[SRC].width;
        canvas[1] = t->views[SRC].height;
    }
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
    int sign = c->settings->correlate ? -1 : 1;
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
                filled u = fill(x, c->width, p, c->settings);
                filled v = fill(y, c->height, q, c->settings);
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
            double factor = c->settings->normalize ? 1 / sum : 1;
            double re = taps[i][0] * factor, im = taps[i][1] * factor;
            double rough = 1 / 1024.0 + roughness(i % p, p) + roughness(i / p, q);
            double divisor = re * re + im * im + (double)c->settings->noise * rough;
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

static bool restored(trial *t, const trial_part *p, double *want, double *bound)
{
    const texture *taps = &t->textures[KERNEL];
    double *src = trial_input(t, SRC, 0), *kernel = trial_input(t, KERNEL, 0), peak = 0, most = 0;
    const deconvolving c = {p->width, p->height, taps->width, taps->height, taps->format->channels,
                            src,      kernel,    t->settings};
    int canvas[2], count = p->width * p->height * CHANNELS, channels = c.kernel_channels;
    canvas_of(t, canvas);
    double least = reference(&c, canvas, want);
    for (int i = 0; i < count; ++i)
        peak = fmax(peak, fabs(src[i]));
    for (int k = 0; k < (channels == 1 ? 1 : 3); ++k) {
        double absolute = 0, plain = 0;
        for (int i = k; i < taps->width * taps->height * channels; i += channels) {
            absolute += fabs(kernel[i]);
            plain += kernel[i];
        }
        most = fmax(most, c.settings->normalize ? absolute / fabs(plain) : absolute);
    }
    for (int i = 0; i < count; ++i)
        bound[i] = 1e-7 * peak * (10 / sqrt(least) + most / least);
    free(src);
    free(kernel);
    return true;
}

static bool check_run(fixture *f, ag_pass *pass, trial_slot src, trial_slot kernel,
                      ag_convolve_settings s)
{
    trial t = convolving_of(f, "deconvolve", src, kernel,
                            trial_image("rgba32f", src.width, src.height, NULL), &s);
    t.pass = pass;
    t.reference = restored;
    t.snr = 0;
    bool good = trial_check(&t);
    trial_free(&t);
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
    sweep *share = sweep_start("definition", 60);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int border = TAPER; border < 4; ++border)
            for (int form = 0; form < 4; ++form) {
                if (!sweep_takes(share))
                    continue;
                const int *s = sizes[i];
                int w = s[2], h = s[3], channels = form % 2 ? 1 : 4, last = w * h - 1;
                const char *format = formats[(i + (size_t)form) % COUNT(formats)];
                const char *taps = channels == 1 ? "r32f" : "rgba32f";
                double *src = values_noise(&r, format, s[0], s[1], 0, 1);
                double *kernel = values_noise(&r, taps, w, h, 0, 1);
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
                ag_convolve_settings settings = settings_of(border, rng_hdr(&r, 1e-4, 1));
                settings.normalize = form % 2;
                settings.correlate = border & 1;
                good = check_run(f, pass, trial_image(format, s[0], s[1], src),
                                 trial_image(taps, w, h, kernel), settings) &&
                       good;
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
    sweep *share = sweep_start("wrap sizes", SIZES / 2);
    for (int n = 1; n <= SIZES; ++n) {
        int width = n, height = n * 37 % SIZES + 1;
        int taps[2] = {width < 6 ? width : 6, height < 5 ? height : 5};
        if (!sweep_takes(share))
            continue;
        double *src = values_noise(&r, "rgba32f", width, height, 0, 1);
        double *kernel = values_noise(&r, "r32f", taps[0], taps[1], 0, 1);
        ag_convolve_settings s = settings_of(AG_BORDER_WRAP, rng_hdr(&r, 1e-4, 1));
        s.normalize = AG_NORMALIZE_SUM;
        s.correlate = n & 1;
        good = check_run(f, pass, trial_image("rgba32f", width, height, src),
                         trial_image("r32f", taps[0], taps[1], kernel), s) &&
               good;
        free(kernel);
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
    ag_convolve_settings settings = *s;
    trial t = convolving_of(f, "restore", trial_image("r32f", W, H, blurred),
                            trial_image("r32f", TAPS, TAPS, kernel),
                            trial_image("r32f", W, H, NULL), &settings);
    double *got = trial_take(&t, DST);
    double before = check_psnr(blurred, sharp, W * H, 1), after = check_psnr(got, sharp, W * H, 1);
    printf("  noise %g: blurred %.2f dB, restored %.2f dB\n", sigma, before, after);
    if (blurred != light)
        free(blurred);
    free(light);
    free(large);
    free(sharp);
    free(got);
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
    sweep *share = sweep_start("defaults restore", 5);
    for (int i = 0; i < BLURS; ++i)
        for (size_t k = 0; k < COUNT(sigmas); ++k) {
            if (!sweep_takes(share))
                continue;
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
    double *ones = values_even("rgba32f", 8, 8, 1), *none = values_even("r32f", 3, 3, 0);
    double *green = values_even("rgba32f", 3, 3, 0); // no tap in channel 1
    green[4 * 4] = green[4 * 4 + 2] = 1;
    ag_convolve_settings s = settings_of(AG_BORDER_ZERO, 0.01);
    trial t = convolving_of(f, "refused", trial_image("r32f", 8, 8, ones),
                            trial_image("r32f", 3, 3, none), trial_image("r32f", 8, 8, NULL), &s);
    CHECK(trial_refused(&t, AG_E_ARG, "channel 0 is zero everywhere"));
    trial_free(&t);
    t.slots[SRC] = trial_image("rgba32f", 4, 4, ones);
    t.slots[KERNEL] = trial_image("rgba32f", 3, 3, green);
    t.slots[DST] = trial_image("rgba32f", 4, 4, NULL);
    CHECK(trial_refused(&t, AG_E_ARG, "channel 1 is zero everywhere"));
    s.noise = 0;
    CHECK(trial_refused(&t, AG_E_ARG, "noise is 0"));
    s.noise = 0.01f;
    s.edges = AG_EDGES_TAPER;
    s.border = AG_BORDER_MIRROR;
    CHECK(trial_refused(&t, AG_E_ARG, "border is mirror"));
    s.border = AG_BORDER_ZERO;
    s.method = AG_CONVOLVE_DIRECT;
    CHECK(trial_refused(&t, AG_E_ARG, "method is direct"));
    s.method = AG_CONVOLVE_AUTO;
    s.storage = AG_STORAGE_COMPACT;
    CHECK(trial_refused(&t, AG_E_ARG, "storage is compact"));
    s.storage = AG_STORAGE_FULL;
    trial_free(&t);
    t.slots[KERNEL] = trial_image("rgba32f", 8, 8, ones);
    CHECK(trial_refused(&t, AG_E_SIZE, "no larger"));
    trial_free(&t);
    t.slots[SRC] = t.slots[DST] = trial_image("r8", 4099, 4, NULL);
    t.slots[KERNEL] = trial_image("rgba32f", 4, 4, ones);
    s.edges = AG_EDGES_BORDER;
    s.border = AG_BORDER_WRAP;
    CHECK(trial_refused(&t, AG_E_SIZE, "no prime factor above 7"));
    host_log_clear(&f->host);
    trial_free(&t);
    free(ones);
    free(none);
    free(green);
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
    ag_convolve_settings s = AG_CONVOLVE_DEFAULTS;
    trial t = convolving_of(f, "changes", trial_image("r32f", WIDTH, HEIGHT, src),
                            trial_image("r32f", 5, 5, kernel),
                            trial_image("r32f", WIDTH, HEIGHT, NULL), &s);
    trial_make(&t);
    ag_pass *pass = t.pass;
    for (size_t i = 0; i < COUNT(steps); ++i) {
        s = settings_of(steps[i].border, steps[i].noise);
        s.method = AG_CONVOLVE_FFT;
        s.operation = steps[i].operation;
        for (int k = SRC; k <= DST; k += DST - SRC) {
            t.views[k].rect_width = WIDTH;
            t.views[k].rect_height = steps[i].height;
        }
        trial_run(&t);
        double *got = t.got[DST];
        t.got[DST] = NULL;
        t.pass = fixture_pass(f, "convolve");
        trial_run(&t);
        CHECK_F(memcmp(got, t.got[DST], sizeof *got * WIDTH * HEIGHT) == 0, "step %zu", i);
        f->ag->pass_destroy(t.pass);
        t.pass = pass;
        free(got);
    }
    trial_free(&t);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_definition),       FIXTURE_SWEEP(test_wrap_sizes),
        FIXTURE_SWEEP(test_defaults_restore), FIXTURE_FULL(test_restores),
        FIXTURE_TEST(test_refusals),          FIXTURE_TEST(test_changes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
