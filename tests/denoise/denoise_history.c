// denoise_history.c - frames that "denoise" accumulates: means, motion, what it drops
// SPDX-License-Identifier: MIT
#include "test_denoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 160, H = 120, VALUES = W * H * 4, FRAMES = 16 };

typedef struct accumulating { // do not copy
    denoising d;
    texture history, motion;
} accumulating;

static void open_history(fixture *f, accumulating *a, const char *format)
{
    double *zeros = check_doubles(VALUES);
    memset(zeros, 0, sizeof *zeros * VALUES);
    denoising_open(f, &a->d);
    denoising_image(&a->d, "rgba32f", NULL, W, H, 0, denoising_scene(W, H, 4, 0, 0));
    a->history = texture_create(f, format, W, H, zeros);
    a->motion = texture_create(f, "rg32f", W, H, zeros);
    a->d.t.views[AG_DENOISE_HISTORY] = texture_view(&a->history);
    a->d.t.views[AG_DENOISE_MOTION] = texture_no_view();
    a->d.t.job.slot_count = AG_DENOISE_HISTORY + 1;
    a->d.t.job.dt = 1 / 60.0f;
    a->d.settings.exact = 1;
    free(zeros);
}

static void close_history(accumulating *a)
{
    fixture *f = a->d.t.f;
    denoising_close(&a->d);
    texture_destroy(f, &a->history);
    texture_destroy(f, &a->motion);
}

static void set_motion(accumulating *a, double x, double y)
{
    double *values = check_doubles(W * H * 2);
    for (int i = 0; i < W * H * 2; ++i)
        values[i] = i % 2 ? y : x;
    texture_upload(a->d.t.f, &a->motion, 0, values);
    a->d.t.views[AG_DENOISE_MOTION] = texture_view(&a->motion);
    free(values);
}

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

static double *noisy_scene(rng *r, int x, int y, double sigma)
{
    double *values = denoising_scene(W, H, 4, x, y);
    for (int i = 0; i < VALUES; ++i)
        if (i % 4 < 3)
            values[i] += sigma * rng_normal(r);
    return values;
}

// Without a clamp the history is the mean of the frames, and of where they were.
void test_history_mean(void **state)
{
    accumulating a;
    open_history(*state, &a, "rgba32f");
    rng r = rng_start("history mean", 931);
    bool good = true;
    a.d.settings.clamp = 100;
    a.d.settings.frames = 8;
    a.d.settings.strength = 0; // dst is the mean
    sweep *share = sweep_start("history mean", 3);
    for (int moving = 0; moving < 3; ++moving) {
        if (!sweep_takes(share))
            continue;
        const double by[3][2] = {{0, 0}, {3, -2}, {0.25, 1.5}};
        double *mean = check_doubles(VALUES), *count = check_doubles(W * H), worst = 0;
        memset(mean, 0, sizeof *mean * VALUES);
        memset(count, 0, sizeof *count * W * H);
        set_motion(&a, by[moving][0], by[moving][1]);
        for (int frame = 0; frame < 10; ++frame) {
            double *old = check_doubles(VALUES), *old_count = check_doubles(W * H);
            memcpy(old, mean, sizeof *mean * VALUES);
            memcpy(old_count, count, sizeof *count * W * H);
            denoising_upload(&a.d, noisy_scene(&r, 0, 0, 0.05));
            a.d.t.job.flags = frame ? 0 : AG_JOB_RESET;
            double *got = denoising_run(&a.d);
            for (int i = 0; i < W * H; ++i) {
                double x = i % W - by[moving][0], y = i / W - by[moving][1];
                double sum[3] = {0}, frames = 0, weights = 0;
                for (int k = 0; k < 4; ++k) {
                    int tx = (int)floor(x) + k % 2, ty = (int)floor(y) + k / 2;
                    double w = (1 - fabs(x - tx)) * (1 - fabs(y - ty));
                    if (w <= 0 || tx < 0 || ty < 0 || tx >= W || ty >= H ||
                        old_count[ty * W + tx] < 1)
                        continue;
                    for (int c = 0; c < 3; ++c)
                        sum[c] += w * old[(ty * W + tx) * 4 + c];
                    frames += w * old_count[ty * W + tx];
                    weights += w;
                }
                count[i] = fmin((weights > 0 ? frames / weights : 0) + 1, 8);
                for (int c = 0; c < 3; ++c) {
                    double is = a.d.values[i * 4 + c], was = weights > 0 ? sum[c] / weights : is;
                    mean[i * 4 + c] = was + (is - was) / count[i];
                    worst = check_worse(worst, fabs(mean[i * 4 + c] - got[i * 4 + c]));
                }
                if (got[i * 4 + 3] != a.d.values[i * 4 + 3])
                    worst = INFINITY;
            }
            free(got);
            free(old);
            free(old_count);
        }
        char name[96];
        snprintf(name, sizeof name, "10 frames, motion %g, %g: error of the mean", by[moving][0],
                 by[moving][1]);
        good = check_limit(name, worst, 2e-6) && good;
        free(mean);
        free(count);
    }
    close_history(&a);
    CHECK(good);
}

