// test_bloom.c - the effect "bloom" against double precision, and what it promises beside numbers
// SPDX-License-Identifier: MIT
//
// K is made here in double, texel by texel.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_bloom.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = BLOOM_WIDTH, H = BLOOM_HEIGHT, EXTENT = BLOOM_EXTENT };

// ---- numbers -----------------------------------------------------------------------------------

static void test_gaussian(void **state)
{
    static const int sizes[][2] = {{W, H}, {1, 1}, {1, 54}, {90, 1}, {55, 37}, {321, 181}};
    fixture *f = *state;
    rng r = rng_start("gaussian", 41);
    ag_pass *pass = fixture_pass(f, "bloom");
    CHECK_EQ(blooming_extent((double)BLOOM_SIZE, H), EXTENT);
    bool good = true;
    sweep *share = sweep_start("gaussian", 3);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int output = 0; output < 2; ++output) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            double *src = blooming_scene(&r, NULL, w, h, 0.01, 20);
            blooming c = bloom_base(f, output ? "bloom only" : "composite", src);
            c.width = w;
            c.height = h;
            c.settings.output = output;
            c.settings.size = h == 1 ? 2.0f : h == 181 ? 0.3f : BLOOM_SIZE;
            double *k = blooming_gaussian((double)c.settings.size, h);
            int extent = blooming_extent((double)c.settings.size, h);
            good = blooming_check(f, pass, &c, k, extent, extent, 1) && good;
            free(k);
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
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 20);
    bool good = true;
    for (size_t i = 0; i < COUNT(formats); ++i) {
        blooming c = bloom_base(f, formats[i], src);
        c.settings.shape = AG_BLOOM_TEXTURE;
        c.settings.kernel_fit = AG_BLOOM_FIT_EXACT;
        c.image_format = formats[i];
        c.image_height = EXTENT;
        c.image_width = i % 2 ? EXTENT : 25; // 0.35 * 54 * 25 / 19 texels, rounded to 25
        double *image = blooming_scene(&r, formats[i], c.image_width, EXTENT, 0.02, 1);
        c.image = image;
        int channels;
        double *k = blooming_normalised(&c, &channels);
        good = blooming_check(f, pass, &c, k, c.image_width, EXTENT, channels) && good;
        free(k);
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
    double *k = blooming_gaussian((double)BLOOM_SIZE, H);
    bool good = true;
    sweep *share = sweep_start("formats", 4);
    for (int i = 0; i < FRAME_FORMAT_COUNT; ++i) {
        if (!sweep_takes(share))
            continue;
        const char *name = format_at(i)->name;
        double *in = blooming_scene(&r, name, W, H, 0.05, 1);
        double *out = blooming_scene(&r, NULL, W, H, 0.05, 1.1); // some beyond the unorm range
        blooming c = bloom_base(f, "input", in);
        c.src_format = name;
        good = blooming_check(f, pass, &c, k, EXTENT, EXTENT, 1) && good;
        blooming d = bloom_base(f, "output", out);
        d.dst_format = name;
        d.settings.intensity = 0.1f;
        good = blooming_check(f, pass, &d, k, EXTENT, EXTENT, 1) && good;
        free(in);
        free(out);
    }
    free(k);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// threshold, knee, clamp, exposure, tint in all combinations, one pass, no new preparation.
// The composite holds src itself, so four roundings of the value come on top of 1e-6 of max|T|.
static void test_filter(void **state)
{
    fixture *f = *state;
    rng r = rng_start("filter", 44);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 300);
    for (int i = 0; i < W * H; i += 97)
        src[4 * i + i % 3] *= -1; // negative light has to stay harmless
    double *k = blooming_gaussian((double)BLOOM_SIZE, H), worst = 0, snr = 999;
    for (int i = 0; i < 64; ++i) {
        blooming c = bloom_base(f, "filter", src);
        ag_bloom_settings *s = &c.settings;
        s->threshold = i & 1 ? (float)rng_uniform(&r, 0.5, 5) : 0;
        s->clamp = i & 2 ? (float)rng_uniform(&r, 5, 100) : 0;
        s->exposure = i & 4 ? (float)rng_uniform(&r, -3, 3) : 0;
        s->knee = i & 8 ? (float)rng_uniform(&r, 0, 1) : i & 16 ? 0 : 0.5f;
        s->output = i & 16 ? AG_BLOOM_ONLY : AG_BLOOM_COMPOSITE;
        s->intensity = i & 32 ? 1 : (float)rng_uniform(&r, 0, 1);
        for (int t = 0; t < 3 && i & 32; ++t)
            s->tint[t] = (float)rng_uniform(&r, 0, 2);
        double *got = blooming_run(f, pass, &c);
        bloomed m = blooming_measure(&c, k, EXTENT, EXTENT, 1, got);
        if (!(m.units <= worst))
            worst = m.units;
        if (!(m.snr >= snr))
            snr = m.snr;
        free(got);
    }
    CHECK_F(snr >= 120, "%.1f dB", snr);
    printf("  ok    64 settings: least SNR %.1f dB >= 120\n", snr);
    CHECK_LIMIT("error beyond 1e-6 of max|T|, in roundings of the value", worst, 4);
    free(k);
    free(src);
    f->ag->pass_destroy(pass);
}

