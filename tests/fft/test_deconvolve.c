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

// A random kernel of a form: any taps, even, even in both axes, a product of lines.
static bool check_random(fixture *f, ag_pass *pass, rng *r, const int s[4], int border, int form)
{
    static const char *const formats[] = {"rgba32f", "rgba16f", "rgba8"};
    int w = s[2], h = s[3], channels = form % 2 ? 1 : 4, last = w * h - 1;
    const char *format = formats[(s[0] + form) % 3], *taps = channels == 1 ? "r32f" : "rgba32f";
    double *src = values_noise(r, format, s[0], s[1], 0, 1);
    double *kernel = values_noise(r, taps, w, h, 0, 1);
    for (int t = 0; t < w * h * channels; ++t) {
        int at = t / channels, x = at % w, y = at / w, k = t % channels;
        int mirrored = form == 1 ? last - at : y * w + (w - 1 - x);
        if ((form == 1 || form == 2) && mirrored < at)
            kernel[t] = kernel[mirrored * channels + k];
        if (form == 2 && h - 1 - y < y)
            kernel[t] = kernel[((h - 1 - y) * w + x) * channels + k];
        if (form == 3)
            kernel[t] =
                exp(-0.1 * (x - w / 2) * (x - w / 2)) * exp(-0.2 * (y - h / 2) * (y - h / 2));
    }
    ag_convolve_settings settings = settings_of(border, rng_hdr(r, 1e-4, 1));
    settings.normalize = form % 2;
    settings.correlate = border & 1;
    trial t = convolving_of(f, "deconvolve", trial_image(format, s[0], s[1], src),
                            trial_image(taps, w, h, kernel),
                            trial_image("rgba32f", s[0], s[1], NULL), &settings);
    t.pass = pass;
    t.reference = restored;
    t.snr = 0;
    bool good = trial_check(&t);
    trial_free(&t);
    free(src);
    free(kernel);
    return good;
}

