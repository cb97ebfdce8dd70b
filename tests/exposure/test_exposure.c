// test_exposure.c - "exposure" against its definition (reference/exposure_ref.h), frame by frame
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exposure_ref.h"
#include "reloading.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define EXPOSURE_ERROR 2e-5 // EV, as exposure.h promises

enum { SRC, STATE };

// ---- a frame and what the reference makes of the image and of the state before it ---------------

static exposure_ref_image image_of(const trial *t)
{
    const ag_texture *v = &t->views[SRC];
    return (exposure_ref_image){.values = t->held[SRC],
                                .format = t->textures[SRC].format,
                                .width = v->width,
                                .height = v->height,
                                .first_layer = v->first_layer,
                                .layers = v->layers,
                                .x = v->rect_x,
                                .y = v->rect_y,
                                .w = v->rect_width,
                                .h = v->rect_height};
}

static bool adapted(trial *t, const trial_part *p, double *want, double *bound)
{
    exposure_ref_counts counts;
    exposure_ref_image image = image_of(t);
    double *before = trial_input(t, STATE, p->layer);
    exposure_ref_count(&image, t->settings, &counts);
    exposure_ref_step(&counts, t->settings, t->job.dt, t->job.flags & AG_JOB_RESET, before, want);
    bound[0] = bound[1] = EXPOSURE_ERROR;
    bound[2] = ldexp(1, -24);
    bound[3] = 0;
    free(before);
    return true;
}

// A frame with the default settings, and a state of zeros.
static trial frame_of(fixture *f, ag_pass *pass, const char *name, const char *format, int width,
                      int height, const double *values, ag_exposure_settings *s)
{
    trial t = trial_of(f, "exposure", name, s, sizeof *s);
    t.pass = pass;
    t.slots[SRC] = trial_image(format, width, height, values);
    t.slots[STATE] = trial_image("rgba32f", 1, 1, NULL);
    t.reference = adapted;
    return t;
}

static const double *state_of(const trial *t)
{
    const ag_texture *v = &t->views[STATE];
    return t->got[STATE] + 4 * (v->rect_y * v->width + v->rect_x);
}

static void set_state(trial *t, double r, double g, double b, double a)
{
    const double values[] = {r, g, b, a};
    trial_make(t);
    texture_upload(t->f, &t->textures[STATE], 0, values);
}

static bool has_bits(const trial *t, const double state[4], const char *name)
{
    return check_case(name, !memcmp(state_of(t), state, 4 * sizeof *state));
}

// Not rounded to the format: what is too small for it stays a test of it.
static double *noise(rng *r, const char *format, int width, int height, double low, double high)
{
    size_t count = (size_t)(width * height * format_named(format)->channels);
    double *values = check_doubles(count);
    rng_fill_hdr(r, values, count, low, high);
    return values;
}

// ---- images ------------------------------------------------------------------------------------

static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1},   {1, 4096}, {4096, 1}, {2, 2},    {31, 33}, {32, 32},
                                   {33, 31}, {64, 96},  {65, 1},   {641, 59}, {7, 331}, {257, 255}};
    static const char *const formats[] = {"rgba16f", "rgba32f", "rgba8"};
    rng r = rng_start("sizes", 401);
    ag_pass *pass = fixture_pass(*state, "exposure");
    bool good = true;
    sweep *share = sweep_start("sizes", 3);
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (size_t k = 0; k < COUNT(formats); ++k) {
            if (!sweep_takes(share))
                continue;
            int w = sizes[i][0], h = sizes[i][1];
            ag_exposure_settings s;
            double *values = noise(&r, formats[k], w, h, 1e-3, 1);
            trial t = frame_of(*state, pass, "noise", formats[k], w, h, values, &s);
            s.center = (float)rng_uniform(&r, 0, 1);
            set_state(&t, 3, 1, 1, 1); // of another scene
            t.job.flags = AG_JOB_RESET;
            good = trial_check(&t) && good;
            trial_free(&t);
            free(values);
        }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// As a texture unit reads a format and, of textures that cannot be viewed, as an image unit does.
