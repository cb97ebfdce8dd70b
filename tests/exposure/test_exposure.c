// test_exposure.c - "exposure" against its definition (reference/exposure_ref.h), frame by frame
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exposure_ref.h"
#include "fixture.h"
#include "random.h"
#include "reloading.h"
#include "texture.h"

#define EXPOSURE_ERROR 2e-5 // EV, as exposure.h promises

typedef struct exposing { // do not copy: `job` points into it
    fixture *f;
    ag_pass *pass;
    texture src, state;
    double *values; // of src, as it holds them
    ag_exposure_settings settings;
    ag_texture slots[2];
    ag_job job;
} exposing;

enum { SRC, STATE };

// ---- a pass, an image and a state --------------------------------------------------------------

// No image yet; a state of zeros; the default settings.
static void exposing_open(fixture *f, exposing *e)
{
    static const double zeros[4] = {0};
    *e = (exposing){.f = f, .pass = fixture_pass(f, "exposure")};
    e->state = texture_create(f, "rgba32f", 1, 1, zeros);
    CHECK_STATUS(f->ag->defaults("exposure", &e->settings, sizeof e->settings), AG_OK);
    e->slots[STATE] = texture_view(&e->state);
    e->job = (ag_job){.struct_size = sizeof e->job,
                      .slots = e->slots,
                      .slot_count = 2,
                      .settings = &e->settings,
                      .scratch = {.struct_size = sizeof(ag_buffer)}};
}

// Another image. Takes `values` (malloc), and keeps what the format holds of them.
static void exposing_image(exposing *e, const char *format, int width, int height, int layers,
                           double *values)
{
    if (e->src.name)
        texture_destroy(e->f, &e->src);
    free(e->values);
    e->src = texture_create_array(e->f, format, width, height, layers, 1, values);
    e->slots[SRC] = texture_view(&e->src);
    e->values = texture_read(e->f, &e->src, 0); // rounded to the format; infinities stay
    free(values);
}

static double *exposing_noise(rng *r, const char *format, int width, int height, double low,
                              double high)
{
    size_t count = (size_t)width * (size_t)height * (size_t)format_named(format)->channels;
    double *values = check_doubles(count);
    rng_fill_hdr(r, values, count, low, high);
    return values;
}

// Of one channel.
static double *exposing_grey(int width, int height, double value)
{
    size_t count = (size_t)width * (size_t)height;
    double *values = check_doubles(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = value;
    return values;
}

static void exposing_set_state(exposing *e, double r, double g, double b, double a)
{
    const double values[] = {r, g, b, a};
    texture_upload(e->f, &e->state, 0, values);
}

static void exposing_read(exposing *e, double state[4])
{
    double *values = texture_read(e->f, &e->state, 0);
    const ag_texture *view = &e->slots[STATE];
    memcpy(state, values + 4 * ((size_t)view->rect_y * (size_t)view->width + (size_t)view->rect_x),
           4 * sizeof *state);
    free(values);
}

static exposure_ref_image exposing_ref(const exposing *e)
{
    const ag_texture *t = &e->slots[SRC];
    return (exposure_ref_image){.values = e->values,
                                .format = e->src.format,
                                .width = t->width,
                                .height = t->height,
                                .first_layer = t->first_layer,
                                .layers = t->layers,
                                .x = t->rect_x,
                                .y = t->rect_y,
                                .w = t->rect_width,
                                .h = t->rect_height};
}

// One execute, held to what the reference makes of the image and of the state before it; prints
// both.
static bool exposing_check(exposing *e, const char *name)
{
    double before[4], after[4], right[4];
    exposure_ref_counts counts;
    exposure_ref_image image = exposing_ref(e);
    exposing_read(e, before);
    fixture_run(e->f, e->pass, &e->job);
    exposing_read(e, after);
    exposure_ref_count(&image, &e->settings, &counts);
    exposure_ref_step(&counts, &e->settings, e->job.dt, e->job.flags & AG_JOB_RESET, before, right);
    double error = check_worse(fabs(after[0] - right[0]), fabs(after[1] - right[1]));
    char text[160];
    snprintf(text, sizeof text, "%s: %.5f EV, mean %.5f, used %.4f: error in EV", name, after[0],
             after[1], after[2]);
    bool good = check_limit(text, isnan(after[0] + after[1]) ? NAN : error, EXPOSURE_ERROR);
    if (!(fabs(after[2] - right[2]) <= ldexp(1, -24)) || after[3] != right[3])
        good = check_case("share of texels used, and whether it is valid", false);
    return good;
}

static void exposing_close(exposing *e)
{
    e->f->ag->pass_destroy(e->pass);
    if (e->src.name)
        texture_destroy(e->f, &e->src);
    texture_destroy(e->f, &e->state);
    free(e->values);
}

// ---- images ------------------------------------------------------------------------------------

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},   {1, 4096}, {4096, 1}, {2, 2},    {31, 33}, {32, 32},
                                   {33, 31}, {64, 96},  {65, 1},   {641, 59}, {7, 331}, {257, 255}};
    static const char *const formats[] = {"rgba16f", "rgba32f", "rgba8"};
    rng r = rng_start("sizes", 401);
    exposing e;
    exposing_open(*state, &e);
    bool good = true;
    sweep *share = sweep_start("sizes", 3);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (size_t k = 0; k < sizeof formats / sizeof *formats; ++k) {
            if (!sweep_takes(share))
                continue;
            char name[64];
            int w = sizes[i][0], h = sizes[i][1];
            snprintf(name, sizeof name, "%dx%d %s", w, h, formats[k]);
            exposing_image(&e, formats[k], w, h, 0, exposing_noise(&r, formats[k], w, h, 1e-3, 1));
            e.settings.center = (float)rng_uniform(&r, 0, 1);
            e.job.flags = AG_JOB_RESET;
            good = exposing_check(&e, name) && good;
        }
    exposing_close(&e);
    CHECK(good);
}

