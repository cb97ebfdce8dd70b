// test_bloom.c - the effect "bloom" against double precision, and what it promises beside numbers
// SPDX-License-Identifier: MIT
//
// K is made here in double, texel by texel.
#include "test_bloom.h"

// ---- shared with the other files ---------------------------------------------------------------

ag_bloom_settings bloom_settings(fixture *f)
{
    ag_bloom_settings s;
    blooming_of(f, "", W, H, NULL, &s);
    return s;
}

ag_bloom_settings small_settings(fixture *f, int resolution)
{
    ag_bloom_settings s = bloom_settings(f);
    s.resolution = resolution;
    s.output = AG_BLOOM_ONLY;
    return s;
}

double *bloom_run_format(fixture *f, ag_pass *pass, const char *format, int width, int height,
                         const double *src, const ag_bloom_settings *s)
{
    ag_bloom_settings settings;
    trial t = blooming_of(f, "run", width, height, src, &settings);
    blooming_formats(&t, format, format);
    settings = *s;
    t.pass = pass;
    return trial_take(&t, DST);
}

double *bloom_run(fixture *f, ag_pass *pass, int width, int height, const double *src,
                  const ag_bloom_settings *s)
{
    return bloom_run_format(f, pass, "rgba32f", width, height, src, s);
}

// ---- numbers -----------------------------------------------------------------------------------

static bool check(trial *t)
{
    bool good = trial_check(t);
    trial_free(t);
    return good;
}

static void test_gaussian(void **state)
{
    static const int sizes[][2] = {{W, H}, {1, 1}, {1, 54}, {90, 1}, {55, 37}, {321, 181}};
    fixture *f = *state;
    rng r = rng_start("gaussian", 41);
    ag_pass *pass = fixture_pass(f, "bloom");
    CHECK_EQ(blooming_extent((double)BLOOMING_SIZE, H), EXTENT);
    bool good = true;
    sweep *share = sweep_start("gaussian", 12);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int output = 0; output < 2; ++output) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            double *src = blooming_scene(&r, "rgba32f", w, h, 0.01, 20);
            ag_bloom_settings s;
            trial t = blooming_of(f, "gaussian", w, h, src, &s);
            t.pass = pass;
            s.output = output;
            s.size = h == 1 ? 2.0f : h == 181 ? 0.3f : BLOOMING_SIZE;
            good = check(&t) && good;
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
    sweep *share = sweep_start("texture", 3);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        if (!sweep_takes(share))
            continue;
        int width = i % 2 ? EXTENT : 25; // 0.35 * 54 * 25 / 19 texels, rounded to 25
        double *image = blooming_scene(&r, formats[i], width, EXTENT, 0.02, 1);
        ag_bloom_settings s;
        trial t = blooming_of(f, "texture", W, H, src, &s);
        t.pass = pass;
        t.slots[IMAGE] = trial_image(formats[i], width, EXTENT, image);
        s.shape = AG_BLOOM_TEXTURE;
        s.kernel_fit = AG_BLOOM_FIT_EXACT;
        good = check(&t) && good;
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
    sweep *share = sweep_start("formats", 13);
    for (int i = 0; i < FRAME_FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *name = format_at(i)->name;
        for (int output = 0; output < 2; ++output) { // some values are beyond the unorm range
            const char *from = output ? "rgba32f" : name;
            double *src = blooming_scene(&r, from, W, H, 0.05, output ? 1.1 : 1);
            ag_bloom_settings s;
            trial t = blooming_of(f, output ? "output" : "input", W, H, src, &s);
            t.pass = pass;
            blooming_formats(&t, from, output ? name : "rgba32f");
            s.intensity = output ? 0.1f : 1;
            good = check(&t) && good;
            free(src);
        }
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
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 300);
    bool good = true;
    for (int i = 0; i < TEXELS; i += 97)
        src[4 * i + i % 3] *= -1; // negative light has to stay harmless
    ag_bloom_settings s;
    trial t = blooming_of(f, "filter", W, H, src, &s);
    t.pass = pass;
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
        good = trial_check(&t) && good;
    }
    trial_free(&t);
    free(src);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A spot of 60000 in a scene of 0.02 .. 0.4: each row's rms error beside the texels' own values.
