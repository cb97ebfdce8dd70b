// test_wavelet.c - "wavelet" against PyWavelets' files and against its definition in double
// SPDX-License-Identifier: MIT
#include "test_wavelet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a transform and its reference -------------------------------------------------------------

// The float format with the channels of this one.
static const char *floats_of(const char *format, bool half)
{
    static const char *const names[][2] = {{"r32f", "r16f"}, {"rg32f", "rg16f"}};
    int channels = format_named(format)->channels;
    return channels < 3 ? names[channels - 1][half] : half ? "rgba16f" : "rgba32f";
}

static wavelet_ref ref_of(const wave *c, int width, int height)
{
    bool bands = c->layout == AG_WAVELET_BANDS;
    if (c->wavelet == AG_WAVELET_CUSTOM)
        return wavelet_ref_custom(c->taps, c->filters, c->rows > 1 ? c->filters + c->taps : NULL,
                                  c->border, c->levels, bands, width, height);
    if (c->stationary)
        return wavelet_ref_stationary(c->wavelet, c->levels, width, height);
    return wavelet_ref_make(c->wavelet, c->border, c->levels, bands, width, height);
}

wavelet_ref wave_ref(const wave *c)
{
    return ref_of(c, c->width, c->height);
}

// One channel of what a layer of the job reads, all its bands. Texels that are not finite count as
// 0.
static double *read_channel(const trial *t, int layer, int bands, int channel)
{
    const ag_wavelet_settings *s = t->settings;
    const ag_texture *v = &t->views[SRC];
    size_t n = (size_t)trial_channels(t, SRC);
    size_t texels = (size_t)((v->rect_width ? v->rect_width : v->width) *
                             (v->rect_height ? v->rect_height : v->height));
    double *out = check_doubles(texels * (size_t)bands);
    for (int b = 0; b < bands; ++b) {
        double *values = trial_input(t, SRC, layer * bands + b);
        if (s->scrub)
            values_scrub(values, texels, (int)n);
        for (size_t i = 0; i < texels; ++i)
            out[(size_t)b * texels + i] = values[i * n + (size_t)channel];
        free(values);
    }
    return out;
}

static bool transformed(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_wavelet_settings *s = t->settings;
    bool inverse = s->direction == AG_WAVELET_INVERSE;
    const ag_texture *image = &t->views[inverse ? DST : SRC];
    wavelet_ref ref = ref_of(t->user, image->rect_width ? image->rect_width : image->width,
                             image->rect_height ? image->rect_height : image->height);
    int texels = p->width * p->height, band = inverse ? 0 : p->layer % ref.layers;
    int layer = inverse ? p->layer : p->layer / ref.layers, n = trial_channels(t, SRC);
    for (int c = 0; c < p->channels; ++c) {
        if (c >= n || n == 3) { // alpha of a format that has none
            for (int i = 0; i < texels && c == 3; ++i)
                want[i * 4 + 3] = TRIAL_ANY;
            if (c >= n)
                continue;
        }
        double *in = read_channel(t, layer, inverse ? ref.layers : 1, c);
        double *out = inverse ? wavelet_ref_inverse(&ref, in) : wavelet_ref_forward(&ref, in);
        // Of a few samples a sum may nearly cancel: then the inverse's terms, of about 1, are the
        // measure.
        double largest = inverse ? 1 : 0;
        for (int i = 0; i < texels * (inverse ? 1 : ref.layers); ++i)
            largest = fmax(largest, fabs(out[i]));
        for (int i = 0; i < texels; ++i) {
            want[i * p->channels + c] = out[band * texels + i];
            bound[i * p->channels + c] = WAVELET_ERROR * largest;
        }
        free(in);
        free(out);
    }
    return true;
}