static bool check_image_unit(trial *t)
{
    fixture *f = t->f;
    const texture *src = &t->textures[SRC];
    const format_info *format = src->format;
    double first[4];
    memcpy(first, state_of(t), sizeof first);
    uint8_t *bytes = texture_read_bytes(f, src, 0);
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)format->internal, src->width, src->height, 0,
                     format->base, format->type, bytes);
    f->gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(bytes);
    t->views[SRC].name = name;
    gl_trace_reset(&f->host.trace);
    trial_run(t);
    CHECK_EQ(gl_trace_calls(&f->host.trace, "glBindSampler"), 0);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    return has_bits(t, first, "    by an image unit: the same bits");
}

static void test_formats(void **state)
{
    enum { W = 77, H = 53 };
    fixture *f = *state;
    rng r = rng_start("formats", 402);
    ag_pass *pass = fixture_pass(f, "exposure");
    bool good = true;
    sweep *share = sweep_start("formats", 2);
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        // From what is left out on: halves and 11-bit floats have denormals there.
        bool floats = format->kind == FORMAT_FLOAT;
        ag_exposure_settings s;
        if (!sweep_takes(share))
            continue;
        double *values =
            noise(&r, format->name, W, H, floats ? ldexp(1, -22) : 1e-3, floats ? 6e4 : 1);
        trial t = frame_of(f, pass, "noise", format->name, W, H, values, &s);
        t.job.flags = AG_JOB_RESET;
        s.center = 0.6f;
        good = trial_check(&t) && good;
        if (format->kind != FORMAT_SRGB && format->channels != 3) // not taken without a view
            good = check_image_unit(&t) && good;
        trial_free(&t);
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// A rectangle of the image and a texel of a larger state; all other texels of that stay as they
// are.
static void test_rectangles(void **state)
{
    static const int rectangles[][4] = {
        {0, 0, 111, 97}, {7, 5, 33, 29}, {110, 96, 1, 1}, {1, 0, 64, 64}, {40, 3, 71, 94}};
    fixture *f = *state;
    rng r = rng_start("rectangles", 403);
    double *values = noise(&r, "rgba16f", 111, 97, 1e-2, 10);
    texture large = texture_create(f, "rgba32f", 5, 3, NULL);
    ag_pass *pass = fixture_pass(f, "exposure");
    bool good = true;
    for (size_t i = 0; i < COUNT(rectangles); ++i) {
        const int *at = rectangles[i];
        ag_exposure_settings s;
        trial t = frame_of(f, pass, "a rectangle", "rgba16f", 111, 97, values, &s);
        t.slots[SRC].x = at[0];
        t.slots[SRC].y = at[1];
        t.slots[SRC].w = at[2];
        t.slots[SRC].h = at[3];
        t.slots[STATE] = (trial_slot){.own = &large, .x = 2, .y = 1, .w = 1, .h = 1};
        s.center = 0.8f;
        texture_poison(f, &large); // which is no valid state
        good = trial_check(&t) && good;
        CHECK_EQ(texture_poison_count(f, &large, 0, 0, 0, 0, 0), 14);
        CHECK_EQ(texture_poison_count(f, &large, 0, 2, 1, 1, 1), 0);
        trial_free(&t);
    }
    texture_destroy(f, &large);
    free(values);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Layers count together: as their texels would below each other, where all weigh the same.
static void test_arrays(void **state)
{
    enum { W = 45, H = 38, LAYERS = 5 };
    fixture *f = *state;
    rng r = rng_start("arrays", 404);
    double *values = noise(&r, "rgba16f", W, H * LAYERS, 1e-2, 10), array[4];
    bool good = true;
    for (int part = 0; part < 3; ++part) {
        static const char *const names[] = {"5 layers", "the same as one image",
                                            "layers 1 to 3 of 5"};
        ag_exposure_settings s;
        trial t =
            frame_of(f, NULL, names[part], "rgba16f", W, part == 1 ? H * LAYERS : H, values, &s);
        t.slots[SRC].layers = part == 1 ? 0 : LAYERS;
        t.slots[SRC].first = part == 2 ? 1 : 0;
        t.slots[SRC].count = part == 2 ? 3 : 0;
        t.job.flags = AG_JOB_RESET;
        s.center = part == 2 ? 0.5f : 0;
        good = trial_check(&t) && good;
        if (part == 0)
            memcpy(array, state_of(&t), sizeof array);
        if (part == 1)
            good = has_bits(&t, array, "    the same bits") && good;
        trial_free(&t);
    }
    free(values);
    CHECK(good);
}

static void test_whole_frame(void **state)
{
    enum { W = 3840, H = 2160 };
    rng r = rng_start("a whole frame", 405);
    ag_exposure_settings s;
    double *values = noise(&r, "rgba16f", W, H, 1e-4, 1e4);
    trial t = frame_of(*state, NULL, "a whole frame", "rgba16f", W, H, values, &s);
    s.center = 0.7f;
    bool good = trial_check(&t);
    trial_free(&t);
    free(values);
    CHECK(good);
}

// More than 2^24 texels of weight 256 in one bin: its sum passes 2^32. Seven rows of eight are at
// 1, the others at code 16 of 255, 1/8 EV bins: a lost carry would leave the mean at the second's
// centre.
static void test_carry(void **state)
{
    enum { SIZE = 4736 };
    fixture *f = *state;
    ag_exposure_settings s;
    trial t = frame_of(f, NULL, "a full bin", "r8", SIZE, SIZE, NULL, &s);
    t.reference = NULL;
    s.low = 0;
    s.high = 1;
    trial_make(&t);
    uint8_t *bytes = check_allocate((size_t)SIZE * SIZE);
    for (size_t y = 0; y < SIZE; ++y)
        memset(bytes + y * SIZE, y % 8 == 7 ? 16 : 255, SIZE);
    f->gl.BindTexture(GL_TEXTURE_2D, t.textures[SRC].name);
    f->gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED, GL_UNSIGNED_BYTE, bytes);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    free(bytes);
    double right = (7 * 0.0625 - 3.9375) / 8;
    CHECK((uint64_t)SIZE * SIZE / 8 * 7 * 256 > UINT32_MAX);
    for (int frame = 0; frame < 2; ++frame) { // both words of a count are 0 again afterwards
        trial_run(&t);
        CHECK_LIMIT("a bin of more than 2^32: error in EV", fabs(state_of(&t)[1] - right),
                    EXPOSURE_ERROR);
    }
    CHECK(state_of(&t)[2] == 1 && state_of(&t)[3] == 1);
    trial_free(&t);
}

// Sums of the largest images stay within their integers (histogram.comp); computed, not run.
static void test_largest(void **state)
{
    fixture *f = *state;
    const ag_plan *plan = NULL;
    ag_exposure_settings s;
    trial t = frame_of(f, NULL, "the largest", NULL, 0, 0, NULL, &s);
    t.views[SRC] = (ag_texture){.struct_size = sizeof(ag_texture),
                                .target = GL_TEXTURE_2D_ARRAY,
                                .format = GL_R8,
                                .width = 65536,
                                .height = 65536,
                                .layers = 2048};
    trial_make(&t);
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_OK);
    uint64_t groups = plan->steps[0].groups[0], tiles = (65536 / 32) * (65536 / 32);
    uint64_t a_group = (tiles + groups - 1) / groups * 32 * 32 * 256;
    double all = 65536.0 * 65536.0 * 2048 * 256;
    printf(
        "  65536x65536, 2048 layers: a bin of a group up to 2^%g (of 32), of all up to 2^%g (of 53)\n",
        log2((double)a_group), log2(all));
    CHECK(a_group <= UINT32_MAX && all <= ldexp(1, 53));
    CHECK_EQ(plan->steps[0].dispatches, 2048);
    CHECK_EQ(plan->scratch_bytes, 0);
    t.views[SRC].width = 65537;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->declare(t.pass, &t.job, &plan), AG_E_SIZE);
    CHECK(host_log_error(&f->host, AG_E_SIZE, "65536"));
    trial_free(&t);
}

