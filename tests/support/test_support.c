// test_support.c - tests of the tests' tools: formats, references by hand-made answers, trials
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/bloom.h>
#include <afterglow/box_blur.h>

#include "bloom_ref.h"
#include "convolve_ref.h"
#include "fixture.h"
#include "formats.h"
#include "random.h"
#include "texture.h"
#include "trial.h"
#include "values.h"

// Ties go to the even code; ends are clamped; units are the distance of neighbours.
static void test_known_values(void **state)
{
    (void)state;
    const format_info *half = format_named("r16f"), *small = format_named("r11g11b10f");
    const format_info *byte = format_named("r8"), *single = format_named("r32f");
    const format_info *srgb = format_named("srgb8");
    CHECK(format_quantise(half, 0, 2049) == 2048);
    CHECK(format_quantise(half, 0, 2051) == 2052);
    CHECK(format_quantise(half, 0, 65519) == 65504);
    CHECK(format_quantise(half, 0, 1e9) == 65504);
    CHECK(format_quantise(half, 0, -1e9) == -65504);
    CHECK(format_quantise(half, 0, 0x1p-25) == 0);
    CHECK(format_quantise(half, 0, 0x1.8p-24) == 0x1p-23);
    CHECK(format_unit(half, 0, 1) == 0x1p-10);
    CHECK(format_unit(half, 0, 0) == 0x1p-24);
    CHECK(format_largest(small, 0) == 65024);
    CHECK(format_largest(small, 2) == 64512);
    CHECK(format_quantise(small, 0, -1) == 0);
    CHECK(format_unit(small, 2, 1) == 0x1p-5);
    CHECK(format_quantise(byte, 0, 2.5 / 255) == 2 / 255.0);
    CHECK(format_quantise(byte, 0, 7) == 1);
    CHECK(format_quantise(single, 0, 16777217) == 16777216);
    CHECK(format_quantise(srgb, 3, 0.5) == 128 / 255.0);
    CHECK(fabs(format_quantise(srgb, 0, 0.5) - format_srgb_decode(188 / 255.0)) < 1e-15);
    CHECK(fabs(format_error_units(byte, 0, 0.5, 128 / 255.0, 0) - 0.5) < 1e-9);
    CHECK(format_error_units(byte, 0, 0.5, 129 / 255.0, 0) > 1.49);
    CHECK(format_error_units(byte, 0, 0.5, 129 / 255.0, 1.5 / 255) < 1e-9);
    CHECK(isnan(check_worse(1, NAN)) && isnan(check_worse(NAN, 1)) && check_worse(2, 1) == 2);
    CHECK(isnan(format_error_units(half, 0, NAN, 1, 0)));
    CHECK(isnan(format_error_units(half, 0, 1, NAN, 0)));
    for (int i = 0; i < 256; ++i) {
        double linear = format_srgb_decode(i / 255.0);
        CHECK(fabs(format_srgb_encode(linear) * 255 - i) < 1e-3);
        CHECK(format_quantise(srgb, 0, linear) == linear);
    }
}

// A kernel of one 1 at (i,j) moves the image by (i - kw/2, j - kh/2): hand-made answers.
static void test_shift(void **state)
{
    (void)state;
    const double src[4] = {1, 2, 3, 4};
    static const struct {
        int kw, at, border;
        bool correlate;
        double expected[4];
    } rows[] = {
        {3, 1, AG_BORDER_ZERO, false, {1, 2, 3, 4}},
        {3, 2, AG_BORDER_ZERO, false, {0, 1, 2, 3}}, // src(x - 1)
        {3, 2, AG_BORDER_ZERO, true, {2, 3, 4, 0}},
        {3, 0, AG_BORDER_CLAMP, false, {2, 3, 4, 4}},
        {4, 0, AG_BORDER_ZERO, false, {3, 4, 0, 0}}, // even: the centre is 2
        {4, 3, AG_BORDER_WRAP, false, {4, 1, 2, 3}},
        {4, 0, AG_BORDER_MIRROR, false, {3, 4, 3, 2}},   // ... 3 4 3 2: the edge is not repeated
        {15, 14, AG_BORDER_MIRROR, false, {2, 1, 2, 3}}, // src(x - 7), period 6
        {15, 0, AG_BORDER_WRAP, false, {4, 1, 2, 3}},    // src(x + 7), period 4
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double kernel[16] = {0}, out[4];
        kernel[rows[i].at] = 1;
        convolve_ref c = {.src = src,
                          .width = 4,
                          .height = 1,
                          .channels = 1,
                          .kernel = kernel,
                          .kernel_width = rows[i].kw,
                          .kernel_height = 1,
                          .kernel_channels = 1,
                          .border = rows[i].border,
                          .correlate = rows[i].correlate};
        CHECK(convolve_ref_run(&c, out));
        CHECK_LIMIT("shift, row", check_max_error(out, rows[i].expected, 4), 1e-14);
        c.width = c.kernel_width = 1;
        c.height = 4;
        c.kernel_height = rows[i].kw;
        CHECK(convolve_ref_run(&c, out));
        CHECK_LIMIT("shift, column", check_max_error(out, rows[i].expected, 4), 1e-14);
    }
}

