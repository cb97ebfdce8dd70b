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

// Not rounded to the format: what is too small for it stays a test of it.
static double *noise(rng *r, const char *format, int width, int height, double low, double high)
{
    size_t count = (size_t)(width * height * format_named(format)->channels);
    double *values = check_doubles(count);
    rng_fill_hdr(r, values, count, low, high);
    return values;
}

// A copy that glTexImage made, which an image unit reads: the same bits.
static bool check_mutable(trial *t)
{
    fixture *f = t->f;
    const texture *src = &t->textures[SRC];
    double first[4];
    memcpy(first, state_of(t), sizeof first);
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)src->format->internal, src->width, src->height, 0,
                     src->format->base, src->format->type, NULL);
    f->gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    f->gl.CopyImageSubData(src->name, GL_TEXTURE_2D, 0, 0, 0, 0, name, GL_TEXTURE_2D, 0, 0, 0, 0,
                           src->width, src->height, 1);
    t->views[SRC].name = name;
    gl_trace_reset(&f->host.trace);
    trial_run(t);
    CHECK_EQ(gl_trace_calls(&f->host.trace, "glBindSampler"), 0);
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    return check_case("    by an image unit: the same bits",
                      !memcmp(state_of(t), first, sizeof first));
}

// ---- frames ------------------------------------------------------------------------------------

typedef struct frame { // a case; what is 0 is the effect's default
    const char *format;
    int width, height;
    double low, high; // of values
    int layers, first, count, x, y, w, h;
    double state[4]; // before
    float dt, ev[2], cut[2], center, key, speed;
    bool reset, placed; // the state, in a texture of 5 x 3
    bool again;         // of glTexImage
    int odd;            // one texel of so many is not finite, negative or too dark
    bool unscrubbed;
} frame;

// Returns how many of the texels are not finite.
static uint64_t make_odd(rng *r, double *values, int texels, int channels, int one_of)
{
    const double odd[] = {NAN, INFINITY, -INFINITY, -3, 0, ldexp(1, -20), ldexp(1, -21), 1e-40};
    uint64_t bad = 0;
    for (int i = 0; i < texels; ++i) {
        bool finite = true;
        double *texel = values + i * channels;
        if (rng_int(r, 0, one_of - 1) == 0)
            texel[rng_int(r, 0, channels - 1)] = odd[rng_int(r, 0, 7)];
        for (int c = 0; c < 3 && c < channels && rng_int(r, 0, 20 * one_of) == 0; ++c)
            texel[c] = odd[rng_int(r, 4, 7)];
        for (int c = 0; c < channels; ++c)
            finite = finite && isfinite(texel[c]);
        bad += !finite;
    }
    return bad;
}

static void set(const frame *c, trial *t, ag_exposure_settings *s)
{
    trial_slot *src = &t->slots[SRC];
    src->layers = c->layers;
    src->first = c->first;
    src->count = c->count;
    src->x = c->x;
    src->y = c->y;
    src->w = c->w;
    src->h = c->h;
    t->job.dt = c->dt;
    t->job.flags = c->reset ? AG_JOB_RESET : 0;
    s->center = c->center;
    s->scrub = !c->unscrubbed;
    s->key = c->key > 0 ? c->key : s->key;
    s->speed_up = c->speed > 0 ? c->speed : s->speed_up;
    if (c->ev[0] < c->ev[1]) {
        s->min_ev = c->ev[0];
        s->max_ev = c->ev[1];
    }
    if (c->cut[0] < c->cut[1]) {
        s->low = c->cut[0];
        s->high = c->cut[1];
    }
}

// The mean against weights in double, without rounding: half a 256th each.
static bool check_weights(const trial *t)
{
    const ag_exposure_settings *s = t->settings;
    double bound, exact;
    exposure_ref_image image = image_of(t);
    exact = exposure_ref_exact(&image, s, &bound);
    return check_limit("    against weights in double", fabs(state_of(t)[1] - exact),
                       bound + EXPOSURE_ERROR);
}

static bool check_frame(fixture *f, ag_pass *pass, rng *r, const frame *c)
{
    int channels = format_named(c->format)->channels,
        rows = c->height * (c->layers ? c->layers : 1);
    double *values = noise(r, c->format, c->width, rows, c->low, c->high), states[4 * 15];
    uint64_t bad = c->odd ? make_odd(r, values, c->width * rows, channels, c->odd) : 0;
    uint64_t before = c->odd ? fixture_scrubbed(f) : 0;
    ag_exposure_settings s;
    trial t = frame_of(f, pass, "a frame", c->format, c->width, c->height, values, &s);
    set(c, &t, &s);
    for (int i = 0; i < 4 * 15; ++i)
        states[i] = c->placed && i / 4 != 7 ? 7 : c->state[i % 4];
    t.slots[STATE].values = states;
    if (c->placed) // its middle; all other texels stay as they are
        t.slots[STATE] =
            (trial_slot){"rgba32f", 5, 3, .values = states, .x = 2, .y = 1, .w = 1, .h = 1};
    bool good = trial_check(&t);
    if (c->odd)
        CHECK_EQ(fixture_scrubbed(f) - before, c->unscrubbed ? 0 : bad);
    for (int i = 0; i < 4 * 15 && c->placed; ++i)
        CHECK(i / 4 == 7 || t.got[STATE][i] == 7);
    if (!c->odd && c->cut[0] == 0 && c->cut[1] == 1 && channels > 1 &&
        t.textures[SRC].format->bits[0] == 32)
        good = check_weights(&t) && good;
    if (c->again)
        good = check_mutable(&t) && good;
    trial_free(&t);
    free(values);
    return good;
}

