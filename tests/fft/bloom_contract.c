// bloom_contract.c - bloom's rectangles, layers, bad texels, and when it prepares
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_bloom.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { W = BLOOM_WIDTH, H = BLOOM_HEIGHT, EXTENT = BLOOM_EXTENT };

blooming bloom_base(fixture *f, const char *name, const double *src)
{
    blooming c = {
        .name = name, .width = W, .height = H, .src = src, .settings = blooming_defaults(f)};
    c.settings.size = BLOOM_SIZE;
    c.settings.intensity = 1;
    return c;
}

// ---- bad texels --------------------------------------------------------------------------------

void test_bloom_scrub(void **state)
{
    fixture *f = *state;
    rng r = rng_start("scrub", 50);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 20);
    double *clean = malloc(sizeof *clean * 4 * W * H);
    memcpy(clean, src, sizeof *clean * 4 * W * H);
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 9; ++i) { // one channel of each: the whole texel counts as 0
        int texel = i == 0 ? 0 : i == 1 ? W * H - 1 : 401 * i;
        src[4 * texel + i % 4] = bad[i % 3];
        memset(clean + 4 * texel, 0, 4 * sizeof *clean);
    }
    for (int output = 0; output < 2; ++output) {
        blooming a = bloom_base(f, "bad", src), b = bloom_base(f, "clean", clean);
        a.settings.output = b.settings.output = output;
        a.settings.threshold = b.settings.threshold = 0.5f;
        uint64_t before = fixture_scrubbed(f);
        double *x = blooming_run(f, pass, &a);
        uint64_t counted = fixture_scrubbed(f) - before;
        double *y = blooming_run(f, pass, &b);
        CHECK(check_case("NaN and Inf count as 0, bit for bit",
                         memcmp(x, y, sizeof *x * 4 * W * H) == 0));
        CHECK_EQ(counted, 9);
        CHECK_EQ(fixture_scrubbed(f) - before, 9);
        free(x);
        free(y);
    }
    free(src);
    free(clean);
    f->ag->pass_destroy(pass);
}

// Texels that are not finite count as zeros, bit for bit and once each, beside lamps whose results
// overflow halves: formats of 16 and 32 bits, with a core and without, filtered and not.
void test_bloom_small_scrub(void **state)
{
    enum { WIDE = 91, HIGH = 57, BAD = 7, CASES = 32 };
    static const char *const formats[] = {"rgba16f", "rgba32f"};
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    fixture *f = *state;
    rng r = rng_start("small scrub", 67);
    ag_pass *pass = fixture_pass(f, "bloom");
    sweep *share = sweep_start("small scrub", 4);
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
        double *clean = malloc(sizeof *clean * 4 * WIDE * HIGH);
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
        blooming a = bloom_base(f, "bad", src);
        a.width = WIDE;
        a.height = HIGH;
        a.src_format = a.dst_format = format;
        a.settings.resolution = 1 + n / 2 % 2;
        a.settings.output = n / 4 % 2;
        a.settings.threshold = n / 8 % 2 ? 0.5f : 0;
        a.settings.size = n / 16 % 2 ? 0 : BLOOM_SIZE;
        blooming b = a;
        b.src = clean;
        uint64_t before = fixture_scrubbed(f);
        double *x = blooming_run(f, pass, &a);
        uint64_t counted = fixture_scrubbed(f) - before;
        double *y = blooming_run(f, pass, &b);
        char name[96];
        snprintf(name, sizeof name, "%s, %s, output %d, threshold %.1f, size %.1f: the same bits",
                 n / 2 % 2 ? "quarter" : "half", format, a.settings.output,
                 (double)a.settings.threshold, (double)a.settings.size);
        CHECK(check_case(name, memcmp(x, y, sizeof *x * 4 * WIDE * HIGH) == 0));
        CHECK_EQ(counted, BAD);
        free(x);
        free(y);
        free(src);
        free(clean);
    }
    f->ag->pass_destroy(pass);
}

// ---- rectangles and layers ---------------------------------------------------------------------

