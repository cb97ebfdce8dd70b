// test_autofocus.c - focus = autofocus of "depth_of_field": its state, frame by frame, in double
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "focus_ref.h"
#include "minimums.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { SRC, DEPTH, DST, STATE };

#define STATE_ERROR 3e-6 // relative, as depth_of_field.h promises, for depths of 32 bits

// ---- the definition ----------------------------------------------------------------------------

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

static int along(double middle, double share, int size, int *count)
{
    int first = (int)floor((middle - share / 2) * size), last;
    last = (int)ceil((middle + share / 2) * size);
    first = first < 0 ? 0 : first > size - 1 ? size - 1 : first;
    last = last > size ? size : last;
    *count = last > first ? last - first : 1;
    return first;
}

// What an area shows; returns the share of its samples that has a depth.
static double shown_of(const ag_depth_of_field_settings *s, const double *depth, int width,
                       int height, double *shown)
{
    double found[256];
    int w, h, count = 0, x = along((double)s->focus_x, (double)s->focus_width, width, &w),
              y = along((double)s->focus_y, (double)s->focus_height, height, &h);
    int across = w < 16 ? w : 16, down = h < 16 ? h : 16;
    double most = 1000 / (1.01 * (double)s->focal_length);
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < across; ++i) {
            int at = width * (y + (int)((j + 0.5) * h / down)) + x + (int)((i + 0.5) * w / across);
            double inverse = focus_ref_inverse_z(s, depth[at]); // 1/m
            if (isfinite(inverse))
                found[count++] = fmin(fmax(inverse, 0), most);
        }
    qsort(found, (size_t)count, sizeof *found, by_size);
    *shown = count ? found[(count - 1) / 3] : (double)NAN;
    return (double)count / (across * down);
}

static bool followed(trial *t, const trial_part *p, double *want, double *bound)
{
    const ag_depth_of_field_settings *s = t->settings;
    for (int i = 0; i < p->width * p->height * p->channels && p->slot != STATE; ++i)
        want[i] = TRIAL_ANY;
    if (p->slot != STATE)
        return true;
    double *depth = trial_input(t, DEPTH, 0), *before = trial_input(t, STATE, 0), shown;
    const ag_texture *view = &t->views[DEPTH];
    double share = shown_of(s, depth, view->width, view->height, &shown);
    bool valid = before[3] == 1 && isfinite(before[0]) && isfinite(before[1]) && before[0] >= 0 &&
                 !(t->job.flags & AG_JOB_RESET);
    double rate = 1 - exp(-(double)t->job.dt * (double)s->focus_speed);
    memset(want, 0, 4 * sizeof *want);
    if (share > 0 || valid) {
        want[0] = share > 0 && valid ? before[0] + rate * (shown - before[0])
                  : share > 0        ? shown
                                     : before[0];
        want[1] = share > 0 ? shown : before[1];
        want[2] = share;
        want[3] = 1;
    }
    for (int c = 0; c < 4; ++c)
        bound[c] = c < 2 ? STATE_ERROR * fmax(want[0], want[1]) + t->limit : 1e-7;
    free(depth);
    free(before);
    return true;
}

static trial focus_of(fixture *f, ag_pass *pass, const char *name, int width, int height,
                      const double *src, const double *depth, ag_depth_of_field_settings *s)
{
    trial t = trial_of(f, "depth_of_field", name, s, sizeof *s);
    t.pass = pass;
    s->focus = AG_FOCUS_AUTOFOCUS;
    s->encoding = AG_ENCODING_LINEAR;
    t.slots[SRC] = trial_image("rgba32f", width, height, src);
    t.slots[DEPTH] = trial_image("r32f", width, height, depth);
    t.slots[DST] = trial_image("rgba32f", width, height, NULL);
    t.slots[STATE] = trial_image("rgba32f", 1, 1, NULL);
    t.reference = followed;
    t.left_out = 1;
    return t;
}

static const double *state_of(const trial *t)
{
    const ag_texture *v = &t->views[STATE];
    return t->got[STATE] + 4 * (v->rect_y * v->width + v->rect_x);
}

// ---- one frame ---------------------------------------------------------------------------------

