// bloom_contract.c - bloom's bad texels, rectangles, layers and kernel images, at every resolution
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

// Texels that are not finite count as zeros, bit for bit and once each, beside lamps whose results
// overflow halves: formats of 16 and 32 bits, each resolution, with a core and without, filtered
// and not.
void test_bloom_scrub(void **state)
{
    enum { BAD = 7, CASES = 48 };
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    static const char *const formats[] = {"rgba16f", "rgba32f"};
    fixture *f = *state;
    rng r = rng_start("scrub", 67);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("scrub", 36);
    for (int n = 0; n < CASES; ++n) {
        if (!sweep_takes(share))
            continue;
        const char *format = formats[n % 2];
        double *src = blooming_scene(&r, format, W, H, 0.01, 20),
               *clean = check_doubles(4 * TEXELS);
        for (int i = 0; i < 24; ++i) // lamps of 6 x 4 texels, the brightest of halves
            for (int c = 0; c < 3; ++c)
                src[4 * ((20 + i / 6) * W + 30 + i % 6) + c] = 65504;
        memcpy(clean, src, sizeof *clean * 4 * TEXELS);
        for (int i = 0; i < BAD; ++i) { // the corners, within the lamps, beside them, anywhere
            const int first[] = {0, TEXELS - 1, 21 * W + 32, 19 * W + 31};
            int texel = i < 4 ? first[i] : rng_int(&r, 25, H - 2) * W + i * 9;
            src[4 * texel + (n + i) % 4] = bad[i % 3];
            memset(clean + 4 * texel, 0, 4 * sizeof *clean);
        }
        ag_bloom_settings s = bloom_settings(f, n / 2 % 3, n / 6 % 2);
        s.threshold = n / 12 % 2 ? 0.5f : 0;
        s.size = n / 24 ? 0 : BLOOMING_SIZE;
        uint64_t before = fixture_scrubbed(f);
        double *x = bloom_run(f, pass, format, W, H, src, &s);
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        double *y = bloom_run(f, pass, format, W, H, clean, &s);
        char name[96];
        snprintf(name, sizeof name,
                 "resolution %d, %s, output %d, threshold %.1f, size %.1f: the same bits",
                 s.resolution, format, s.output, (double)s.threshold, (double)s.size);
        CHECK(check_case(name, values_same(x, y, 4 * TEXELS)));
        free(x);
        free(y);
        free(src);
        free(clean);
    }
    f->ag->pass_destroy(pass);
}

static bool alone(trial *t, const trial_part *p, double *want, double *bound)
{
    double *src = trial_input(t, SRC, p->layer);
    const char *format = t->textures[SRC].format->name;
    double *got = bloom_run(t->f, t->user, format, W, H, src, t->settings);
    memcpy(want, got, sizeof *got * 4 * TEXELS);
    (void)bound;
    free(src);
    free(got);
    return true;
}