trial wave_of(fixture *f, ag_pass *pass, const wave *c, int direction, const char *coefficients,
              const double *values, ag_wavelet_settings *s)
{
    trial t = trial_of(f, "wavelet", direction ? "inverse" : "forward", s, sizeof *s);
    wavelet_ref ref = wave_ref(c);
    int layers =
        c->layout == AG_WAVELET_BANDS ? ref.layers * (c->layers ? c->layers : 1) : c->layers;
    int image = direction ? DST : SRC;
    t.pass = pass;
    t.slots[image] = trial_image(c->format, c->width, c->height, NULL);
    t.slots[image].layers = c->layers;
    t.slots[!image] = trial_image(coefficients, ref.columns, ref.rows, NULL);
    t.slots[!image].layers = layers;
    t.slots[SRC].values = values;
    if (c->wavelet == AG_WAVELET_CUSTOM)
        t.slots[TAPS] = trial_image("r32f", c->taps, c->rows, c->filters);
    t.reference = transformed;
    t.user = (void *)(uintptr_t)c;
    t.left_out = format_named(c->format)->channels == 3 ? 0.25 : 0;
    s->direction = direction;
    s->wavelet = c->wavelet;
    s->border = c->border;
    s->levels = c->levels;
    s->layout = c->layout;
    s->stationary = c->stationary;
    return t;
}

// That the module states the size of the coefficients.
static void check_size(trial *t)
{
    int32_t size[3];
    const texture *dst = &t->textures[DST];
    t->views[DST] = texture_no_view();
    CHECK_STATUS(t->f->ag->slot_size(t->pass, &t->job, DST, size), AG_OK);
    CHECK_EQ(size[0], dst->width);
    CHECK_EQ(size[1], dst->height);
    CHECK_EQ(size[2], dst->layers ? dst->layers : 1);
}

// A slot's rectangle, in a texture that is larger by as much as it lies from the corner, and 5.
static void place(trial_slot *slot, int x, int y)
{
    slot->x = x;
    slot->y = y;
    slot->w = slot->width;
    slot->h = slot->height;
    slot->width += x + 5;
    slot->height += y + 5;
}

// One direction, of noise. Returns what it gave (malloc).
static double *check_one(fixture *f, ag_pass *pass, const wave *c, int direction,
                         const double *values, bool *good)
{
    ag_wavelet_settings s;
    trial t = wave_of(f, pass, c, direction, floats_of(c->format, c->half), values, &s);
    if (c->placed) {
        place(&t.slots[SRC], 11, 7);
        place(&t.slots[DST], 4, 3);
    }
    *good = trial_check(&t) && *good;
    double *got = t.got[DST];
    t.got[DST] = NULL;
    if (!direction && !c->placed)
        check_size(&t);
    trial_free(&t);
    return got;
}

// Forward, inverse of random coefficients, and forward and inverse, of noise.
static bool wave_check(fixture *f, ag_pass *pass, rng *r, const wave *c)
{
    wavelet_ref ref = wave_ref(c);
    const char *floats = floats_of(c->format, c->half);
    int layers = c->layers ? c->layers : 1, rows = c->height * layers;
    int more[2] = {c->placed ? 16 : 0, c->placed ? 12 : 0};
    size_t count = (size_t)(c->width * rows * format_named(c->format)->channels);
    bool exact = format_named(c->format)->bits[0] == 32 && !c->half && !c->placed, good = true;
    double *image = values_noise(r, c->format, c->width + more[0], rows + more[1], exact ? -1 : 0.1,
                                 exact ? 1 : 0.9);
    double *random =
        values_noise(r, floats, ref.columns + more[0],
                     ref.rows * (c->layout ? ref.layers : 1) * layers + more[1], -1, 1);
    double *forward = check_one(f, pass, c, AG_WAVELET_FORWARD, image, &good);
    free(check_one(f, pass, c, AG_WAVELET_INVERSE, random, &good));
    if (exact) {
        double *back = check_one(f, pass, c, AG_WAVELET_INVERSE, forward, &good), largest = 0;
        for (size_t i = 0; i < count; ++i)
            largest = fmax(largest, fabs(image[i]));
        good = check_limit("    forward and inverse", check_max_error(back, image, count),
                           WAVELET_RECONSTRUCTION * largest) &&
               good;
        free(back);
    }
    free(image);
    free(random);
    free(forward);
    return good;
}

// ---- PyWavelets' files -------------------------------------------------------------------------