// Every format, as a texture unit reads it and, of textures that cannot be viewed, as an image unit
// does.
static void test_formats(void **state)
{
    enum { W = 77, H = 53 };
    fixture *f = *state;
    rng r = rng_start("formats", 402);
    exposing e;
    exposing_open(f, &e);
    e.job.flags = AG_JOB_RESET;
    bool good = true;
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        // From what is left out on: halves and 11-bit floats have denormals there.
        double low = format->kind == FORMAT_FLOAT ? ldexp(1, -22) : 1e-3;
        double high = format->kind == FORMAT_FLOAT ? 6e4 : 1;
        exposing_image(&e, format->name, W, H, 0,
                       exposing_noise(&r, format->name, W, H, low, high));
        e.settings.center = 0.6f;
        good = exposing_check(&e, format->name) && good;
        if (format->kind == FORMAT_SRGB || format->channels == 3) // not taken without a view
            continue;
        double first[4], second[4];
        exposing_read(&e, first);
        uint8_t *bytes = texture_read_bytes(f, &e.src, 0);
        GLuint name = 0;
        f->gl.GenTextures(1, &name);
        f->gl.BindTexture(GL_TEXTURE_2D, name);
        f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
        f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)format->internal, W, H, 0, format->base,
                         format->type, bytes);
        f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
        f->gl.BindTexture(GL_TEXTURE_2D, 0);
        free(bytes);
        ag_texture view = e.slots[SRC];
        e.slots[SRC].name = name;
        gl_trace_reset(&f->host.trace);
        fixture_run(f, e.pass, &e.job);
        CHECK_EQ(gl_trace_calls(&f->host.trace, "glBindSampler"), 0);
        exposing_read(&e, second);
        e.slots[SRC] = view;
        f->ag->forget(f->device, name);
        f->gl.DeleteTextures(1, &name);
        good = check_case("    by an image unit: the same bits",
                          !memcmp(first, second, sizeof first)) &&
               good;
    }
    exposing_close(&e);
    CHECK(good);
}

// A rectangle of the image and a texel of a larger state; all other texels of that stay as they
// are.
static void test_rectangles(void **state)
{
    fixture *f = *state;
    rng r = rng_start("rectangles", 403);
    exposing e;
    exposing_open(f, &e);
    texture_destroy(f, &e.state);
    e.state = texture_create(f, "rgba32f", 5, 3, NULL);
    e.slots[STATE] = texture_view(&e.state);
    e.slots[STATE].rect_x = 2;
    e.slots[STATE].rect_y = 1;
    e.slots[STATE].rect_width = e.slots[STATE].rect_height = 1;
    exposing_image(&e, "rgba16f", 111, 97, 0, exposing_noise(&r, "rgba16f", 111, 97, 1e-2, 10));
    static const int rectangles[][4] = {
        {0, 0, 111, 97}, {7, 5, 33, 29}, {110, 96, 1, 1}, {1, 0, 64, 64}, {40, 3, 71, 94}};
    bool good = true;
    e.settings.center = 0.8f;
    for (int i = 0; i < 5; ++i) {
        const int *at = rectangles[i];
        char name[64];
        e.slots[SRC].rect_x = at[0];
        e.slots[SRC].rect_y = at[1];
        e.slots[SRC].rect_width = at[2];
        e.slots[SRC].rect_height = at[3];
        texture_poison(f, &e.state); // which is no valid state
        snprintf(name, sizeof name, "%dx%d at %d, %d", at[2], at[3], at[0], at[1]);
        good = exposing_check(&e, name) && good;
        CHECK_EQ(texture_poison_count(f, &e.state, 0, 0, 0, 0, 0), 14);
        CHECK_EQ(texture_poison_count(f, &e.state, 0, 2, 1, 1, 1), 0);
    }
    exposing_close(&e);
    CHECK(good);
}