// A spot of 60000 in a scene of 0.02 .. 0.4: each row's rms error beside the texels' own values.
static void test_hot_spot(void **state)
{
    enum { SW = 321, SH = 181 };
    fixture *f = *state;
    rng r = rng_start("hot spot", 45);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, SW, SH, 0.02, 0.4);
    for (int y = 89; y < 92; ++y)
        for (int x = 150; x < 153; ++x)
            for (int c = 0; c < 3; ++c)
                src[4 * (y * SW + x) + c] = 60000;
    blooming c = bloom_base(f, "spot", src);
    c.width = SW;
    c.height = SH;
    c.settings.size = 0.3f;
    c.settings.intensity = 0.1f;
    int extent = blooming_extent((double)c.settings.size, SH);
    double *k = blooming_gaussian((double)c.settings.size, SH);
    double *got = blooming_run(f, pass, &c), worst = 0;
    double *want = blooming_want(&c, k, extent, extent, 1);
    int rows = 0;
    for (int y = 0; y < SH; ++y) {
        double sum = 0;
        int count = 0;
        for (int i = 4 * y * SW; i < 4 * (y + 1) * SW; ++i)
            if (i % 4 < 3 && want[i] < 1) { // dark: out of the bloom's reach
                sum += pow((got[i] - want[i]) / want[i], 2);
                ++count;
            }
        if (count)
            worst = check_worse(worst, sqrt(sum / count));
        rows += count > 0;
    }
    printf("  note  %d of %d rows have dark texels\n", rows, SH);
    CHECK(rows == SH);
    CHECK_LIMIT("rms error of the worst row, of each dark texel's own value", worst, 0.003);
    bloomed m = blooming_measure(&c, k, extent, extent, 1, got);
    CHECK_LIMIT("largest error over max|T|", m.relative, 1e-6);
    free(src);
    free(k);
    free(got);
    free(want);
    f->ag->pass_destroy(pass);
}