typedef struct view { // a case; what is 0 is the default
    int width, height, encoding;
    bool infinite;
    const char *format; // of depth; NULL: r32f
    double x, y, w, h;  // the area
    double state[4];    // before
    float dt, speed;
    double odd; // share of depths that are none: NaN, -1
    bool sky, reset, placed, tables;
} view;

static bool check_view(fixture *f, ag_pass *pass, rng *r, const view *v)
{
    int w = v->width, h = v->height;
    double *src = values_even("rgba32f", w, h, 0.5), *depth = check_doubles((size_t)(w * h));
    double states[4 * 15];
    ag_depth_of_field_settings s;
    trial t = focus_of(f, pass, "a frame", w, h, src, depth, &s);
    s.method = v->tables ? AG_FOCUS_TABLES : AG_FOCUS_GATHER;
    s.encoding = v->encoding;
    s.near_plane = 0.25f;
    s.far_plane = v->infinite ? 0 : 500;
    s.focus_x = (float)v->x;
    s.focus_y = (float)v->y;
    s.focus_width = (float)v->w;
    s.focus_height = (float)v->h;
    s.focus_speed = v->speed > 0 ? v->speed : s.focus_speed;
    t.job.dt = v->dt;
    t.job.flags = v->reset ? AG_JOB_RESET : 0;
    for (int i = 0; i < w * h; ++i) {
        double z = v->sky ? (double)INFINITY : rng_hdr(r, 0.26, 400);
        depth[i] = focus_ref_stored(&s, z);
        if (rng_uniform(r, 0, 1) < v->odd)
            depth[i] = v->encoding == AG_ENCODING_LINEAR && i % 2 ? -1 : (double)NAN;
    }
    if (v->format)
        t.slots[DEPTH].format = v->format;
    for (int i = 0; i < 4 * 15; ++i)
        states[i] = v->placed && i / 4 != 7 ? 7 : v->state[i % 4];
    t.slots[STATE].values = states;
    if (v->placed) // its middle; all other texels stay as they are
        t.slots[STATE] =
            (trial_slot){"rgba32f", 5, 3, .values = states, .x = 2, .y = 1, .w = 1, .h = 1};
    // 1/z = x + y d, of which a float rounds each part
    t.limit = v->encoding == AG_ENCODING_LINEAR ? 0 : ldexp(4, -24) / 0.25;
    bool good = trial_check(&t);
    for (int i = 0; i < 4 * 15 && v->placed; ++i)
        CHECK(i / 4 == 7 || t.got[STATE][i] == 7);
    trial_free(&t);
    free(src);
    free(depth);
    return good;
}

// Every encoding, areas at edges and of one texel, states that are not valid, depths that are none.
static void test_each(void **state)
{
    static const view views[] = {
        {64, 48, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 0.1, .h = 0.1, .dt = 0.02f},
        {1, 1, AG_ENCODING_LINEAR, .w = 0.1, .h = 0.1, .state = {0.5, 0.25, 1, 1}, .dt = 0.1f},
        {1, 1, AG_ENCODING_REVERSED, true, .x = 1, .y = 1, .state = {0.5, 0.25, 1, 1}, .dt = 0.1f},
        {1, 70, AG_ENCODING_FORWARD, .x = 1, .y = 0.9, .w = 1, .h = 1, .reset = true,
         .state = {3, 3, 1, 1}},
        {97, 61, AG_ENCODING_REVERSED, true, .x = 0.4, .y = 0.7, .w = 0.9, .h = 0.8,
         .state = {1, 2, 0, 1}, .dt = 0.3f, .speed = 8},
        {97, 61, AG_ENCODING_REVERSED, .format = "d32f", .x = 0.4, .y = 0.7, .w = 0.4, .h = 0.3,
         .state = {1, 2, 0, 1}, .dt = 0.05f, .tables = true},
        {80, 45, AG_ENCODING_FORWARD, true, "d32f", 0.02, 0.98, 0.5, 0.5, .placed = true,
         .state = {2, 1, 1, 1}, .dt = 0.1f},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 1, .h = 1, .odd = 0.9, .dt = 1,
         .state = {2, 1, 1, 1}},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 1, .h = 1, .odd = 1.1, .dt = 1,
         .state = {2, 1, 1, 1}}, // no depth: it stays
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .odd = 1.1, .state = {2, 1, 1, 0}},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 0.3, .h = 0.3, .dt = 0.1f,
         .state = {(double)NAN, 1, 1, 1}},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 0.3, .h = 0.3, .dt = 0.1f,
         .state = {-1, 1, 1, 1}},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.1, .w = 0.3, .h = 0.1, .dt = 0.1f,
         .state = {4, 1, 1, 1}, .sky = true},
        {80, 45, AG_ENCODING_REVERSED, true, .x = 0.5, .y = 0.1, .w = 0.3, .h = 0.1, .sky = true},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 0.3, .h = 0.3, .dt = 3e38f,
         .state = {0.125, 1, 1, 1}},
        {80, 45, AG_ENCODING_LINEAR, .x = 0.5, .y = 0.5, .w = 0.3, .h = 0.3,
         .state = {0.125, 1, 1, 1}}, // no time: it stays, and says what is shown
    };
    fixture *f = *state;
    rng r = rng_start("autofocus", 831);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    for (size_t i = 0; i < COUNT(views); ++i)
        good = check_view(f, pass, &r, &views[i]) && good;
    f->ag->pass_destroy(pass);
    CHECK(good);
}