// Layers count together: as their texels would below each other, where all weigh the same.
static void test_arrays(void **state)
{
    enum { W = 45, H = 38, LAYERS = 5 };
    rng r = rng_start("arrays", 404);
    exposing e;
    exposing_open(*state, &e);
    bool good = true;
    double array[4], tall[4];
    e.job.flags = AG_JOB_RESET;
    for (int part = 0; part < 2; ++part) {
        e.settings.center = part ? 0.5f : 0;
        exposing_image(&e, "rgba16f", W, H, LAYERS,
                       exposing_noise(&r, "rgba16f", W, H * LAYERS, 1e-2, 10));
        e.slots[SRC].first_layer = part ? 1 : 0;
        e.slots[SRC].layers = part ? 3 : LAYERS;
        good = exposing_check(&e, part ? "layers 1 to 3 of 5" : "5 layers") && good;
        if (part)
            break;
        exposing_read(&e, array);
        double *values = check_doubles(W * H * LAYERS * 4);
        memcpy(values, e.values, sizeof *values * W * H * LAYERS * 4);
        exposing_image(&e, "rgba16f", W, H * LAYERS, 0, values);
        good = exposing_check(&e, "the same as one image") && good;
        exposing_read(&e, tall);
        good = check_case("    the same bits", !memcmp(array, tall, sizeof tall)) && good;
    }
    exposing_close(&e);
    CHECK(good);
}

static void test_whole_frame(void **state)
{
    enum { W = 3840, H = 2160 };
    rng r = rng_start("a whole frame", 405);
    exposing e;
    exposing_open(*state, &e);
    e.settings.center = 0.7f;
    exposing_image(&e, "rgba16f", W, H, 0, exposing_noise(&r, "rgba16f", W, H, 1e-4, 1e4));
    bool good = exposing_check(&e, "3840x2160 rgba16f");
    exposing_close(&e);
    CHECK(good);
}

// More than 2^24 texels of weight 256 in one bin: its sum passes 2^32. Seven rows of eight are at
// 1, the others at code 16 of 255, 1/8 EV bins: a lost carry would leave the mean at the second's
// centre.
static void test_carry(void **state)
{
    enum { SIZE = 4736 };
    fixture *f = *state;
    exposing e;
    exposing_open(f, &e);
    e.settings.low = 0;
    e.settings.high = 1;
    uint8_t *bytes = check_allocate((size_t)SIZE * SIZE);
    for (size_t y = 0; y < SIZE; ++y)
        memset(bytes + y * SIZE, y % 8 == 7 ? 16 : 255, SIZE);
    e.src = texture_create(f, "r8", SIZE, SIZE, NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, e.src.name);
    f->gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED, GL_UNSIGNED_BYTE, bytes);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(bytes);
    e.slots[SRC] = texture_view(&e.src);
    double right = (7 * 0.0625 - 3.9375) / 8, got[4];
    CHECK((uint64_t)SIZE * SIZE / 8 * 7 * 256 > UINT32_MAX);
    for (int frame = 0; frame < 2; ++frame) { // both words of a count are 0 again afterwards
        fixture_run(f, e.pass, &e.job);
        exposing_read(&e, got);
        CHECK_LIMIT("a bin of more than 2^32: error in EV", fabs(got[1] - right), EXPOSURE_ERROR);
    }
    CHECK(got[2] == 1 && got[3] == 1);
    exposing_close(&e);
}

// Sums of the largest images stay within their integers (histogram.comp); computed, not run.
static void test_largest(void **state)
{
    fixture *f = *state;
    exposing e;
    exposing_open(f, &e);
    const ag_plan *plan = NULL;
    e.slots[SRC] = (ag_texture){.struct_size = sizeof e.slots[SRC],
                                .target = GL_TEXTURE_2D_ARRAY,
                                .format = GL_R8,
                                .width = 65536,
                                .height = 65536,
                                .layers = 2048};
    CHECK_STATUS(f->ag->declare(e.pass, &e.job, &plan), AG_OK);
    uint64_t groups = plan->steps[0].groups[0], tiles = (65536 / 32) * (65536 / 32);
    uint64_t a_group = (tiles + groups - 1) / groups * 32 * 32 * 256;
    double all = 65536.0 * 65536.0 * 2048 * 256;
    printf(
        "  65536x65536, 2048 layers: a bin of a group up to 2^%g (of 32), of all up to 2^%g (of 53)\n",
        log2((double)a_group), log2(all));
    CHECK(a_group <= UINT32_MAX && all <= ldexp(1, 53));
    CHECK_EQ(plan->steps[0].dispatches, 2048);
    CHECK_EQ(plan->scratch_bytes, 0);
    e.slots[SRC].width = 65537;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(e.pass, &e.job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "65536"));
    exposing_close(&e);
}

// ---- refusals, plans ---------------------------------------------------------------------------

