// wavelet_values.c - "wavelet": formats, arrays, rectangles, non-finite texels, energy, refusals
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test_wavelet.h"

enum { SRC, DST };

// What a format of an image makes its coefficients, in float32.
static const char *float_format(const format_info *image)
{
    return image->channels == 1 ? "r32f" : image->channels == 2 ? "rg32f" : "rgba32f";
}

// Every format as an image, both ways; coefficients in 32 bits.
static bool check_image_format(waving *w, rng *r, const format_info *format)
{
    enum { W = 45, H = 27 };
    char name[96];
    int channels = format->channels == 3 ? 4 : format->channels;
    wavelet_ref ref = waving_ref(w, W, H);
    size_t count = (size_t)(ref.columns * ref.rows);
    double *image = check_doubles(W * H * 4), largest, forward = 0, inverse = 0;
    rng_fill_uniform(r, image, W * H * 4, 0.1, 0.9);
    texture src = texture_create(w->f, format->name, W, H, image);
    texture dst = waving_coefficients(w, &src, float_format(format));
    waving_run(w, AG_WAVELET_FORWARD, &src, &dst);
    double *got = texture_read(w->f, &dst, 0);
    waving_run(w, AG_WAVELET_INVERSE, &dst, &src);
    double *back = texture_read(w->f, &src, 0);
    texture_quantise(format->name, image, W * H);
    for (int c = 0; c < format->channels; ++c) {
        double *channel = waving_channel(image, W * H, format->channels, c);
        double *right = wavelet_ref_forward(&ref, channel);
        double error = waving_error(got, right, count, channels, c, &largest) / largest;
        forward = error <= forward ? forward : error;
        for (int i = 0; i < W * H; ++i) { // the texel that it was: nearest to its own value
            double off = format_error_units(format, c, channel[i], back[i * format->channels + c],
                                            WAVELET_ERROR);
            inverse = off <= inverse ? inverse : off;
        }
        free(right);
        free(channel);
    }
    snprintf(name, sizeof name, "%s: forward", format->name);
    bool good = check_limit(name, forward, WAVELET_ERROR);
    good = check_limit("    and back, in units of the format", inverse, 0.5) && good;
    free(image);
    free(got);
    free(back);
    texture_destroy(w->f, &src);
    texture_destroy(w->f, &dst);
    return good;
}

// Coefficients in halves: each is rounded once.
static bool check_halves(waving *w, rng *r, const char *format, const char *exact)
{
    enum { W = 45, H = 27 };
    const format_info *info = format_named(format);
    double *image = check_doubles(W * H * 4), worst = 0;
    rng_fill_uniform(r, image, W * H * 4, -1, 1);
    texture src = texture_create(w->f, exact, W, H, image);
    texture halves = waving_coefficients(w, &src, format);
    texture floats = waving_coefficients(w, &src, exact);
    waving_run(w, AG_WAVELET_FORWARD, &src, &halves);
    waving_run(w, AG_WAVELET_FORWARD, &src, &floats);
    double *got = texture_read(w->f, &halves, 0), *right = texture_read(w->f, &floats, 0);
    for (size_t i = 0; i < texture_value_count(&halves, 0); ++i) {
        double off = format_error_units(info, 0, right[i], got[i], 0);
        worst = off <= worst ? worst : off;
    }
    bool good = check_limit(format, worst, 0.5);
    free(image);
    free(got);
    free(right);
    texture_destroy(w->f, &src);
    texture_destroy(w->f, &halves);
    texture_destroy(w->f, &floats);
    return good;
}

void test_formats(void **state)
{
    rng r = rng_start("formats", 511);
    waving w;
    waving_open(*state, &w);
    w.settings.wavelet = AG_WAVELET_CDF53;
    w.settings.levels = 2;
    bool good = true;
    sweep *share = sweep_start("formats", 5);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (sweep_takes(share))
            good = check_image_format(&w, &r, format_at(i)) && good;
    if (sweep_takes(share))
        good = check_halves(&w, &r, "r16f", "r32f") && good;
    if (sweep_takes(share))
        good = check_halves(&w, &r, "rg16f", "rg32f") && good;
    if (sweep_takes(share))
        good = check_halves(&w, &r, "rgba16f", "rgba32f") && good;
    waving_close(&w);
    CHECK(good);
}