// Sizes about a group's tile, layers (which count together), rectangles, texels left out; a state
// that is valid, that is not, and a reset.
static void test_each(void **state)
{
    static const frame frames[] = {
        {"rgba16f", 77, 53, 1e-3, 6e4, .center = 0.6f, .again = true, .reset = true,
         .state = {3, 1, 1, 1}},
        {"rgba32f", 161, 90, 0.5, 64, .center = 0.75f, .cut = {0, 1}},
        {"rgba32f", 3, 200, 0.5, 64, .center = 1, .cut = {0, 1}},
        {"rgba8", 1, 4096, 1e-3, 1, .state = {-8.5, 0, 1, 1}, .dt = 0.3f},
        {"r8", 33, 31, 1e-3, 1, .state = {7.25, 0, 1, 1}, .dt = 1e-6f},
        {"rgba16f", 111, 97, 1e-2, 10, .x = 40, .y = 3, .w = 71, .h = 94, .placed = true,
         .center = 0.8f},
        {"rgba16f", 45, 38, 1e-2, 10, .layers = 5, .first = 1, .count = 3, .center = 0.5f},
        {"rgba32f", 93, 71, 1e-3, 10, .odd = 4, .state = {5, 1, 1, 0.5}},
        {"rgba16f", 93, 71, 1e-3, 10, .odd = 4, .unscrubbed = true,
         .state = {5, (double)NAN, 1, 1}},
        {"r32f", 50, 40, 1e-9, 1e-8, .state = {1.5, -4.25, 0.75, 1}, .dt = 0.5f}, // nothing to use
        {"r32f", 50, 40, 1e-9, 1e-8, .state = {(double)NAN, 3, 1, 1}},
        {"rg16f", 64, 96, 1e-2, 10, .state = {5, 1, 1, 1}, .dt = 3e38f, .key = 0.5f},
        {"r16f", 83, 59, 1e-3, 100, .cut = {0.3f, 0.30001f}, .ev = {-3.3f, 7.1f}},
    };
    rng r = rng_start("each", 401);
    ag_pass *pass = fixture_pass(*state, "exposure");
    bool good = true;
    for (size_t i = 0; i < COUNT(frames); ++i)
        good = check_frame(*state, pass, &r, &frames[i]) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_random(void **state)
{
    static const float times[] = {0, 1e-30f, 1e-6f, 1.0f / 60, 0.3f, 100, 1e30f, 3e38f};
    static const float cuts[][2] = {{0, 1},           {0.25f, 0.9f}, {0, 0.5f},
                                    {0.499f, 0.501f}, {0, 1e-7f},    {0.99999f, 1}};
    const double states[] = {1, 1, 1, 1, 0, 2, 0.5, (double)NAN, -1};
    const double means[] = {1, 1, 1, 1, (double)NAN, INFINITY, -INFINITY};
    rng r = rng_start("random", 402);
    ag_pass *pass = fixture_pass(*state, "exposure");
    bool good = true;
    sweep *share = sweep_start("random", 40);
    for (int i = 0; i < 240; ++i) {
        const format_info *format = format_at(i % FORMAT_COUNT);
        bool floats = format->kind == FORMAT_FLOAT;
        // From what is left out on: halves and 11-bit floats have denormals there.
        frame c = {format->name,
                   (int)rng_hdr(&r, 1, i % 9 ? 400 : 4096),
                   (int)rng_hdr(&r, 1, i % 9 ? 300 : 60),
                   floats ? ldexp(1, -22) : 1e-3,
                   floats ? 6e4 : 1,
                   .center = (float)rng_uniform(&r, 0, 1)};
        const float *cut = cuts[rng_int(&r, 0, COUNT(cuts) - 1)];
        c.dt = times[rng_int(&r, 0, COUNT(times) - 1)];
        c.state[0] = rng_int(&r, 0, 5) ? rng_uniform(&r, -9, 9) : INFINITY;
        c.state[1] = means[rng_int(&r, 0, COUNT(means) - 1)];
        c.state[3] = states[rng_int(&r, 0, COUNT(states) - 1)];
        c.cut[0] = cut[0];
        c.cut[1] = cut[1];
        c.ev[0] = (float)rng_uniform(&r, -16, 3);
        c.ev[1] = rng_int(&r, 0, 1) ? c.ev[0] + (float)rng_uniform(&r, 1, 20) : -16;
        c.speed = rng_int(&r, 0, 2) ? 0 : (float)rng_hdr(&r, 0.01, 1000);
        c.reset = rng_int(&r, 0, 4) == 0;
        c.placed = rng_int(&r, 0, 3) == 0;
        c.odd = floats && format->channels != 3 && rng_int(&r, 0, 3) == 0 ? 4 : 0;
        c.unscrubbed = c.odd && rng_int(&r, 0, 1);
        c.layers = c.odd || rng_int(&r, 0, 3) ? 0 : 3;
        c.again = !c.layers && !c.reset && format->kind != FORMAT_SRGB && format->channels != 3 &&
                  c.dt == 0 && !c.odd; // not taken without a view
        if (!c.odd && rng_int(&r, 0, 2) == 0) {
            c.x = rng_int(&r, 0, c.width - 1);
            c.y = rng_int(&r, 0, c.height - 1);
            c.w = rng_int(&r, 1, c.width - c.x);
            c.h = rng_int(&r, 1, c.height - c.y);
        }
        if (sweep_takes(share))
            good = check_frame(*state, pass, &r, &c) && good;
    }
    const frame whole = {"rgba16f", 3840, 2160, 1e-4, 1e4, .center = 0.7f};
    if (check_tier_now() != CHECK_QUICK && sweep_takes(share))
        good = check_frame(*state, pass, &r, &whole) && good;
    ((fixture *)*state)->ag->pass_destroy(pass);
    CHECK(good);
}

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

// Texels in any order, where all weigh the same, and layers as one image: the same bits.
static void test_order(void **state)
{
    enum { W = 45, H = 38, LAYERS = 5, TEXELS = W * H * LAYERS };
    rng r = rng_start("order", 423);
    double *values = noise(&r, "rgba16f", W, H * LAYERS, 1e-3, 100), first[4] = {0};
    for (int i = 0; i < 3; ++i) {
        ag_exposure_settings s;
        trial t = frame_of(*state, NULL, "order", "rgba16f", W, i ? H : H * LAYERS, values, &s);
        t.slots[SRC].layers = i ? LAYERS : 0;
        s.center = 0;
        trial_run(&t);
        if (i == 0)
            memcpy(first, state_of(&t), sizeof first);
        CHECK(check_case("the same bits", !memcmp(state_of(&t), first, sizeof first)));
        trial_free(&t);
        for (int k = TEXELS - 1; k > 0; --k) {
            int other = rng_int(&r, 0, k);
            for (int c = 0; c < 4; ++c) {
                double kept = values[4 * k + c];
                values[4 * k + c] = values[4 * other + c];
                values[4 * other + c] = kept;
            }
        }
    }
    free(values);
}

// ---- sums ---------------------------------------------------------------------------------------

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
    for (int again = 0; again < 2; ++again) { // both words of a count are 0 again afterwards
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

// ---- refusals ----------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    static const struct {
        const char *format; // of the state
        int width, layers;
        float ev[2], cut[2], dt;
        ag_status status;
        const char *word;
    } cases[] = {
        {"rgba32f", 2, 0, {-16, 16}, {0, 1}, 0, AG_E_SIZE, "2x1"},
        {"rgba32f", 1, 2, {-16, 16}, {0, 1}, 0, AG_E_SIZE, "2 layers"},
        {"rgba16f", 1, 0, {-16, 16}, {0, 1}, 0, AG_E_FORMAT, "RGBA16F"},
        {"rgba32f", 1, 0, {3, 3.5f}, {0, 1}, 0, AG_E_ARG, "min_ev is 3"},
        {"rgba32f", 1, 0, {-16, 16}, {0.5f, 0.5f}, 0, AG_E_ARG, "low is 0.5"},
        {"rgba32f", 1, 0, {-16, 16}, {0, 1}, -1, AG_E_ARG, "dt"},
    };
    bool good = true;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        ag_exposure_settings s;
        trial t = frame_of(*state, NULL, "refused", "r16f", 20, 10, NULL, &s);
        t.slots[STATE] = trial_image(cases[i].format, cases[i].width, 1, NULL);
        t.slots[STATE].layers = cases[i].layers;
        s.min_ev = cases[i].ev[0];
        s.max_ev = cases[i].ev[1];
        s.low = cases[i].cut[0];
        s.high = cases[i].cut[1];
        t.job.dt = cases[i].dt;
        good = trial_refused(&t, cases[i].status, cases[i].word) && good;
        trial_free(&t);
    }
    CHECK(good);
}

// A shader that is edited not to empty the counts leaves them full, and a reload keeps them: the
// first execute of the mended one still adds to what was left, and empties it.
static void test_reload(void **state)
{
    static const char *const path = "exposure/adapt.glsl";
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
        FIXTURE_TEST(test_each),     FIXTURE_SWEEP(test_random), FIXTURE_TEST(test_carry),
        FIXTURE_TEST(test_largest),  FIXTURE_TEST(test_edges),   FIXTURE_TEST(test_order),
        FIXTURE_TEST(test_refusals), FIXTURE_TEST(test_reload),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
