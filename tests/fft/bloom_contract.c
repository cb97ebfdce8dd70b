// bloom_contract.c - bloom's rectangles, layers, bad texels, and when it prepares
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

// ---- bad texels --------------------------------------------------------------------------------

static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};

// One channel of each of nine texels: the whole texel counts as 0.
void test_bloom_scrub(void **state)
{
    fixture *f = *state;
    rng r = rng_start("scrub", 50);
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    bool good = true;
    for (int i = 0; i < 9; ++i)
        src[4 * (i == 0 ? 0 : i == 1 ? TEXELS - 1 : 401 * i) + i % 4] = bad[i % 3];
    for (int output = 0; output < 2; ++output) {
        ag_bloom_settings s;
        trial t = blooming_of(f, "scrub", W, H, src, &s);
        s.output = output;
        s.threshold = 0.5f;
        uint64_t before = fixture_scrubbed(f);
        good = trial_check(&t) && good;
        CHECK_EQ(fixture_scrubbed(f) - before, 9);
        trial_free(&t);
    }
    free(src);
    CHECK(good);
}

// Texels that are not finite count as zeros, bit for bit and once each, beside lamps whose results
// overflow halves: formats of 16 and 32 bits, with a core and without, filtered and not.
void test_bloom_small_scrub(void **state)
{
    enum { WIDE = 91, HIGH = 57, BAD = 7, CASES = 32 };
    static const char *const formats[] = {"rgba16f", "rgba32f"};
    fixture *f = *state;
    rng r = rng_start("small scrub", 67);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("small scrub", 8);
    for (int n = 0; n < CASES; ++n) {
        if (!sweep_takes(share))
            continue;
        const char *format = formats[n % 2];
        double *src = blooming_scene(&r, format, WIDE, HIGH, 0.01, 20);
        for (int i = 0; i < 24; ++i) { // lamps of 6 x 4 texels, the brightest of halves
            int texel = (20 + i / 6) * WIDE + 30 + i % 6;
            for (int c = 0; c < 3; ++c)
                src[4 * texel + c] = 65504;
        }
        double *clean = check_doubles(4 * WIDE * HIGH);
        memcpy(clean, src, sizeof *clean * 4 * WIDE * HIGH);
        for (int i = 0; i < BAD; ++i) { // the corners, within the lamps, beside them, anywhere
            int texel = i == 0   ? 0
                        : i == 1 ? WIDE * HIGH - 1
                        : i == 2 ? 21 * WIDE + 32
                        : i == 3 ? 19 * WIDE + 31
                                 : rng_int(&r, 25, HIGH - 2) * WIDE + i * 9;
            src[4 * texel + (n + i) % 4] = bad[i % 3];
            memset(clean + 4 * texel, 0, 4 * sizeof *clean);
        }
        ag_bloom_settings s = small_settings(f, 1 + n / 2 % 2);
        s.output = n / 4 % 2;
        s.threshold = n / 8 % 2 ? 0.5f : 0;
        s.size = n / 16 % 2 ? 0 : BLOOMING_SIZE;
        uint64_t before = fixture_scrubbed(f);
        double *x = bloom_run_format(f, pass, format, WIDE, HIGH, src, &s);
        CHECK_EQ(fixture_scrubbed(f) - before, BAD);
        double *y = bloom_run_format(f, pass, format, WIDE, HIGH, clean, &s);
        char name[96];
        snprintf(name, sizeof name, "%s, %s, output %d, threshold %.1f, size %.1f: the same bits",
                 n / 2 % 2 ? "quarter" : "half", format, s.output, (double)s.threshold,
                 (double)s.size);
        CHECK(check_case(name, values_same(x, y, 4 * WIDE * HIGH)));
        free(x);
        free(y);
        free(src);
        free(clean);
    }
    f->ag->pass_destroy(pass);
}

// Two layers of four, into others, in rectangles: texels outside src's are not finite, and must not
// change the result; those outside dst's are not written.
void test_bloom_places(void **state)
{
    enum { BW = W + 21, BH = H + 13, LAYERS = 4 };
    fixture *f = *state;
    rng r = rng_start("places", 51);
    double *src = blooming_scene(&r, "rgba32f", BW, BH * LAYERS, 0.01, 20);
    for (int i = 0; i < 4 * BW * BH * LAYERS; ++i) {
        int texel = i / 4 % (BW * BH), x = texel % BW - 8, y = texel / BW - 5;
        if (x < 0 || y < 0 || x >= W || y >= H)
            src[i] = i % 3 ? 60000 : (double)NAN;
    }
    ag_bloom_settings s;
    trial t = blooming_of(f, "places", W, H, src, &s);
    t.slots[SRC] = (trial_slot){"rgba32f", BW, BH, LAYERS, 1, src, 8, 5, W, H, 1, 2, 0, NULL};
    t.slots[DST] = (trial_slot){"rgba32f", BW, BH, LAYERS, 1, NULL, 21, 13, W, H, 0, 2, 0, NULL};
    bool good = trial_check(&t);
    trial_free(&t);
    free(src);
    CHECK(good);
}

