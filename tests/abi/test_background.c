// test_background.c - a size beyond the plan: the old plan is used until the new one is ready
// SPDX-License-Identifier: MIT
//
// The driver compiles in the background and takes a number of frames, or it cannot do that.
#define _POSIX_C_SOURCE 200809L // nanosleep
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>

#include "core/tuning.h"

#include "jobs.h"
#include "minimums.h"
#include "slow_driver.h"
#include "trial.h"

enum { FRAMES = 40 };

typedef struct sized { // a convolution by FFT of one size; do not move
    test_job j;
    double *picture; // what it makes, from a device that waits
} sized;

static void job_of(fixture *f, sized *s, int w, int h)
{
    job_create(f, "convolve", w, h, &s->j);
    job_set(&s->j, "method", 0, AG_CONVOLVE_FFT);
    ag_pass *pass = fixture_pass(f, "convolve");
    fixture_run(f, pass, &s->j.job);
    s->picture = texture_read(f, job_output(&s->j), 0);
    f->ag->pass_destroy(pass);
}

static void sized_free(fixture *f, sized *s)
{
    free(s->picture);
    job_destroy(f, &s->j);
}

static bool is_right(fixture *f, sized *s)
{
    double *now = texture_read(f, job_output(&s->j), 0);
    bool same = !memcmp(now, s->picture, texture_value_count(job_output(&s->j), 0) * sizeof *now);
    free(now);
    texture_poison(f, job_output(&s->j));
    return same;
}

static ag_status execute(fixture *f, ag_pass *pass, sized *s)
{
    return f->ag->execute(pass, &s->j.job, NULL);
}

// A second device on the same context, on which everything compiles anew, and slowly.
typedef struct second { // do not move: callbacks point into it
    fixture *f;
    test_host host;
    slow_driver slow;
    ag_device *device;
    ag_pass *pass;
} second;