static void refuse(exposing *e, ag_status status, const char *const parts[3])
{
    const ag_plan *plan = NULL;
    for (int call = 0; call < 3; ++call) {
        host_log_clear(&e->f->host);
        ag_status got = call == 0   ? e->f->ag->declare(e->pass, &e->job, &plan)
                        : call == 1 ? e->f->ag->prepare(e->pass, &e->job)
                                    : e->f->ag->execute(e->pass, &e->job, NULL);
        CHECK_STATUS(got, status);
        for (int i = 0; i < 3; ++i)
            CHECK_HAS(host_log_last(&e->f->host), parts[i]);
    }
    printf("  ok    refused: %s\n", host_log_last(&e->f->host));
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    exposing e;
    exposing_open(f, &e);
    exposing_image(&e, "r16f", 20, 10, 0, exposing_grey(20, 10, 1));
    fixture_run(f, e.pass, &e.job);
    const ag_exposure_settings good = e.settings;
    texture wide = texture_create(f, "rgba32f", 2, 1, NULL);
    texture half = texture_create(f, "rgba16f", 1, 1, NULL);
    texture layers = texture_create_array(f, "rgba32f", 1, 1, 2, 1, NULL);
    e.slots[STATE] = texture_view(&wide);
    refuse(&e, AG_E_SIZE, (const char *const[]){"state", "2x1", "1x1"});
    e.slots[STATE] = texture_view(&layers);
    refuse(&e, AG_E_SIZE, (const char *const[]){"state", "2 layers", "1x1"});
    e.slots[STATE] = texture_view(&half);
    refuse(&e, AG_E_FORMAT, (const char *const[]){"state", "RGBA16F", "RGBA32F"});
    e.slots[STATE] = texture_view(&e.state);
    static const float ranges[][2] = {{3, 3}, {3, 2}, {3, 3.5f}};
    for (int i = 0; i < 3; ++i) {
        e.settings.min_ev = ranges[i][0];
        e.settings.max_ev = ranges[i][1];
        refuse(&e, AG_E_ARG, (const char *const[]){"min_ev is 3", "max_ev", "at least 1"});
    }
    e.settings = good;
    e.settings.low = e.settings.high = 0.5f;
    refuse(&e, AG_E_ARG, (const char *const[]){"low is 0.5", "high 0.5", "below"});
    e.settings = good;
    e.job.dt = -1;
    refuse(&e, AG_E_ARG, (const char *const[]){"dt", "-1", "0 or more"});
    e.job.dt = 0;
    CHECK(texture_is_poison(f, &wide) && texture_is_poison(f, &half) &&
          texture_is_poison(f, &layers));
    CHECK(exposing_check(&e, "what was prepared before goes on"));
    texture_destroy(f, &wide);
    texture_destroy(f, &half);
    texture_destroy(f, &layers);
    exposing_close(&e);
}

// Planned for the largest size: smaller ones create nothing. Without that a new size is a new plan.
static void test_planned_sizes(void **state)
{
    fixture *f = *state;
    rng r = rng_start("planned sizes", 410);
    exposing e;
    exposing_open(f, &e);
    exposing_image(&e, "rgba16f", 200, 120, 0, exposing_noise(&r, "rgba16f", 200, 120, 1e-2, 10));
    e.job.plan_width = 200;
    e.job.plan_height = 120;
    CHECK_STATUS(f->ag->prepare(e.pass, &e.job), AG_OK);
    bool good = true;
    for (int i = 0; i < 5; ++i) {
        e.slots[SRC].rect_width = rng_int(&r, 1, 200);
        e.slots[SRC].rect_height = rng_int(&r, 1, 120);
        gl_trace_reset(&f->host.trace);
        CHECK_STATUS(f->ag->prepare(e.pass, &e.job), AG_OK);
        CHECK_EQ(gl_trace_calls_with(&f->host.trace, "glGen") +
                     gl_trace_calls_with(&f->host.trace, "glCreate"),
                 0);
        good = exposing_check(&e, "within the planned size") && good;
    }
    exposing_close(&e);
    CHECK(good);
}

// ---- texels, weights, closed forms -------------------------------------------------------------

// Texels on every edge of a bin, one float below and one above: one in the wrong bin would move the
// mean by 1/8 EV / 765.
static void test_edges(void **state)
{
    exposing e;
    exposing_open(*state, &e);
    bool good = true;
    static const float ranges[][2] = {{-16, 16}, {-1, 0}, {-3.3f, 7.1f}, {-20, 64}};
    for (int i = 0; i < 4; ++i) {
        e.settings.min_ev = ranges[i][0];
        e.settings.max_ev = ranges[i][1];
        e.settings.low = 0;
        e.settings.high = 1;
        e.job.flags = AG_JOB_RESET;
        double *values = exposing_grey(255, 3, 0);
        double width = ((double)ranges[i][1] - (double)ranges[i][0]) / 256;
        for (int k = 0; k < 255; ++k) {
            float edge = (float)exp2((double)ranges[i][0] + (k + 1) * width);
            values[k] = nextafterf(edge, 0);
            values[255 + k] = edge;
            values[510 + k] = nextafterf(edge, INFINITY);
        }
        char name[64];
        snprintf(name, sizeof name, "edges of %g .. %g", (double)ranges[i][0],
                 (double)ranges[i][1]);
        exposing_image(&e, "r32f", 255, 3, 0, values);
        good = exposing_check(&e, name) && good;
    }
    exposing_close(&e);
    CHECK(good);
}