static void test_random(void **state)
{
    fixture *f = *state;
    rng r = rng_start("autofocus, random", 832);
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    bool good = true;
    sweep *share = sweep_start("random", 12);
    for (int i = 0; i < 60; ++i) {
        view v = {rng_int(&r, 1, 90), rng_int(&r, 1, 60), .encoding = i % 3, .infinite = i % 2,
                  .format = i % 4 == 3 && i % 3 ? "d32f" : NULL};
        v.x = rng_uniform(&r, 0, 1);
        v.y = rng_uniform(&r, 0, 1);
        v.w = rng_uniform(&r, 0, 1);
        v.h = rng_uniform(&r, 0, 1);
        v.state[0] = rng_hdr(&r, 0.01, 10);
        v.state[3] = rng_int(&r, 0, 5) > 0;
        v.dt = (float)rng_hdr(&r, 1e-3, 1);
        v.speed = (float)rng_hdr(&r, 0.1, 30);
        v.odd = v.format ? 0 : rng_uniform(&r, -0.5, 0.5);
        if (sweep_takes(share))
            good = check_view(f, pass, &r, &v) && good;
    }
    f->ag->pass_destroy(pass);
    CHECK(good);
}

// ---- what it promises --------------------------------------------------------------------------

// A subject that fills 40 % of the area before a wall, a twig of 20 % before both: the subject.
static void test_subject(void **state)
{
    enum { W = 100, H = 80 };
    fixture *f = *state;
    double *src = values_even("rgba32f", W, H, 0.5), *depth = values_even("r32f", W, H, 30);
    for (int i = 0; i < W * H; ++i) {
        if (i % W < 60)
            depth[i] = 3;
        if (i % W < 20)
            depth[i] = 1;
    }
    ag_depth_of_field_settings s;
    trial t = focus_of(f, NULL, "a subject", W, H, src, depth, &s);
    s.focus_width = s.focus_height = 1;
    CHECK(trial_check(&t));
    CHECK_LIMIT("the subject, 1/m", fabs(state_of(&t)[0] - 1 / 3.0), 1e-6);
    trial_free(&t);
    free(src);
    free(depth);
}