// ---- refusals, plans ---------------------------------------------------------------------------

// By declare and execute, too, with a message of all parts.
static bool refused(trial *t, ag_status status, const char *const parts[3])
{
    const ag_plan *plan = NULL;
    bool good = trial_refused(t, status, parts[0]);
    for (int call = 0; call < 2; ++call) {
        host_log_clear(&t->f->host);
        CHECK_STATUS(call ? t->f->ag->declare(t->pass, &t->job, &plan)
                          : t->f->ag->execute(t->pass, &t->job, NULL),
                     status);
        for (int i = 0; i < 3; ++i)
            CHECK_HAS(host_log_last(&t->f->host), parts[i]);
    }
    return good;
}

static void test_refusals(void **state)
{
    static const struct {
        const char *format; // of the state
        int width, layers;
        float ev[2], cut[2], dt;
        ag_status status;
        const char *parts[3];
    } cases[] = {
        {"rgba32f", 2, 0, {-16, 16}, {0, 1}, 0, AG_E_SIZE, {"state", "2x1", "1x1"}},
        {"rgba32f", 1, 2, {-16, 16}, {0, 1}, 0, AG_E_SIZE, {"state", "2 layers", "1x1"}},
        {"rgba16f", 1, 0, {-16, 16}, {0, 1}, 0, AG_E_FORMAT, {"state", "RGBA16F", "RGBA32F"}},
        {"rgba32f", 1, 0, {3, 3}, {0, 1}, 0, AG_E_ARG, {"min_ev is 3", "max_ev", "at least 1"}},
        {"rgba32f", 1, 0, {3, 2}, {0, 1}, 0, AG_E_ARG, {"min_ev is 3", "max_ev", "at least 1"}},
        {"rgba32f", 1, 0, {3, 3.5f}, {0, 1}, 0, AG_E_ARG, {"min_ev is 3", "max_ev", "at least 1"}},
        {"rgba32f",
         1,
         0,
         {-16, 16},
         {0.5f, 0.5f},
         0,
         AG_E_ARG,
         {"low is 0.5", "high 0.5", "below"}},
        {"rgba32f", 1, 0, {-16, 16}, {0, 1}, -1, AG_E_ARG, {"dt", "-1", "0 or more"}},
    };
    fixture *f = *state;
    double *values = values_even("r16f", 20, 10, 1);
    ag_pass *pass = fixture_pass(f, "exposure");
    ag_exposure_settings s, other;
    trial first = frame_of(f, pass, "what was prepared before goes on", "r16f", 20, 10, values, &s);
    bool good = trial_check(&first);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        trial t = frame_of(f, pass, "refused", "r16f", 20, 10, values, &other);
        t.slots[STATE].format = cases[i].format;
        t.slots[STATE].width = cases[i].width;
        t.slots[STATE].layers = cases[i].layers;
        other.min_ev = cases[i].ev[0];
        other.max_ev = cases[i].ev[1];
        other.low = cases[i].cut[0];
        other.high = cases[i].cut[1];
        t.job.dt = cases[i].dt;
        good = refused(&t, cases[i].status, cases[i].parts) && good;
        double *kept = texture_read(f, &t.textures[STATE], 0);
        for (int k = 0; k < 4; ++k)
            CHECK(kept[k] == 0);
        free(kept);
        trial_free(&t);
    }
    good = trial_check(&first) && good;
    trial_free(&first);
    free(values);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Planned for the largest size: smaller ones create nothing. Without that a new size is a new plan.