static void test_hot_spot(void **state)
{
    enum { SW = 321, SH = 181 };
    fixture *f = *state;
    rng r = rng_start("hot spot", 45);
    double *src = blooming_scene(&r, "rgba32f", SW, SH, 0.02, 0.4), worst = 0;
    for (int y = 89; y < 92; ++y)
        for (int x = 150; x < 153; ++x)
            for (int c = 0; c < 3; ++c)
                src[4 * (y * SW + x) + c] = 60000;
    ag_bloom_settings s;
    trial t = blooming_of(f, "spot", SW, SH, src, &s);
    s.size = 0.3f;
    s.intensity = 0.1f;
    bool good = trial_check(&t);
    const double *got = t.got[DST];
    double *want = check_doubles(4 * SW * SH), *bound = check_doubles(4 * SW * SH);
    const trial_part part = {DST, 0, 0, 0, 0, SW, SH, 4};
    t.reference(&t, &part, want, bound);
    for (int y = 0; y < SH; ++y) {
        double sum = 0;
        int count = 0;
        for (int i = 4 * y * SW; i < 4 * (y + 1) * SW; ++i)
            if (i % 4 < 3 && want[i] < 1) { // dark: out of the bloom's reach
                sum += pow((got[i] - want[i]) / want[i], 2);
                ++count;
            }
        CHECK(count > 0);
        worst = check_worse(worst, sqrt(sum / count));
    }
    CHECK_LIMIT("rms error of the worst row, of each dark texel's own value", worst, 0.003);
    trial_free(&t);
    free(src);
    free(want);
    free(bound);
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

// Intensity 0 copies every bit; so does size 0, which makes K one texel: light goes back to where
// it came from.
static void test_nothing_blooms(void **state)
{
    static const char *const formats[] = {"rgba32f", "rgba16f", "rgba8", "srgb8", "r11g11b10f"};
    fixture *f = *state;
    rng r = rng_start("nothing blooms", 46);
    ag_pass *pass = fixture_pass(f, "bloom");
    bool good = true;
    sweep *share = sweep_start("nothing blooms", 4);
    for (size_t i = 0; i < COUNT(formats) + 2; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *format = formats[i < COUNT(formats) ? i : 0];
        bool sized = i < COUNT(formats);
        double *src =
            blooming_scene(&r, format, W, H, 0.001, format[4] != '8' && i != 4 ? 60000 : 1);
        ag_bloom_settings s;
        trial t = blooming_of(f, sized ? "intensity 0" : "size 0", W, H, src, &s);
        blooming_formats(&t, format, format);
        t.pass = pass;
        t.reference = copied;
        s.size = sized ? BLOOMING_SIZE : 0;
        s.output = i == COUNT(formats) + 1;
        s.intensity = sized ? 0 : s.output ? 1 : 0.3f;
        good = check(&t) && good;
        free(src);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Light away from the frame's edge is moved, never made: every shape, also a kernel image that
// has to be scaled.
static void test_energy(void **state)
{
    fixture *f = *state;
    rng r = rng_start("energy", 48);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = values_even("rgba32f", W, H, 0);
    double *image = values_noise(&r, "r11g11b10f", 40, 31, 0.1, 1);
    for (int y = 10; y < H - 10; ++y)
        for (int x = 14; x < W - 14; ++x)
            for (int c = 0; c < 3; ++c)
                src[4 * (y * W + x) + c] = rng_hdr(&r, 0.01, 100);
    texture_quantise("rgba32f", src, TEXELS);
    sweep *share = sweep_start("energy", 5);
    for (int shape = 0; shape < 5; ++shape)
        for (int output = 0; output < 2; ++output) {
            if (!sweep_takes(share))
                continue;
            ag_bloom_settings s;
            trial t = blooming_of(f, "energy", W, H, src, &s);
            t.pass = pass;
            s.shape = shape;
            s.output = output;
            if (shape == AG_BLOOM_TEXTURE)
                t.slots[IMAGE] = trial_image("r11g11b10f", 40, 31, image);
            double *got = trial_take(&t, DST), worst = 0;
            for (int k = 0; k < 3; ++k) {
                double before = 0, after = 0;
                for (int i = k; i < 4 * TEXELS; i += 4) {
                    before += src[i];
                    after += got[i];
                }
                worst = check_worse(worst, fabs(after / before - 1));
            }
            char name[80];
            snprintf(name, sizeof name, "change of the light's sum, shape %d, output %d", shape,
                     output);
            CHECK_LIMIT(name, worst, 1e-6);
            free(got);
        }
    free(src);
    free(image);
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_gaussian),
        FIXTURE_SWEEP(test_texture),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_TEST(test_filter),
        FIXTURE_FULL(test_hot_spot),
        FIXTURE_TEST(test_sharp_stays_sharp),
        FIXTURE_SWEEP(test_nothing_blooms),
        FIXTURE_SWEEP(test_energy),
        FIXTURE_SWEEP(test_shapes_sum_to_one),
        FIXTURE_TEST(test_spikes_count_and_turn),
        FIXTURE_TEST(test_spike_length_by_wavelength),
        FIXTURE_FULL(test_aperture_is_diffraction),
        FIXTURE_SWEEP(test_pupil_settings),
        FIXTURE_TEST(test_kernel_image_is_fitted),
        FIXTURE_SWEEP(test_lens_dirt_and_add),
        FIXTURE_SWEEP(test_lens_small),
        FIXTURE_TEST(test_lens_ghosts),
        FIXTURE_TEST(test_lens_exposure),
        FIXTURE_TEST(test_lens_refusals),
        FIXTURE_SWEEP(test_light),
        FIXTURE_SWEEP(test_light_small),
        FIXTURE_SWEEP(test_light_keeps_codes),
        UNIT_TEST(test_light_initialisers),
        FIXTURE_TEST(test_light_refusals),
        FIXTURE_TEST(test_motion_fades),
        FIXTURE_TEST(test_motion_every_frame),
        FIXTURE_SWEEP(test_motion_interrupted),
        FIXTURE_TEST(test_bloom_scrub),
        FIXTURE_TEST(test_bloom_places),
        FIXTURE_TEST(test_bloom_preparations),
        FIXTURE_TEST(test_bloom_image),
        FIXTURE_TEST(test_bloom_image_units),
        FIXTURE_SWEEP(test_bloom_band_error),
        FIXTURE_SWEEP(test_bloom_band_end),
        FIXTURE_SWEEP(test_bloom_band_lengths),
        FIXTURE_SWEEP(test_bloom_small_gaussian),
        FIXTURE_SWEEP(test_bloom_small_one_tap),
        FIXTURE_SWEEP(test_bloom_small_scrub),
        FIXTURE_SWEEP(test_bloom_small_lamp),
        FIXTURE_SWEEP(test_bloom_small_fixed),
        FIXTURE_SWEEP(test_bloom_small_firefly),
        FIXTURE_SWEEP(test_bloom_small_auto),
        FIXTURE_FULL(test_bloom_small_star),
        FIXTURE_SWEEP(test_bloom_small_layers),
        FIXTURE_TEST(test_bloom_small_bytes),
        FIXTURE_SWEEP(test_bloom_fits_plans),
        FIXTURE_TEST(test_bloom_fits_transition),
        FIXTURE_TEST(test_bloom_fits_scratch),
        FIXTURE_FULL(test_bloom_fits_executes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