// `hide`: the driver cannot report completion.
static void second_open(second *s, fixture *f, const char *effect, const char *hide)
{
    *s = (second){.f = f};
    host_init(&s->host, f->context);
    s->host.trace.hide_extensions = hide;
    slow_driver_start(&s->slow, &s->host.trace, FRAMES, FRAMES);
    if (hide)
        slow_driver_stop(&s->host.trace);
    CHECK_STATUS(f->ag->device_create(&s->host.host, NULL, &s->device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(s->device, effect, &s->pass), AG_OK);
}

static void second_close(second *s)
{
    s->f->ag->device_destroy(s->device, 0);
    CHECK(host_finish(&s->host));
    fixture_current(s->f);
}

static void test_old_plan_serves(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    fixture *f = *state;
    static second d;
    sized small, large;
    ag_pass *other = NULL;
    job_of(f, &small, 9, 7);
    job_of(f, &large, JOB_WIDTH, JOB_HEIGHT);
    second_open(&d, f, "convolve", NULL);

    // Nothing is prepared yet: pending, and execute says so.
    small.j.job.flags = large.j.job.flags = AG_JOB_BACKGROUND;
    CHECK_STATUS(f->ag->prepare(d.pass, &small.j.job), AG_PENDING);
    CHECK_STATUS(execute(f, d.pass, &small), AG_E_STATE);
    texture_poison(f, job_output(&small.j));
    CHECK_STATUS(f->ag->run(d.pass, &small.j.job), AG_PENDING); // it executes nothing
    CHECK(texture_is_poison(f, job_output(&small.j)));
    d.slow.frame += FRAMES;
    ag_status late = AG_PENDING; // the driver may still be at it by its own clock, too
    for (int wait = 0; late == AG_PENDING && wait < 10000; ++wait) {
        late = f->ag->prepare(d.pass, &small.j.job);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK_STATUS(late, AG_OK);
    CHECK_STATUS(execute(f, d.pass, &small), AG_OK);
    texture_poison(f, job_output(&small.j));

    int pending = 0;
    ag_status status;
    while ((status = f->ag->prepare(d.pass, &large.j.job)) == AG_PENDING && pending < 10 * FRAMES) {
        ++pending;
        CHECK_STATUS(execute(f, d.pass, &large), AG_E_STATE);
        if (pending == 2) // not the former plan's job either
            CHECK_STATUS(f->ag->run(d.pass, &large.j.job), AG_PENDING);
        CHECK_STATUS(execute(f, d.pass, &small), AG_OK);
        CHECK(is_right(f, &small));
        CHECK_STATUS(f->ag->frame(d.device, d.slow.frame), AG_OK);
        if (pending == 3) { // another pass is prepared meanwhile, and does not wait for this one
            CHECK_STATUS(f->ag->pass_create(d.device, "convolve", &other), AG_OK);
            CHECK_STATUS(f->ag->prepare(other, &small.j.job), AG_OK);
            f->ag->pass_destroy(other);
        }
        ++d.slow.frame;
    }
    CHECK_STATUS(status, AG_OK);
    printf("  ok    %d frames pending; %u questions that would wait\n", pending,
           d.host.trace.impatient);
    CHECK(pending >= FRAMES - 1 && pending <= FRAMES + 1);
    CHECK_EQ(d.host.trace.impatient, 0);
    CHECK_STATUS(execute(f, d.pass, &small), AG_E_STATE);
    CHECK_STATUS(execute(f, d.pass, &large), AG_OK);
    CHECK(is_right(f, &large));
    // Back to what is known: at once.
    CHECK_STATUS(f->ag->prepare(d.pass, &small.j.job), AG_OK);
    CHECK_STATUS(execute(f, d.pass, &small), AG_OK);
    CHECK(is_right(f, &small));
    second_close(&d);

    // A pass, or its device, is destroyed while it compiles: nothing leaks.
    for (int gone = 0; gone < 2; ++gone) {
        second_open(&d, f, "convolve", NULL);
        CHECK_STATUS(f->ag->prepare(d.pass, &large.j.job), AG_PENDING);
        if (gone)
            f->ag->pass_destroy(d.pass);
        second_close(&d);
    }
    sized_free(f, &small);
    sized_free(f, &large);
}

// Where the driver compiles within glLinkProgram, as NVIDIA's does in part: one program a prepare,
// and nothing else in the call that gets the last one.
static void test_one_program_a_frame(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    fixture *f = *state;
    static second d;
    sized large;
    job_of(f, &large, JOB_WIDTH, JOB_HEIGHT);
    second_open(&d, f, "convolve", NULL);
    d.slow.least = d.slow.most = 0;
    d.slow.clock = &d.host.clock;
    d.slow.link_ns = 10000000;
    large.j.job.flags = AG_JOB_BACKGROUND;
    uint32_t links = 0, most = 0;
    int pending = 0;
    ag_status status = AG_PENDING;
    for (; status == AG_PENDING && pending < FRAMES; ++pending) {
        links = d.slow.links;
        status = f->ag->prepare(d.pass, &large.j.job);
        most = d.slow.links - links > most ? d.slow.links - links : most;
    }
    CHECK_STATUS(status, AG_OK);
    printf("  ok    %u programs in %d prepares, at most %u in one\n", d.slow.links, pending, most);
    CHECK(d.slow.links > 2);
    CHECK_EQ(most, 1);
    CHECK_EQ(d.slow.links - links, 0); // the last prepare only dispatches
    CHECK_STATUS(execute(f, d.pass, &large), AG_OK);
    CHECK(is_right(f, &large));
    // Given up half-way: the text that waits is compiled by whoever waits for it.
    ag_pass *other = NULL;
    second_close(&d);
    second_open(&d, f, "convolve", NULL);
    d.slow.least = d.slow.most = 0;
    d.slow.clock = &d.host.clock;
    d.slow.link_ns = 10000000;
    CHECK_STATUS(f->ag->prepare(d.pass, &large.j.job), AG_PENDING);
    large.j.job.flags = 0;
    CHECK_STATUS(f->ag->pass_create(d.device, "convolve", &other), AG_OK);
    CHECK_STATUS(f->ag->prepare(other, &large.j.job), AG_OK);
    CHECK_STATUS(execute(f, other, &large), AG_OK);
    CHECK(is_right(f, &large));
    second_close(&d);
    sized_free(f, &large);
}

// A prepare that waits does not ask the driver for compiler threads; one that does not wait asks
// once. If the driver cannot report completion, prepare waits and is never pending.
static void test_who_asks_for_threads(void **state)
{
    fixture *f = *state;
    static const char call[] = "glMaxShaderCompilerThreadsKHR";
    static second d;
    sized small;
    ag_pass *other = NULL;
    job_of(f, &small, 9, 7);
    second_open(&d, f, "convolve", NULL);
    gl_trace *t = &d.host.trace;
    slow_driver_stop(t);
    t->limits[0] = (gl_trace_limit){GL_MAX_SHADER_COMPILER_THREADS_KHR, -1}; // nobody has yet
    t->limit_count = 1;
    CHECK_STATUS(f->ag->pass_create(d.device, "convolve", &other), AG_OK);
    CHECK_STATUS(f->ag->prepare(d.pass, &small.j.job), AG_OK);
    CHECK_EQ(gl_trace_calls(t, call), 0);
    small.j.job.flags = AG_JOB_BACKGROUND;
    CHECK_STATUS(f->ag->prepare(other, &small.j.job), AG_OK); // all is there: nothing pending
    CHECK_EQ(gl_trace_calls(t, call), gl_trace_has_asked(t, call));
    job_set(&small.j, "border", 0, AG_BORDER_WRAP);
    ag_status status = AG_PENDING;
    while (status == AG_PENDING)
        status = f->ag->prepare(d.pass, &small.j.job);
    CHECK_STATUS(status, AG_OK);
    CHECK_EQ(gl_trace_calls(t, call), gl_trace_has_asked(t, call));
    second_close(&d);

    job_set(&small.j, "border", 0, AG_BORDER_ZERO);
    second_open(&d, f, "convolve", "parallel_shader_compile");
    CHECK_STATUS(f->ag->prepare(d.pass, &small.j.job), AG_OK);
    CHECK_STATUS(execute(f, d.pass, &small), AG_OK);
    CHECK(is_right(f, &small));
    second_close(&d);
    sized_free(f, &small);
}

// bloom's resolution = auto measures its kernel before there is a plan: prepare waits neither for
// the programs of that nor for the GPU, the former plan serves, and the answer is that of a prepare
// that waits.
static void test_auto_does_not_wait(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    fixture *f = *state;
    test_job j;
    job_create(f, "bloom", JOB_WIDTH, JOB_HEIGHT, &j);
    job_set(&j, "shape", 0, AG_BLOOM_APERTURE);
    job_set(&j, "size", 0, 1);
    job_set(&j, "resolution", 0, AG_BLOOM_AUTO);
    ag_device_tuning(f->device)->dispatch_bytes =
        1; // so that a small frame may get a smaller image
    ag_pass *pass = fixture_pass(f, "bloom");
    fixture_run(f, pass, &j.job);
    double *right = texture_read(f, job_output(&j), 0);
    f->ag->pass_destroy(pass);
    ag_device_tuning(f->device)->dispatch_bytes = 0;
    texture_poison(f, job_output(&j));
    static second d;
    second_open(&d, f, "bloom", NULL);
    ag_device_tuning(d.device)->dispatch_bytes = 1;
    pass = d.pass;
    job_set(&j, "resolution", 0, AG_BLOOM_FULL);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK); // the former plan
    uint32_t impatient = d.host.trace.impatient;
    d.slow.frame += FRAMES; // its programs are there
    job_set(&j, "resolution", 0, AG_BLOOM_AUTO);
    j.job.flags = AG_JOB_BACKGROUND;
    int pending = 0;
    ag_status status = AG_PENDING;
    while (status == AG_PENDING && pending < 1000 * FRAMES) {
        status = f->ag->prepare(pass, &j.job);
        pending += status == AG_PENDING;
        if (status != AG_PENDING)
            break;
        job_set(&j, "resolution", 0, AG_BLOOM_FULL);
        CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
        job_set(&j, "resolution", 0, AG_BLOOM_AUTO);
        CHECK_STATUS(f->ag->frame(d.device, d.slow.frame), AG_OK);
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        ++d.slow.frame;
    }
    CHECK_STATUS(status, AG_OK);
    impatient = d.host.trace.impatient - impatient;
    printf("  ok    %d frames pending; %u questions that would wait\n", pending, impatient);
    CHECK(pending >= FRAMES - 1);
    CHECK_EQ(impatient, 0);
    texture_poison(f, job_output(&j));
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    double *now = texture_read(f, job_output(&j), 0);
    CHECK(!memcmp(now, right, texture_value_count(job_output(&j), 0) * sizeof *now));
    free(now);
    free(right);
    second_close(&d);
    job_destroy(f, &j);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_TEST(test_old_plan_serves),
                                FIXTURE_TEST(test_one_program_a_frame),
                                FIXTURE_TEST(test_who_asks_for_threads),
                                FIXTURE_TEST(test_auto_does_not_wait)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