static void test_planned_sizes(void **state)
{
    fixture *f = *state;
    rng r = rng_start("planned sizes", 410);
    double *values = noise(&r, "rgba16f", 200, 120, 1e-2, 10);
    ag_exposure_settings s;
    trial t = frame_of(f, NULL, "within the planned size", "rgba16f", 200, 120, values, &s);
    t.job.plan_width = 200;
    t.job.plan_height = 120;
    trial_make(&t);
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
    bool good = true;
    for (int i = 0; i < 5; ++i) {
        t.views[SRC].rect_width = rng_int(&r, 1, 200);
        t.views[SRC].rect_height = rng_int(&r, 1, 120);
        gl_trace_reset(&f->host.trace);
        CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
        CHECK_EQ(gl_trace_calls_with(&f->host.trace, "glGen") +
                     gl_trace_calls_with(&f->host.trace, "glCreate"),
                 0);
        good = trial_check(&t) && good;
    }
    trial_free(&t);
    free(values);
    CHECK(good);
}

// ---- texels, weights, closed forms -------------------------------------------------------------

// Texels on every edge of a bin, one float below and one above: one in the wrong bin would move the
// mean by 1/8 EV / 765.
static void test_edges(void **state)
{
    static const float ranges[][2] = {{-16, 16}, {-1, 0}, {-3.3f, 7.1f}, {-20, 64}};
    ag_pass *pass = fixture_pass(*state, "exposure");
    bool good = true;
    for (size_t i = 0; i < COUNT(ranges); ++i) {
        ag_exposure_settings s;
        double values[765], width = ((double)ranges[i][1] - (double)ranges[i][0]) / 256;
        for (int k = 0; k < 255; ++k) {
            float edge = (float)exp2((double)ranges[i][0] + (k + 1) * width);
            values[k] = nextafterf(edge, 0);
            values[255 + k] = edge;
            values[510 + k] = nextafterf(edge, INFINITY);
        }
        trial t = frame_of(*state, pass, "edges of bins", "r32f", 255, 3, values, &s);
        s.min_ev = ranges[i][0];
        s.max_ev = ranges[i][1];
        s.low = 0;
        s.high = 1;
        t.job.flags = AG_JOB_RESET;
        good = trial_check(&t) && good;
        trial_free(&t);
    }
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

// NaN, infinities, negative values and what is too dark: left out, and with scrub on counted where
// not finite.
static void test_left_out(void **state)
{
    enum { W = 93, H = 71 };
    const double odd[] = {NAN, INFINITY, -INFINITY, -3, 0, ldexp(1, -20), ldexp(1, -21), 1e-40};
    fixture *f = *state;
    rng r = rng_start("left out", 406);
    ag_pass *pass = fixture_pass(f, "exposure");
    bool good = true;
    for (int scrub = 0; scrub < 2; ++scrub)
        for (int half = 0; half < 2; ++half) {
            const char *format = half ? "rgba16f" : "rgba32f";
            double *values = noise(&r, format, W, H, 1e-3, 10);
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
            ag_exposure_settings s;
            trial t = frame_of(f, pass, "texels left out", format, W, H, values, &s);
            t.job.flags = AG_JOB_RESET;
            s.scrub = scrub;
            uint64_t before = fixture_scrubbed(f);
            good = trial_check(&t) && good;
            CHECK_EQ(fixture_scrubbed(f) - before, scrub ? bad : 0);
            trial_free(&t);
            free(values);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Without a texel to use r and g stay, b is 0, a stays; an invalid state becomes zeros.
static void test_black(void **state)
{
    static const double nothing[4] = {0}, later[4] = {1.5, -4.25, 0, 1};
    const double texels[] = {0, (double)NAN, -2};
    bool good = true;
    for (size_t i = 0; i < COUNT(texels); ++i) {
        ag_exposure_settings s;
        double values[50 * 40];
        for (int k = 0; k < 50 * 40; ++k)
            values[k] = texels[i];
        trial t = frame_of(*state, NULL, "nothing, before the first", "r32f", 50, 40, values, &s);
        good = trial_check(&t) && has_bits(&t, nothing, "    zeros") && good;
        t.name = "nothing, and the state was NaN";
        set_state(&t, (double)NAN, 3, 1, 1);
        good = trial_check(&t) && has_bits(&t, nothing, "    zeros") && good;
        t.name = "nothing, later";
        set_state(&t, 1.5, -4.25, 0.75, 1);
        t.job.dt = 0.5f;
        good = trial_check(&t) && has_bits(&t, later, "    r, g and a as they were") && good;
        t.name = "nothing, reset";
        t.job.flags = AG_JOB_RESET;
        good = trial_check(&t) && has_bits(&t, nothing, "    zeros") && good;
        trial_free(&t);
    }
    CHECK(good);
}

// ---- closed forms ------------------------------------------------------------------------------

// One value: its bin's centre, whatever the weights; key and compensation move the target.
static void test_one_value(void **state)
{
    fixture *f = *state;
    rng r = rng_start("one value", 407);
    ag_pass *pass = fixture_pass(f, "exposure");
    double worst = 0;
    for (int i = 0; i < 24; ++i) {
        double value =
            (float)exp2(rng_uniform(&r, -19.9, 18)); // darker and brighter than the bins, too
        double *values = values_even("r32f", 37, 61, value);
        ag_exposure_settings s;
        trial t = frame_of(f, pass, "one value", "r32f", 37, 61, values, &s);
        t.job.flags = AG_JOB_RESET;
        s.key = (float)rng_hdr(&r, 0.001, 1);
        s.compensation = (float)rng_uniform(&r, -16, 16);
        s.center = (float)rng_uniform(&r, 0, 1);
        s.low = (float)rng_uniform(&r, 0, 0.5);
        s.high = (float)rng_uniform(&r, 0.51, 1);
        trial_run(&t);
        double bin = fmin(fmax(floor((log2(value) + 16) * 8), 0), 255);
        double mean = -16 + (bin + 0.5) / 8;
        double exposure = log2((double)s.key) - mean + (double)s.compensation;
        worst = check_worse(worst, fabs(state_of(&t)[0] - exposure));
        worst = check_worse(worst, fabs(state_of(&t)[1] - mean));
        trial_free(&t);
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK_LIMIT("24 frames of one value: error in EV", worst, EXPOSURE_ERROR);
}

// Two values, half each: the share of either between the percentiles.
static void test_percentiles(void **state)
{
    static const float cuts[][2] = {{0, 1},        {0.25f, 0.9f},    {0.5f, 0.95f},
                                    {0, 0.5f},     {0.499f, 0.501f}, {0, 1e-7f},
                                    {0.99999f, 1}, {0.3f, 0.30001f}};
    const double dark = -3.9375, bright = 2.0625; // centres of the bins of 2^-4 and 4
    fixture *f = *state;
    rng r = rng_start("percentiles", 408);
    ag_pass *pass = fixture_pass(f, "exposure");
    bool good = true;
    for (size_t i = 0; i < COUNT(cuts); ++i) {
        double low = (double)cuts[i][0], high = (double)cuts[i][1];
        double two[1200], *values = noise(&r, "rgba16f", 83, 59, 1e-3, 100);
        for (int k = 0; k < 1200; ++k)
            two[k] = k % 2 ? 0.0625 : 4;
        for (int noisy = 0; noisy < 2; ++noisy) {
            ag_exposure_settings s;
            trial t = noisy ? frame_of(f, pass, "noise", "rgba16f", 83, 59, values, &s)
                            : frame_of(f, pass, "two values", "r16f", 40, 30, two, &s);
            t.job.flags = AG_JOB_RESET;
            s.low = cuts[i][0];
            s.high = cuts[i][1];
            s.center = noisy ? 0.3f : 0;
            good = trial_check(&t) && good;
            double a = fmax(fmin(high, 0.5) - low, 0), b = fmax(high - fmax(low, 0.5), 0);
            double right = (a * dark + b * bright) / (a + b);
            if (!noisy)
                good = check_limit("    their shares by hand: error in EV",
                                   fabs(state_of(&t)[1] - right), EXPOSURE_ERROR) &&
                       good;
            trial_free(&t);
        }
        free(values);
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// Weights against the formula in double, without rounding: within the error of half a 256th each.
static void test_centre(void **state)
{
    static const int sizes[][2] = {{64, 64}, {161, 90}, {3, 200}, {333, 77}};
    fixture *f = *state;
    rng r = rng_start("centre", 409);
    ag_pass *pass = fixture_pass(f, "exposure");
    bool good = true;
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int k = 0; k <= 4; ++k) {
            int w = sizes[i][0], h = sizes[i][1];
            double *values = noise(&r, "rgba32f", w, h, 0.5, 1), bound;
            for (int p = 0; p < w * h; ++p) { // brighter to the right: a wrong centre shows
                double gain = exp2(6.0 * (p % w) / w);
                for (int c = 0; c < 3; ++c)
                    values[4 * p + c] *= gain;
            }
            ag_exposure_settings s;
            trial t = frame_of(f, pass, "brighter to the right", "rgba32f", w, h, values, &s);
            t.job.flags = AG_JOB_RESET;
            s.low = 0;
            s.high = 1;
            s.center = (float)k / 4;
            good = trial_check(&t) && good;
            exposure_ref_image image = image_of(&t);
            double exact = exposure_ref_exact(&image, &s, &bound);
            good = check_limit("    against weights in double", fabs(state_of(&t)[1] - exact),
                               bound + EXPOSURE_ERROR) &&
                   good;
            trial_free(&t);
            free(values);
        }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- several frames ----------------------------------------------------------------------------

// Light and dark in turn, 40 frames each: along exponentials of two speeds, each step to 2e-5 EV.
static void test_adaptation(void **state)
{
    enum { FRAMES = 40 };
    static const double greys[] = {0.125, 8, 0.015625}, nothing[4] = {0};
    static const double centres[] = {-2.9375, 3.0625, -5.9375}; // of their bins
    fixture *f = *state;
    texture kept = texture_create(f, "rgba32f", 1, 1, nothing);
    ag_pass *pass = fixture_pass(f, "exposure");
    bool good = true;
    double from = 0;
    for (int scene = 0; scene < 3; ++scene) {
        double *values = values_even("r16f", 33, 21, greys[scene]), worst = 0;
        ag_exposure_settings s;
        trial t = frame_of(f, pass, "a scene", "r16f", 33, 21, values, &s);
        t.slots[STATE].own = &kept;
        t.job.dt = 1.0f / 60;
        double target = log2((double)s.key) - centres[scene], now = 0;
        double speed = target < from ? (double)s.speed_up : (double)s.speed_down;
        for (int i = 1; i <= FRAMES; ++i) {
            trial_run(&t);
            now = state_of(&t)[0];
            // The first takes its target at once. A frame rounds once more to a float: 2.4e-7 below
            // 8 EV.
            double right =
                scene ? target + (from - target) * exp(-i * (double)t.job.dt * speed) : target;
            worst = check_worse(worst, fabs(now - right));
        }
        char name[96];
        snprintf(name, sizeof name, "40 frames towards %.3f EV, now at %.3f: error in EV", target,
                 now);
        good = check_limit(name, worst, EXPOSURE_ERROR) && good;
        good = check_case(scene == 1   ? "    brighter: speed_up, so 2 s e-folds in 2/3 s"
                          : scene == 2 ? "    darker: speed_down"
                                       : "    at once",
                          scene == 0 || fabs((now - target) / (from - target) -
                                             exp(-FRAMES / 60.0 * (scene == 1 ? 3 : 1))) < 1e-5) &&
               good;
        from = now;
        trial_free(&t);
        free(values);
    }
    texture_destroy(f, &kept);
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// No time, hardly any, and more than any; speeds of 0 and 1000.
static void test_times(void **state)
{
    static const float times[] = {0, 1e-30f, 1e-6f, 1.0f / 60, 0.3f, 100, 1e30f, 3e38f};
    static const float speeds[][2] = {{3, 1}, {0, 0}, {1000, 1000}};
    rng r = rng_start("times", 421);
    double *values = noise(&r, "rgba16f", 61, 47, 1e-2, 10);
    ag_exposure_settings s;
    trial t = frame_of(*state, NULL, "a step", "rgba16f", 61, 47, values, &s);
    bool good = true;
    for (size_t i = 0; i < COUNT(times); ++i)
        for (int brighter = 0; brighter < 2; ++brighter)
            for (int speed = 0; speed < 3; ++speed) {
                double before = brighter ? 7.25 : -8.5;
                t.job.dt = times[i];
                s.speed_up = speeds[speed][0];
                s.speed_down = speeds[speed][1];
                set_state(&t, before, 0, 1, 1);
                good = trial_check(&t) && good;
                if (times[i] == 0 || speed == 1)
                    CHECK(state_of(&t)[0] == before);
            }
    trial_free(&t);
    free(values);
    CHECK(good);
}

// An invalid state and a reset take the target at once.
static void test_states(void **state)
{
    const double states[][4] = {{5, 1, 1, 0},           {5, 1, 1, 2},           {5, 1, 1, 0.5},
                                {(double)NAN, 1, 1, 1}, {5, (double)NAN, 1, 1}, {INFINITY, 1, 1, 1},
                                {5, -INFINITY, 1, 1},   {5, 1, 1, (double)NAN}, {5, 1, 1, -1}};
    rng r = rng_start("states", 422);
    double *values = noise(&r, "rgba16f", 35, 35, 1e-2, 10), first[4];
    ag_exposure_settings s;
    trial t = frame_of(*state, NULL, "the first frame", "rgba16f", 35, 35, values, &s);
    t.job.dt = 1.0f / 60;
    bool good = trial_check(&t);
    memcpy(first, state_of(&t), sizeof first);
    t.name = "an invalid state";
    for (size_t i = 0; i < COUNT(states); ++i) {
        const double *at = states[i];
        set_state(&t, at[0], at[1], at[2], at[3]);
        good = trial_check(&t) && has_bits(&t, first, "    the first frame's bits") && good;
    }
    t.name = "a valid one";
    set_state(&t, 5, 1, 1, 1);
    good = trial_check(&t) && good;
    CHECK(fabs(state_of(&t)[0] - 5) < 1 && state_of(&t)[0] != first[0]);
    t.name = "reset";
    t.job.flags = AG_JOB_RESET;
    good = trial_check(&t) && has_bits(&t, first, "    the first frame's bits") && good;
    trial_free(&t);
    free(values);
    CHECK(good);
}

// Equal texels give equal bits: again, in any order where all weigh the same, by another pass, and
// after a prepare that was refused or made another plan.
static void test_repeats(void **state)
{
    enum { W = 301, H = 203, TIMES = 20 };
    fixture *f = *state;
    rng r = rng_start("repeats", 423);
    double *values = noise(&r, "rgba16f", W, H, 1e-3, 100), first[4];
    ag_exposure_settings s;
    trial t = frame_of(f, NULL, "repeats", "rgba16f", W, H, values, &s);
    t.job.flags = AG_JOB_RESET;
    trial_run(&t);
    memcpy(first, state_of(&t), sizeof first);
    bool same = true;
    for (int i = 0; i < TIMES; ++i) {
        trial_run(&t);
        same = same && !memcmp(state_of(&t), first, sizeof first);
    }
    CHECK(check_case("20 times the same bits", same));
    for (int i = 0; i < 3; ++i) {
        for (int k = W * H - 1; k > 0; --k) {
            int other = rng_int(&r, 0, k);
            for (int c = 0; c < 4; ++c) {
                double kept = values[4 * k + c];
                values[4 * k + c] = values[4 * other + c];
                values[4 * other + c] = kept;
            }
        }
        texture_upload(f, &t.textures[SRC], 0, values);
        trial_run(&t);
        CHECK(has_bits(&t, first, "texels in another order: the same bits"));
    }
    s.max_ev = s.min_ev;
    CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_E_ARG);
    s.max_ev = 16;
    CHECK_STATUS(f->ag->execute(t.pass, &t.job, NULL), AG_OK);
    double *got = texture_read(f, &t.textures[STATE], 0);
    CHECK(check_case("after a refused prepare: the same bits", !memcmp(got, first, sizeof first)));
    free(got);
    s.max_ev = 8;
    trial_run(&t);
    s.max_ev = 16;
    trial_run(&t);
    CHECK(has_bits(&t, first, "after another plan: the same bits"));
    trial_free(&t);
    trial_run(&t);
    CHECK(has_bits(&t, first, "by another pass: the same bits"));
    trial_free(&t);
    free(values);
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
        FIXTURE_SWEEP(test_sizes),        FIXTURE_SWEEP(test_formats),
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
