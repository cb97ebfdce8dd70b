// denoise_history.c - frames that "denoise" accumulates: the step from one to the next
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history_ref.h"

enum { W = 160, H = 120, VALUES = W * H * 4, FRAMES = 16 };

// A trial with a history, and with `motion` everywhere where that is not NULL.
static trial history_of(fixture *f, const char *format, const double *motion,
                        ag_denoise_settings *s)
{
    trial t = denoise_of(f, "history", "rgba32f", W, H, NULL, s);
    double values[W * H * 2];
    for (int i = 0; i < W * H * 2 && motion; ++i)
        values[i] = motion[i % 2];
    t.slots[HISTORY] = trial_image(format, W, H, NULL);
    if (motion)
        t.slots[MOTION] = trial_image("rg32f", W, H, values);
    t.job.dt = 1 / 60.0f;
    s->rule = AG_DENOISE_BAYES;
    s->sigma = 0;
    s->exact = 1;
    trial_make(&t);
    return t;
}

// ---- the mean -----------------------------------------------------------------------------------

typedef struct walk { // frames of a case, and what the reference makes of them
    int width, height, texels;
    history_ref_frame frames[2]; // by turns
    history_ref states[2];
} walk;

static walk walk_start(int width, int height)
{
    walk w = {.width = width, .height = height, .texels = width * height};
    for (int i = 0; i < 2; ++i) {
        w.states[i].mean = check_doubles(4 * (size_t)w.texels);
        w.states[i].sigma = check_doubles((size_t)w.texels);
        w.states[i].open = check_doubles((size_t)w.texels);
    }
    return w;
}

static void free_frame(history_ref_frame *frame)
{
    free((void *)(uintptr_t)frame->src);
    free((void *)(uintptr_t)frame->motion);
    free((void *)(uintptr_t)frame->normal);
    free((void *)(uintptr_t)frame->depth);
    *frame = (history_ref_frame){0};
}

static void walk_free(walk *w)
{
    for (int i = 0; i < 2; ++i) {
        free_frame(&w->frames[i]);
        free(w->states[i].mean);
        free(w->states[i].sigma);
        free(w->states[i].open);
    }
}

// Three surfaces that move over each other, in front of a slope; by guide: normals or depths.
static double *surfaces(int width, int height, int frame, bool normals)
{
    double *values = check_doubles(4 * (size_t)(width * height));
    for (int i = 0; i < width * height; ++i) {
        int x = i % width - 3 * frame, y = i / width + frame;
        int which = x % 23 > 11 ? 1 : y % 17 > 9 ? 2 : 0;
        if (normals)
            for (int c = 0; c < 3; ++c)
                values[4 * i + c] = (c == which) * 2.5 + 0.02 * (x % 3);
        else
            values[i] = 3 + 4 * which + 0.02 * (i % width);
    }
    return values;
}

static const double *uploaded(trial *t, int slot, double *values)
{
    texture_quantise(t->slots[slot].format, values,
                     (size_t)t->slots[slot].width * (size_t)t->slots[slot].height);
    texture_upload(t->f, &t->textures[slot], 0, values);
    return values;
}

// A frame of the scene; or of few paths, so that most texels are black.
static double *next_frame(const walk *w, rng *r, int number, bool sparse)
{
    double *values = denoise_noisy(r, w->width, w->height, 4, 2 * number, number / 2, 0.05);
    for (int i = 0; i < w->texels && sparse; ++i) {
        bool lit = rng_uniform(r, 0, 1) < 0.06;
        for (int c = 0; c < 3; ++c)
            values[4 * i + c] *= lit;
    }
    return values;
}

// The next frame, from the history that the GPU has. Returns the largest error; of the mean where
// the history was clipped in units of what is left open there.
static double next_error(trial *t, walk *w, rng *r, int number)
{
    history_ref_frame *frame = &w->frames[number % 2], *former = &w->frames[1 - number % 2];
    history_ref *now = &w->states[number % 2], *old = &w->states[1 - number % 2];
    free_frame(frame);
    double *held = texture_read(t->f, &t->textures[HISTORY], 0);
    memcpy(old->mean, held, sizeof *held * 4 * (size_t)w->texels);
    free(held);
    frame->src = uploaded(t, SRC, next_frame(w, r, number, !t->slots[MOTION].format));
    if (t->slots[MOTION].format) {
        double *motion = check_doubles(2 * (size_t)w->texels);
        for (int i = 0; i < w->texels; ++i) { // a slow turn, and steps of 1/4
            motion[2 * i] = -2 + 0.25 * (i % 5) + 0.01 * (i / w->width);
            motion[2 * i + 1] = -0.75 + 0.02 * (i % w->width);
        }
        frame->motion = uploaded(t, MOTION, motion);
    }
    if (t->slots[AG_DENOISE_NORMAL].format)
        frame->normal = uploaded(t, AG_DENOISE_NORMAL, surfaces(w->width, w->height, number, true));
    if (t->slots[AG_DENOISE_DEPTH].format)
        frame->depth = uploaded(t, AG_DENOISE_DEPTH, surfaces(w->width, w->height, number, false));
    history_ref_next(w->width, w->height, t->settings, frame, number ? former : NULL, old, now);
    trial_run(t);
    double worst = 0, *kept = texture_read(t->f, &t->textures[HISTORY], 0);
    for (int i = 0; i < 4 * w->texels; ++i) {
        double open = now->open[i / 4];
        if (i % 4 < 3)
            worst = check_worse(worst, fabs(t->got[DST][i] - now->mean[i]) / (1 + 1e6 * open));
        else // half a unit of a half; where clipped, by the same as the mean
            worst = check_worse(worst,
                                1e-3 * fabs(kept[i] / now->mean[i] - 1) / (1 + 1e2 * (open > 0)));
    }
    free(kept);
    return worst;
}

