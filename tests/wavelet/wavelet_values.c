// wavelet_values.c - "wavelet": non-finite texels, refusals
// SPDX-License-Identifier: MIT
#include "test_wavelet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    sweep *share = sweep_start("scrub", 16);
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
    enum { BANDS = AG_WAVELET_BANDS, INVERSE = AG_WAVELET_INVERSE, CUSTOM = AG_WAVELET_CUSTOM };
    enum { FORMAT = AG_E_FORMAT, ARG = AG_E_ARG, SIZE = AG_E_SIZE };
    static const struct {
        const char *src, *dst, *word;
        ag_status status;
        int levels, layout, direction, stationary, border, wavelet;
        int taps, width; // columns of taps, 0: none; of the views, 0: the textures'
    } cases[] = {
        {"rgba16f", "rgba8", "dst is RGBA8", FORMAT, .levels = 1},
        {"rgba16f", "r16f", "dst is R16F", FORMAT, .levels = 1},
        {"rgba16f", "rgba16f", "levels is 6", ARG, .levels = 6},
        {"rgba16f", "rgba16f", "21x13", SIZE, .levels = 3},
        {"rgba16f", "rgba16f", "10x6 with 4", SIZE, .levels = 1, .layout = BANDS},
        {"rgba16f", "rgba16f", "src is 20x12", SIZE, .levels = 1, .layout = BANDS,
         .direction = INVERSE},
        {"rgba8", "rgba16f", "src is RGBA8", FORMAT, .levels = 1, .direction = INVERSE},
        {"rgba16f", "rgba16f", "multiples of 8", SIZE, .levels = 3, .layout = BANDS,
         .stationary = 1},
        {"rgba16f", "rgba16f", "border is zero", ARG, .levels = 3, .layout = BANDS, .stationary = 1,
         .border = AG_WAVELET_ZERO},
        {"rgba16f", "rgba16f", "layout is pyramid", ARG, .levels = 3, .stationary = 1},
        {"rgba16f", "rgba16f", "taps is empty", ARG, .levels = 1, .wavelet = CUSTOM},
        {"rgba16f", "rgba16f", "even width", SIZE, .levels = 1, .wavelet = CUSTOM, .taps = 5},
        {"rgba16f", "rgba16f", "src is 16385x12", SIZE, .levels = 1, .width = 16385},
    };
    fixture *f = *state;
    bool good = true;
    ag_pass *pass = fixture_pass(f, "wavelet");
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_wavelet_settings s;
        trial t = trial_of(f, "wavelet", "refused", &s, sizeof s);
        t.pass = pass;
        t.slots[SRC] = trial_image(cases[i].src, 20, 12, NULL);
        t.slots[DST] = trial_image(cases[i].dst, 20, 12, NULL);
        if (cases[i].taps)
            t.slots[TAPS] = trial_image("r32f", cases[i].taps, 1, NULL);
        s.levels = cases[i].levels;
        s.layout = cases[i].layout;
        s.direction = cases[i].direction;
        s.stationary = cases[i].stationary;
        s.border = cases[i].border;
        s.wavelet = cases[i].wavelet;
        trial_make(&t);
        if (cases[i].width)
            t.views[SRC].width = t.views[DST].width = cases[i].width;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}