// ---- preparing ---------------------------------------------------------------------------------

static uint32_t dispatches(fixture *f)
{
    uint32_t count = gl_trace_calls(&f->host.trace, "glDispatchCompute");
    gl_trace_reset(&f->host.trace);
    return count;
}

// K's spectrum is computed only when K changes. execute always has three dispatches.
void test_bloom_preparations(void **state)
{
    fixture *f = *state;
    rng r = rng_start("preparations", 53);
    double *src = blooming_scene(&r, "rgba32f", W, H, 0.01, 20);
    ag_bloom_settings first;
    trial t = blooming_of(f, "preparations", W, H, src, &first);
    first.shape = AG_BLOOM_APERTURE;
    trial_make(&t);
    ag_pass *pass = t.pass;
    ag_job job = t.job;
    const texture b = t.textures[DST];
    gl_trace_reset(&f->host.trace);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    uint32_t whole = dispatches(f);
    printf("  note  the first prepare issues %u dispatches\n", whole);
    CHECK(whole > 0);

    ag_bloom_settings free_of_charge[8];
    for (size_t i = 0; i < 8; ++i)
        free_of_charge[i] = first;
    free_of_charge[1].intensity = 0.7f;
    free_of_charge[2].tint[1] = 0.3f;
    free_of_charge[3].threshold = 2;
    free_of_charge[4].knee = 0.1f;
    free_of_charge[5].clamp = 9;
    free_of_charge[6].exposure = -2;
    free_of_charge[7].output = AG_BLOOM_ONLY;
    for (size_t i = 0; i < 8; ++i) {
        job.settings = &free_of_charge[i];
        CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
        CHECK_EQ(dispatches(f), 0);
        CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_OK);
        CHECK_EQ(dispatches(f), 3);
    }
    printf("  ok    8 settings prepare nothing anew; execute issues 3 dispatches\n");

    // Programs keep the values of their uniforms, so an equal frame sets none. Passes that share
    // programs have values of their own.
    double before = 0;
    ag_pass *twin = fixture_pass(f, "bloom");
    job.settings = &first;
    CHECK_STATUS(f->ag->prepare(twin, &job), AG_OK);
    for (int i = 0; i < 4; ++i) {
        first.intensity = 0.9f;
        if (i == 3)
            CHECK_STATUS(f->ag->execute(twin, &job, NULL), AG_OK);
        first.intensity = i < 2 ? 0.25f : 0.75f;
        gl_trace_reset(&f->host.trace);
        CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_OK);
        uint32_t set = gl_trace_calls_with(&f->host.trace, "glProgramUniform");
        CHECK_EQ(dispatches(f), 3);
        double *got = texture_read(f, &b, 0);
        double change = 0;
        for (size_t k = 0; k < 4 * W * H; ++k)
            change = check_worse(change, fabs(got[k] - src[k]));
        free(got);
        printf("  note  intensity %g sets %u uniforms and changes texels by up to %g\n",
               (double)first.intensity, set, change);
        CHECK(i == 0 || i == 3 || (set == 0) == (i == 1));
        CHECK(change > 0 && (i != 1 || change == before) && (i != 2 || change > 2.9 * before) &&
              (i < 3 || change == before));
        before = change;
    }
    f->ag->pass_destroy(twin);
    dispatches(f);

    ag_bloom_settings anew[4] = {first, first, first, first};
    anew[0].size = 0.3f;
    anew[1].blades = 5;
    anew[2].rotation = 17;
    anew[3].shape = AG_BLOOM_GAUSSIAN;
    for (size_t i = 0; i < COUNT(anew); ++i) {
        job.settings = &anew[i];
        CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_E_STATE);
        CHECK_EQ(dispatches(f), 0);
        CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
        // The CPU writes the Gaussian's spectrum; no dispatch computes it.
        bool gaussian = anew[i].shape == AG_BLOOM_GAUSSIAN;
        uint32_t made =
            gaussian ? gl_trace_calls(&f->host.trace, "glBufferSubData") : dispatches(f);
        CHECK_F(made > 0 && (!gaussian || dispatches(f) == 0), "change %zu made no new kernel", i);
        CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_OK);
        CHECK_EQ(dispatches(f), 3);
        job.settings = &first;
        CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
        CHECK(dispatches(f) > 0);
    }
    printf("  ok    size, blades, rotation, shape: AG_E_STATE until prepared\n");
    trial_free(&t);
    free(src);
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
    const ag_plan *plan;
    s.shape = AG_BLOOM_TEXTURE;
    s.kernel_fit = AG_BLOOM_FIT_EXACT;
    CHECK(trial_refused(&t, AG_E_ARG, "kernel_image"));
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_ARG);
    trial_free(&t);

    t.slots[IMAGE] = trial_image("r32f", EXTENT, EXTENT, one);
    bool good = trial_check(&t);
    // Other texels with the same version are not read: the host said that nothing changed. With a
    // new version they are.
    texture_upload(f, &t.textures[IMAGE], 0, two);
    gl_trace_reset(&f->host.trace);
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
    CHECK_EQ(dispatches(f), 0);
    ++t.views[IMAGE].version;
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_E_STATE);
    memcpy(t.held[IMAGE], two, sizeof *two * EXTENT * EXTENT);
    good = trial_check(&t) && good;

    texture_upload(f, &t.textures[IMAGE], 0, black);
    ++t.views[IMAGE].version;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "zero"));
    --t.views[IMAGE].version;
    texture_poison(f, &t.textures[DST]);
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK);
    double *again = texture_read(f, &t.textures[DST], 0);
    CHECK(check_case("after a black image is refused the former kernel serves",
                     values_same(again, t.got[DST], 4 * TEXELS)));
    s.shape = AG_BLOOM_GAUSSIAN; // the other shapes ignore the image
    good = trial_check(&t) && good;
    trial_free(&t);
    free(src);
    free(one);
    free(two);
    free(black);
    free(again);
    CHECK(good);
}