// The history against its definition in double, frame by frame: whole sizes and single texels,
// motion that turns and leaves the frame, surfaces that cover each other, narrow and wide clamps.
void test_history_mean(void **state)
{
    static const struct {
        int width, height;
        bool motion, normal, depth;
        float clamp, frames;
    } cases[] = {{61, 47, true, false, false, 2, 16},  {61, 47, true, false, false, 100, 8},
                 {50, 33, true, true, true, 2, 16},    {64, 32, false, false, false, 0.5f, 4},
                 {50, 33, true, true, false, 100, 16}, {1, 1, true, false, false, 2, 16},
                 {1, 19, true, false, true, 2, 16},    {33, 21, false, false, false, 2, 256}};
    rng r = rng_start("history mean", 931);
    bool good = true;
    sweep *share = sweep_start("history mean", (int)COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); ++i) {
        if (!sweep_takes(share))
            continue;
        ag_denoise_settings s;
        trial t =
            denoise_of(*state, "history", "rgba32f", cases[i].width, cases[i].height, NULL, &s);
        walk w = walk_start(cases[i].width, cases[i].height);
        t.slots[HISTORY] = trial_image("rgba32f", w.width, w.height, NULL);
        if (cases[i].motion)
            t.slots[MOTION] = trial_image("rg32f", w.width, w.height, NULL);
        if (cases[i].normal)
            t.slots[AG_DENOISE_NORMAL] = trial_image("rgba16f", w.width, w.height, NULL);
        if (cases[i].depth)
            t.slots[AG_DENOISE_DEPTH] = trial_image("r32f", w.width, w.height, NULL);
        s.clamp = cases[i].clamp;
        s.frames = cases[i].frames;
        s.strength = 0; // dst is the mean
        trial_make(&t);
        double worst = 0;
        for (int frame = 0; frame < 10; ++frame)
            worst = check_worse(worst, next_error(&t, &w, &r, frame));
        char name[96];
        snprintf(name, sizeof name, "%dx%d, clamp %g, %g frames%s%s%s: error of the mean", w.width,
                 w.height, (double)s.clamp, (double)s.frames, cases[i].motion ? ", motion" : "",
                 cases[i].normal ? ", normals" : "", cases[i].depth ? ", depths" : "");
        good = check_limit(name, worst, 2e-6) && good;
        walk_free(&w);
        trial_free(&t);
    }
    CHECK(good);
}

// ---- states -------------------------------------------------------------------------------------

static bool frame_alone(trial *t, rng *r, const char *name)
{
    double *src = denoise_noisy(r, W, H, 4, 50, 50, 0.05), *held = check_doubles(VALUES);
    memcpy(held, src, sizeof *held * VALUES);
    texture_quantise("rgba32f", held, W * H);
    bool same = values_same(denoise_next(t, src), held, VALUES);
    free(held);
    return check_case(name, same);
}

// Reset, an unusable history, motion that is none: the frame alone. A bad texel is its history.
void test_history_states(void **state)
{
    static const double nowhere[2] = {(double)NAN, INFINITY};
    rng r = rng_start("history states", 934);
    ag_denoise_settings s, other;
    trial t = history_of(*state, "rgba32f", NULL, &s);
    s.strength = 0;
    s.clamp = 100;
    bool good = frame_alone(&t, &r, "the first frame");
    t.job.flags = AG_JOB_RESET;
    good = frame_alone(&t, &r, "reset") && good;
    t.job.flags = 0;
    double garbage[VALUES];
    static const double holes[3][4] = {{7, 7, 7, (double)NAN},
                                       {7, 7, 7, 0.25},
                                       {7, INFINITY, (double)NAN, 5}};
    for (int i = 0; i < VALUES; ++i)
        garbage[i] = holes[i / 4 % 3][i % 4];
    texture_upload(t.f, &t.textures[HISTORY], 0, garbage);
    good = frame_alone(&t, &r, "a history that is none") && good;
    double *bad = texture_read(t.f, &t.textures[SRC], 0), kept = bad[(50 * W + 60) * 4];
    bad[(50 * W + 60) * 4 + 1] = (double)NAN;
    double got = denoise_next(&t, bad)[(50 * W + 60) * 4];
    good = check_limit("a NaN keeps what its history is", fabs(got - kept), 1e-6) && good;
    trial_free(&t);
    t = history_of(*state, "rgba32f", nowhere, &other);
    other.strength = 0;
    good = frame_alone(&t, &r, "with motion") && good;
    good = frame_alone(&t, &r, "motion that is none") && good;
    trial_free(&t);
    CHECK(good);
}