// The kernel's centre weight never passes through the FFT: with 0.9999 of the light in the centre,
// the error of a texel in the dark is that of the other 0.0001, not that of its bright neighbours.
static void test_sharp_stays_sharp(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = malloc(sizeof *src * 4 * W * H), *image = malloc(sizeof *image * EXTENT * EXTENT);
    for (int i = 0; i < 4 * W * H; ++i) // a checker of 60000 and 0
        src[i] = i % 4 == 3 ? 1 : (i / 4 % W + i / 4 / W) % 2 ? 60000 : 0;
    for (int i = 0; i < EXTENT * EXTENT; ++i)
        image[i] = i == EXTENT * EXTENT / 2 ? 9999 : 1.0 / (EXTENT * EXTENT - 1);
    texture_quantise("r32f", image, EXTENT * EXTENT);
    blooming c = bloom_base(f, "checker", src);
    c.settings.shape = AG_BLOOM_TEXTURE;
    c.settings.kernel_fit = AG_BLOOM_FIT_EXACT;
    c.settings.output = AG_BLOOM_ONLY;
    c.image_format = "r32f";
    c.image = image;
    c.image_width = c.image_height = EXTENT;
    int channels;
    double *k = blooming_normalised(&c, &channels), *got = blooming_run(f, pass, &c), worst = 0;
    double *want = blooming_want(&c, k, EXTENT, EXTENT, channels);
    for (int i = 0; i < 4 * W * H; ++i)
        if (i % 4 < 3 && src[i] == 0) {
            double error = fabs(got[i] - want[i]);
            worst = error <= worst ? worst : error;
        }
    double spread = 60000 * (1 - k[EXTENT * EXTENT / 2]);
    CHECK_LIMIT("error in the dark texels of a checker, over max|T| * (1 - centre weight)",
                worst / spread, 1e-6);
    // Beside it: what a few roundings of the bright texels alone would leave there.
    CHECK_LIMIT("the same over max|T|", worst / 60000, 1e-9);
    free(src);
    free(image);
    free(k);
    free(got);
    free(want);
    f->ag->pass_destroy(pass);
}

// ---- identities --------------------------------------------------------------------------------

static void test_no_intensity(void **state)
{
    static const char *const formats[] = {"rgba32f", "rgba16f", "rgba8", "srgb8", "r11g11b10f"};
    fixture *f = *state;
    rng r = rng_start("no intensity", 46);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("no intensity", 3);
    for (size_t i = 0; i < COUNT(formats); ++i) {
        if (!sweep_takes(share))
            continue;
        double *src = blooming_scene(&r, formats[i], W, H, 0.001, i < 2 ? 60000 : 1);
        blooming c = bloom_base(f, formats[i], src);
        c.src_format = c.dst_format = formats[i];
        c.settings.intensity = 0;
        double *got = blooming_run(f, pass, &c);
        size_t bytes = sizeof *src * (size_t)(W * H * format_named(formats[i])->channels);
        char name[64];
        snprintf(name, sizeof name, "intensity 0 copies %s bit for bit", formats[i]);
        CHECK(check_case(name, memcmp(got, src, bytes) == 0));
        free(got);
        free(src);
    }
    f->ag->pass_destroy(pass);
}

