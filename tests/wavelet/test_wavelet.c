// test_wavelet.c - "wavelet" against PyWavelets' files and against its definition in double
// SPDX-License-Identifier: MIT
#include "test_wavelet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SRC, DST };

// ---- a pass ------------------------------------------------------------------------------------

void waving_open(fixture *f, waving *w)
{
    *w = (waving){.f = f, .pass = fixture_pass(f, "wavelet")};
    CHECK_STATUS(f->ag->defaults("wavelet", &w->settings, sizeof w->settings), AG_OK);
    w->slots[AG_WAVELET_TAPS] = texture_no_view();
    w->job = (ag_job){.struct_size = sizeof w->job,
                      .slots = w->slots,
                      .slot_count = 3,
                      .settings = &w->settings,
                      .scratch = {.struct_size = sizeof(ag_buffer)}};
}

void waving_taps(waving *w, int taps, const double *low, const double *low_r)
{
    double rows[2 * WAVELET_REF_TAPS];
    memcpy(rows, low, sizeof *rows * (size_t)taps);
    if (low_r)
        memcpy(rows + taps, low_r, sizeof *rows * (size_t)taps);
    if (w->taps.name)
        texture_destroy(w->f, &w->taps);
    w->taps = texture_create(w->f, "r32f", taps, low_r ? 2 : 1, rows);
    w->slots[AG_WAVELET_TAPS] = texture_view(&w->taps);
    w->settings.wavelet = AG_WAVELET_CUSTOM;
    w->low = low;
    w->low_r = low_r;
}

void waving_close(waving *w)
{
    if (w->taps.name)
        texture_destroy(w->f, &w->taps);
    w->f->ag->pass_destroy(w->pass);
}

void waving_run(waving *w, int direction, const texture *src, const texture *dst)
{
    w->settings.direction = direction;
    w->slots[SRC] = texture_view(src);
    w->slots[DST] = texture_view(dst);
    texture_poison(w->f, dst);
    fixture_run(w->f, w->pass, &w->job);
}

wavelet_ref waving_ref(const waving *w, int width, int height)
{
    const ag_wavelet_settings *s = &w->settings;
    if (s->wavelet == AG_WAVELET_CUSTOM)
        return wavelet_ref_custom(w->taps.width, w->low, w->low_r, s->border, s->levels,
                                  s->layout == AG_WAVELET_BANDS, width, height);
    if (s->stationary)
        return wavelet_ref_stationary(s->wavelet, s->levels, width, height);
    return wavelet_ref_make(s->wavelet, s->border, s->levels, s->layout == AG_WAVELET_BANDS, width,
                            height);
}

texture waving_coefficients(waving *w, const texture *image, const char *format)
{
    int32_t size[3];
    w->settings.direction = AG_WAVELET_FORWARD;
    w->slots[SRC] = texture_view(image);
    w->slots[DST] = texture_no_view();
    CHECK_STATUS(w->f->ag->slot_size(w->pass, &w->job, DST, size), AG_OK);
    int layers = w->settings.layout == AG_WAVELET_BANDS || image->layers ? size[2] : 0;
    return texture_create_array(w->f, format, size[0], size[1], layers, 1, NULL);
}