// NaN, infinities, negative values and what is too dark: left out, and with scrub on counted where
// not finite.
static void test_left_out(void **state)
{
    enum { W = 93, H = 71 };
    fixture *f = *state;
    rng r = rng_start("left out", 406);
    exposing e;
    exposing_open(f, &e);
    bool good = true;
    e.job.flags = AG_JOB_RESET;
    for (int scrub = 0; scrub < 2; ++scrub)
        for (int half = 0; half < 2; ++half) {
            const char *format = half ? "rgba16f" : "rgba32f";
            const double odd[] = {NAN, INFINITY,      -INFINITY,     -3,
                                  0,   ldexp(1, -20), ldexp(1, -21), 1e-40};
            double *values = exposing_noise(&r, format, W, H, 1e-3, 10);
            uint64_t bad = 0;
            for (int i = 0; i < W * H; ++i) {
                bool finite = true;
                if (rng_int(&r, 0, 3) == 0)
                    values[4 * i + rng_int(&r, 0, 3)] = odd[rng_int(&r, 0, 7)];
                if (rng_int(&r, 0, 20) == 0)
                    values[4 * i] = values[4 * i + 1] = values[4 * i + 2] = odd[rng_int(&r, 4, 7)];
                for (int c = 0; c < 4; ++c)
                    finite = finite && isfinite(values[4 * i + c]);
                bad += !finite;
            }
            char name[64];
            snprintf(name, sizeof name, "%s, scrub %d", format, scrub);
            e.settings.scrub = scrub;
            uint64_t before = fixture_scrubbed(f);
            exposing_image(&e, format, W, H, 0, values);
            good = exposing_check(&e, name) && good;
            uint64_t counted = fixture_scrubbed(f) - before;
            printf("  %u texels counted, of %u\n", (unsigned)counted, (unsigned)bad);
            CHECK_EQ(counted, scrub ? bad : 0);
        }
    exposing_close(&e);
    CHECK(good);
}

// Without a texel to use r and g stay, b is 0, a stays; an invalid state becomes zeros.
static void test_black(void **state)
{
    exposing e;
    exposing_open(*state, &e);
    double got[4];
    static const double nothing[4] = {0};
    bool good = true;
    for (int i = 0; i < 3; ++i) {
        exposing_image(&e, "r32f", 50, 40, 0,
                       exposing_grey(50, 40,
                                     i == 0   ? 0
                                     : i == 1 ? (double)NAN
                                              : -2));
        exposing_set_state(&e, 0, 0, 0, 0);
        good = exposing_check(&e, "nothing, before the first") && good;
        exposing_read(&e, got);
        CHECK(!memcmp(got, nothing, sizeof got));
        exposing_set_state(&e, (double)NAN, 3, 1, 1);
        good = exposing_check(&e, "nothing, and the state was NaN") && good;
        exposing_read(&e, got);
        CHECK(!memcmp(got, nothing, sizeof got));
        exposing_set_state(&e, 1.5, -4.25, 0.75, 1);
        e.job.dt = 0.5f;
        good = exposing_check(&e, "nothing, later") && good;
        exposing_read(&e, got);
        CHECK(got[0] == 1.5 && got[1] == -4.25 && got[2] == 0 && got[3] == 1);
        e.job.flags = AG_JOB_RESET;
        good = exposing_check(&e, "nothing, reset") && good;
        exposing_read(&e, got);
        CHECK(!memcmp(got, nothing, sizeof got));
        e.job.flags = 0;
    }
    exposing_close(&e);
    CHECK(good);
}

// ---- closed forms ------------------------------------------------------------------------------

