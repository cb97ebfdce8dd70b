// test_support.c - tests of the tests' tools: formats against a search and the driver, host, poison
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/box_blur.h>

#include "fixture.h"
#include "formats.h"
#include "random.h"
#include "texture.h"
#include "trial.h"
#include "values.h"

// Every finite value of one channel, from its codes.
static size_t all_values(const format_info *format, int channel, double *out)
{
    size_t count = 0, codes = (size_t)1 << format->bits[channel];
    int shift = 0;
    for (int c = 0; c < channel; ++c)
        shift += format->bits[c];
    for (size_t code = 0; code < codes; ++code) {
        uint8_t texel[16] = {0};
        double values[4];
        for (int bit = 0; bit < format->bits[channel]; ++bit) {
            if (code >> bit & 1)
                texel[(shift + bit) / 8] |= (uint8_t)(1 << (shift + bit) % 8);
        }
        format_unpack(format, texel, values);
        if (isfinite(values[channel]))
            out[count++] = values[channel];
    }
    return count;
}

static double axis(const format_info *format, int channel, double value)
{
    return format->kind == FORMAT_SRGB && channel < 3 ? format_srgb_encode(value) : value;
}

// The worst error so far is the larger one, and NaN once one was.
static void test_worst_error(void **state)
{
    (void)state;
    CHECK(check_worse(1, 2) == 2 && check_worse(2, 1) == 2 && check_worse(-1, -2) == -1);
    CHECK(isnan(check_worse(1, NAN)) && isnan(check_worse(NAN, 1)) && isnan(check_worse(NAN, NAN)));
}

// Quantising equals a search through all representable values.
static void test_quantise(void **state)
{
    (void)state;
    rng r = rng_start("quantise", 2);
    static double values[65536];
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        if (format->bits[0] == 32 || (format->bits[0] == 16 && format->channels > 1))
            continue;
        for (int c = 0; c < format->channels; ++c) {
            size_t count = all_values(format, c, values);
            double worst = 0, top = format_largest(format, c);
            for (int n = 0; n < 300; ++n) {
                double v = n % 3 == 0   ? rng_uniform(&r, -0.1 * top, 1.1 * top)
                           : n % 3 == 1 ? rng_hdr(&r, 1e-9, 2 * top)
                                        : values[rng_next(&r) % count] * (1 + 1e-12);
                double got = format_quantise(format, c, v), best = INFINITY;
                for (size_t k = 0; k < count; ++k)
                    best = fmin(best, fabs(axis(format, c, values[k]) -
                                           axis(format, c, fmin(fmax(v, -top), top))));
                double distance =
                    fabs(axis(format, c, got) - axis(format, c, fmin(fmax(v, -top), top)));
                worst = check_worse(worst, (distance - best) / top);
                CHECK(format_error_units(format, c, v, got, 0) <= 0.5 + 1e-9);
            }
            CHECK_LIMIT(format->name, worst, 1e-14);
        }
    }
}

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
    CHECK(isnan(format_error_units(half, 0, NAN, 1, 0)));
    CHECK(isnan(format_error_units(half, 0, 1, NAN, 0)));
    for (int i = 0; i < 256; ++i) {
        double linear = format_srgb_decode(i / 255.0);
        CHECK(fabs(format_srgb_encode(linear) * 255 - i) < 1e-3);
        CHECK(format_quantise(srgb, 0, linear) == linear);
    }
}