// Size 0 makes K one texel: light goes back to where it came from.
static void test_no_size(void **state)
{
    fixture *f = *state;
    rng r = rng_start("no size", 47);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.001, 60000), one = 1;
    for (int output = 0; output < 2; ++output) {
        blooming c = bloom_base(f, "size 0", src);
        c.settings.size = 0;
        c.settings.output = output;
        c.settings.intensity = output ? 1 : 0.3f;
        double *got = blooming_run(f, pass, &c), worst = 0;
        for (int i = 0; i < 4 * W * H; ++i) {
            double error = fabs(got[i] - src[i]) / src[i];
            worst = error <= worst ? worst : error;
        }
        CHECK_LIMIT(output ? "size 0, bloom only: |dst - src| / src"
                           : "size 0, composite: |dst - src| / src",
                    worst, 0);
        bloomed m = blooming_measure(&c, &one, 1, 1, 1, got);
        CHECK_LIMIT("the same over max|T|", m.relative, 1e-6);
        free(got);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// Light away from the frame's edge is moved, never made: every shape, also a kernel image that
// has to be scaled.
static void test_energy(void **state)
{
    fixture *f = *state;
    rng r = rng_start("energy", 48);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = calloc(4 * W * H, sizeof *src), image[3 * 31 * 40];
    for (int y = 10; y < H - 10; ++y)
        for (int x = 14; x < W - 14; ++x)
            for (int c = 0; c < 3; ++c)
                src[4 * (y * W + x) + c] = rng_hdr(&r, 0.01, 100);
    texture_quantise("rgba32f", src, W * H);
    rng_fill_uniform(&r, image, COUNT(image), 0.1, 1);
    sweep *share = sweep_start("energy", 3);
    for (int shape = 0; shape < 5; ++shape)
        for (int output = 0; output < 2; ++output) {
            if (!sweep_takes(share))
                continue;
            blooming c = bloom_base(f, "energy", src);
            c.settings.shape = shape;
            c.settings.output = output;
            if (shape == AG_BLOOM_TEXTURE) {
                c.image = image;
                c.image_format = "r11g11b10f";
                c.image_width = 40;
                c.image_height = 31;
            }
            double *got = blooming_run(f, pass, &c), worst = 0;
            for (int k = 0; k < 3; ++k) {
                double before = 0, after = 0;
                for (int i = k; i < 4 * W * H; i += 4) {
                    before += src[i];
                    after += got[i];
                }
                double change = fabs(after / before - 1);
                worst = change <= worst ? worst : change;
            }
            char name[64];
            snprintf(name, sizeof name, "change of the light's sum, shape %d, output %d", shape,
                     output);
            CHECK_LIMIT(name, worst, 1e-6);
            free(got);
        }
    free(src);
    f->ag->pass_destroy(pass);
}

static void test_alpha(void **state)
{
    fixture *f = *state;
    rng r = rng_start("alpha", 49);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 20);
    for (int i = 0; i < W * H; ++i)
        src[4 * i + 3] = rng_normal(&r) * 1000;
    texture_quantise("rgba32f", src, W * H);
    for (int output = 0; output < 2; ++output) {
        blooming c = bloom_base(f, "alpha", src);
        c.settings.output = output;
        c.settings.threshold = 1; // must not touch alpha either
        double *got = blooming_run(f, pass, &c);
        int wrong = 0;
        for (int i = 3; i < 4 * W * H; i += 4)
            wrong += got[i] != src[i];
        CHECK_LIMIT(output ? "alphas that changed, bloom only" : "alphas that changed, composite",
                    wrong, 0);
        free(got);
    }
    free(src);
    f->ag->pass_destroy(pass);
}

// ---- the aperture ------------------------------------------------------------------------------

enum { AW = 64, AE = 57 }; // a square image, and the extent of size 0.9

// The response to a point of light is K itself. Returns 3 channels of AE * AE.
static double *aperture(fixture *f, ag_pass *pass, int blades, double rotation)
{
    double *src = calloc(4 * AW * AW, sizeof *src), *k = malloc(sizeof *k * 3 * AE * AE);
    for (int c = 0; c < 3; ++c)
        src[4 * (AW / 2 * AW + AW / 2) + c] = 1;
    blooming c = bloom_base(f, "aperture", src);
    c.width = c.height = AW;
    c.settings.size = 0.9f;
    c.settings.shape = AG_BLOOM_APERTURE;
    c.settings.output = AG_BLOOM_ONLY;
    c.settings.blades = blades;
    c.settings.rotation = (float)rotation;
    CHECK_EQ(blooming_extent((double)c.settings.size, AW), AE);
    double *got = blooming_run(f, pass, &c);
    for (int y = 0; y < AE; ++y)
        for (int x = 0; x < AE; ++x)
            for (int n = 0; n < 3; ++n)
                k[3 * (y * AE + x) + n] =
                    got[4 * ((y + AW / 2 - AE / 2) * AW + x + AW / 2 - AE / 2) + n];
    free(got);
    free(src);
    return k;
}