// One value: its bin's centre, whatever the weights; key and compensation move the target.
static void test_one_value(void **state)
{
    rng r = rng_start("one value", 407);
    exposing e;
    exposing_open(*state, &e);
    double worst = 0, got[4];
    e.job.flags = AG_JOB_RESET;
    for (int i = 0; i < 24; ++i) {
        double value =
            (float)exp2(rng_uniform(&r, -19.9, 18)); // darker and brighter than the bins, too
        e.settings.key = (float)rng_hdr(&r, 0.001, 1);
        e.settings.compensation = (float)rng_uniform(&r, -16, 16);
        e.settings.center = (float)rng_uniform(&r, 0, 1);
        e.settings.low = (float)rng_uniform(&r, 0, 0.5);
        e.settings.high = (float)rng_uniform(&r, 0.51, 1);
        exposing_image(&e, "r32f", 37, 61, 0, exposing_grey(37, 61, value));
        fixture_run(e.f, e.pass, &e.job);
        exposing_read(&e, got);
        double bin = fmin(fmax(floor((log2(value) + 16) * 8), 0), 255);
        double mean = -16 + (bin + 0.5) / 8;
        double exposure = log2((double)e.settings.key) - mean + (double)e.settings.compensation;
        worst = check_worse(check_worse(worst, fabs(got[0] - exposure)), fabs(got[1] - mean));
    }
    CHECK_LIMIT("24 frames of one value: error in EV", worst, EXPOSURE_ERROR);
    exposing_close(&e);
}

// Two values, half each: the share of either between the percentiles.
static void test_percentiles(void **state)
{
    static const float cuts[][2] = {{0, 1},        {0.25f, 0.9f},    {0.5f, 0.95f},
                                    {0, 0.5f},     {0.499f, 0.501f}, {0, 1e-7f},
                                    {0.99999f, 1}, {0.3f, 0.30001f}};
    rng r = rng_start("percentiles", 408);
    exposing e;
    exposing_open(*state, &e);
    bool good = true;
    double got[4];
    const double dark = -3.9375, bright = 2.0625; // centres of the bins of 2^-4 and 4
    e.job.flags = AG_JOB_RESET;
    for (int i = 0; i < 8; ++i) {
        double low = (double)cuts[i][0], high = (double)cuts[i][1];
        double *values = exposing_grey(40, 30, 0.0625);
        for (int k = 0; k < 600; ++k)
            values[2 * k] = 4;
        e.settings.low = cuts[i][0];
        e.settings.high = cuts[i][1];
        exposing_image(&e, "r16f", 40, 30, 0, values);
        fixture_run(e.f, e.pass, &e.job);
        exposing_read(&e, got);
        double a = fmax(fmin(high, 0.5) - low, 0), b = fmax(high - fmax(low, 0.5), 0);
        double right = (a * dark + b * bright) / (a + b);
        char name[64];
        snprintf(name, sizeof name, "two values, %g .. %g: error in EV", low, high);
        good = check_limit(name, fabs(got[1] - right), EXPOSURE_ERROR) && good;
        e.settings.center = 0.3f;
        exposing_image(&e, "rgba16f", 83, 59, 0, exposing_noise(&r, "rgba16f", 83, 59, 1e-3, 100));
        good = exposing_check(&e, "    noise, the same") && good;
        e.settings.center = 0;
    }
    exposing_close(&e);
    CHECK(good);
}

// Weights against the formula in double, without rounding: within the error of half a 256th each.
static void test_centre(void **state)
{
    rng r = rng_start("centre", 409);
    exposing e;
    exposing_open(*state, &e);
    static const int sizes[][2] = {{64, 64}, {161, 90}, {3, 200}, {333, 77}};
    bool good = true;
    double got[4], bound;
    e.settings.low = 0;
    e.settings.high = 1;
    e.job.flags = AG_JOB_RESET;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k <= 4; ++k) {
            int w = sizes[i][0], h = sizes[i][1];
            double *values = exposing_noise(&r, "rgba32f", w, h, 0.5, 1);
            for (int p = 0; p < w * h; ++p) { // brighter to the right: a wrong centre shows
                double gain = exp2(6.0 * (p % w) / w);
                for (int c = 0; c < 3; ++c)
                    values[4 * p + c] *= gain;
            }
            char name[96];
            e.settings.center = (float)k / 4;
            exposing_image(&e, "rgba32f", w, h, 0, values);
            snprintf(name, sizeof name, "%dx%d, center %g", w, h, k / 4.0);
            good = exposing_check(&e, name) && good;
            exposing_read(&e, got);
            exposure_ref_image image = exposing_ref(&e);
            double exact = exposure_ref_exact(&image, &e.settings, &bound);
            good = check_limit("    against weights in double", fabs(got[1] - exact),
                               bound + EXPOSURE_ERROR) &&
                   good;
        }
    exposing_close(&e);
    CHECK(good);
}

// ---- several frames ----------------------------------------------------------------------------