// ---- image units -------------------------------------------------------------------------------

// Fireflies and a core together need a fourth unit from the base, and effects use units 0..7: base
// 4 is the last that has it. Bases from 5 on serve all other blooms, with the same bits, and refuse
// this one instead of using a unit that execute does not restore. A context of 8 units has no base
// 6 and 7. The fixture fails on any GL error.
void test_bloom_image_units(void **state)
{
    fixture *f = *state;
    rng r = rng_start("image units", 53);
    double *src = blooming_scene(&r, "rgba16f", W, H, 0.01, 500);
    double *want[2] = {NULL, NULL};
    ag_device *own = f->device;
    GLint units = 0;
    f->gl.GetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    bool quick = check_tier_now() == CHECK_QUICK; // each base compiles its programs anew: 0 and 5
    for (uint32_t base = 0; base < (quick ? 6 : 8); base += quick ? 5 : base ? 1 : 4) {
        ag_device *device = NULL;
        ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = base};
        ag_status made = f->ag->device_create(&f->host.host, &desc, &device);
        CHECK_STATUS(made, (GLint)base + 3 <= units ? AG_OK : AG_E_ARG);
        if (made < 0)
            continue;
        f->device = device;
        for (int firefly = 0; firefly < 2; ++firefly) {
            ag_bloom_settings s;
            trial t = blooming_of(f, "image units", W, H, src, &s);
            const ag_plan *plan;
            blooming_formats(&t, "rgba16f", "rgba16f");
            s.shape = AG_BLOOM_APERTURE;
            s.resolution = AG_BLOOM_HALF;
            s.firefly = firefly ? AG_BLOOM_FIREFLY_CLAMP : AG_BLOOM_FIREFLY_OFF;
            trial_make(&t);
            if (base >= 5 && firefly) {
                host_log_clear(&f->host);
                CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_ARG);
                CHECK(host_log_error(&f->host, AG_E_ARG, "a core need 4 image units"));
                CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_E_ARG);
                trial_free(&t);
                continue;
            }
            double *got = trial_take(&t, DST);
            CHECK(check_case("the same bits with another base",
                             !want[firefly] || values_same(got, want[firefly], 4 * TEXELS)));
            free(want[firefly]);
            want[firefly] = got;
            GLint bound = -1;
            for (GLuint unit = 0; unit < 8 && (GLint)unit < units; ++unit) {
                f->gl.GetIntegeri_v(GL_IMAGE_BINDING_NAME, unit, &bound);
                CHECK_EQ(bound, 0);
            }
        }
        f->ag->device_destroy(device, 0);
        f->device = own;
    }
    CHECK(!values_same(want[0], want[1], 4 * TEXELS));
    host_log_clear(&f->host);
    free(want[0]);
    free(want[1]);
    free(src);
}