// Strength of the pattern of `folds` spikes around the centre, over the light in the same ring.
static double spikes(const double *k, int folds)
{
    double re = 0, im = 0, all = 0;
    for (int y = 0; y < AE; ++y)
        for (int x = 0; x < AE; ++x) {
            double dx = x - AE / 2, dy = y - AE / 2, radius = sqrt(dx * dx + dy * dy);
            if (radius < 4 || radius > 20)
                continue;
            // weighted by radius^3, so that every ring of the falling spikes has a say
            double light = k[3 * (y * AE + x) + 1] * pow(radius, 3), angle = atan2(dy, dx);
            re += light * cos(folds * angle);
            im += light * sin(folds * angle);
            all += light;
        }
    return hypot(re, im) / all;
}

static double moment(const double *k, int channel)
{
    double sum = 0, light = 0;
    for (int i = 0; i < AE * AE; ++i) {
        sum += k[3 * i + channel] * hypot(i % AE - AE / 2, i / AE - AE / 2);
        light += k[3 * i + channel];
    }
    return sum / light;
}

// How much light differs between K and K after a point reflection or a quarter turn.
static double asymmetry(const double *k, bool quarter)
{
    double difference = 0, light = 0;
    for (int y = 0; y < AE; ++y)
        for (int x = 0; x < AE; ++x)
            for (int c = 0; c < 3; ++c) {
                int tx = quarter ? y : AE - 1 - x, ty = quarter ? AE - 1 - x : AE - 1 - y;
                difference += fabs(k[3 * (y * AE + x) + c] - k[3 * (ty * AE + tx) + c]);
                light += k[3 * (y * AE + x) + c];
            }
    return difference / light;
}

static void test_aperture_energy_and_colour(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("aperture energy", 4);
    for (int blades = 3; blades <= 16; blades += blades < 8 ? 1 : 8) {
        if (!sweep_takes(share))
            continue;
        double *k = aperture(f, pass, blades, 10), sum[3] = {0}, low = 0;
        for (int i = 0; i < 3 * AE * AE; ++i) {
            sum[i % 3] += k[i];
            low = fmin(low, k[i]);
        }
        char name[96];
        for (int c = 0; c < 3; ++c) {
            snprintf(name, sizeof name, "%d blades, channel %d: |sum of K - 1|", blades, c);
            CHECK_LIMIT(name, fabs(sum[c] - 1), 1e-5);
        }
        snprintf(name, sizeof name, "%d blades: the most negative light", blades);
        CHECK_LIMIT(name, -low, 1e-6);
        printf("  note  %d blades: mean radius red %.3f, green %.3f, blue %.3f texels\n", blades,
               moment(k, 0), moment(k, 1), moment(k, 2));
        CHECK(moment(k, 0) > 1.01 * moment(k, 1) && moment(k, 1) > 1.01 * moment(k, 2));
        free(k);
    }
    f->ag->pass_destroy(pass);
}

// n blades make n spikes, or 2 n when n is odd. The kernel is sampled at 16 places a texel,
// each with its own wavelength, so symmetry holds to a part of the light, not to the last bit.
static void test_aperture_symmetry(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    for (int blades = 3; blades <= 8; ++blades) {
        double *k = aperture(f, pass, blades, 10), strongest = 0;
        int folds = blades % 2 ? 2 * blades : blades, which = 0;
        for (int n = 1; n <= folds; ++n)
            if (spikes(k, n) > strongest) {
                strongest = spikes(k, n);
                which = n;
            }
        char name[96];
        snprintf(name, sizeof name, "%d blades: light changed by a point reflection", blades);
        CHECK_LIMIT(name, asymmetry(k, false), 0.05);
        printf("  note  %d blades: %d spikes (strength %.3f)\n", blades, which, strongest);
        CHECK_EQ(which, folds);
        free(k);
    }
    double *four = aperture(f, pass, 4, 0);
    CHECK_LIMIT("4 blades: light changed by a quarter turn", asymmetry(four, true), 0.05);
    free(four);
    f->ag->pass_destroy(pass);
}

static double difference(const double *a, const double *b)
{
    double sum = 0, light = 0;
    for (int i = 0; i < 3 * AE * AE; ++i) {
        sum += fabs(a[i] - b[i]);
        light += a[i];
    }
    return sum / light;
}