// Two layers of four, into others, in rectangles: each is what it is alone. Texels outside src's
// are not finite, and must not change the result; those outside dst's are not written.
void test_bloom_places(void **state)
{
    enum { BW = W + 21, BH = H + 13, LAYERS = 4 };
    static const int shapes[] = {AG_BLOOM_GAUSSIAN, AG_BLOOM_APERTURE, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    rng r = rng_start("places", 51);
    ag_pass *passes[] = {fixture_pass(f, "bloom"), fixture_pass(f, "bloom")};
    double *src = blooming_scene(&r, "rgba16f", BW, BH * LAYERS, 0.01, 20);
    for (int i = 0; i < 4 * BW * BH * LAYERS; ++i) {
        int texel = i / 4 % (BW * BH), x = texel % BW - 8, y = texel / BW - 5;
        if (x < 0 || y < 0 || x >= W || y >= H)
            src[i] = i % 3 ? 60000 : (double)NAN;
    }
    bool good = true;
    sweep *share = sweep_start("places", 9);
    for (int i = 0; i < 9; ++i) {
        if (!sweep_takes(share))
            continue;
        ag_bloom_settings s;
        trial t = blooming_of(f, "places", W, H, src, &s);
        t.slots[SRC] = (trial_slot){"rgba16f", BW, BH, LAYERS, 1, src, 8, 5, W, H, 1, 2, 0, NULL};
        t.slots[DST] =
            (trial_slot){"rgba16f", BW, BH, LAYERS, 1, NULL, 21, 13, W, H, 0, 2, 0, NULL};
        t.reference = alone;
        t.user = passes[1];
        t.snr = 0;
        s.shape = shapes[i / 3];
        s.resolution = i % 3;
        s.threshold = 0.5f;
        good = bloom_check(&t, passes[0]) && good;
    }
    f->ag->pass_destroy(passes[0]);
    f->ag->pass_destroy(passes[1]);
    free(src);
    CHECK(good);
}

// A kernel image is required by shape = texture only. A new version is read again. A black image is
// refused, and the former kernel stays in use.
void test_bloom_image(void **state)
{
    fixture *f = *state;
    rng r = rng_start("image", 54);
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    double *one = blooming_scene(&r, "r32f", EXTENT, EXTENT, 0.1, 1);
    double *two = blooming_scene(&r, "r32f", EXTENT, EXTENT, 0.1, 1);
    double *black = values_even("r32f", EXTENT, EXTENT, 0);
    ag_bloom_settings s;
    trial t = blooming_of(f, "image", W, H, src, &s);
    s.shape = AG_BLOOM_TEXTURE;
    s.kernel_fit = AG_BLOOM_FIT_EXACT;
    CHECK(trial_refused(&t, AG_E_ARG, "kernel_image"));
    trial_free(&t);
    t.slots[IMAGE] = trial_image("r32f", EXTENT, EXTENT, one);
    bool good = trial_check(&t);
    texture_upload(f, &t.textures[IMAGE], 0, two);
    ++t.views[IMAGE].version;
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_E_STATE);
    memcpy(t.held[IMAGE], two, sizeof *two * EXTENT * EXTENT);
    good = trial_check(&t) && good;
    texture_upload(f, &t.textures[IMAGE], 0, black);
    ++t.views[IMAGE].version;
    texture_poison(f, &t.textures[DST]);
    CHECK(trial_refused(&t, AG_E_ARG, "zero"));
    --t.views[IMAGE].version;
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK);
    double *again = texture_read(f, &t.textures[DST], 0);
    CHECK(check_case("after a black image is refused the former kernel serves",
                     values_same(again, t.got[DST], 4 * TEXELS)));
    trial_free(&t);
    free(src);
    free(one);
    free(two);
    free(black);
    free(again);
    CHECK(good);
}

// Fireflies and direct taps together need a fourth unit from the base, and effects use units 0..7:
// from base 5 on they are refused instead of using a unit that execute does not restore. Others are
// served. abi/test_state.c holds the bits with other bases.
void test_bloom_image_units(void **state)
{
    fixture *f = *state;
    ag_device *own = f->device;
    for (uint32_t base = 4; base < 6; ++base)
        for (int firefly = 0; firefly < 2; ++firefly) {
            ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = base};
            const ag_plan *plan;
            ag_bloom_settings s;
            CHECK_STATUS(f->ag->device_create(&f->host.host, &desc, &f->device), AG_OK);
            trial t = blooming_of(f, "image units", W, H, NULL, &s);
            s.shape = AG_BLOOM_APERTURE;
            s.resolution = AG_BLOOM_HALF;
            s.firefly = firefly ? AG_BLOOM_FIREFLY_CLAMP : AG_BLOOM_FIREFLY_OFF;
            trial_make(&t);
            host_log_clear(&f->host);
            bool fits = base < 5 || !firefly;
            CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), fits ? AG_OK : AG_E_ARG);
            CHECK(fits || host_log_error(&f->host, AG_E_ARG, "direct taps need 4 image units"));
            host_log_clear(&f->host);
            trial_free(&t);
            f->ag->device_destroy(f->device, 0);
            f->device = own;
        }
}