double *waving_channel(const double *texels, size_t count, int channels, int channel)
{
    double *values = check_doubles(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = texels[i * (size_t)channels + (size_t)channel];
    return values;
}

double waving_error(const double *texels, const double *right, size_t count, int channels,
                    int channel, double *largest)
{
    double worst = 0;
    *largest = 0;
    for (size_t i = 0; i < count; ++i) {
        double off = fabs(texels[i * (size_t)channels + (size_t)channel] - right[i]);
        worst = isnan(worst) || off <= worst ? worst : off;
        *largest = fmax(*largest, fabs(right[i]));
    }
    return worst;
}

// ---- PyWavelets' files -------------------------------------------------------------------------

typedef struct golden { // a record of golden.bin
    int32_t kind, wavelet, border, levels, width, height, columns, rows, layers;
} golden;

static const char *const wavelets[] = {"haar",  "db2",   "db4",   "sym4",
                                       "coif1", "cdf53", "cdf97", "custom"};
static const char *const borders[] = {"periodization", "symmetric", "reflect", "zero"};

// The next record of the file, its values and its image; false at its end.
static bool read_golden(FILE *file, int seed, golden *g, double **values, double **image)
{
    if (fread(g, sizeof *g, 1, file) != 1)
        return false;
    size_t count = (size_t)(g->columns * g->rows * g->layers);
    size_t texels = (size_t)(g->width * g->height);
    *values = check_doubles(count);
    *image = check_doubles(texels);
    CHECK(fread(*values, sizeof **values, count, file) == count);
    rng r = {(uint64_t)seed};
    rng_fill_uniform(&r, *image, texels, -1, 1);
    return true;
}

// The reference against a record, and with `gpu` the GPU, too.
static bool check_golden(waving *w, const golden *g, const double *values, const double *image,
                         bool gpu)
{
    char name[128];
    double largest;
    size_t count = (size_t)(g->columns * g->rows * g->layers);
    w->settings =
        *ag_wavelet_params(.wavelet = g->wavelet, .border = g->border, .levels = g->levels,
                           .layout = g->kind ? AG_WAVELET_BANDS : AG_WAVELET_PYRAMID,
                           .stationary = g->kind, .scrub = 1);
    wavelet_ref ref = waving_ref(w, g->width, g->height);
    CHECK_EQ(ref.columns, g->columns);
    CHECK_EQ(ref.rows, g->rows);
    double *own = wavelet_ref_forward(&ref, image);
    double *back = wavelet_ref_inverse(&ref, values);
    snprintf(name, sizeof name, "%s %s %d levels of %dx%d: the reference", wavelets[g->wavelet],
             g->kind ? "stationary" : borders[g->border], g->levels, g->width, g->height);
    bool good = check_limit(name, check_max_error(own, values, count), 1e-13);
    good = check_limit("    its inverse of them",
                       check_max_error(back, image, (size_t)(g->width * g->height)), 1e-11) &&
           good;
    free(own);
    free(back);
    if (!gpu)
        return good;
    texture src = texture_create(w->f, "r32f", g->width, g->height, image);
    texture dst = waving_coefficients(w, &src, "r32f");
    CHECK_EQ(dst.width, g->columns);
    CHECK_EQ(dst.height, g->rows);
    waving_run(w, AG_WAVELET_FORWARD, &src, &dst);
    double *got = texture_read(w->f, &dst, 0);
    double error = waving_error(got, values, count, 1, 0, &largest);
    good = check_limit("    the GPU, of the largest", error / largest, WAVELET_ERROR) && good;
    free(got);
    texture_destroy(w->f, &src);
    texture_destroy(w->f, &dst);
    return good;
}

static void test_golden(void **state)
{
    FILE *file = fopen(AG_WAVELET_GOLDEN, "rb");
    CHECK_F(file != NULL, "%s", AG_WAVELET_GOLDEN);
    waving w;
    waving_open(*state, &w);
    golden g;
    double *values, *image;
    bool good = true;
    int seed = 0;
    sweep *share = sweep_start("golden", 13);
    for (; read_golden(file, seed, &g, &values, &image); ++seed) {
        good = check_golden(&w, &g, values, image, sweep_takes(share)) && good;
        free(values);
        free(image);
    }
    fclose(file);
    CHECK_EQ(seed, 7 * (4 * 2 + 1));
    waving_close(&w);
    CHECK(good);
}

// ---- random images -----------------------------------------------------------------------------

// Forward and inverse of a random RGBA32F image, all channels.
static bool check_random(waving *w, rng *r, int width, int height)
{
    char name[160];
    size_t texels = (size_t)width * (size_t)height;
    const ag_wavelet_settings s = w->settings;
    wavelet_ref ref = waving_ref(w, width, height);
    size_t count = (size_t)(ref.columns * ref.rows * ref.layers);
    double *image = check_doubles(4 * texels), *random = check_doubles(4 * count);
    rng_fill_uniform(r, image, 4 * texels, -1, 1);
    rng_fill_uniform(r, random, 4 * count, -1, 1);
    texture src = texture_create(w->f, "rgba32f", width, height, image);
    texture dst = waving_coefficients(w, &src, "rgba32f");
    texture back = texture_create(w->f, "rgba32f", width, height, NULL);
    CHECK_EQ(dst.width, ref.columns);
    CHECK_EQ(dst.height, ref.rows);
    waving_run(w, AG_WAVELET_FORWARD, &src, &dst);
    double *got = texture_read(w->f, &dst, 0);
    waving_run(w, AG_WAVELET_INVERSE, &dst, &back);
    double *again = texture_read(w->f, &back, 0);
    texture_upload(w->f, &dst, 0, random);
    waving_run(w, AG_WAVELET_INVERSE, &dst, &back);
    double *other = texture_read(w->f, &back, 0);
    double forward = 0, inverse = 0, reconstruction = 0, largest;
    texture_quantise("rgba32f", image, texels);
    texture_quantise("rgba32f", random, count);
    for (int c = 0; c < 4; ++c) {
        double *channel = waving_channel(image, texels, 4, c);
        double *right = wavelet_ref_forward(&ref, channel);
        double error = waving_error(got, right, count, 4, c, &largest) / largest;
        forward = error <= forward ? forward : error;
        error = waving_error(again, channel, texels, 4, c, &largest) / largest;
        reconstruction = error <= reconstruction ? reconstruction : error;
        free(right);
        free(channel);
        channel = waving_channel(random, count, 4, c);
        right = wavelet_ref_inverse(&ref, channel);
        // Of a few samples the sum may nearly cancel: then its terms, of about 1, are the measure.
        error = waving_error(other, right, texels, 4, c, &largest) / fmax(largest, 1);
        inverse = error <= inverse ? inverse : error;
        free(right);
        free(channel);
    }
    snprintf(name, sizeof name, "%dx%d %s %s %d levels %s: forward", width, height,
             wavelets[s.wavelet], borders[s.border], s.levels, s.layout ? "bands" : "pyramid");
    bool good = check_limit(name, forward, WAVELET_ERROR);
    good = check_limit("    inverse", inverse, WAVELET_ERROR) && good;
    good = check_limit("    forward and inverse", reconstruction, WAVELET_RECONSTRUCTION) && good;
    free(image);
    free(random);
    free(got);
    free(again);
    free(other);
    texture_destroy(w->f, &src);
    texture_destroy(w->f, &dst);
    texture_destroy(w->f, &back);
    return good;
}

static void test_sizes(void **state)
{
    // Width, height, levels. Tiles have up to 64 x 32 samples.
    static const int sizes[][3] = {{1, 1, 1},   {1, 9, 3},   {9, 1, 4},    {2, 2, 1},
                                   {3, 2, 2},   {7, 5, 3},   {16, 16, 4},  {31, 33, 5},
                                   {64, 32, 2}, {65, 31, 1}, {128, 64, 3}, {57, 130, 2},
                                   {200, 77, 7}};
    rng r = rng_start("sizes", 501);
    waving w;
    waving_open(*state, &w);
    bool good = true;
    sweep *share = sweep_start("sizes", 90);
    for (int wavelet = 0; wavelet < 7; ++wavelet)
        for (int border = 0; border < 4; ++border)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
                if (!sweep_takes(share))
                    continue;
                w.settings.wavelet = wavelet;
                w.settings.border = border;
                w.settings.levels = sizes[i][2];
                w.settings.layout = (int)(i + (size_t)(wavelet + border)) % 2;
                good = check_random(&w, &r, sizes[i][0], sizes[i][1]) && good;
            }
    waving_close(&w);
    CHECK(good);
}