static void test_aperture_rotation(void **state)
{
    fixture *f = *state;
    ag_pass *pass = fixture_pass(f, "bloom");
    double *a = aperture(f, pass, 6, 0), *b = aperture(f, pass, 6, 60),
           *c = aperture(f, pass, 6, 30);
    CHECK_LIMIT("6 blades: light changed by a turn of 60 degrees", difference(a, b), 1e-4);
    CHECK_LIMIT("0.05 over the light changed by a turn of 30 degrees", 0.05 / difference(a, c), 1);
    free(a);
    free(b);
    free(c);
    f->ag->pass_destroy(pass);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_gaussian),
        FIXTURE_TEST(test_texture),
        FIXTURE_SWEEP(test_formats),
        FIXTURE_TEST(test_filter),
        FIXTURE_TEST(test_hot_spot),
        FIXTURE_TEST(test_sharp_stays_sharp),
        FIXTURE_SWEEP(test_no_intensity),
        FIXTURE_TEST(test_no_size),
        FIXTURE_SWEEP(test_energy),
        FIXTURE_TEST(test_alpha),
        FIXTURE_SWEEP(test_aperture_energy_and_colour),
        FIXTURE_TEST(test_aperture_symmetry),
        FIXTURE_TEST(test_aperture_rotation),
        FIXTURE_SWEEP(test_shapes_sum_to_one),
        FIXTURE_TEST(test_spikes_count_and_turn),
        FIXTURE_TEST(test_spike_length_by_wavelength),
        FIXTURE_TEST(test_aperture_is_diffraction),
        FIXTURE_SWEEP(test_pupil_settings),
        FIXTURE_TEST(test_kernel_image_is_fitted),
        FIXTURE_SWEEP(test_lens_dirt_and_add),
        FIXTURE_SWEEP(test_lens_small),
        FIXTURE_TEST(test_lens_ghosts),
        FIXTURE_TEST(test_lens_exposure),
        FIXTURE_TEST(test_lens_refusals),
        FIXTURE_SWEEP(test_light),
        FIXTURE_TEST(test_light_small),
        FIXTURE_TEST(test_light_keeps_codes),
        UNIT_TEST(test_light_initialisers),
        FIXTURE_TEST(test_light_refusals),
        FIXTURE_TEST(test_motion_fades),
        FIXTURE_TEST(test_motion_every_frame),
        FIXTURE_SWEEP(test_motion_interrupted),
        FIXTURE_TEST(test_bloom_scrub),
        FIXTURE_TEST(test_bloom_rects),
        FIXTURE_TEST(test_bloom_layers),
        FIXTURE_TEST(test_bloom_preparations),
        FIXTURE_TEST(test_bloom_image),
        FIXTURE_TEST(test_bloom_image_units),
        FIXTURE_SWEEP(test_bloom_band_error),
        FIXTURE_SWEEP(test_bloom_band_narrow),
        FIXTURE_TEST(test_bloom_band_end),
        FIXTURE_SWEEP(test_bloom_band_lengths),
        FIXTURE_SWEEP(test_bloom_small_gaussian),
        FIXTURE_SWEEP(test_bloom_small_one_tap),
        FIXTURE_SWEEP(test_bloom_small_scrub),
        FIXTURE_SWEEP(test_bloom_small_lamp),
        FIXTURE_SWEEP(test_bloom_small_fixed),
        FIXTURE_SWEEP(test_bloom_small_firefly),
        FIXTURE_SWEEP(test_bloom_small_auto),
        FIXTURE_SWEEP(test_bloom_small_star),
        FIXTURE_SWEEP(test_bloom_small_layers),
        FIXTURE_TEST(test_bloom_small_bytes),
        FIXTURE_SWEEP(test_bloom_fits_plans),
        FIXTURE_TEST(test_bloom_fits_transition),
        FIXTURE_TEST(test_bloom_fits_scratch),
        FIXTURE_TEST(test_bloom_fits_executes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