typedef struct golden { // a record of golden.bin
    int32_t kind, wavelet, border, levels, width, height, columns, rows, layers;
} golden;

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

// The reference against a record, and with `gpu` the GPU against the reference, too.
static bool check_golden(fixture *f, ag_pass *pass, const golden *g, const double *values,
                         const double *image, bool gpu)
{
    const wave c = {"r32f",    g->width,  g->height, 0,       g->wavelet,
                    g->border, g->levels, g->kind,   g->kind, .taps = 0};
    wavelet_ref ref = wave_ref(&c);
    size_t count = (size_t)(g->columns * g->rows * g->layers);
    char name[128];
    CHECK_EQ(ref.columns, g->columns);
    CHECK_EQ(ref.rows, g->rows);
    double *own = wavelet_ref_forward(&ref, image), *back = wavelet_ref_inverse(&ref, values);
    snprintf(name, sizeof name, "wavelet %d%s border %d, %d levels of %dx%d: the reference",
             g->wavelet, g->kind ? " stationary" : "", g->border, g->levels, g->width, g->height);
    bool good = check_limit(name, check_max_error(own, values, count), 1e-13);
    good = check_limit("    its inverse of them",
                       check_max_error(back, image, (size_t)(g->width * g->height)), 1e-11) &&
           good;
    free(own);
    free(back);
    if (gpu) {
        ag_wavelet_settings s;
        trial t = wave_of(f, pass, &c, AG_WAVELET_FORWARD, "r32f", image, &s);
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    return good;
}

static void test_golden(void **state)
{
    FILE *file = fopen(AG_WAVELET_GOLDEN, "rb");
    CHECK_F(file != NULL, "%s", AG_WAVELET_GOLDEN);
    ag_pass *pass = fixture_pass(*state, "wavelet");
    golden g;
    double *values, *image;
    bool good = true;
    int seed = 0;
    sweep *share = sweep_start("golden", 18);
    for (; read_golden(file, seed, &g, &values, &image); ++seed) {
        good = check_golden(*state, pass, &g, values, image, sweep_takes(share)) && good;
        free(values);
        free(image);
    }
    fclose(file);
    CHECK_EQ(seed, 7 * (4 + 1));
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- random images -----------------------------------------------------------------------------

// Filters of a texture: PyWavelets' db3 and db8, of one row, and bior1.3, of two.
static const double db3[] = {0.03522629188570937, -0.08544127388202669, -0.13501102001025458,
                             0.4598775021184915,  0.8068915093110925,   0.33267055295008263};
static const double db8[] = {-0.00011747678400228192, 0.0006754494059985568, -0.0003917403729959771,
                             -0.00487035299301066,    0.008746094047015655,  0.013981027917015516,
                             -0.04408825393106472,    -0.01736930100202211,  0.128747426620186,
                             0.00047248457399797254,  -0.2840155429624281,   -0.015829105256023893,
                             0.5853546836548691,      0.6756307362980128,    0.3128715909144659,
                             0.05441584224308161};
static const double half = 0.7071067811865476;
static const double bior13[] = {-0.08838834764831845,
                                0.08838834764831845,
                                half,
                                half,
                                0.08838834764831845,
                                -0.08838834764831845,
                                0,
                                0,
                                half,
                                half,
                                0,
                                0};

// Each border at an odd size, each layout, kind and way of giving filters; arrays, whose layers are
// images of their own, rectangles, formats. Tiles have up to 64 x 32 samples.
static void test_each(void **state)
{
    enum { CUSTOM = AG_WAVELET_CUSTOM, BANDS = AG_WAVELET_BANDS };
    static const wave waves[] = {
        {"rgba32f", 31, 33, 0, AG_WAVELET_DB2, AG_WAVELET_PERIODIZATION, 5, .taps = 0},
        {"rgba32f", 31, 33, 0, AG_WAVELET_DB4, AG_WAVELET_SYMMETRIC, 5, BANDS, .taps = 0},
        {"rgba32f", 31, 33, 0, AG_WAVELET_SYM4, AG_WAVELET_REFLECT, 5, .taps = 0},
        {"rgba32f", 31, 33, 0, AG_WAVELET_CDF97, AG_WAVELET_ZERO, 5, .taps = 0},
        {"r32f", 65, 31, 0, AG_WAVELET_HAAR, 0, 1, .placed = true},
        {"r32f", 37, 22, 3, AG_WAVELET_CDF53, 0, 3, BANDS, .taps = 0},
        {"rgba32f", 72, 40, 0, AG_WAVELET_COIF1, 0, 3, BANDS, 1, .taps = 0},
        {"rgba8", 45, 27, 0, AG_WAVELET_CDF53, 0, 2, .half = true},
        {"rgba32f", 120, 45, 0, CUSTOM, 0, 2, .taps = 16, .rows = 1, .filters = db8},
        {"r32f", 33, 34, 0, CUSTOM, AG_WAVELET_ZERO, 2, .taps = 6, .rows = 2, .filters = bior13},
    };
    rng r = rng_start("each", 501);
    ag_pass *pass = fixture_pass(*state, "wavelet");
    bool good = true;
    for (size_t i = 0; i < COUNT(waves); ++i)
        good = wave_check(*state, pass, &r, &waves[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_random(void **state)
{
    rng r = rng_start("random", 504);
    ag_pass *pass = fixture_pass(*state, "wavelet");
    bool good = true;
    sweep *share = sweep_start("random", 240);
    for (int i = 0; i < 240; ++i) {
        wave c = {i % 3 ? "rgba32f" : format_at(i / 3 % FORMAT_COUNT)->name,
                  (int)rng_hdr(&r, 1, 200),
                  (int)rng_hdr(&r, 1, 140),
                  .wavelet = i % 7,
                  .border = rng_int(&r, 0, 3),
                  .layout = rng_int(&r, 0, 1)};
        int shorter = c.width < c.height ? c.width : c.height,
            longer = c.width + c.height - shorter;
        while (1 << c.levels < longer && c.levels < 7)
            ++c.levels;
        c.levels = rng_int(&r, 1, c.levels > 1 ? c.levels : 1);
        if (i % 6 == 5) {
            c.stationary = 1;
            c.layout = AG_WAVELET_BANDS;
            c.border = AG_WAVELET_PERIODIZATION;
            c.levels = rng_int(&r, 1, 3);
            c.width = rng_int(&r, 1, 9) << c.levels;
            c.height = rng_int(&r, 1, 9) << c.levels;
        }
        if (i % 12 == 3) {
            c.wavelet = AG_WAVELET_CUSTOM;
            c.taps = i % 24 == 3 ? 6 : 16;
            c.rows = 1;
            c.filters = i % 24 == 3 ? db3 : db8;
        }
        c.layers = rng_int(&r, 0, 3) ? 0 : 2;
        c.half = rng_int(&r, 0, 4) == 0;
        c.placed = !c.layers && !c.layout && rng_int(&r, 0, 3) == 0;
        if (sweep_takes(share))
            good = wave_check(*state, pass, &r, &c) && good;
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// Whole frames, and the longest lines.
static void test_large(void **state)
{
    static const wave cases[] = {
        {"rgba32f", 1920, 1080, 0, AG_WAVELET_CDF97, AG_WAVELET_PERIODIZATION, 11, .taps = 0},
        {"rgba32f", 1920, 1080, 0, AG_WAVELET_CDF97, AG_WAVELET_SYMMETRIC, 3, .taps = 0},
        {"rgba32f", 16384, 2, 0, AG_WAVELET_DB4, AG_WAVELET_PERIODIZATION, 14, .taps = 0},
        {"rgba32f", 1, 16384, 0, AG_WAVELET_DB4, AG_WAVELET_PERIODIZATION, 14, .taps = 0}};
    rng r = rng_start("large", 502);
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i)
        good = wave_check(*state, NULL, &r, &cases[i]) && good;
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_golden), FIXTURE_TEST(test_each),   FIXTURE_SWEEP(test_random),
        FIXTURE_FULL(test_large),   FIXTURE_SWEEP(test_scrub), FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
