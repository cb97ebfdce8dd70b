// profiler_clocks.c - spans nest, and the GPU's times lie where they should on the host's clock
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "test_profiler.h"

static const uint64_t second = 1000000000u;

// Parents come first, steps follow each other without a gap, and all lies within.
void test_spans(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    scene_execute(&s, 0);
    scene_frame(&s);
    s.f->host.span_count = 0;
    for (int i = 0; i < 3; ++i) {
        s.j.job.frame = 40 + (uint64_t)i;
        scene_execute(&s, AG_JOB_TIME_STEPS);
    }
    scene_frame(&s);
    int group = (int)s.steps + 1;
    CHECK_EQ(s.f->host.span_count, 3 * group);
    for (int i = 0; i < 3 * group; ++i) {
        const ag_span *whole = &s.f->host.spans[i - i % group], *one = &s.f->host.spans[i];
        CHECK_EQ(one->struct_size, sizeof *one);
        CHECK_EQ(one->frame, 40 + i / group);
        CHECK_EQ(one->step, i % group ? (uint32_t)(i % group - 1) : AG_WHOLE_PASS);
        CHECK(one->gpu_begin >= whole->gpu_begin && one->gpu_end <= whole->gpu_end);
        CHECK(one->host_begin >= whole->host_begin && one->host_end <= whole->host_end);
        CHECK(one->cpu_begin >= whole->cpu_begin && one->cpu_end <= whole->cpu_end);
        if (i % group > 1) {
            CHECK_EQ(one->gpu_begin, one[-1].gpu_end);
            CHECK_EQ(one->host_begin, one[-1].host_end);
            CHECK_EQ(one->cpu_begin, one[-1].cpu_end);
        }
        if (i && i % group == 0)
            CHECK(one->cpu_begin >= one[-group].cpu_end && one->gpu_begin >= one[-group].gpu_end);
    }
    scene_close(&s, *state);
}

// A GPU that never pauses, with repeated corrections of its clock: no span begins before the last
// one ends.
void test_spans_in_order(void **state)
{
    static const double drifts[] = {150e-6, -150e-6};
    for (size_t d = 0; d < sizeof drifts / sizeof *drifts; ++d) {
        scene s;
        scene_open(&s, false, (ag_device_desc){0});
        s.w.drift = drifts[d];
        s.w.step_ns[0] = 1; // the GPU goes on where it stopped
        s.w.step_ns[1] = 4000000;
        uint64_t end = 0, truth = 0, moved = 0;
        for (int i = 0; i < 400; ++i) {
            scene_execute(&s, 0);
            uint64_t begin = s.w.true_begin;
            s.w.drift += i % 100 == 99 ? (i % 200 == 99 ? 2e-6 : -2e-6) : 0; // it wanders
            scene_frame(&s);
            const ag_span *span =
                &s.f->host.spans[s.f->host.span_count - 1 < HOST_SPANS ? s.f->host.span_count - 1
                                                                       : HOST_SPANS - 1];
            CHECK_F(span->host_begin >= end && span->host_end >= span->host_begin,
                    "frame %d begins %llu ns early", i,
                    (unsigned long long)(end - span->host_begin));
            CHECK(fabs((double)(int64_t)(span->host_begin - begin)) <= (double)span->clock_error);
            moved += i && span->host_begin == end;
            end = span->host_end;
            CHECK(begin > truth);
            truth = begin;
        }
        scene_close(&s, *state);
        printf("  drift %g ppm: %d spans moved up\n", drifts[d] * 1e6, (int)moved);
        CHECK(moved > 0); // else there was nothing to see
    }
}

// How far the last execute's first stamp was placed from where it was; fails beyond the span's
// error.
static double miss(scene *s, double *claimed)
{
    s->f->host.span_count = 0;
    scene_execute(s, 0);
    uint64_t truth = s->w.true_begin;
    world_pass(&s->w, 8000000); // results arrive half a frame later
    scene_frame(s);
    CHECK_EQ(s->f->host.span_count, 1);
    const ag_span *span = &s->f->host.spans[0];
    double off = fabs((double)(int64_t)(span->host_begin - truth));
    CHECK_F(off <= (double)span->clock_error, "%g ns off, %llu claimed", off,
            (unsigned long long)span->clock_error);
    *claimed = fmax(*claimed, (double)span->clock_error);
    return off;
}

