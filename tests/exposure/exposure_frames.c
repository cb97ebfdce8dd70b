// exposure_frames.c - "exposure" over several frames
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reloading.h"
#include "test_exposure.h"

// Light and dark in turn, 40 frames each: along exponentials of two speeds, each step to 2e-5 EV.
void test_adaptation(void **state)
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
void test_times(void **state)
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
void test_states(void **state)
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
void test_repeats(void **state)
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
void test_reload(void **state)
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