// A static scene: 16 frames against the first, with the noise estimated; also where the camera
// moves and motion says so.
void test_history_gain(void **state)
{
    accumulating a;
    open_history(*state, &a, "rgba16f");
    rng r = rng_start("history gain", 932);
    bool good = true;
    sweep *share = sweep_start("history gain", 2);
    for (int moving = 0; moving < 2; ++moving) {
        if (!sweep_takes(share))
            continue;
        double first = 0, last = 0;
        if (moving)
            set_motion(&a, -2, 1);
        for (int frame = 0; frame < FRAMES; ++frame) {
            int x = moving ? 2 * frame : 0, y = moving ? 40 - frame : 40;
            double *clean = denoising_scene(W, H, 4, x, y);
            denoising_upload(&a.d, noisy_scene(&r, x, y, 0.1));
            a.d.t.job.flags = frame ? 0 : AG_JOB_RESET;
            double *got = denoising_run(&a.d);
            last = psnr_within(got, clean, moving ? 35 : 0);
            first = frame ? first : last;
            free(got);
            free(clean);
        }
        char name[96];
        snprintf(name, sizeof name, "%s, sigma 0.1: %.2f dB, after 16 frames %.2f: gain lacks",
                 moving ? "moving" : "static", first, last);
        good = check_limit(name, 6 - (last - first), 0) && good;
    }
    close_history(&a);
    CHECK(good);
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
    accumulating a;
    open_history(*state, &a, "rgba16f");
    rng r = rng_start("history ghost", 933);
    double worst = 0, *got = NULL;
    for (int frame = 0; frame < FRAMES; ++frame) {
        denoising_upload(&a.d, square_frame(&r, frame));
        free(got);
        got = denoising_run(&a.d);
    }
    int left = 4 * (FRAMES - 1) + 5;
    for (int x = 5; x < left - 2; ++x) {
        double sum = 0;
        for (int y = 42; y < 62; ++y)
            for (int c = 0; c < 3; ++c)
                sum += got[(y * W + x) * 4 + c] - 0.2;
        worst = check_worse(worst, fabs(sum / 60));
    }
    bool good = check_limit("a square of +0.7: what stays behind it", worst, 0.02);
    double held = 0; // and the square itself is there
    for (int i = 0; i < 20 * 20; ++i)
        held += got[((42 + i / 20) * W + left + 2 + i % 20) * 4] / 400;
    good = check_limit("    error of the square", fabs(held - 0.9), 0.02) && good;
    free(got);
    close_history(&a);
    CHECK(good);
}