// 37 parts in a million are 2 ms a minute: placed within microseconds all the same.
void test_clock_drift(void **state)
{
    static const double drifts[] = {37e-6, -80e-6, 150e-6};
    for (size_t d = 0; d < sizeof drifts / sizeof *drifts; ++d) {
        scene s;
        scene_open(&s, false, (ag_device_desc){0});
        s.w.drift = drifts[d];
        double worst = 0, claimed = 0, first = 0;
        for (int i = 0; i < 60; ++i) { // until the rate is known
            world_pass(&s.w, 16000000);
            miss(&s, &first);
        }
        world_pass(&s.w, second);
        miss(&s, &first);
        uint32_t readings = s.w.readings;
        for (int i = 0; i < 3600; ++i) {
            world_pass(&s.w, 16000000);
            worst = check_worse(worst, miss(&s, &claimed));
        }
        double seconds = 3600 * 0.024;
        char name[64];
        snprintf(name, sizeof name, "drift %g ppm: placed within, ns", drifts[d] * 1e6);
        CHECK_LIMIT(name, worst, 3000);
        CHECK_LIMIT("  claimed error, ns", claimed, 12000);
        CHECK_LIMIT("  claimed before the rate was known, ns", first, 100000);
        CHECK_LIMIT("  readings a second", (s.w.readings - readings) / seconds, 3.1);
        CHECK((s.w.readings - readings) / seconds > 2.5); // three at a time, the best counts
        scene_close(&s, *state);
    }
}

// A reading of the clocks that takes long is not repeated, and is done less and less often.
void test_clock_backs_off(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    double claimed = 0;
    s.w.reading_ns = 300000; // a driver that waits for its thread
    uint32_t before = s.w.readings;
    for (int i = 0; i < 200; ++i) {
        world_pass(&s.w, second);
        miss(&s, &claimed);
    }
    CHECK_LIMIT("dear readings in 200 s", s.w.readings - before, 8);
    CHECK_LIMIT("claimed error with them, ns", claimed, 64e9 * 210e-6);
    s.w.reading_ns = 2000; // it is fast again
    for (int i = 0; i < 70; ++i) {
        world_pass(&s.w, second);
        miss(&s, &claimed);
    }
    before = s.w.readings;
    for (int i = 0; i < 20; ++i) {
        world_pass(&s.w, second);
        miss(&s, &claimed);
    }
    CHECK(s.w.readings - before >= 55); // every second again, three at a time
    scene_close(&s, *state);
}

// The GPU's clock restarts (after a driver reset): the next reading notices it.
void test_clock_jumps(void **state)
{
    scene s;
    scene_open(&s, false, (ag_device_desc){0});
    double claimed = 0;
    s.w.drift = 20e-6;
    for (int i = 0; i < 5; ++i) {
        world_pass(&s.w, second);
        miss(&s, &claimed);
    }
    s.w.gpu_now = 1234;
    world_pass(&s.w, 2 * second);
    for (int i = 0; i < 5; ++i) {
        world_pass(&s.w, second);
        miss(&s, &claimed);
    }
    scene_close(&s, *state);
}

// On the real clocks: no GPU begins before it was asked to, nor ends after it was seen to be done.
static uint64_t real_now(void *user)
{
    (void)user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second + (uint64_t)now.tv_nsec;
}

void test_real_clocks(void **state)
{
    fixture *group = *state;
    fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    CHECK(f != NULL);
    f->host.host.now_ns = real_now;
    fixture_device(f, NULL);
    GLint bits = 0;
    f->gl.GetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    fixture_run(f, pass, &j.job);
    double claimed = 0;
    for (int i = 0; i < 20 && bits; ++i) {
        f->host.span_count = 0;
        uint64_t begin = real_now(NULL);
        CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
        f->gl.Finish();
        uint64_t end = real_now(NULL);
        CHECK_STATUS(f->ag->frame(f->device, 1), AG_OK);
        CHECK(f->host.span_count >= 1);
        const ag_span *s = &f->host.spans[f->host.span_count - 1];
        CHECK(s->clock_error != AG_NO_CLOCK);
        claimed = fmax(claimed, (double)s->clock_error);
        CHECK_F(s->host_begin + s->clock_error >= begin && s->host_end <= end + s->clock_error,
                "GPU %llu..%llu within %llu..%llu, error %llu", (unsigned long long)s->host_begin,
                (unsigned long long)s->host_end, (unsigned long long)begin, (unsigned long long)end,
                (unsigned long long)s->clock_error);
        CHECK(s->cpu_begin >= begin && s->cpu_end <= end && s->cpu_begin < s->cpu_end);
    }
    printf("  the largest error claimed: %g ns\n", claimed);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
    CHECK(fixture_close(f));
    fixture_current(group);
}
