// denoise_history.c - frames that "denoise" accumulates: means, motion, what it drops
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct means {
    double of[VALUES], count[W * H];
} means;

// The mean after another frame, from what it was `by` this motion away.
static void next_mean(means *m, const means *old, const double *src, const double by[2])
{
    for (int i = 0; i < W * H; ++i) {
        double x = i % W - by[0], y = i / W - by[1], sum[3] = {0}, frames = 0, weights = 0;
        for (int k = 0; k < 4; ++k) {
            int tx = (int)floor(x) + k % 2, ty = (int)floor(y) + k / 2;
            double w = (1 - fabs(x - tx)) * (1 - fabs(y - ty));
            if (w <= 0 || tx < 0 || ty < 0 || tx >= W || ty >= H || old->count[ty * W + tx] < 1)
                continue;
            for (int c = 0; c < 3; ++c)
                sum[c] += w * old->of[(ty * W + tx) * 4 + c];
            frames += w * old->count[ty * W + tx];
            weights += w;
        }
        m->count[i] = fmin((weights > 0 ? frames / weights : 0) + 1, 8);
        for (int c = 0; c < 3; ++c) {
            double is = src[i * 4 + c], was = weights > 0 ? sum[c] / weights : is;
            m->of[i * 4 + c] = was + (is - was) / m->count[i];
        }
        m->of[i * 4 + 3] = src[i * 4 + 3];
    }
}

// Without a clamp the history is the mean of the frames, and of where they were.
void test_history_mean(void **state)
{
    static const double motions[][2] = {{0.25, 1.5}, {0, 0}, {3, -2}};
    rng r = rng_start("history mean", 931);
    means *m = check_allocate(2 * sizeof *m);
    bool good = true;
    sweep *share = sweep_start("history mean", 3);
    for (size_t i = 0; i < COUNT(motions); ++i) {
        if (!sweep_takes(share))
            continue;
        ag_denoise_settings s;
        trial t = history_of(*state, "rgba32f", motions[i], &s);
        double worst = 0;
        s.clamp = 100;
        s.frames = 8;
        s.strength = 0; // dst is the mean
        memset(m, 0, 2 * sizeof *m);
        for (int frame = 0; frame < 10; ++frame) {
            double *src = denoise_noisy(&r, W, H, 4, 0, 0, 0.05);
            next_mean(&m[frame % 2], &m[1 - frame % 2], src, motions[i]);
            worst =
                check_worse(worst, check_max_error(denoise_next(&t, src), m[frame % 2].of, VALUES));
        }
        char name[96];
        snprintf(name, sizeof name, "10 frames, motion %g, %g: error of the mean", motions[i][0],
                 motions[i][1]);
        good = check_limit(name, worst, 2e-6) && good;
        trial_free(&t);
    }
    free(m);
    CHECK(good);
}

// ---- quality ------------------------------------------------------------------------------------

static double psnr_within(const double *a, const double *b, int margin)
{
    double sum = 0;
    long count = 0;
    for (int y = margin; y < H - margin; ++y)
        for (int x = margin; x < W - margin; ++x)
            for (int c = 0; c < 3; ++c, ++count)
                sum += pow(a[(y * W + x) * 4 + c] - b[(y * W + x) * 4 + c], 2);
    return -10 * log10(sum / (double)count);
}

// 16 frames against the first, with the noise estimated: of a static scene; and where the camera
// moves and motion says so.
void test_history_gain(void **state)
{
    static const double motion[2] = {-2, 1};
    rng r = rng_start("history gain", 932);
    for (int moving = 0; moving < 2; ++moving) {
        ag_denoise_settings s;
        trial t = history_of(*state, "rgba16f", moving ? motion : NULL, &s);
        double first = 0, last = 0;
        for (int frame = 0; frame < FRAMES; ++frame) {
            int x = moving ? 2 * frame : 0, y = moving ? 40 - frame : 40;
            double *clean = denoise_scene(W, H, 4, x, y);
            const double *got = denoise_next(&t, denoise_noisy(&r, W, H, 4, x, y, 0.1));
            last = psnr_within(got, clean, moving ? 35 : 0);
            first = frame ? first : last;
            free(clean);
        }
        char name[96];
        snprintf(name, sizeof name, "%s, sigma 0.1: %.2f dB, after 16 frames %.2f: gain lacks",
                 moving ? "moving" : "static", first, last);
        CHECK_LIMIT(name, 6 - (last - first), 0);
        trial_free(&t);
    }
}

static double *square_frame(rng *r, int frame)
{
    double *values = check_doubles(VALUES);
    for (int i = 0; i < VALUES; ++i) {
        int x = i / 4 % W, y = i / 4 / W, left = 4 * frame + 5;
        bool inside = x >= left && x < left + 24 && y >= 40 && y < 64;
        values[i] = (inside ? 0.9 : 0.2) + (i % 4 < 3 ? 0.05 * rng_normal(r) : 0);
    }
    return values;
}

// A bright square crosses, and no motion says so. What it leaves behind: the mean of what differs
// from the background, column by column, 3 texels behind it and farther.
void test_history_ghost(void **state)
{
    rng r = rng_start("history ghost", 933);
    ag_denoise_settings s;
    trial t = history_of(*state, "rgba16f", NULL, &s);
    double worst = 0, held = 0;
    const double *got = NULL;
    for (int frame = 0; frame < FRAMES; ++frame)
        got = denoise_next(&t, square_frame(&r, frame));
    int left = 4 * (FRAMES - 1) + 5;
    for (int x = 5; x < left - 2; ++x) {
        double sum = 0;
        for (int y = 42; y < 62; ++y)
            for (int c = 0; c < 3; ++c)
                sum += got[(y * W + x) * 4 + c] - 0.2;
        worst = check_worse(worst, fabs(sum / 60));
    }
    for (int i = 0; i < 20 * 20; ++i) // and the square itself is there
        held += got[((42 + i / 20) * W + left + 2 + i % 20) * 4] / 400;
    CHECK_LIMIT("a square of +0.7: what stays behind it", worst, 0.02);
    CHECK_LIMIT("    error of the square", fabs(held - 0.9), 0.02);
    trial_free(&t);
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
    for (int i = 0; i < VALUES; ++i)
        garbage[i] = i % 4 == 3 ? (i % 8 < 4 ? (double)NAN : 0.25) : 7;
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