static void test_threshold(void **state)
{
    (void)state;
    ag_bloom_settings s = {.threshold = 4, .knee = 0.5f, .exposure = 1};
    // t = 4 / 2 = 2, k = 1: nothing at b <= 1; b - t beyond 3; a quarter of k at b = t
    static const double rows[][2] = {{1, 0}, {0.5, 0}, {2, 0.25}, {3, 1}, {10, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const double in[3] = {rows[i][0], rows[i][0] / 2, 0};
        double out[3];
        bloom_ref_texel(&s, in, 3, out);
        CHECK_LIMIT("threshold, red", fabs(out[0] - rows[i][1]), 1e-15);
        CHECK_LIMIT("threshold, green", fabs(out[1] - rows[i][1] / 2), 1e-15);
    }
    s = (ag_bloom_settings){.clamp = 6, .exposure = 1};
    const double bright[3] = {10, 2, 3.5};
    static const double clamped[3] = {3, 2, 3};
    double out[3];
    bloom_ref_texel(&s, bright, 3, out);
    CHECK_LIMIT("clamp", check_max_error(out, clamped, 3), 0);
}

// Errors that the driver reports make a fixture unclean.
static void test_complaints(void **state)
{
    fixture *f = *state;
    CHECK(fixture_clean(f));
    printf("  (the two complaints below are on purpose)\n");
    f->gl.BindTexture(0xbad, 0);
    CHECK(!fixture_clean(f));
    fixture_ignore(f, true);
    f->gl.BindTexture(0xbad, 0);
    fixture_ignore(f, false);
    CHECK_EQ(f->gl.GetError(), GL_INVALID_ENUM);
    CHECK(fixture_clean(f));
}

static void load_egl(fixture *f, const char *name, void *function)
{
    void *address = headless_proc(f->context, name);
    CHECK(address != NULL);
    memcpy(function, &address, sizeof address);
}

// A context lives on after its fixture on zink, which would read freed memory, and only there.
static void test_kept_contexts(void **state)
{
    fixture *group = *state;
    void *(*current_display)(void), *(*current_context)(void);
    unsigned (*query)(void *, void *, int32_t, int32_t *);
    load_egl(group, "eglGetCurrentDisplay", &current_display);
    load_egl(group, "eglGetCurrentContext", &current_context);
    load_egl(group, "eglQueryContext", &query);
    enum { CLIENT_VERSION = 0x3098 };
    for (int gone = 0; gone < 2; ++gone) {
        fixture *f = fixture_open(&(fixture_options){.quiet = true});
        CHECK(f != NULL);
        bool zink = strstr((const char *)f->gl.GetString(GL_RENDERER), "zink") != NULL;
        void *display = current_display(), *context = current_context();
        int32_t version = 0;
        CHECK(context && query(display, context, CLIENT_VERSION, &version) && version >= 4);
        CHECK(gone ? fixture_close_gone(f) : fixture_close(f));
        CHECK(current_context() == NULL);
        CHECK_EQ(query(display, context, CLIENT_VERSION, &version), zink);
        fixture_current(group);
    }
}

// ---- trials ------------------------------------------------------------------------------------

enum { SRC, DST = 3 }; // of box_blur, which copies with the radius 0
enum fault {
    RIGHT,
    WITHIN,
    WRONG,
    WRONG_LAYER,
    WRONG_NAN,
    WRONG_UNIT,
    OPEN,
    UNWRITTEN,
    NOISY,
    FAULTS
};

static bool copied(trial *t, const trial_part *p, double *want, double *bound)
{
    enum fault fault = *(enum fault *)t->user;
    double *src = trial_input(t, SRC, p->layer);
    for (int i = 0; i < p->width * p->height * p->channels; ++i)
        want[i] = src[i];
    free(src);
    double *last = &want[p->width * p->height * p->channels - 1];
    if (fault == WRONG || fault == NOISY || (fault == WRONG_LAYER && p->layer == 1))
        *last += 1e-3;
    if (fault == WITHIN)
        bound[p->width * p->height * p->channels - 1] = 1.1e-3, *last += 1e-3;
    if (fault == WRONG_UNIT)
        *last += *last < 0.5 ? 1 / 255.0 : -1 / 255.0;
    if (fault == WRONG_NAN)
        *last = (double)NAN;
    if (fault == OPEN)
        *last = TRIAL_ANY;
    return fault != UNWRITTEN;
}

// A trial accepts what is right and no fault of any kind, in rectangles of an array too.
static void test_trial(void **state)
{
    enum { W = 9, H = 7, LAYERS = 3 };
    static const char *const formats[] = {"rgba32f", "rgba8"};
    fixture *f = *state;
    fixture_device(f, NULL);
    rng r = rng_start("trial", 7);
    for (int k = 0; k < 4; ++k)
        for (int fault = RIGHT; fault < FAULTS; ++fault) {
            const char *format = formats[k % 2];
            bool wide = k % 2 == 0, good = fault == RIGHT || fault == WITHIN;
            if (!wide && fault != RIGHT && fault != WRONG_UNIT && fault != UNWRITTEN)
                continue; // a code is further from the next than the other faults are large
            ag_box_blur_settings s;
            double *src = values_noise(&r, format, W, H * LAYERS, 0, 1);
            trial t = trial_of(f, "box_blur", good ? "right" : "wrong on purpose", &s, sizeof s);
            s.radius = 0;
            trial_slot slot = trial_image(format, W, H, src);
            slot.layers = LAYERS;
            if (k / 2) {
                slot.x = 2;
                slot.y = 1;
                slot.w = 5;
                slot.h = 4;
            }
            t.slots[SRC] = t.slots[DST] = slot;
            t.slots[DST].values = NULL;
            t.reference = copied;
            t.user = &fault;
            if (fault == NOISY) {
                t.limit = (double)INFINITY;
                t.snr = 120;
            }
            CHECK_EQ(trial_check(&t), good);
            trial_free(&t);
            free(src);
        }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_known_values),     UNIT_TEST(test_shift),
        UNIT_TEST(test_threshold),        FIXTURE_TEST(test_complaints),
        FIXTURE_TEST(test_kept_contexts), FIXTURE_TEST(test_trial),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