static void test_stationary(void **state)
{
    static const int sizes[][3] = {{2, 2, 1}, {16, 16, 4}, {72, 40, 3}, {130, 6, 1}, {8, 64, 3}};
    rng r = rng_start("stationary", 504);
    waving w;
    waving_open(*state, &w);
    bool good = true;
    sweep *share = sweep_start("stationary", 12);
    w.settings.layout = AG_WAVELET_BANDS;
    w.settings.stationary = 1;
    for (int wavelet = 0; wavelet < 7; ++wavelet)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
            if (!sweep_takes(share))
                continue;
            w.settings.wavelet = wavelet;
            w.settings.levels = sizes[i][2];
            good = check_random(&w, &r, sizes[i][0], sizes[i][1]) && good;
        }
    waving_close(&w);
    CHECK(good);
}

// Filters of a texture: PyWavelets' db3 and db8, of one row, and bior1.3, of two.
static void test_custom(void **state)
{
    static const double db3[] = {0.03522629188570937, -0.08544127388202669, -0.13501102001025458,
                                 0.4598775021184915,  0.8068915093110925,   0.33267055295008263};
    static const double db8[] = {-0.00011747678400228192, 0.0006754494059985568,
                                 -0.0003917403729959771,  -0.00487035299301066,
                                 0.008746094047015655,    0.013981027917015516,
                                 -0.04408825393106472,    -0.01736930100202211,
                                 0.128747426620186,       0.00047248457399797254,
                                 -0.2840155429624281,     -0.015829105256023893,
                                 0.5853546836548691,      0.6756307362980128,
                                 0.3128715909144659,      0.05441584224308161};
    static const double half = 0.7071067811865476;
    static const double bior13[] = {-0.08838834764831845, 0.08838834764831845, half, half,
                                    0.08838834764831845,  -0.08838834764831845};
    static const double bior13_r[] = {0, 0, half, half, 0, 0};
    rng r = rng_start("custom", 505);
    waving w;
    waving_open(*state, &w);
    bool good = true;
    sweep *share = sweep_start("custom", 6);
    for (int border = 0; border < 4; border += 3) {
        w.settings.border = border;
        w.settings.levels = 2;
        if (sweep_takes(share)) {
            waving_taps(&w, 6, db3, NULL);
            good = check_random(&w, &r, 67, 50) && good;
        }
        if (sweep_takes(share)) {
            waving_taps(&w, 16, db8, NULL);
            good = check_random(&w, &r, 120, 45) && good;
        }
        if (sweep_takes(share)) {
            waving_taps(&w, 6, bior13, bior13_r);
            good = check_random(&w, &r, 33, 34) && good;
        }
    }
    waving_close(&w);
    CHECK(good);
}