// An array of one layer as src: the bits of a texture without layers, with every filter.
void test_history_array(void **state)
{
    accumulating a;
    open_history(*state, &a, "rgba16f");
    rng r = rng_start("history array", 935);
    bool good = true;
    double *frames[2] = {noisy_scene(&r, 0, 0, 0.05), noisy_scene(&r, 1, 0, 0.05)};
    sweep *share = sweep_start("history array", 4);
    for (int filter = 0; filter <= AG_DENOISE_DWT; ++filter) {
        if (!sweep_takes(share))
            continue;
        double *got[2];
        char name[64];
        a.d.settings.filter = filter;
        for (int array = 0; array < 2; ++array)
            for (int frame = 0; frame < 2; ++frame) {
                double *values = check_doubles(VALUES);
                memcpy(values, frames[frame], sizeof *values * VALUES);
                if (frame)
                    denoising_upload(&a.d, values);
                else
                    denoising_image(&a.d, "rgba16f", NULL, W, H, array, values);
                a.d.t.job.flags = frame ? 0 : AG_JOB_RESET;
                got[array] = denoising_run(&a.d);
                if (!frame)
                    free(got[array]);
            }
        snprintf(name, sizeof name, "filter %d: an array of one layer, the same bits", filter);
        good = check_case(name, !memcmp(got[0], got[1], sizeof **got * VALUES)) && good;
        free(got[0]);
        free(got[1]);
    }
    free(frames[0]);
    free(frames[1]);
    close_history(&a);
    CHECK(good);
}

// Reset, unusable histories, non-finite texels and motion, and refused jobs.
void test_history_states(void **state)
{
    accumulating a;
    open_history(*state, &a, "rgba32f");
    rng r = rng_start("history states", 934);
    fixture *f = a.d.t.f;
    bool good = true;
    a.d.settings.strength = 0;
    a.d.settings.clamp = 100;
    denoising_upload(&a.d, noisy_scene(&r, 0, 0, 0.05));
    free(denoising_run(&a.d));
    denoising_upload(&a.d, noisy_scene(&r, 50, 50, 0.05));
    a.d.t.job.flags = AG_JOB_RESET;
    double *got = denoising_run(&a.d);
    good = check_case("reset: the frame alone", !memcmp(got, a.d.values, sizeof *got * VALUES)) &&
           good;
    free(got);
    a.d.t.job.flags = 0;
    double *garbage = check_doubles(VALUES);
    for (int i = 0; i < VALUES; ++i)
        garbage[i] = i % 4 == 3 ? (i % 8 < 4 ? (double)NAN : 0.25) : 7;
    texture_upload(f, &a.history, 0, garbage);
    got = denoising_run(&a.d);
    good = check_case("a history that is none: the frame alone",
                      !memcmp(got, a.d.values, sizeof *got * VALUES)) &&
           good;
    free(got);
    set_motion(&a, (double)NAN, (double)INFINITY);
    got = denoising_run(&a.d);
    good = check_case("motion that is none: the frame alone",
                      !memcmp(got, a.d.values, sizeof *got * VALUES)) &&
           good;
    free(got);
    a.d.t.views[AG_DENOISE_MOTION] = texture_no_view();
    double *values = check_doubles(VALUES), *before = a.d.values;
    memcpy(values, before, sizeof *values * VALUES);
    values[(50 * W + 60) * 4 + 1] = (double)NAN;
    double kept = values[(50 * W + 60) * 4];
    denoising_upload(&a.d, values);
    got = denoising_run(&a.d);
    good =
        check_limit("a NaN keeps what its history is", fabs(got[(50 * W + 60) * 4] - kept), 1e-6) &&
        good;
    free(got);
    free(garbage);
    a.d.t.views[AG_DENOISE_MOTION] = texture_view(&a.motion);
    a.d.t.views[AG_DENOISE_HISTORY] = texture_no_view();
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(a.d.t.pass, &a.d.t.job), AG_E_ARG);
    CHECK_HAS(host_log_last(&f->host), "slot motion is given, but slot history is empty");
    close_history(&a);
    CHECK(good);
}
