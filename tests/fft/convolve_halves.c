// convolve_halves.c - RGBA16F to RGBA16F, where alpha is stored beside the spectra
// SPDX-License-Identifier: MIT
//
// See PLAIN of shaders/fft/rows_c2r.comp. The images have so many rows that a work group computes
// all channels, one after the other. Images with fewer rows have one work group per channel, and
// read src again. In all of these alpha is src's, every bit.
#include "test_convolve.h"

enum { WIDE = 45, HIGH = 607, KW = 9, KH = 7, HALVES = WIDE * HIGH };

// A centre weight that is small enough for alpha to be stored, or one that the general C2R row pass
// computes.
static void small_centre(double *kernel, int width, int height, int channels)
{
    for (int i = 0; i < width * height * channels; ++i)
        kernel[i] = fabs(kernel[i]) / 32 + 0.001;
}

static void large_centre(double *kernel, int width, int height, int channels)
{
    for (int c = 0; c < channels; ++c)
        kernel[(height / 2 * width + width / 2) * channels + c] = 60;
}

// Every border, rows and columns with and without padding.
void test_halves(void **state)
{
    static const struct {
        int width, height, storage;
        bool large;
    } images[] = {{WIDE, HIGH, AG_STORAGE_FULL, false},    {48, 640, AG_STORAGE_FULL, false},
                  {1, 601, AG_STORAGE_FULL, false},        {WIDE, HIGH, AG_STORAGE_FULL, true},
                  {WIDE, HIGH, AG_STORAGE_COMPACT, false}, {64, 608, AG_STORAGE_COMPACT, true}};
    table t = table_of(*state, "halves", 95);
    t.share = sweep_start("halves", 24);
    for (size_t i = 0; i < COUNT(images); ++i)
        for (int border = 0; border < 4; ++border) {
            convolving c = {.name = images[i].large ? "large centre" : "small centre",
                            .width = images[i].width,
                            .height = images[i].height,
                            .kernel_width = KW,
                            .kernel_height = KH,
                            .src_format = "rgba16f",
                            .dst_format = "rgba16f",
                            .kernel_format = border % 2 ? "r32f" : "rgba16f",
                            .settings =
                                *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = border,
                                                    .normalize = 1, .storage = images[i].storage),
                            .reshape = images[i].large ? large_centre : NULL};
            table_row(&t, &c);
        }
    table_end(&t);
}

// A trial of WIDE x HIGH texels, clamped, with a small centre weight. The caller frees `s`.
static trial halves_trial(fixture *f, const char *name, rng *r, scene *s,
                          ag_convolve_settings *settings)
{
    *s = (scene){values_noise(r, "rgba16f", WIDE, HIGH, -1, 1),
                 values_noise(r, "r32f", KW, KH, -1, 1)};
    small_centre(s->kernel, KW, KH, 1);
    *settings = *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = AG_BORDER_CLAMP);
    return convolving_of(f, name, trial_image("rgba16f", WIDE, HIGH, s->src),
                         trial_image("r32f", KW, KH, s->kernel),
                         trial_image("rgba16f", WIDE, HIGH, NULL), settings);
}

// Through an image unit (textures without a view), in rectangles and layers; and a texture and an
// array of one layer in turns under one pass: what is prepared for the one must not serve the
// other, as a texture unit has a target for each.
void test_halves_ways(void **state)
{
    enum { BW = WIDE + 11, BH = HIGH + 5, LAYERS = 3 };
    fixture *f = *state;
    rng r = rng_start("halves, ways", 97);
    ag_convolve_settings settings;
    scene s;
    trial t = halves_trial(f, "texture", &r, &s, &settings);
    bool good = trial_check(&t);
    trial u = t; // an array of one layer, by the same pass and kernel
    u.name = "array";
    u.own_pass = false;
    u.slots[SRC].layers = u.slots[DST].layers = 1;
    u.slots[KERNEL].own = &t.textures[KERNEL];
    memset(u.textures, 0, sizeof u.textures);
    memset(u.held, 0, sizeof u.held);
    memset(u.got, 0, sizeof u.got);
    trial_make(&u);
    CHECK_STATUS(f->ag->execute(u.pass, &u.job, NULL), AG_E_STATE);
    host_log_clear(&f->host);
    for (int i = 0; i < 2; ++i)
        good = trial_check(&u) && trial_check(&t) && good;
    trial_free(&u);

    GLuint viewed = t.views[SRC].name, name = mutable_texture(f, GL_RGBA16F, WIDE, HIGH, s.src);
    t.name = "without a view";
    t.views[SRC].name = name;
    good = trial_check(&t) && good;
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    t.views[SRC].name = viewed;
    trial_free(&t);

    double *big = check_doubles(4 * BW * BH * LAYERS);
    for (int i = 0; i < 4 * BW * BH * LAYERS; ++i) {
        int texel = i / 4 % (BW * BH), x = texel % BW - 7, y = texel / BW - 2;
        bool inside = x >= 0 && y >= 0 && x < WIDE && y < HIGH;
        double part = i / (4 * BW * BH) == 1 ? 0.5 : 1;
        big[i] = inside ? part * s.src[4 * (y * WIDE + x) + i % 4] : i % 3 ? 60000 : (double)NAN;
    }
    t.name = "rectangles in layers";
    t.slots[SRC] = (trial_slot){"rgba16f", BW, BH, LAYERS, 1, big, 7, 2, WIDE, HIGH, 1, 2, 0, NULL};
    t.slots[DST] =
        (trial_slot){"rgba16f", BW, BH, LAYERS, 1, NULL, 3, 5, WIDE, HIGH, 0, 2, 0, NULL};
    good = trial_check(&t) && good;
    trial_free(&t);
    free(big);
    scene_free(&s);
    CHECK(good);
}

// Non-finite texels become zero, alpha included, and are counted once. With scrub off their alpha
// is copied.
void test_halves_scrub(void **state)
{
    enum { BAD = 12 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("halves, scrub", 98);
    bool good = true;
    sweep *share = sweep_start("halves, scrubbed", 4);
    for (int border = 0; border < 4; ++border) {
        if (!sweep_takes(share))
            continue;
        ag_convolve_settings settings;
        scene s;
        trial t = halves_trial(f, "scrub", &r, &s, &settings);
        for (int i = 0; i < BAD; ++i) {
            int texel = i == 0 ? 0 : i == 1 ? HALVES - 1 : i == 2 ? WIDE - 1 : 1 + 2111 * i;
            s.src[4 * texel + i % 4] = bad[i / 4];
        }
        settings.border = border;
        t.left_out = 0.75;
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        settings.scrub = 0;
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        trial_free(&t);
        scene_free(&s);
    }
    CHECK(good);
}
