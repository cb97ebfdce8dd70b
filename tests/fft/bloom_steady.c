// bloom_steady.c - bloom's `steady`: what flickers becomes its mean, what moves stays as it is
// SPDX-License-Identifier: MIT
#include "test_bloom.h"

// A frame of black with alpha 1 (malloc), and a lamp on it.
static double *dark(int w, int h, int layers)
{
    double *frame = check_doubles((size_t)(4 * w * h * layers));
    for (int i = 0; i < 4 * w * h * layers; ++i)
        frame[i] = i % 4 == 3;
    return frame;
}

static void light(double *frame, int w, int x, int y, double value)
{
    for (int c = 0; c < 3; ++c)
        frame[4 * (y * w + x) + c] = value;
}

typedef struct show { // frames of one pass
    fixture *f;
    ag_pass *pass;
    const char *format;
    int width, height, layers;
    ag_bloom_settings s;
    uint32_t flags; // of the next job
    int plan[2];
} show;

static show show_of(fixture *f, int resolution, float steady, int w, int h)
{
    show v = {.f = f,
              .pass = fixture_pass(f, "bloom"),
              .format = "rgba32f",
              .width = w,
              .height = h,
              .s = bloom_settings(f, resolution, AG_BLOOM_ONLY)};
    v.s.size = 1;
    v.s.steady = steady;
    return v;
}

// The glow of the next frame, which it frees (malloc).
static double *next(show *v, double *frame)
{
    ag_bloom_settings s;
    trial t = blooming_of(v->f, "frame", v->width, v->height, frame, &s);
    blooming_formats(&t, v->format, v->format);
    t.slots[SRC].layers = t.slots[DST].layers = v->layers;
    t.job.flags = v->flags;
    t.job.plan_width = v->plan[0];
    t.job.plan_height = v->plan[1];
    t.pass = v->pass;
    s = v->s;
    double *got = trial_take(&t, DST);
    v->flags = 0;
    free(frame);
    return got;
}

static double next_total(show *v, double *frame)
{
    double *got = next(v, frame), sum = 0;
    for (int i = 0; i < 4 * v->width * v->height; ++i)
        sum += i % 4 < 3 ? got[i] : 0;
    free(got);
    return sum;
}

// The largest difference of glows with `steady`, which keeps them from falling below 0, and
// without, over the largest; frees both.
static double apart(double *a, double *b, int values)
{
    double most = 0;
    for (int i = 0; i < values; ++i) {
        b[i] = fmax(b[i], 0);
        most = fmax(most, i % 4 < 3 ? b[i] : 0);
    }
    double error = check_max_error(a, b, (size_t)values);
    free(a);
    free(b);
    return error / most;
}

// A lamp of one texel flickers, on every other frame or at random: how much the glow's total
// changes a frame, and its mean, over what they are without `steady`.
void test_bloom_steady_flicker(void **state)
{
    enum { FRAMES = 90, FIRST = 30 };
    fixture *f = *state;
    rng r = rng_start("steady flicker", 82);
    for (int random = 0; random < 2; ++random) {
        show v = show_of(f, 2, 0.9f, W, H);
        double one = 0, total = 0, lit = 0, most = 0, changes[2] = {0}, sums[2] = {0};
        for (int frame = 0; frame < FRAMES; ++frame) {
            double former[2] = {total, lit}, *src = dark(W, H, 1);
            lit = random ? rng_int(&r, 0, 1) : frame % 2;
            light(src, W, 41, 23, 3000 * lit);
            total = next_total(&v, src);
            one = fmax(one, total); // the first time it is as it is
            const double now[2] = {total, lit};
            for (int i = 0; i < 2 && frame >= FIRST; ++i) {
                changes[i] += pow(now[i] - former[i], 2);
                sums[i] += now[i];
            }
            most = frame < FIRST ? 0 : fmax(most, fabs(total - former[0]) / one);
        }
        printf("  note  a lamp flickers %s\n", random ? "at random" : "1 0 1 0");
        CHECK_LIMIT("    changes of its glow, r.m.s.", sqrt(changes[0] / changes[1]) / one, 0.25);
        CHECK_LIMIT("    the largest change", most, random ? 1 : 0.25);
        CHECK_LIMIT("    its mean: error", fabs(sums[0] / sums[1] / one - 1), 0.1);
        f->ag->pass_destroy(v.pass);
    }
}

