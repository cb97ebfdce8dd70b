// convolve_halves.c - RGBA16F to RGBA16F, where alpha is stored beside the spectra
// SPDX-License-Identifier: MIT
//
// See PLAIN of shaders/fft/rows_c2r.comp. The images have so many rows that a work group computes
// all channels, one after the other, and rows are longer than 1024 points. Other images read src
// again. In all of these alpha is src's, every bit.
#include "test_convolve.h"

enum { WIDE = 1049, HIGH = 607, KW = 9, KH = 7, HALVES = WIDE * HIGH };

// Every border, rows and columns with and without padding; and texels that are not finite, which
// become zero, alpha included, and are counted once, or with scrub off keep their alpha.
void test_halves(void **state)
{
    enum { BAD = 12 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    static const struct {
        int width, height, storage;
        bool large, bad, scrub;
    } images[] = {{WIDE, HIGH, AG_STORAGE_FULL, false, false, true},
                  {1080, 640, AG_STORAGE_FULL, false, false, true},
                  {2, 601, AG_STORAGE_FULL, false, false, true},
                  {WIDE, HIGH, AG_STORAGE_FULL, true, false, true},
                  {WIDE, HIGH, AG_STORAGE_COMPACT, false, false, true},
                  {1152, 608, AG_STORAGE_COMPACT, true, false, true},
                  {WIDE, HIGH, AG_STORAGE_FULL, false, true, true},
                  {WIDE, HIGH, AG_STORAGE_FULL, false, true, false}};
    fixture *f = *state;
    rng r = rng_start("halves", 95);
    bool good = true;
    sweep *share = sweep_start("halves", 16);
    for (size_t i = 0; i < 4 * COUNT(images); ++i) {
        int w = images[i / 4].width, h = images[i / 4].height, border = (int)i % 4;
        if (!sweep_takes(share))
            continue;
        double *src = values_noise(&r, "rgba16f", w, h, -1, 1);
        double *kernel = values_noise(&r, "r32f", KW, KH, 0, 1);
        // A small centre weight lets alpha be stored; a large one takes the general C2R row pass.
        kernel[KH / 2 * KW + KW / 2] = images[i / 4].large ? 60 : 0.5;
        for (int k = 0; k < BAD && images[i / 4].bad; ++k) {
            int texel = k == 0 ? 0 : k == 1 ? w * h - 1 : k == 2 ? w - 1 : 1 + 2111 * k;
            src[4 * texel + k % 4] = bad[k / 4];
        }
        ag_convolve_settings s =
            *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = border, .normalize = 1,
                                .storage = images[i / 4].storage, .scrub = images[i / 4].scrub);
        trial t =
            convolving_of(f, images[i / 4].large ? "large centre" : "small centre",
                          trial_image("rgba16f", w, h, src), trial_image("r32f", KW, KH, kernel),
                          trial_image("rgba16f", w, h, NULL), &s);
        t.left_out = s.scrub ? 0 : 0.75;
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, images[i / 4].bad && s.scrub ? BAD : 0);
        trial_free(&t);
        free(src);
        free(kernel);
    }
    CHECK(good);
}

// A texture and an array of one layer in turns under one pass: what is prepared for the one must
// not serve the other, as a texture unit has a target for each. And through an image unit, of
// textures without a view. All in rectangles.
void test_halves_ways(void **state)
{
    enum { BW = WIDE + 11, BH = HIGH + 5 };
    fixture *f = *state;
    rng r = rng_start("halves, ways", 97);
    double *src = values_noise(&r, "rgba16f", BW, BH, -1, 1);
    double *kernel = values_noise(&r, "r32f", KW, KH, 0.001, 0.03);
    ag_convolve_settings s =
        *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = AG_BORDER_CLAMP);
    const trial_slot taps = trial_image("r32f", KW, KH, kernel);
    trial_slot from = {"rgba16f", BW, BH, 0, 1, src, 7, 2, WIDE, HIGH, 0, 0, 0, NULL};
    trial_slot into = {"rgba16f", BW, BH, 0, 1, NULL, 3, 5, WIDE, HIGH, 0, 0, 0, NULL};
    trial t = convolving_of(f, "texture", from, taps, into, &s);
    bool good = trial_check(&t);
    from.layers = into.layers = 1;
    trial u = convolving_of(f, "array", from, (trial_slot){.own = &t.textures[KERNEL]}, into, &s);
    u.pass = t.pass;
    trial_make(&u);
    CHECK_STATUS(f->ag->execute(u.pass, &u.job, NULL), AG_E_STATE);
    host_log_clear(&f->host);
    for (int i = 0; i < 2; ++i)
        good = trial_check(&u) && trial_check(&t) && good;
    trial_free(&u);
    GLuint viewed = t.views[SRC].name, name = mutable_texture(f, GL_RGBA16F, BW, BH, src);
    t.name = "without a view";
    t.views[SRC].name = name;
    good = trial_check(&t) && good;
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    t.views[SRC].name = viewed;
    trial_free(&t);
    free(src);
    free(kernel);
    CHECK(good);
}

// So many rows of other formats: the last groups of R2C rows have a channel each, of two, three and
// four; lines of which several share a group, and some alone in theirs.
void test_tall(void **state)
{
    static const struct {
        const char *format;
        int width, alpha;
    } images[] = {{"rgba32f", 9, 0},  {"rgba32f", 30, 1}, {"rg32f", 12, 0},
                  {"rgba16f", 20, 1}, {"rgba8", 9, 0},    {"r11g11b10f", 300, 0}};
    table t = table_of(*state, "tall", 98);
    t.share = sweep_start("tall", 6);
    for (size_t i = 0; i < COUNT(images); ++i) {
        convolving c = {.name = "tall",
                        .width = images[i].width,
                        .height = HIGH,
                        .kernel_width = KW,
                        .kernel_height = KH,
                        .src_format = images[i].format,
                        .kernel_format = "r32f",
                        .settings =
                            *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = (int)i % 4,
                                                .alpha = images[i].alpha)};
        table_row(&t, &c);
    }
    table_end(&t);
}
