// test_bloom.c - the effect "bloom" against double precision, and what it promises beside numbers
// SPDX-License-Identifier: MIT
//
// K is made here in double, texel by texel.
#include "test_bloom.h"

// ---- shared with the other files ---------------------------------------------------------------

ag_bloom_settings bloom_settings(fixture *f, int resolution, int output)
{
    ag_bloom_settings s;
    blooming_of(f, "", W, H, NULL, &s);
    s.resolution = resolution;
    s.output = output;
    return s;
}

double *bloom_run(fixture *f, ag_pass *pass, const char *format, int width, int height,
                  const double *src, const ag_bloom_settings *s)
{
    ag_bloom_settings settings;
    trial t = blooming_of(f, "run", width, height, src, &settings);
    blooming_formats(&t, format, format);
    settings = *s;
    t.pass = pass;
    return trial_take(&t, DST);
}

bool bloom_check(trial *t, ag_pass *pass)
{
    t->pass = pass;
    bool good = trial_check(t);
    trial_free(t);
    return good;
}

// ---- numbers -----------------------------------------------------------------------------------

static void test_gaussian(void **state)
{
    static const int sizes[][2] = {{W, H}, {1, 1}, {1, 54}, {90, 1}, {55, 37}, {321, 181}};
    fixture *f = *state;
    rng r = rng_start("gaussian", 41);
    ag_pass *pass = fixture_pass(f, "bloom");
    CHECK_EQ(blooming_extent((double)BLOOMING_SIZE, H), EXTENT);
    bool good = true;
    sweep *share = sweep_start("gaussian", 10);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int output = 0; output < 2; ++output) {
            int w = sizes[i][0], h = sizes[i][1];
            if (i && !sweep_takes(share))
                continue;
            double *src = blooming_scene(&r, "rgba32f", w, h, 0.01, 20);
            ag_bloom_settings s;
            trial t = blooming_of(f, "gaussian", w, h, src, &s);
            s.output = output;
            s.size = h == 1 ? 2.0f : h == 181 ? 0.3f : BLOOMING_SIZE;
            good = bloom_check(&t, pass) && good;
            free(src);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A kernel image of the extent's size is taken texel by texel; it need not be square or symmetric.
static void test_texture(void **state)
{
    static const char *const formats[] = {"r32f",    "r16f",       "rgba32f",
                                          "rgba16f", "r11g11b10f", "rgba8"};
    fixture *f = *state;
    rng r = rng_start("texture", 42);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    bool good = true;
    sweep *share = sweep_start("texture", 6);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        int width = i % 2 ? EXTENT : 25; // 0.35 * 54 * 25 / 19 texels, rounded to 25
        if (!sweep_takes(share))
            continue;
        double *image = blooming_scene(&r, formats[i], width, EXTENT, 0.02, 1);
        ag_bloom_settings s;
        trial t = blooming_of(f, "texture", W, H, src, &s);
        t.slots[IMAGE] = trial_image(formats[i], width, EXTENT, image);
        s.shape = AG_BLOOM_TEXTURE;
        s.kernel_fit = AG_BLOOM_FIT_EXACT;
        good = bloom_check(&t, pass) && good;
        free(image);
    }
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_formats(void **state)
{
    fixture *f = *state;
    rng r = rng_start("formats", 43);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("formats", 26);
    for (int i = 0; i < 2 * FRAME_FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *name = format_at(i / 2)->name, *from = i % 2 ? "rgba32f" : name;
        double *src = blooming_scene(&r, from, W, H, 0.05, i % 2 ? 1.1 : 1); // beyond unorms
        ag_bloom_settings s;
        trial t = blooming_of(f, i % 2 ? "output" : "input", W, H, src, &s);
        blooming_formats(&t, from, i % 2 ? name : "rgba32f");
        s.intensity = i % 2 ? 0.1f : 1;
        good = bloom_check(&t, pass) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// threshold, knee, clamp, exposure, tint in all combinations, one pass, no new preparation; the
// last with compact spectra.
static void test_filter(void **state)
{
    fixture *f = *state;
    rng r = rng_start("filter", 44);
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 300);
    bool good = true;
    for (int i = 0; i < TEXELS; i += 97)
        src[4 * i + i % 3] *= -1; // negative light has to stay harmless
    ag_bloom_settings s;
    trial t = blooming_of(f, "filter", W, H, src, &s);
    sweep *share = sweep_start("filter", 3); // of the quick tier: no power of two
    for (int i = 0; i < 65; ++i) {
        s.threshold = i & 1 ? (float)rng_uniform(&r, 0.5, 5) : 0;
        s.clamp = i & 2 ? (float)rng_uniform(&r, 5, 100) : 0;
        s.exposure = i & 4 ? (float)rng_uniform(&r, -3, 3) : 0;
        s.knee = i & 8 ? (float)rng_uniform(&r, 0, 1) : i & 16 ? 0 : 0.5f;
        s.output = i & 16 ? AG_BLOOM_ONLY : AG_BLOOM_COMPOSITE;
        s.intensity = i & 32 ? 1 : (float)rng_uniform(&r, 0, 1);
        for (int k = 0; k < 3; ++k)
            s.tint[k] = i & 32 ? (float)rng_uniform(&r, 0, 2) : 1;
        if (i == 64) {
            s.storage = AG_STORAGE_COMPACT;
            t.snr = 105;
            t.limit = 1e-5 * 300;
        }
        good = (!sweep_takes(share) || trial_check(&t)) && good;
    }
    trial_free(&t);
    free(src);
    CHECK(good);
}

// The kernel's centre weight never passes through the FFT: with 0.9999 of the light in the centre,
// the error of a texel in the dark is that of the other 0.0001, not that of its bright neighbours.
static void test_sharp_stays_sharp(void **state)
{
    fixture *f = *state;
    double *src = check_doubles(4 * TEXELS), *image = check_doubles(EXTENT * EXTENT), worst = 0;
    for (int i = 0; i < 4 * TEXELS; ++i) // a checker of 60000 and 0
        src[i] = i % 4 == 3 ? 1 : (i / 4 % W + i / 4 / W) % 2 ? 60000 : 0;
    for (int i = 0; i < EXTENT * EXTENT; ++i)
        image[i] = i == EXTENT * EXTENT / 2 ? 9999 : 1.0 / (EXTENT * EXTENT - 1);
    ag_bloom_settings s;
    trial t = blooming_of(f, "checker", W, H, src, &s);
    t.slots[IMAGE] = trial_image("r32f", EXTENT, EXTENT, image);
    s.shape = AG_BLOOM_TEXTURE;
    s.kernel_fit = AG_BLOOM_FIT_EXACT;
    s.output = AG_BLOOM_ONLY;
    bool good = trial_check(&t);
    double *want = check_doubles(4 * TEXELS), *bound = check_doubles(4 * TEXELS);
    const trial_part part = {DST, 0, 0, 0, 0, W, H, 4};
    t.reference(&t, &part, want, bound);
    for (int i = 0; i < 4 * TEXELS; ++i)
        if (i % 4 < 3 && src[i] == 0)
            worst = check_worse(worst, fabs(t.got[DST][i] - want[i]));
    // A few roundings of the bright texels alone would leave 1e-9 of max|T| there.
    CHECK_LIMIT("error in the dark texels of a checker, over max|T| * (1 - centre weight)",
                worst / (60000 * 1e-4), 1e-6);
    trial_free(&t);
    free(src);
    free(image);
    free(want);
    free(bound);
    CHECK(good);
}

// ---- identities --------------------------------------------------------------------------------

static bool copied(trial *t, const trial_part *p, double *want, double *bound)
{
    (void)bound;
    memcpy(want, t->held[SRC], sizeof *want * (size_t)(p->width * p->height * p->channels));
    return true;
}

// Intensity 0 copies every bit, and of codes every code, with any gain and at every resolution. So
// does size 0, which makes K one texel: light goes back to where it came from. At a smaller
// resolution that is the direct taps' work, whose equations are solved by a matrix that was
// rounded to floats: 1e-5 of the largest.
static void test_nothing_blooms(void **state)
{
    enum { SRGB = AG_BLOOM_SRGB };
    static const struct {
        const char *format;
        double most; // light
        float size, intensity, gain;
        int output, transfer, resolution, shape;
        double limit;
    } rows[] = {{"rgba32f", 60000, BLOOMING_SIZE, 0, 0, 0, 0, 0, 0, 0},
                {"rgba16f", 60000, BLOOMING_SIZE, 0, 0, 0, 0, 0, 0, 0},
                {"rgba8", 1, BLOOMING_SIZE, 0, 0, 0, 0, 0, 0, 0},
                {"srgb8", 1, BLOOMING_SIZE, 0, 40, 0, SRGB, 0, 0, 0},
                {"r11g11b10f", 1, BLOOMING_SIZE, 0, 0, 0, 0, 0, 0, 0},
                {"rgba8", 1, BLOOMING_SIZE, 0, 256, 0, SRGB, 0, 0, 0},
                {"rgb10a2", 1, BLOOMING_SIZE, 0, 0, 0, SRGB, 0, 0, 0},
                {"rgb10a2", 1, BLOOMING_SIZE, 0, 256, 0, SRGB, 2, 0, 0},
                {"rgba32f", 60000, 0, 0.3f, 0, 0, 0, 0, 0, 0},
                {"rgba32f", 60000, 0, 1, 0, 1, 0, 0, 0, 0},
                {"rgba32f", 60000, 0, 1, 0, 1, 0, 1, 0, 1e-5},
                {"rgba32f", 60000, 0, 1, 0, 1, 0, 2, 0, 1e-5},
                {"rgba32f", 60000, 0, 1, 0, 1, 0, 2, AG_BLOOM_ANAMORPHIC, 1e-5}};
    fixture *f = *state;
    rng r = rng_start("nothing blooms", 46);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("nothing blooms", 7);
    for (size_t i = 0; i < COUNT(rows); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, rows[i].format, W, H, 0.001, rows[i].most);
        ag_bloom_settings s;
        trial t = blooming_of(f, rows[i].size > 0 ? "intensity 0" : "size 0", W, H, src, &s);
        blooming_formats(&t, rows[i].format, rows[i].format);
        t.reference = copied;
        t.limit = rows[i].limit * rows[i].most;
        s.size = rows[i].size;
        s.intensity = rows[i].intensity;
        s.gain = rows[i].gain;
        s.output = rows[i].output;
        s.transfer = rows[i].transfer;
        s.resolution = rows[i].resolution;
        s.shape = rows[i].shape;
        t.snr = 0;
        good = bloom_check(&t, pass) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_gaussian),
        FIXTURE_SWEEP(test_texture),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_SWEEP(test_filter),
        FIXTURE_TEST(test_sharp_stays_sharp),
        FIXTURE_SWEEP(test_nothing_blooms),
        FIXTURE_SWEEP(test_bloom_scrub),
        FIXTURE_SWEEP(test_bloom_places),
        FIXTURE_TEST(test_bloom_image),
        FIXTURE_TEST(test_bloom_image_units),
        FIXTURE_SWEEP(test_shapes),
        FIXTURE_SWEEP(test_aperture_is_diffraction),
        FIXTURE_SWEEP(test_pupil_settings),
        FIXTURE_TEST(test_kernel_image_is_fitted),
        FIXTURE_SWEEP(test_lens_dirt_and_add),
        FIXTURE_TEST(test_lens_ghosts),
        FIXTURE_TEST(test_lens_ghosts_defocus),
        FIXTURE_TEST(test_lens_ghosts_letters),
        FIXTURE_SWEEP(test_lens_exposure),
        FIXTURE_TEST(test_lens_refusals),
        FIXTURE_SWEEP(test_light),
        FIXTURE_TEST(test_light_refusals),
        FIXTURE_TEST(test_motion_fades),
        FIXTURE_TEST(test_motion_every_frame),
        FIXTURE_SWEEP(test_motion_interrupted),
        FIXTURE_SWEEP(test_bloom_band_error),
        FIXTURE_SWEEP(test_bloom_band_lengths),
        FIXTURE_SWEEP(test_bloom_small_gaussian),
        FIXTURE_SWEEP(test_bloom_small_lamp),
        FIXTURE_SWEEP(test_bloom_small_fixed),
        FIXTURE_SWEEP(test_bloom_small_firefly),
        FIXTURE_SWEEP(test_bloom_small_auto),
        FIXTURE_TEST(test_bloom_small_bytes),
        FIXTURE_SWEEP(test_bloom_octaves_texels),
        FIXTURE_SWEEP(test_bloom_octaves_noise),
        FIXTURE_SWEEP(test_bloom_octaves_even),
        FIXTURE_SWEEP(test_bloom_lamp_ring),
        FIXTURE_SWEEP(test_bloom_lamp_steps),
        FIXTURE_SWEEP(test_bloom_lamp_turns),
        FIXTURE_SWEEP(test_bloom_lamp_sizes),
        FIXTURE_SWEEP(test_bloom_steady_texels),
        FIXTURE_TEST(test_bloom_steady_flicker),
        FIXTURE_TEST(test_bloom_steady_trail),
        FIXTURE_TEST(test_bloom_steady_stars),
        FIXTURE_TEST(test_bloom_steady_moving),
        FIXTURE_TEST(test_bloom_steady_states),
        FIXTURE_SWEEP(test_bloom_fits_plans),
        FIXTURE_FULL(test_bloom_fits_scratch),
        FIXTURE_TEST(test_bloom_fits_rays),
        FIXTURE_FULL(test_bloom_fits_executes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