// Layers are images of their own; with bands each has as many layers as there are bands.
void test_arrays(void **state)
{
    enum { W = 37, H = 22, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("arrays", 512);
    waving w;
    waving_open(f, &w);
    w.settings.wavelet = AG_WAVELET_DB2;
    w.settings.levels = 3;
    bool good = true;
    for (int layout = 0; layout < 2; ++layout) {
        w.settings.layout = layout;
        wavelet_ref ref = waving_ref(&w, W, H);
        double image[W * H * LAYERS], largest;
        rng_fill_uniform(&r, image, W * H * LAYERS, -1, 1);
        texture src = texture_create_array(f, "r32f", W, H, LAYERS, 1, image);
        texture back = texture_create_array(f, "r32f", W, H, LAYERS, 1, NULL);
        texture dst = waving_coefficients(&w, &src, "r32f");
        CHECK_EQ(dst.layers, LAYERS * ref.layers);
        waving_run(&w, AG_WAVELET_FORWARD, &src, &dst);
        double *got = texture_read(f, &dst, 0);
        waving_run(&w, AG_WAVELET_INVERSE, &dst, &back);
        double *again = texture_read(f, &back, 0);
        texture_quantise("r32f", image, W * H * LAYERS);
        for (int l = 0; l < LAYERS; ++l) {
            size_t count = (size_t)(ref.columns * ref.rows * ref.layers);
            double *right = wavelet_ref_forward(&ref, image + l * W * H);
            double error = waving_error(got + (size_t)l * count, right, count, 1, 0, &largest);
            good = check_limit(layout ? "a layer's bands" : "a layer's pyramid", error / largest,
                               WAVELET_ERROR) &&
                   good;
            free(right);
            error = check_max_error(again + l * W * H, image + l * W * H, W * H);
            good = check_limit("    and back", error, WAVELET_RECONSTRUCTION) && good;
        }
        free(got);
        free(again);
        texture_destroy(f, &src);
        texture_destroy(f, &dst);
        texture_destroy(f, &back);
    }
    waving_close(&w);
    CHECK(good);
}

static void place(ag_texture *t, int x, int y, int width, int height)
{
    t->rect_x = x;
    t->rect_y = y;
    t->rect_width = width;
    t->rect_height = height;
}

// A rectangle of a larger image to one of larger coefficients, and back to one of another image.
void test_rectangles(void **state)
{
    enum { W = 90, H = 60, X = 11, Y = 7, RW = 53, RH = 38 };
    fixture *f = *state;
    rng r = rng_start("rectangles", 513);
    waving w;
    waving_open(f, &w);
    w.settings = *ag_wavelet_params(.wavelet = AG_WAVELET_SYM4, .border = AG_WAVELET_REFLECT,
                                    .levels = 2, .scrub = 1);
    bool good = true;
    double image[W * H], part[RW * RH], largest;
    rng_fill_uniform(&r, image, W * H, -1, 1);
    texture_quantise("r32f", image, W * H);
    for (int y = 0; y < RH; ++y)
        memcpy(part + y * RW, image + (Y + y) * W + X, RW * sizeof *part);
    wavelet_ref ref = waving_ref(&w, RW, RH);
    texture src = texture_create(f, "r32f", W, H, image);
    texture dst = texture_create(f, "r32f", ref.columns + 9, ref.rows + 5, NULL);
    texture back = texture_create(f, "r32f", W, H, NULL);
    w.slots[SRC] = texture_view(&src);
    w.slots[DST] = texture_view(&dst);
    place(&w.slots[SRC], X, Y, RW, RH);
    place(&w.slots[DST], 4, 3, ref.columns, ref.rows);
    fixture_run(f, w.pass, &w.job);
    double *got = texture_read(f, &dst, 0), *right = wavelet_ref_forward(&ref, part), worst = 0;
    for (int y = 0; y < ref.rows; ++y) {
        double error = waving_error(got + (y + 3) * dst.width + 4, right + y * ref.columns,
                                    (size_t)ref.columns, 1, 0, &largest);
        worst = error <= worst ? worst : error;
    }
    good = check_limit("a rectangle, of 1", worst, 4 * WAVELET_ERROR) && good;
    CHECK_EQ(texture_poison_count(f, &dst, 0, 0, 0, 0, 0),
             dst.width * dst.height - ref.columns * ref.rows);
    w.settings.direction = AG_WAVELET_INVERSE;
    w.slots[SRC] = w.slots[DST];
    w.slots[DST] = texture_view(&back);
    place(&w.slots[DST], 1, 2, RW, RH);
    fixture_run(f, w.pass, &w.job);
    double *again = texture_read(f, &back, 0);
    worst = 0;
    for (int y = 0; y < RH; ++y) {
        double error = check_max_error(again + (y + 2) * W + 1, part + y * RW, RW);
        worst = error <= worst ? worst : error;
    }
    good = check_limit("and back", worst, WAVELET_RECONSTRUCTION) && good;
    CHECK_EQ(texture_poison_count(f, &back, 0, 0, 0, 0, 0), W * H - RW * RH);
    free(got);
    free(right);
    free(again);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
    texture_destroy(f, &back);
    waving_close(&w);
    CHECK(good);
}

// Non-finite texels count as 0, once each; without scrub they reach no farther than the filters.
void test_scrub(void **state)
{
    enum { W = 150, H = 90 };
    static const int bad[][2] = {{0, 0}, {56, 32}, {55, 31}, {149, 89}, {63, 40}, {100, 16}};
    enum { BAD = sizeof bad / sizeof *bad };
    fixture *f = *state;
    rng r = rng_start("scrub", 514);
    waving w;
    waving_open(f, &w);
    bool good = true;
    sweep *share = sweep_start("scrub", 8);
    for (int border = 0; border < 4; ++border)
        for (int wavelet = 0; wavelet < 7; wavelet += 2) { // haar db4 coif1 cdf97
            if (!sweep_takes(share))
                continue;
            char name[96];
            w.settings =
                *ag_wavelet_params(.wavelet = wavelet, .border = border, .levels = 1, .scrub = 1);
            double *image = check_doubles(W * H), largest;
            rng_fill_uniform(&r, image, W * H, 0, 1);
            for (int i = 0; i < BAD; ++i)
                image[bad[i][1] * W + bad[i][0]] = i % 2 ? NAN : INFINITY;
            texture src = texture_create(f, "r32f", W, H, image);
            texture back = texture_create(f, "r32f", W, H, NULL);
            texture dst = waving_coefficients(&w, &src, "r32f");
            uint64_t before = fixture_scrubbed(f);
            waving_run(&w, AG_WAVELET_FORWARD, &src, &dst);
            CHECK_EQ(fixture_scrubbed(f) - before, BAD);
            for (int i = 0; i < BAD; ++i)
                image[bad[i][1] * W + bad[i][0]] = 0;
            texture_quantise("r32f", image, W * H);
            wavelet_ref ref = waving_ref(&w, W, H);
            double *right = wavelet_ref_forward(&ref, image), *got = texture_read(f, &dst, 0);
            size_t count = (size_t)(ref.columns * ref.rows);
            double error = waving_error(got, right, count, 1, 0, &largest);
            snprintf(name, sizeof name, "wavelet %d border %d: scrubbed", wavelet, border);
            good = check_limit(name, error / largest, WAVELET_ERROR) && good;
            // The same in coefficients: every band has some.
            int places[BAD] = {0,
                               (int)count - 1,
                               ref.columns / 2,
                               (int)count / 2 + 5,
                               (int)count / 3,
                               ref.columns * 3 + 29};
            for (int i = 0; i < BAD; ++i) {
                got[places[i]] = i % 2 ? NAN : -INFINITY;
                right[places[i]] = 0;
            }
            for (size_t i = 0; i < count; ++i)
                right[i] = isfinite(got[i]) ? got[i] : 0;
            texture_upload(f, &dst, 0, got);
            before = fixture_scrubbed(f);
            waving_run(&w, AG_WAVELET_INVERSE, &dst, &back);
            CHECK_EQ(fixture_scrubbed(f) - before, BAD);
            double *again = texture_read(f, &back, 0), *exact = wavelet_ref_inverse(&ref, right);
            good = check_limit("    coefficients", check_max_error(again, exact, W * H),
                               WAVELET_ERROR) &&
                   good;
            w.settings.scrub = 0;
            waving_run(&w, AG_WAVELET_INVERSE, &dst, &back);
            double *spoilt = texture_read(f, &back, 0);
            size_t reached = 0, wrong = 0;
            for (int i = 0; i < W * H; ++i) {
                reached += (size_t)!isfinite(spoilt[i]);
                wrong +=
                    (size_t)(isfinite(spoilt[i]) && fabs(spoilt[i] - exact[i]) > WAVELET_ERROR);
            }
            snprintf(name, sizeof name, "    without scrub: texels reached by %d coefficients",
                     BAD);
            good = check_limit(name, (double)reached, BAD * ref.taps * ref.taps) && good;
            good = check_case("    all others as before", reached > 0 && wrong == 0) && good;
            free(image);
            free(right);
            free(got);
            free(again);
            free(exact);
            free(spoilt);
            texture_destroy(f, &src);
            texture_destroy(f, &dst);
            texture_destroy(f, &back);
        }
    waving_close(&w);
    CHECK(good);
}

// Parseval: orthogonal filters keep the energy of an image whose size 2^levels divides.
void test_energy(void **state)
{
    enum { W = 128, H = 64 };
    fixture *f = *state;
    rng r = rng_start("energy", 515);
    waving w;
    waving_open(f, &w);
    w.settings.levels = 5;
    double *image = check_doubles(W * H);
    rng_fill_normal(&r, image, W * H);
    texture_quantise("r32f", image, W * H);
    texture src = texture_create(f, "r32f", W, H, image),
            dst = texture_create(f, "r32f", W, H, NULL);
    bool good = true;
    sweep *share = sweep_start("energy", 3);
    for (int wavelet = AG_WAVELET_HAAR; wavelet <= AG_WAVELET_COIF1; ++wavelet) {
        if (!sweep_takes(share))
            continue;
        w.settings.wavelet = wavelet;
        waving_run(&w, AG_WAVELET_FORWARD, &src, &dst);
        double *got = texture_read(f, &dst, 0), before = 0, after = 0;
        for (int i = 0; i < W * H; ++i) {
            before += image[i] * image[i];
            after += got[i] * got[i];
        }
        good = check_limit("energy", fabs(after / before - 1), 1e-6) && good;
        free(got);
    }
    free(image);
    texture_destroy(f, &src);
    texture_destroy(f, &dst);
    waving_close(&w);
    CHECK(good);
}

// A constant image has no details, whatever the wavelet.
void test_constant(void **state)
{
    enum { W = 75, H = 41 };
    fixture *f = *state;
    waving w;
    waving_open(f, &w);
    bool good = true;
    double image[W * H];
    for (int i = 0; i < W * H; ++i)
        image[i] = 0.75;
    texture src = texture_create(f, "r32f", W, H, image);
    sweep *share = sweep_start("constant", 4);
    for (int wavelet = 0; wavelet < 7; ++wavelet) {
        if (!sweep_takes(share))
            continue;
        w.settings = *ag_wavelet_params(.wavelet = wavelet, .border = AG_WAVELET_SYMMETRIC,
                                        .levels = 2, .scrub = 1);
        w.settings.layout = AG_WAVELET_BANDS;
        texture dst = waving_coefficients(&w, &src, "r32f");
        waving_run(&w, AG_WAVELET_FORWARD, &src, &dst);
        wavelet_ref ref = waving_ref(&w, W, H);
        double *got = texture_read(f, &dst, 0), worst = 0, ll = 0;
        int layer = ref.columns * ref.rows;
        for (int i = layer; i < ref.layers * layer; ++i)
            worst = check_worse(worst, fabs(got[i]));
        for (int y = 0; y < ref.height[2]; ++y)
            for (int x = 0; x < ref.width[2]; ++x)
                ll = fmax(ll, fabs(got[y * ref.columns + x] - 4 * 0.75));
        good = check_limit("details of a constant", worst, 3 * WAVELET_ERROR) && good;
        good = check_limit("    its approximation", ll, 3 * WAVELET_ERROR) && good;
        free(got);
        texture_destroy(f, &dst);
    }
    texture_destroy(f, &src);
    waving_close(&w);
    CHECK(good);
}

// ---- refusals ----------------------------------------------------------------------------------

static void refuse(waving *w, ag_status status, const char *const parts[3])
{
    const ag_plan *plan = NULL;
    host_log_clear(&w->f->host);
    CHECK_STATUS(w->f->ag->declare(w->pass, &w->job, &plan), status);
    for (int i = 0; i < 3; ++i)
        CHECK_HAS(host_log_last(&w->f->host), parts[i]);
    printf("  ok    refused: %s\n", host_log_last(&w->f->host));
    CHECK_STATUS(w->f->ag->prepare(w->pass, &w->job), status);
    CHECK_STATUS(w->f->ag->execute(w->pass, &w->job, NULL), status);
}

void test_refusals(void **state)
{
    fixture *f = *state;
    waving w;
    waving_open(f, &w);
    texture image = texture_create(f, "rgba16f", 20, 12, NULL);
    texture same = texture_create(f, "rgba16f", 20, 12, NULL);
    texture red = texture_create(f, "r16f", 20, 12, NULL);
    texture codes = texture_create(f, "rgba8", 20, 12, NULL);
    w.slots[SRC] = texture_view(&image);
    w.slots[DST] = texture_view(&codes);
    refuse(&w, AG_E_FORMAT, (const char *const[]){"dst is RGBA8", "have a sign", "RGBA32F"});
    w.slots[DST] = texture_view(&red);
    refuse(&w, AG_E_FORMAT, (const char *const[]){"dst is R16F", "1 channels", "have 4"});
    w.slots[DST] = texture_view(&same);
    w.settings.levels = 6;
    refuse(&w, AG_E_ARG, (const char *const[]){"levels is 6", "20x12", "at most 5"});
    w.settings.levels = 3;
    refuse(&w, AG_E_SIZE, (const char *const[]){"dst is 20x12", "of 20x12", "21x13"});
    w.settings.levels = 1;
    w.settings.layout = AG_WAVELET_BANDS;
    refuse(&w, AG_E_SIZE, (const char *const[]){"dst is 20x12", "1 layers", "10x6 with 4"});
    w.settings.direction = AG_WAVELET_INVERSE;
    refuse(&w, AG_E_SIZE, (const char *const[]){"src is 20x12", "1 layers", "10x6 with 4"});
    w.slots[SRC] = texture_view(&codes);
    refuse(&w, AG_E_FORMAT, (const char *const[]){"src is RGBA8", "have a sign", "RGBA32F"});
    w.settings.direction = AG_WAVELET_FORWARD;
    w.slots[SRC] = texture_view(&image);
    w.settings.stationary = 1;
    w.settings.levels = 3;
    refuse(&w, AG_E_SIZE, (const char *const[]){"src is 20x12", "3 levels", "multiples of 8"});
    w.settings.border = AG_WAVELET_ZERO;
    refuse(&w, AG_E_ARG, (const char *const[]){"border is zero", "stationary", "periodization"});
    w.settings.border = AG_WAVELET_PERIODIZATION;
    w.settings.layout = AG_WAVELET_PYRAMID;
    refuse(&w, AG_E_ARG, (const char *const[]){"layout is pyramid", "stationary", "bands"});
    w.settings.stationary = 0;
    w.settings.levels = 1;
    w.settings.wavelet = AG_WAVELET_CUSTOM;
    refuse(&w, AG_E_ARG, (const char *const[]){"taps is empty", "custom", "filters"});
    texture taps = texture_create(f, "r32f", 5, 1, NULL);
    w.slots[AG_WAVELET_TAPS] = texture_view(&taps);
    refuse(&w, AG_E_SIZE, (const char *const[]){"taps is 5x1", "even width", "16"});
    texture_destroy(f, &taps);
    w.slots[AG_WAVELET_TAPS] = texture_no_view();
    w.settings.wavelet = AG_WAVELET_HAAR;
    const ag_plan *plan = NULL;
    w.slots[SRC].width = w.slots[DST].width = 16385;
    refuse(&w, AG_E_SIZE, (const char *const[]){"src is 16385x12", "limit", "16384"});
    w.slots[SRC] = texture_view(&codes);
    w.slots[DST] = texture_view(&same);
    CHECK_STATUS(f->ag->declare(w.pass, &w.job, &plan), AG_OK);
    CHECK(texture_is_poison(f, &same) && texture_is_poison(f, &red) &&
          texture_is_poison(f, &codes));
    texture_destroy(f, &image);
    texture_destroy(f, &same);
    texture_destroy(f, &red);
    texture_destroy(f, &codes);
    waving_close(&w);
}