// Every border and form; and what wraps, which is exact at every size, whatever its prime factors.
static void test_definition(void **state)
{
    static const int sizes[][4] = {{64, 48, 5, 7}, {61, 45, 8, 4}, {1, 1, 1, 1},
                                   {1, 40, 1, 9},  {37, 1, 37, 1}, {90, 64, 33, 21},
                                   {97, 51, 9, 6}, {50, 53, 7, 7}, {22, 40, 11, 3}};
    enum { WRAPPED = 96 };
    fixture *f = *state;
    rng r = rng_start("definition", 801);
    ag_pass *pass = fixture_pass(f, "convolve");
    bool good = true;
    sweep *share = sweep_start("definition", 60);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int border = TAPER; border < 4; ++border)
            for (int form = 0; form < 4; ++form)
                if (sweep_takes(share))
                    good = check_random(f, pass, &r, sizes[i], border, form) && good;
    for (int n = 1; n <= WRAPPED; ++n) {
        int height = n * 37 % WRAPPED + 1;
        const int size[] = {n, height, n < 6 ? n : 6, height < 5 ? height : 5};
        if (sweep_takes(share))
            good = check_random(f, pass, &r, size, AG_BORDER_WRAP, n % 4) && good;
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

// Blurs a picture, crops it, so that light from outside is in it, adds noise and restores it.
// Returns the gain in dB.
static double restore(fixture *f, const double *kernel, const ag_convolve_settings *s, double sigma,
                      rng *r)
{
    double *large = photograph(r), *sharp = cropped(large);
    double *light = check_doubles(LARGE_W * LARGE_H);
    convolve_ref ref = {.src = large,
                        .width = LARGE_W,
                        .height = LARGE_H,
                        .channels = 1,
                        .kernel = kernel,
                        .kernel_width = TAPS,
                        .kernel_height = TAPS,
                        .kernel_channels = 1,
                        .border = s->border,
                        .normalize = AG_NORMALIZE_SUM};
    CHECK(convolve_ref_fft(&ref, light));
    double *blurred = cropped(light);
    for (int i = 0; i < W * H; ++i)
        blurred[i] += sigma * rng_normal(r);
    ag_convolve_settings settings = *s;
    trial t = convolving_of(f, "restore", trial_image("r32f", W, H, blurred),
                            trial_image("r32f", TAPS, TAPS, kernel),
                            trial_image("r32f", W, H, NULL), &settings);
    double *got = trial_take(&t, DST);
    double before = check_psnr(blurred, sharp, W * H, 1), after = check_psnr(got, sharp, W * H, 1);
    printf("  note  noise %g: blurred %.2f dB, restored %.2f dB\n", sigma, before, after);
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

// With the default settings no crop becomes worse, whatever its blur and its noise. With little
// noise, and a setting for it: what can be had in the mean.
static void test_restores(void **state)
{
    static const double sigmas[] = {0.03, 0.001, 0.01, 0.06};
    static const struct {
        int blur, border;
        double gain;
    } rows[] = {{0, TAPER, 5.5}, {3, TAPER, 1.4}, {0, AG_BORDER_MIRROR, 3.6}};
    enum { DEFAULTS = BLURS * COUNT(sigmas), PICTURES = 12 };
    fixture *f = *state;
    double kernel[TAPS * TAPS];
    bool good = true;
    sweep *share = sweep_start("restores", 12);
    for (int i = 0; i < (int)(DEFAULTS + COUNT(rows)); ++i) {
        bool by_default = i < DEFAULTS;
        int which = by_default ? i % BLURS : rows[i - DEFAULTS].blur;
        double sigma = by_default ? sigmas[i / BLURS] : 1e-3;
        double gain = by_default ? 0.2 : rows[i - DEFAULTS].gain;
        if (!sweep_takes(share))
            continue;
        ag_convolve_settings s = settings_of(by_default ? TAPER : rows[i - DEFAULTS].border, 1e-3);
        if (by_default)
            s.noise = ((ag_convolve_settings)AG_CONVOLVE_DEFAULTS).noise;
        s.normalize = AG_NORMALIZE_SUM;
        blur(which, kernel);
        char name[96];
        snprintf(name, sizeof name, "%s, border %d: %g dB less its gain", blurs[which], s.border,
                 gain);
        // The worst of two crops; with a setting the mean of pictures, which differ by several dB.
        double worst = (double)INFINITY, sum = 0;
        rng r = rng_start("restores", 802);
        int pictures = by_default ? 2 : PICTURES;
        for (int k = 0; k < pictures; ++k) {
            double gained = restore(f, kernel, &s, sigma, &r);
            worst = fmin(worst, gained);
            sum += gained;
        }
        good = check_limit(name, gain - (by_default ? worst : sum / pictures), 0) && good;
    }
    CHECK(good);
}

static void test_refusals(void **state)
{
    enum { ONES, NONE, NO_GREEN };
    static const struct {
        const char *src, *taps, *word;
        int width, height, kernel, kind, status;
        float noise;
        int edges, border, method, storage;
    } rows[] = {
        {"r32f", "r32f", "channel 0 is zero everywhere", 8, 8, 3, NONE, AG_E_ARG, 1, 0, 0, 0, 0},
        {"rgba32f", "rgba32f", "channel 1 is zero everywhere", 4, 4, 3, NO_GREEN, AG_E_ARG, 1, 0, 0,
         0, 0},
        {"rgba32f", "r32f", "noise is 0", 4, 4, 3, ONES, AG_E_ARG, 0, 0, 0, 0, 0},
        {"rgba32f", "r32f", "border is mirror", 4, 4, 3, ONES, AG_E_ARG, 1, AG_EDGES_TAPER,
         AG_BORDER_MIRROR, 0, 0},
        {"rgba32f", "r32f", "method is direct", 4, 4, 3, ONES, AG_E_ARG, 1, 0, 0,
         AG_CONVOLVE_DIRECT, 0},
        {"rgba32f", "r32f", "storage is compact", 4, 4, 3, ONES, AG_E_ARG, 1, 0, 0, 0,
         AG_STORAGE_COMPACT},
        {"rgba32f", "r32f", "no larger", 4, 4, 8, ONES, AG_E_SIZE, 1, 0, 0, 0, 0},
        {"r8", "r32f", "no prime factor above 7", 4099, 4, 4, ONES, AG_E_SIZE, 1, AG_EDGES_BORDER,
         AG_BORDER_WRAP, 0, 0},
    };
    bool good = true;
    for (size_t i = 0; i < COUNT(rows); ++i) {
        int n = rows[i].kernel;
        double *taps = values_even(rows[i].taps, n, n, rows[i].kind == ONES);
        if (rows[i].kind == NO_GREEN)
            taps[16] = taps[18] = 1; // the middle
        ag_convolve_settings s = settings_of(rows[i].border, (double)rows[i].noise);
        s.edges = rows[i].edges;
        s.method = rows[i].method;
        s.storage = rows[i].storage;
        trial t = convolving_of(*state, "refused",
                                trial_image(rows[i].src, rows[i].width, rows[i].height, NULL),
                                trial_image(rows[i].taps, n, n, taps),
                                trial_image(rows[i].src, rows[i].width, rows[i].height, NULL), &s);
        good = trial_refused(&t, rows[i].status, rows[i].word) && good;
        host_log_clear(&t.f->host);
        trial_free(&t);
        free(taps);
    }
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_SWEEP(test_definition), FIXTURE_SWEEP(test_restores),
                                FIXTURE_TEST(test_refusals)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