// From 2 m to 16 m in two seconds: at any rate of frames the same exponential, in 1/m.
static void test_time(void **state)
{
    enum { W = 40, H = 30 };
    static const int rates[] = {24, 60, 144};
    fixture *f = *state;
    double *src = values_even("rgba32f", W, H, 0.5), *depth = values_even("r32f", W, H, 16);
    double first[4] = {0.5, 0.5, 1, 1};
    ag_pass *pass = fixture_pass(f, "depth_of_field");
    for (size_t i = 0; i < COUNT(rates); ++i) {
        ag_depth_of_field_settings s;
        trial t = focus_of(f, pass, "time", W, H, src, depth, &s);
        double worst = 0;
        t.slots[STATE].values = first;
        t.job.dt = 1 / (float)rates[i];
        for (int k = 1; k <= 2 * rates[i]; ++k) {
            double exact = 1 / 16.0 + (0.5 - 1 / 16.0) * exp(-k * (double)t.job.dt * 3);
            trial_run(&t);
            worst = fmax(worst, fabs(state_of(&t)[0] - exact));
        }
        char name[80];
        snprintf(name, sizeof name, "%d frames a second: 1/m off by", rates[i]);
        CHECK_LIMIT(name, worst, 2e-6);
        trial_free(&t);
    }
    free(src);
    free(depth);
    f->ag->pass_destroy(pass);
}

// The frame is that of the distance that the state says, by both methods and of all layers.
static void test_frame(void **state)
{
    enum { W = 70, H = 50, LAYERS = 2, TEXELS = W * H * LAYERS };
    fixture *f = *state;
    rng r = rng_start("autofocus, frame", 833);
    double *src = values_noise(&r, "rgba32f", W, LAYERS * H, 0, 1);
    double *depth = check_doubles(TEXELS), first[4] = {0.3, 0.3, 1, 1};
    for (int i = 0; i < TEXELS; ++i)
        depth[i] = 2 + 0.1 * (i % W) + 0.02 * (i / W);
    for (int tables = 0; tables < 2; ++tables) {
        ag_depth_of_field_settings s;
        trial t = focus_of(f, NULL, "autofocus", W, H, src, depth, &s);
        s.method = tables ? AG_FOCUS_TABLES : AG_FOCUS_GATHER;
        s.f_number = 0.5f;
        s.focal_length = 400;
        t.slots[SRC].layers = t.slots[DEPTH].layers = t.slots[DST].layers = LAYERS;
        t.slots[STATE].values = first;
        t.job.dt = 0.1f;
        trial_run(&t);
        double *got = check_doubles(4 * TEXELS), distance = 1 / state_of(&t)[0], worst = 0;
        memcpy(got, t.got[DST], 4 * TEXELS * sizeof *got);
        trial_free(&t);
        CHECK(fabs(distance - 1 / 0.3) > 0.1);
        ag_depth_of_field_settings still = s;
        t = focus_of(f, NULL, "distance", W, H, src, depth, &s);
        s = still;
        s.focus = AG_FOCUS_DISTANCE;
        s.focus_distance = (float)distance;
        t.slots[SRC].layers = t.slots[DEPTH].layers = t.slots[DST].layers = LAYERS;
        t.slots[STATE] = (trial_slot){0};
        double *want = trial_take(&t, DST);
        for (int i = 0; i < 4 * TEXELS; ++i)
            worst = fmax(worst, fabs(got[i] - want[i]));
        CHECK_LIMIT(tables ? "tables: against focus = distance" : "gather: the same", worst, 1e-3);
        free(got);
        free(want);
    }
    free(src);
    free(depth);
}

static void test_refusals(void **state)
{
    fixture *f = *state;
    double src[32] = {0}, depth[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    ag_depth_of_field_settings s;
    trial t = focus_of(f, NULL, "refused", 4, 2, src, depth, &s);
    t.slots[STATE] = (trial_slot){0};
    CHECK(trial_refused(&t, AG_E_ARG, "state"));
    trial_free(&t);
    t = focus_of(f, NULL, "refused", 4, 2, src, depth, &s);
    t.slots[STATE] = trial_image("rgba32f", 2, 1, NULL);
    CHECK(trial_refused(&t, AG_E_SIZE, "1x1"));
    trial_free(&t);
}

int main(int argc, char **argv)
{
    if (minimums_wanted()) {
        puts("  left out: not a minimum of OpenGL 4.3: a program of 11 images and blocks");
        return 0;
    }
    const check_test tests[] = {
        FIXTURE_TEST(test_each), FIXTURE_SWEEP(test_random), FIXTURE_TEST(test_subject),
        FIXTURE_TEST(test_time), FIXTURE_TEST(test_frame),   FIXTURE_TEST(test_refusals),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