// With direct taps nothing becomes negative where the lamp is off. What this adds to the glow.
void test_bloom_steady_stars(void **state)
{
    static const int shapes[] = {AG_BLOOM_APERTURE, AG_BLOOM_STAR, AG_BLOOM_ANAMORPHIC};
    fixture *f = *state;
    for (int n = 0; n < 3; ++n) {
        show with = show_of(f, 1, 0.9f, W, H), without = show_of(f, 1, 0, W, H);
        with.s.shape = without.s.shape = shapes[n];
        double darkest = 0, totals[2] = {0};
        for (int frame = 0; frame < 5; ++frame) {
            double *frames[2] = {dark(W, H, 1), dark(W, H, 1)};
            for (int i = 0; i < 2; ++i)
                light(frames[i], W, 41, 23, 3000 * (frame % 2));
            double *got = next(&with, frames[0]), *plain = next(&without, frames[1]);
            for (int i = 0; i < 4 * TEXELS; ++i) {
                darkest = fmin(darkest, got[i]);
                totals[0] += frame == 1 && i % 4 < 3 ? got[i] : 0; // not followed yet
                totals[1] += frame == 1 && i % 4 < 3 ? plain[i] : 0;
            }
            free(got);
            free(plain);
        }
        printf("  note  shape %d\n", shapes[n]);
        CHECK_LIMIT("a lamp flickers: its darkest texel, below 0", -darkest, 0);
        CHECK_LIMIT("what is added to its glow", totals[0] / totals[1] - 1, 0.02);
        f->ag->pass_destroy(with.pass);
        f->ag->pass_destroy(without.pass);
    }
}

// A lamp that has flickered goes out, or goes on to another place. What its glow has left there,
// over what it was: at most steady^(2 n) after n frames, as the clamp permits. One that has not
// flickered leaves nothing (test_bloom_steady_moving).
void test_bloom_steady_trail(void **state)
{
    enum { FLICKER = 21, AFTER = 14, WIDE = 4 * W };
    fixture *f = *state;
    for (int moves = 0; moves < 2; ++moves) {
        show v = show_of(f, 2, 0.9f, WIDE, H);
        double peak = 0, worst = 0;
        int last = 0;
        for (int frame = 0; frame < FLICKER + AFTER; ++frame) {
            int after = frame - FLICKER + 1;
            double *src = dark(WIDE, H, 1), there = 0;
            if (after <= 0)
                light(src, WIDE, 40, 25, 3000 * (1 - frame % 2));
            else if (moves)
                light(src, WIDE, WIDE - 40, 25, 3000);
            double *got = next(&v, src);
            for (int i = 0; i < 4 * WIDE * H; ++i)
                there += i % 4 < 3 && i / 4 % WIDE < WIDE / 2 ? got[i] : 0;
            free(got);
            peak = fmax(peak, there);
            last = after;
            worst = after > 0 ? check_worse(worst, there / peak / pow(0.9, 2 * after)) : worst;
        }
        printf("  note  a lamp that has flickered %s; %d frames\n", moves ? "moves on" : "goes out",
               last);
        CHECK_LIMIT("    what its glow has left, over steady^(2 frames)", worst, 1.001);
        f->ag->pass_destroy(v.pass);
    }
}