// The driver stores and returns packed texels unchanged, and its sampler decodes the same values.
static void test_round_trip(void **state)
{
    fixture *f = *state;
    rng r = rng_start("round trip", 3);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        size_t channels = (size_t)format->channels, count = 37 * 11 * 3 * channels;
        double *values = malloc(count * sizeof *values);
        rng_fill_normal(&r, values, count);
        texture flat = texture_create(f, format->name, 37, 11, values);
        texture stack = texture_create_array(f, format->name, 37, 11, 3, 3, values);
        double *read = texture_read(f, &flat, 0), *read_stack = texture_read(f, &stack, 0);
        texture_quantise(format->name, values, count / channels);
        CHECK_LIMIT(format->name, check_max_error(values, read, 37 * 11 * channels), 0);
        CHECK_LIMIT(format->name, check_max_error(values, read_stack, count), 0);
        CHECK_EQ(texture_value_count(&stack, 1), 18 * 5 * 3 * format->channels);
        CHECK_EQ(texture_poison_count(f, &stack, 1, 0, 0, 0, 0), 18 * 5 * 3);
        CHECK(!texture_is_poison(f, &stack));
        texture_poison(f, &stack);
        CHECK(texture_is_poison(f, &stack));
        free(read);
        free(read_stack);
        free(values);
        texture_destroy(f, &flat);
        texture_destroy(f, &stack);
    }
}

static void test_host_records(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    void *block = h.host.alloc(&h, 100, 64);
    CHECK(block && (uintptr_t)block % 64 == 0);
    CHECK_EQ(h.live_bytes, 100);
    host_alloc_reset(&h, 2);
    void *next = h.host.alloc(&h, 8, 8);
    CHECK(next != NULL);
    CHECK(h.host.alloc(&h, 8, 8) == NULL);
    h.host.free(&h, next, 8, 8);
    h.host.free(&h, block, 100, 64);
    CHECK_EQ(h.alloc_errors, 0);
    CHECK_EQ(h.block_count, 0);

    typedef void(GLAD_API_PTR * get_fn)(GLenum, GLint *);
    void *address = h.host.gl_proc(&h, "glGetIntegerv");
    get_fn get = NULL;
    memcpy(&get, &address, sizeof get);
    CHECK(get != NULL);
    GLint value = 0;
    get(GL_MAX_TEXTURE_SIZE, &value);
    CHECK(value >= 16384);
    h.trace.limits[0] = (gl_trace_limit){GL_MAX_TEXTURE_SIZE, 7};
    h.trace.limit_count = 1;
    get(GL_MAX_TEXTURE_SIZE, &value);
    CHECK_EQ(value, 7);
    CHECK_EQ(gl_trace_calls(&h.trace, "glGetIntegerv"), 2);
    CHECK_EQ(gl_trace_calls_with(&h.trace, "glGet"), 2);
    CHECK_EQ(h.trace.total, 2);
    h.trace.hide = "glGetIntegerv";
    CHECK(h.host.gl_proc(&h, "glGetIntegerv") == NULL);
    CHECK_EQ(h.trace.asked_count, 1);
    CHECK(host_finish(&h));
    fixture_current(f);
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

static void insert(fixture *f, GLenum type, GLuint id)
{
    f->gl.DebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, type, id, GL_DEBUG_SEVERITY_MEDIUM, -1,
                             "on purpose");
}

// fixture_own ignores notes on the test's own calls: only of that id and only about performance,
// until it ends.
static void test_own_notes(void **state)
{
    fixture *f = *state;
    CHECK(fixture_clean(f));
    printf("  (the three complaints below are on purpose)\n");
    fixture_own(f, NOTE_RECOMPILED);
    insert(f, GL_DEBUG_TYPE_PERFORMANCE, NOTE_RECOMPILED);
    CHECK(fixture_clean(f));
    insert(f, GL_DEBUG_TYPE_PERFORMANCE, NOTE_BUFFER_MOVED);
    CHECK(!fixture_clean(f));
    insert(f, GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR, NOTE_RECOMPILED);
    CHECK(!fixture_clean(f));
    fixture_own(f, 0);
    insert(f, GL_DEBUG_TYPE_PERFORMANCE, NOTE_RECOMPILED);
    CHECK(!fixture_clean(f));
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
        UNIT_TEST(test_worst_error),     UNIT_TEST(test_quantise),
        UNIT_TEST(test_known_values),    FIXTURE_TEST(test_round_trip),
        FIXTURE_TEST(test_host_records), FIXTURE_TEST(test_complaints),
        FIXTURE_TEST(test_own_notes),    FIXTURE_TEST(test_kept_contexts),
        FIXTURE_TEST(test_trial),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