// Texels outside src's rectangle are not finite, and must not change the result. Texels outside
// dst's rectangle are not written.
void test_bloom_rects(void **state)
{
    enum { BW = W + 21, BH = H + 13, SX = 8, SY = 5, DX = 21, DY = 13 };
    fixture *f = *state;
    rng r = rng_start("rects", 51);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 20),
           *big = malloc(sizeof *big * 4 * BW * BH);
    for (int i = 0; i < 4 * BW * BH; ++i)
        big[i] = i % 3 ? 60000 : (double)NAN;
    for (int y = 0; y < H; ++y)
        memcpy(big + 4 * ((y + SY) * BW + SX), src + 4 * y * W, sizeof *big * 4 * W);
    blooming c = bloom_base(f, "rects", src);
    double *want = blooming_run(f, pass, &c);
    texture a = texture_create(f, "rgba32f", BW, BH, big),
            b = texture_create(f, "rgba32f", BW, BH, NULL);
    ag_texture slots[3] = {texture_view(&a), texture_no_view(), texture_view(&b)};
    slots[0].rect_x = SX;
    slots[0].rect_y = SY;
    slots[2].rect_x = DX;
    slots[2].rect_y = DY;
    slots[0].rect_width = slots[2].rect_width = W;
    slots[0].rect_height = slots[2].rect_height = H;
    ag_job job = blooming_job(slots, &c.settings);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &b, 0);
    int wrong = 0;
    for (int y = 0; y < H; ++y)
        wrong += memcmp(got + 4 * ((y + DY) * BW + DX), want + 4 * y * W, sizeof *got * 4 * W) != 0;
    CHECK_LIMIT("rows that differ from the whole texture's", wrong, 0);
    size_t poison = texture_poison_count(f, &b, 0, 0, 0, 0, 0);
    CHECK_LIMIT("texels written outside dst's rectangle",
                (double)(BW * BH - W * H) - (double)poison, 0);
    texture_destroy(f, &a);
    texture_destroy(f, &b);
    free(src);
    free(big);
    free(want);
    free(got);
    f->ag->pass_destroy(pass);
}

void test_bloom_layers(void **state)
{
    enum { LAYERS = 4, FIRST = 1, USED = 2, PLANE = 4 * W * H };
    fixture *f = *state;
    rng r = rng_start("layers", 52);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = malloc(sizeof *src * LAYERS * PLANE), *want[USED];
    for (int i = 0; i < LAYERS; ++i) {
        double *one = blooming_scene(&r, NULL, W, H, 0.01, 20 * (i + 1));
        memcpy(src + i * PLANE, one, sizeof *src * PLANE);
        if (i >= FIRST && i < FIRST + USED) {
            blooming c = bloom_base(f, "layer", one);
            want[i - FIRST] = blooming_run(f, pass, &c);
        }
        free(one);
    }
    texture a = texture_create_array(f, "rgba32f", W, H, LAYERS, 1, src);
    texture b = texture_create_array(f, "rgba32f", W, H, LAYERS, 1, NULL);
    ag_texture slots[3] = {texture_view(&a), texture_no_view(), texture_view(&b)};
    slots[0].first_layer = FIRST;
    slots[2].first_layer = 0; // other layers than those of src
    slots[0].layers = slots[2].layers = USED;
    blooming c = bloom_base(f, "layers", src);
    ag_job job = blooming_job(slots, &c.settings);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &b, 0);
    for (int i = 0; i < USED; ++i) {
        CHECK(check_case("a layer equals the same texels alone",
                         memcmp(got + i * PLANE, want[i], sizeof *got * PLANE) == 0));
        free(want[i]);
    }
    CHECK_EQ(texture_poison_count(f, &b, 0, 0, 0, 0, 0), (LAYERS - USED) * W * H);
    texture_destroy(f, &a);
    texture_destroy(f, &b);
    free(src);
    free(got);
    f->ag->pass_destroy(pass);
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
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 20);
    texture a = texture_create(f, "rgba32f", W, H, src),
            b = texture_create(f, "rgba32f", W, H, NULL);
    ag_texture slots[3] = {texture_view(&a), texture_no_view(), texture_view(&b)};
    ag_bloom_settings first = bloom_base(f, "", src).settings;
    first.shape = AG_BLOOM_APERTURE;
    ag_job job = blooming_job(slots, &first);
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
    texture_destroy(f, &a);
    texture_destroy(f, &b);
    free(src);
    f->ag->pass_destroy(pass);
}