// What moves or stays is as it is without `steady`: a lamp that goes 4, 1 and 0.25 texels of the
// small image a frame, and random frames with a cut. After a flicker a reset forgets all.
void test_bloom_steady_moving(void **state)
{
    static const int speeds[] = {16, 4, 1}; // texels of the frame
    enum { WIDE = 4 * W };
    fixture *f = *state;
    rng r = rng_start("steady moving", 83);
    show with = show_of(f, 2, 0.9f, WIDE, H), without = show_of(f, 2, 0, WIDE, H);
    for (int n = 0; n < 3; ++n) {
        double worst = 0;
        for (int frame = 0; frame < 12; ++frame) {
            double *frames[2] = {dark(WIDE, H, 1), dark(WIDE, H, 1)};
            for (int i = 0; i < 2; ++i)
                light(frames[i], WIDE, 40 + speeds[n] * frame, 25, 3000);
            with.flags = frame == 0 ? AG_JOB_RESET : 0;
            worst = check_worse(worst, apart(next(&with, frames[0]), next(&without, frames[1]),
                                             4 * WIDE * H));
        }
        char name[64];
        snprintf(name, sizeof name, "%.2f small texels a frame: change of the glow",
                 speeds[n] / 4.0);
        CHECK_LIMIT(name, worst, 1e-5);
    }
    double *scenes[2] = {blooming_scene(&r, "rgba32f", WIDE, H, 0.01, 100),
                         blooming_scene(&r, "rgba32f", WIDE, H, 0.01, 100)};
    double worst = 0;
    for (int frame = 0; frame < 6; ++frame) {
        double *frames[2] = {check_doubles(4 * WIDE * H), check_doubles(4 * WIDE * H)};
        for (int i = 0; i < 2; ++i)
            memcpy(frames[i], scenes[frame / 3], sizeof(double) * 4 * WIDE * H);
        with.flags = frame == 0 ? AG_JOB_RESET : 0;
        worst = check_worse(worst,
                            apart(next(&with, frames[0]), next(&without, frames[1]), 4 * WIDE * H));
    }
    CHECK_LIMIT("two random scenes and a cut: change of the glow", worst, 1e-5);
    free(scenes[0]);
    free(scenes[1]);
    f->ag->pass_destroy(with.pass);
    f->ag->pass_destroy(without.pass);
}

// A flickering lamp, whose frame changes its size each time: with grid = fixed it is still the same
// lamp, else all starts anew. A reset forgets it. Full resolution and auto have nothing to follow.
void test_bloom_steady_states(void **state)
{
    fixture *f = *state;
    for (int grid = 0; grid < 2; ++grid) {
        show v = show_of(f, 1, 0.9f, 100, 60);
        v.plan[0] = 100;
        v.plan[1] = 60;
        v.s.grid = grid;
        double one = 0, before = 0, most = 0;
        for (int frame = 0; frame < 26; ++frame) {
            v.width = frame % 3 ? 100 : 80;
            v.height = frame % 3 ? 60 : 48;
            double texels = v.width * v.height, *src = dark(v.width, v.height, 1);
            light(src, v.width, v.width / 2, v.height / 2, frame % 2 ? texels : 0);
            double total = next_total(&v, src) / texels;
            one = fmax(one, total);
            most = frame > 15 ? fmax(most, fabs(total - before)) : 0;
            before = total;
        }
        if (grid)
            CHECK_LIMIT("grid = fixed: change a frame of a flicker", most / one, 0.25);
        else
            CHECK_LIMIT("grid = frame: 0.5 over the most", 0.5 * one / most, 1);
        v.flags = AG_JOB_RESET;
        CHECK_LIMIT("light after a reset", next_total(&v, dark(v.width, v.height, 1)) / one, 1e-6);
        f->ag->pass_destroy(v.pass);
    }
    static const int refused[] = {AG_BLOOM_FULL, AG_BLOOM_AUTO};
    ag_bloom_settings s;
    trial t = blooming_of(f, "refused", 64, 64, NULL, &s);
    bool good = true;
    s.steady = 0.5f;
    for (int i = 0; i < 2; ++i) {
        s.resolution = refused[i];
        good = trial_refused(&t, AG_E_ARG, "steady needs") && good;
    }
    trial_free(&t);
    CHECK(good);
}