// Light and dark in turn, 40 frames each: along exponentials of two speeds, each step to 2e-5 EV.
static void test_adaptation(void **state)
{
    enum { FRAMES = 40 };
    exposing e;
    exposing_open(*state, &e);
    e.job.dt = 1.0f / 60;
    bool good = true;
    double got[4];
    static const double greys[] = {0.125, 8, 0.015625};
    const double centres[] = {-2.9375, 3.0625, -5.9375}; // of their bins
    double from = 0;
    for (int scene = 0; scene < 3; ++scene) {
        exposing_image(&e, "r16f", 33, 21, 0, exposing_grey(33, 21, greys[scene]));
        double target = log2((double)e.settings.key) - centres[scene], worst = 0;
        double speed = target < from ? (double)e.settings.speed_up : (double)e.settings.speed_down;
        for (int i = 1; i <= FRAMES; ++i) {
            fixture_run(e.f, e.pass, &e.job);
            exposing_read(&e, got);
            // The first takes its target at once. A frame rounds once more to a float: 2.4e-7 below
            // 8 EV.
            double right =
                scene ? target + (from - target) * exp(-i * (double)e.job.dt * speed) : target;
            worst = check_worse(worst, fabs(got[0] - right));
        }
        char name[96];
        snprintf(name, sizeof name, "40 frames towards %.3f EV, now at %.3f: error in EV", target,
                 got[0]);
        good = check_limit(name, worst, EXPOSURE_ERROR) && good;
        good = check_case(scene == 1   ? "    brighter: speed_up, so 2 s e-folds in 2/3 s"
                          : scene == 2 ? "    darker: speed_down"
                                       : "    at once",
                          scene == 0 || fabs((got[0] - target) / (from - target) -
                                             exp(-FRAMES / 60.0 * (scene == 1 ? 3 : 1))) < 1e-5) &&
               good;
        from = got[0];
    }
    exposing_close(&e);
    CHECK(good);
}

// No time, hardly any, and more than any; speeds of 0 and 1000.
static void test_times(void **state)
{
    static const float times[] = {0, 1e-30f, 1e-6f, 1.0f / 60, 0.3f, 100, 1e30f, 3e38f};
    rng r = rng_start("times", 421);
    exposing e;
    exposing_open(*state, &e);
    exposing_image(&e, "rgba16f", 61, 47, 0, exposing_noise(&r, "rgba16f", 61, 47, 1e-2, 10));
    bool good = true;
    double got[4];
    for (int i = 0; i < 8; ++i)
        for (int brighter = 0; brighter < 2; ++brighter)
            for (int speed = 0; speed < 3; ++speed) {
                double before = brighter ? 7.25 : -8.5;
                char name[96];
                e.job.dt = times[i];
                e.settings.speed_up = speed == 0 ? 3 : speed == 1 ? 0 : 1000;
                e.settings.speed_down = speed == 0 ? 1 : speed == 1 ? 0 : 1000;
                exposing_set_state(&e, before, 0, 1, 1);
                snprintf(name, sizeof name, "%g s, speed %g, from %g EV", (double)times[i],
                         (double)e.settings.speed_up, before);
                good = exposing_check(&e, name) && good;
                exposing_read(&e, got);
                if (times[i] == 0 || speed == 1)
                    CHECK(got[0] == before);
            }
    exposing_close(&e);
    CHECK(good);
}

// An invalid state and a reset take the target at once.
static void test_states(void **state)
{
    const double states[][4] = {{5, 1, 1, 0},           {5, 1, 1, 2},           {5, 1, 1, 0.5},
                                {(double)NAN, 1, 1, 1}, {5, (double)NAN, 1, 1}, {INFINITY, 1, 1, 1},
                                {5, -INFINITY, 1, 1},   {5, 1, 1, (double)NAN}, {5, 1, 1, -1}};
    rng r = rng_start("states", 422);
    exposing e;
    exposing_open(*state, &e);
    exposing_image(&e, "rgba16f", 35, 35, 0, exposing_noise(&r, "rgba16f", 35, 35, 1e-2, 10));
    e.job.dt = 1.0f / 60;
    CHECK(exposing_check(&e, "the first frame"));
    double first[4], got[4];
    exposing_read(&e, first);
    bool good = true;
    for (size_t i = 0; i < sizeof states / sizeof *states; ++i) {
        const double *s = states[i];
        char name[64];
        exposing_set_state(&e, s[0], s[1], s[2], s[3]);
        snprintf(name, sizeof name, "state %g, %g, %g, %g", s[0], s[1], s[2], s[3]);
        good = exposing_check(&e, name) && good;
        exposing_read(&e, got);
        good = check_case("    the first frame's bits", !memcmp(got, first, sizeof got)) && good;
    }
    exposing_set_state(&e, 5, 1, 1, 1);
    good = exposing_check(&e, "a valid one") && good;
    exposing_read(&e, got);
    CHECK(fabs(got[0] - 5) < 1 && got[0] != first[0]);
    e.job.flags = AG_JOB_RESET;
    good = exposing_check(&e, "reset") && good;
    exposing_read(&e, got);
    good = check_case("    the first frame's bits", !memcmp(got, first, sizeof got)) && good;
    exposing_close(&e);
    CHECK(good);
}