static void test_whole_frame(void **state)
{
    rng r = rng_start("a whole frame", 502);
    waving w;
    waving_open(*state, &w);
    w.settings.wavelet = AG_WAVELET_CDF97;
    w.settings.levels = 11;
    bool good = check_random(&w, &r, 1920, 1080);
    w.settings.border = AG_WAVELET_SYMMETRIC;
    w.settings.levels = 3;
    good = check_random(&w, &r, 1920, 1080) && good;
    waving_close(&w);
    CHECK(good);
}

// The longest lines.
static void test_longest(void **state)
{
    rng r = rng_start("the longest lines", 503);
    waving w;
    waving_open(*state, &w);
    w.settings.wavelet = AG_WAVELET_DB4;
    w.settings.levels = 14;
    bool good = check_random(&w, &r, 16384, 2);
    good = check_random(&w, &r, 1, 16384) && good;
    waving_close(&w);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_golden),  FIXTURE_SWEEP(test_sizes),      FIXTURE_SWEEP(test_stationary),
        FIXTURE_SWEEP(test_custom),  FIXTURE_FULL(test_whole_frame), FIXTURE_FULL(test_longest),
        FIXTURE_SWEEP(test_formats), FIXTURE_TEST(test_arrays),      FIXTURE_TEST(test_rectangles),
        FIXTURE_SWEEP(test_scrub),   FIXTURE_SWEEP(test_energy),     FIXTURE_SWEEP(test_constant),
        FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