// A kernel image is required by shape = texture only. A new version is read again. A black image is
// refused, and the former kernel stays in use.
void test_bloom_image(void **state)
{
    fixture *f = *state;
    rng r = rng_start("image", 54);
    ag_pass *pass = fixture_pass(f, "bloom");
    double *src = blooming_scene(&r, NULL, W, H, 0.01, 20);
    double *one = blooming_scene(&r, "r32f", EXTENT, EXTENT, 0.1, 1);
    double *two = blooming_scene(&r, "r32f", EXTENT, EXTENT, 0.1, 1);
    double *black = calloc(EXTENT * EXTENT, sizeof *black);
    texture a = texture_create(f, "rgba32f", W, H, src),
            b = texture_create(f, "rgba32f", W, H, NULL);
    texture image = texture_create(f, "r32f", EXTENT, EXTENT, one);
    ag_texture slots[3] = {texture_view(&a), texture_no_view(), texture_view(&b)};
    blooming c = bloom_base(f, "image", src);
    c.settings.shape = AG_BLOOM_TEXTURE;
    c.settings.kernel_fit = AG_BLOOM_FIT_EXACT;
    ag_job job = blooming_job(slots, &c.settings);
    const ag_plan *plan;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "kernel_image"));
    CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
    CHECK(texture_is_poison(f, &b));

    slots[1] = texture_view(&image);
    fixture_run(f, pass, &job);
    double *got = texture_read(f, &b, 0);
    c.image = one;
    c.image_format = "r32f";
    c.image_width = c.image_height = EXTENT;
    int channels;
    double *k = blooming_normalised(&c, &channels);
    CHECK_LIMIT("the first image", blooming_measure(&c, k, EXTENT, EXTENT, 1, got).relative, 1e-6);
    free(k);

    // Other texels with the same version are not read: the host said that nothing changed. With a
    // new version they are.
    texture_upload(f, &image, 0, two);
    gl_trace_reset(&f->host.trace);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_OK);
    CHECK_EQ(dispatches(f), 0);
    ++slots[1].version;
    CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_E_STATE);
    fixture_run(f, pass, &job);
    free(got);
    got = texture_read(f, &b, 0);
    c.image = two;
    k = blooming_normalised(&c, &channels);
    CHECK_LIMIT("the second image", blooming_measure(&c, k, EXTENT, EXTENT, 1, got).relative, 1e-6);

    texture_upload(f, &image, 0, black);
    ++slots[1].version;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "zero"));
    --slots[1].version;
    texture_poison(f, &b);
    CHECK_STATUS(f->ag->execute(pass, &job, NULL), AG_OK);
    double *again = texture_read(f, &b, 0);
    CHECK(check_case("after a black image is refused the former kernel serves",
                     memcmp(again, got, sizeof *got * 4 * W * H) == 0));
    // The other shapes ignore the image.
    c.settings.shape = AG_BLOOM_GAUSSIAN;
    fixture_run(f, pass, &job);
    f->ag->forget(f->device, image.name);
    texture_destroy(f, &image);
    texture_destroy(f, &a);
    texture_destroy(f, &b);
    free(src);
    free(one);
    free(two);
    free(black);
    free(k);
    free(got);
    free(again);
    f->ag->pass_destroy(pass);
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
    texture in = texture_create(f, "rgba16f", W, H, src);
    texture out = texture_create(f, "rgba16f", W, H, NULL);
    ag_texture slots[3] = {texture_view(&in), texture_no_view(), texture_view(&out)};
    uint8_t *want[2] = {0};
    ag_device *own = f->device;
    GLint units = 0;
    f->gl.GetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    for (uint32_t base = 0; base < 8; base += base ? 1 : 4) {
        ag_device *device = NULL;
        ag_device_desc desc = {.struct_size = sizeof desc, .image_unit_base = base};
        ag_status made = f->ag->device_create(&f->host.host, &desc, &device);
        CHECK_STATUS(made, (GLint)base + 3 <= units ? AG_OK : AG_E_ARG);
        if (made < 0)
            continue;
        f->device = device;
        ag_pass *pass = fixture_pass(f, "bloom");
        for (int firefly = 0; firefly < 2; ++firefly) {
            blooming c = bloom_base(f, "image units", src);
            c.settings.shape = AG_BLOOM_APERTURE;
            c.settings.resolution = AG_BLOOM_HALF;
            c.settings.firefly = firefly ? AG_BLOOM_FIREFLY_CLAMP : AG_BLOOM_FIREFLY_OFF;
            ag_job job = blooming_job(slots, &c.settings);
            const ag_plan *plan;
            if (base >= 5 && firefly) {
                host_log_clear(&f->host);
                CHECK_STATUS(f->ag->declare(pass, &job, &plan), AG_E_ARG);
                CHECK(host_log_error(&f->host, AG_E_ARG, "a core need 4 image units"));
                CHECK_STATUS(f->ag->prepare(pass, &job), AG_E_ARG);
                continue;
            }
            texture_poison(f, &out);
            fixture_run(f, pass, &job);
            uint8_t *got = texture_read_bytes(f, &out, 0);
            if (want[firefly]) {
                CHECK(check_case("the same bits with another base",
                                 memcmp(got, want[firefly], texture_byte_count(&out, 0)) == 0));
                free(got);
            } else
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
    CHECK(memcmp(want[0], want[1], texture_byte_count(&out, 0)) != 0);
    host_log_clear(&f->host);
    free(want[0]);
    free(want[1]);
    free(src);
    texture_destroy(f, &in);
    texture_destroy(f, &out);
}