// Equal texels give equal bits: again, in any order where all weigh the same, by another pass, and
// after a prepare that was refused or made another plan.
static void test_repeats(void **state)
{
    enum { W = 301, H = 203, TIMES = 20 };
    fixture *f = *state;
    rng r = rng_start("repeats", 423);
    exposing e;
    exposing_open(f, &e);
    e.job.flags = AG_JOB_RESET;
    exposing_image(&e, "rgba16f", W, H, 0, exposing_noise(&r, "rgba16f", W, H, 1e-3, 100));
    double first[4], got[4];
    bool same = true;
    fixture_run(f, e.pass, &e.job);
    exposing_read(&e, first);
    for (int i = 0; i < TIMES; ++i) {
        fixture_run(f, e.pass, &e.job);
        exposing_read(&e, got);
        same = same && !memcmp(got, first, sizeof got);
    }
    CHECK(check_case("20 times the same bits", same));
    for (int i = 0; i < 3; ++i) {
        double *values = check_doubles(W * H * 4);
        memcpy(values, e.values, sizeof *values * W * H * 4);
        for (int k = W * H - 1; k > 0; --k) {
            int other = rng_int(&r, 0, k);
            for (int c = 0; c < 4; ++c) {
                double kept = values[4 * k + c];
                values[4 * k + c] = values[4 * other + c];
                values[4 * other + c] = kept;
            }
        }
        exposing_image(&e, "rgba16f", W, H, 0, values);
        fixture_run(f, e.pass, &e.job);
        exposing_read(&e, got);
        CHECK(
            check_case("texels in another order: the same bits", !memcmp(got, first, sizeof got)));
    }
    e.settings.max_ev = e.settings.min_ev;
    CHECK_STATUS(f->ag->prepare(e.pass, &e.job), AG_E_ARG);
    e.settings.max_ev = 16;
    CHECK_STATUS(f->ag->execute(e.pass, &e.job, NULL), AG_OK);
    exposing_read(&e, got);
    CHECK(check_case("after a refused prepare: the same bits", !memcmp(got, first, sizeof got)));
    e.settings.max_ev = 8;
    fixture_run(f, e.pass, &e.job);
    e.settings.max_ev = 16;
    fixture_run(f, e.pass, &e.job);
    exposing_read(&e, got);
    CHECK(check_case("after another plan: the same bits", !memcmp(got, first, sizeof got)));
    ag_pass *other = fixture_pass(f, "exposure");
    fixture_run(f, other, &e.job);
    exposing_read(&e, got);
    f->ag->pass_destroy(other);
    CHECK(check_case("by another pass: the same bits", !memcmp(got, first, sizeof got)));
    exposing_close(&e);
}

// A shader that is edited not to empty the counts leaves them full, and a reload keeps them: the
// first execute of the mended one still adds to what was left, and empties it.
static void test_reload(void **state)
{
    static const char *const path = "exposure/adapt.comp";
    reloading *r = reloading_open(NULL, 0);
    test_job j;
    job_create(r->f, "exposure", 33, 21, &j);
    j.job.flags = AG_JOB_RESET;
    ag_pass *pass = fixture_pass(r->f, "exposure");
    fixture_run(r->f, pass, &j.job);
    double *plain = reloading_picture(r, pass, &j);
    reloading_edit(&r->d, path, "    b_exposure.counts[2 * place] = 0u;\n", "");
    reloading_settle(r);
    for (int i = 1; i <= 3; ++i) { // texels used over texels tells that counts went on
        double *edited = reloading_picture(r, pass, &j);
        CHECK_LIMIT("counts that pile up: error of the share", fabs(edited[2] - i * plain[2]),
                    1e-6);
        free(edited);
    }
    reloading_edit(&r->d, path, "counts", "counts"); // as it was
    reloading_settle(r);
    free(reloading_picture(r, pass, &j));
    for (int i = 0; i < 2; ++i) {
        double *again = reloading_picture(r, pass, &j);
        CHECK(check_case("one execute after it is mended: the same bits",
                         !memcmp(again, plain, 4 * sizeof *plain)));
        free(again);
    }
    free(plain);
    job_destroy(r->f, &j);
    reloading_close(r);
    fixture_current(*state);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_SWEEP(test_sizes),        FIXTURE_TEST(test_formats),
        FIXTURE_TEST(test_rectangles),    FIXTURE_TEST(test_arrays),
        FIXTURE_FULL(test_whole_frame),   FIXTURE_TEST(test_carry),
        FIXTURE_TEST(test_largest),       FIXTURE_TEST(test_edges),
        FIXTURE_TEST(test_left_out),      FIXTURE_TEST(test_black),
        FIXTURE_TEST(test_one_value),     FIXTURE_TEST(test_percentiles),
        FIXTURE_TEST(test_centre),        FIXTURE_TEST(test_refusals),
        FIXTURE_TEST(test_planned_sizes), FIXTURE_TEST(test_adaptation),
        FIXTURE_TEST(test_times),         FIXTURE_TEST(test_states),
        FIXTURE_TEST(test_repeats),       FIXTURE_TEST(test_reload),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
