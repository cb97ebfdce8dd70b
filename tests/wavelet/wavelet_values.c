// wavelet_values.c - "wavelet": formats, arrays, rectangles, non-finite texels, refusals
// SPDX-License-Identifier: MIT
#include "test_wavelet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Every format as an image, both ways; coefficients in 32 bits, and in halves.
void test_formats(void **state)
{
    static const char *const halves[] = {"r16f", "rg16f", "rgba16f"};
    fixture *f = *state;
    rng r = rng_start("formats", 511);
    ag_pass *pass = fixture_pass(f, "wavelet");
    bool good = true;
    sweep *share = sweep_start("formats", 5);
    for (int i = 0; i < FORMAT_COUNT + (int)COUNT(halves); ++i) {
        if (!sweep_takes(share))
            continue;
        bool half = i >= FORMAT_COUNT;
        const char *format = half ? wave_floats(halves[i - FORMAT_COUNT]) : format_at(i)->name;
        const wave c = {format, 45, 27, 0, AG_WAVELET_CDF53, 0, 2, .taps = 0};
        const char *coefficients = half ? halves[i - FORMAT_COUNT] : wave_floats(format);
        ag_wavelet_settings s, other;
        double *image = values_noise(&r, format, 45, 27, 0.1, 0.9);
        trial t = wave_of(f, pass, &c, AG_WAVELET_FORWARD, coefficients, image, &s);
        good = trial_check(&t) && good;
        trial back = wave_of(f, pass, &c, AG_WAVELET_INVERSE, coefficients, t.got[DST], &other);
        good = trial_check(&back) && good;
        trial_free(&back);
        trial_free(&t);
        free(image);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Layers are images of their own; with bands each has as many layers as there are bands.
void test_arrays(void **state)
{
    rng r = rng_start("arrays", 512);
    bool good = true;
    for (int layout = 0; layout < 2; ++layout) {
        const wave c = {"r32f", 37, 22, 3, AG_WAVELET_DB2, 0, 3, layout, .taps = 0};
        good = wave_check(*state, NULL, &r, &c) && good;
    }
    CHECK(good);
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

// A rectangle of a larger image to one of larger coefficients, and back to one of another image.
void test_rectangles(void **state)
{
    const wave c = {"r32f", 53, 38, 0, AG_WAVELET_SYM4, AG_WAVELET_REFLECT, 2, .taps = 0};
    fixture *f = *state;
    rng r = rng_start("rectangles", 513);
    wavelet_ref ref = wave_ref(&c);
    bool good = true;
    for (int direction = 0; direction < 2; ++direction) {
        int w = direction ? ref.columns : c.width, h = direction ? ref.rows : c.height;
        double *values = values_noise(&r, "r32f", w + 16, h + 12, -1, 1);
        ag_wavelet_settings s;
        trial t = wave_of(f, NULL, &c, direction, "r32f", values, &s);
        place(&t.slots[SRC], 11, 7);
        place(&t.slots[DST], 4, 3);
        good = trial_check(&t) && good;
        trial_free(&t);
        free(values);
    }
    CHECK(good);
}

// Of an inverse: the texels that are not finite, at most those that the filters reach, and all
// others as without the coefficients that are not.
static bool reaches_no_farther(const trial *t, const double *clean, int bad, int taps)
{
    const texture *dst = &t->textures[DST];
    size_t reached = 0, wrong = 0;
    for (int i = 0; i < dst->width * dst->height; ++i) {
        bool finite = isfinite(t->got[DST][i]);
        reached += !finite;
        wrong += finite && fabs(t->got[DST][i] - clean[i]) > WAVELET_ERROR;
    }
    bool good =
        check_limit("    without scrub: texels reached", (double)reached, bad * taps * taps);
    return check_case("    all others as before", reached > 0 && wrong == 0) && good;
}

// Non-finite texels count as 0, once each; without scrub they reach no farther than the filters.
void test_scrub(void **state)
{
    enum { W = 150, H = 90 };
    static const int places[][2] = {{0, 0}, {56, 32}, {55, 31}, {149, 89}, {63, 40}, {100, 16}};
    enum { BAD = COUNT(places) };
    fixture *f = *state;
    rng r = rng_start("scrub", 514);
    bool good = true;
    sweep *share = sweep_start("scrub", 8);
    for (int border = 0; border < 4; ++border)
        for (int wavelet = 0; wavelet < 7; wavelet += 2) { // haar db4 coif1 cdf97
            if (!sweep_takes(share))
                continue;
            const wave c = {"r32f", W, H, 0, wavelet, border, 1, .taps = 0};
            wavelet_ref ref = wave_ref(&c);
            for (int direction = 0; direction < 2; ++direction) {
                int w = direction ? ref.columns : W, h = direction ? ref.rows : H;
                double *values = values_noise(&r, "r32f", w, h, 0, 1);
                for (int i = 0; i < BAD; ++i) { // every band has some
                    int x = direction ? places[i][0] * w / W : places[i][0];
                    int y = direction ? places[i][1] * h / H : places[i][1];
                    values[y * w + x] = i % 2 ? (double)NAN : (double)INFINITY;
                }
                ag_wavelet_settings s;
                trial t = wave_of(f, NULL, &c, direction, "r32f", values, &s);
                uint64_t before = fixture_scrubbed(f);
                good = trial_check(&t) && good;
                CHECK_EQ(fixture_scrubbed(f) - before, BAD);
                if (direction) {
                    double *clean = texture_read(f, &t.textures[DST], 0);
                    s.scrub = 0;
                    trial_run(&t);
                    good = reaches_no_farther(&t, clean, BAD, ref.taps) && good;
                    free(clean);
                }
                trial_free(&t);
                free(values);
            }
        }
    CHECK(good);
}

// ---- refusals ----------------------------------------------------------------------------------

void test_refusals(void **state)
{
    static const struct {
        const char *src, *dst;
        int taps; // columns of taps; 0: none
        ag_wavelet_settings s;
        ag_status status;
        const char *parts[3];
    } cases[] = {
        {"rgba16f",
         "rgba8",
         0,
         {.levels = 1},
         AG_E_FORMAT,
         {"dst is RGBA8", "have a sign", "RGBA32F"}},
        {"rgba16f", "r16f", 0, {.levels = 1}, AG_E_FORMAT, {"dst is R16F", "1 channels", "have 4"}},
        {"rgba16f", "rgba16f", 0, {.levels = 6}, AG_E_ARG, {"levels is 6", "20x12", "at most 5"}},
        {"rgba16f", "rgba16f", 0, {.levels = 3}, AG_E_SIZE, {"dst is 20x12", "of 20x12", "21x13"}},
        {"rgba16f",
         "rgba16f",
         0,
         {.levels = 1, .layout = AG_WAVELET_BANDS},
         AG_E_SIZE,
         {"dst is 20x12", "1 layers", "10x6 with 4"}},
        {"rgba16f",
         "rgba16f",
         0,
         {.levels = 1, .layout = AG_WAVELET_BANDS, .direction = AG_WAVELET_INVERSE},
         AG_E_SIZE,
         {"src is 20x12", "1 layers", "10x6 with 4"}},
        {"rgba8",
         "rgba16f",
         0,
         {.levels = 1, .direction = AG_WAVELET_INVERSE},
         AG_E_FORMAT,
         {"src is RGBA8", "have a sign", "RGBA32F"}},
        {"rgba16f",
         "rgba16f",
         0,
         {.levels = 3, .layout = AG_WAVELET_BANDS, .stationary = 1},
         AG_E_SIZE,
         {"src is 20x12", "3 levels", "multiples of 8"}},
        {"rgba16f",
         "rgba16f",
         0,
         {.levels = 3, .layout = AG_WAVELET_BANDS, .stationary = 1, .border = AG_WAVELET_ZERO},
         AG_E_ARG,
         {"border is zero", "stationary", "periodization"}},
        {"rgba16f",
         "rgba16f",
         0,
         {.levels = 3, .stationary = 1},
         AG_E_ARG,
         {"layout is pyramid", "stationary", "bands"}},
        {"rgba16f",
         "rgba16f",
         0,
         {.levels = 1, .wavelet = AG_WAVELET_CUSTOM},
         AG_E_ARG,
         {"taps is empty", "custom", "filters"}},
        {"rgba16f",
         "rgba16f",
         5,
         {.levels = 1, .wavelet = AG_WAVELET_CUSTOM},
         AG_E_SIZE,
         {"taps is 5x1", "even width", "16"}},
    };
    fixture *f = *state;
    bool good = true;
    ag_pass *pass = fixture_pass(f, "wavelet");
    const ag_plan *plan = NULL;
    ag_wavelet_settings s;
    for (size_t i = 0; i < COUNT(cases) + 1; ++i) {
        bool large = i == COUNT(cases);
        trial t = trial_of(f, "wavelet", "refused", &s, sizeof s);
        t.pass = pass;
        t.slots[SRC] = trial_image(large ? "rgba16f" : cases[i].src, 20, 12, NULL);
        t.slots[DST] = trial_image(large ? "rgba16f" : cases[i].dst, 20, 12, NULL);
        if (!large && cases[i].taps)
            t.slots[TAPS] = trial_image("r32f", cases[i].taps, 1, NULL);
        s.levels = large ? 1 : cases[i].s.levels;
        if (!large) {
            s.layout = cases[i].s.layout;
            s.direction = cases[i].s.direction;
            s.stationary = cases[i].s.stationary;
            s.border = cases[i].s.border;
            s.wavelet = cases[i].s.wavelet;
        }
        trial_make(&t);
        if (large)
            t.views[SRC].width = t.views[DST].width = 16385;
        static const char *const limits[] = {"src is 16385x12", "limit", "16384"};
        const char *const *parts = large ? limits : cases[i].parts;
        ag_status status = large ? AG_E_SIZE : cases[i].status;
        good = trial_refused(&t, status, parts[0]) && good;
        CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), status);
        CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), status);
        for (int k = 0; k < 3; ++k)
            CHECK_HAS(host_log_last(&f->host), parts[k]);
        trial_free(&t);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
