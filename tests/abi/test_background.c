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

// A second device on the same context, on which everything compiles anew.
static void open_slow(fixture *f, test_host *h, slow_driver *slow, const char *hide,
                      ag_device **device)
{
    host_init(h, f->context);
    h->trace.hide_extensions = hide;
    slow_driver_start(slow, &h->trace, FRAMES, FRAMES);
    if (hide)
        slow_driver_stop(&h->trace);
    CHECK_STATUS(f->ag->device_create(&h->host, NULL, device), AG_OK);
}

static void test_old_plan_serves(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    fixture *f = *state;
    sized small, large;
    job_of(f, &small, 9, 7);
    job_of(f, &large, JOB_WIDTH, JOB_HEIGHT);
    test_host h;
    slow_driver slow;
    ag_device *device = NULL;
    ag_pass *pass = NULL, *other = NULL;
    open_slow(f, &h, &slow, NULL, &device);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);

    // Nothing is prepared yet: pending, and execute says so.
    small.j.job.flags = large.j.job.flags = AG_JOB_BACKGROUND;
    CHECK_STATUS(f->ag->prepare(pass, &small.j.job), AG_PENDING);
    CHECK_STATUS(execute(f, pass, &small), AG_E_STATE);
    texture_poison(f, job_output(&small.j));
    CHECK_STATUS(f->ag->run(pass, &small.j.job), AG_PENDING); // it executes nothing
    CHECK(texture_is_poison(f, job_output(&small.j)));
    slow.frame += FRAMES;
    ag_status late = AG_PENDING; // the driver may still be at it by its own clock, too
    for (int wait = 0; late == AG_PENDING && wait < 10000; ++wait) {
        late = f->ag->prepare(pass, &small.j.job);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    CHECK_STATUS(late, AG_OK);
    CHECK_STATUS(execute(f, pass, &small), AG_OK);
    texture_poison(f, job_output(&small.j));

    int pending = 0;
    ag_status status = AG_PENDING;
    while (status == AG_PENDING && pending < 10 * FRAMES) {
        status = f->ag->prepare(pass, &large.j.job);
        if (status != AG_PENDING)
            break;
        ++pending;
        CHECK_STATUS(execute(f, pass, &large), AG_E_STATE);
        if (pending == 2) // not the former plan's job either
            CHECK_STATUS(f->ag->run(pass, &large.j.job), AG_PENDING);
        CHECK_STATUS(execute(f, pass, &small), AG_OK);
        CHECK(is_right(f, &small));
        CHECK_STATUS(f->ag->frame(device, slow.frame), AG_OK);
        if (pending == 3) { // another pass is prepared meanwhile, and does not wait for this one
            CHECK_STATUS(f->ag->pass_create(device, "convolve", &other), AG_OK);
            CHECK_STATUS(f->ag->prepare(other, &small.j.job), AG_OK);
            f->ag->pass_destroy(other);
        }
        ++slow.frame;
    }
    CHECK_STATUS(status, AG_OK);
    printf("  ok    %d frames pending; %u questions that would wait\n", pending, h.trace.impatient);
    CHECK(pending >= FRAMES - 1 && pending <= FRAMES + 1);
    CHECK_EQ(h.trace.impatient, 0);
    CHECK_STATUS(execute(f, pass, &small), AG_E_STATE);
    CHECK_STATUS(execute(f, pass, &large), AG_OK);
    CHECK(is_right(f, &large));
    // Back to what is known: at once.
    CHECK_STATUS(f->ag->prepare(pass, &small.j.job), AG_OK);
    CHECK_STATUS(execute(f, pass, &small), AG_OK);
    CHECK(is_right(f, &small));

    f->ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    fixture_current(f);
    sized_free(f, &small);
    sized_free(f, &large);
}

// A pass is destroyed while it compiles: nothing leaks.
static void test_given_up(void **state)
{
    MINIMUMS_LACK("GL_KHR_parallel_shader_compile");
    fixture *f = *state;
    sized large;
    job_of(f, &large, JOB_WIDTH, JOB_HEIGHT);
    for (int gone = 0; gone < 2; ++gone) {
        test_host h;
        slow_driver slow;
        ag_device *device = NULL;
        ag_pass *pass = NULL;
        open_slow(f, &h, &slow, NULL, &device);
        CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
        large.j.job.flags = AG_JOB_BACKGROUND;
        CHECK_STATUS(f->ag->prepare(pass, &large.j.job), AG_PENDING);
        if (gone)
            f->ag->pass_destroy(pass);
        f->ag->device_destroy(device, 0);
        CHECK(host_finish(&h));
    }
    fixture_current(f);
    sized_free(f, &large);
}

// A prepare that waits does not ask the driver for compiler threads; one that does not wait asks
// once.
static void test_who_asks_for_threads(void **state)
{
    fixture *f = *state;
    static const char call[] = "glMaxShaderCompilerThreadsKHR";
    sized small;
    job_of(f, &small, 9, 7);
    test_host h;
    slow_driver slow;
    ag_device *device = NULL;
    ag_pass *pass = NULL, *other = NULL;
    open_slow(f, &h, &slow, NULL, &device);
    slow_driver_stop(&h.trace);
    h.trace.limits[0] = (gl_trace_limit){GL_MAX_SHADER_COMPILER_THREADS_KHR, -1}; // nobody has yet
    h.trace.limit_count = 1;
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &other), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &small.j.job), AG_OK);
    CHECK_EQ(gl_trace_calls(&h.trace, call), 0);
    small.j.job.flags = AG_JOB_BACKGROUND;
    CHECK_STATUS(f->ag->prepare(other, &small.j.job), AG_OK); // all is there: nothing pending
    CHECK_EQ(gl_trace_calls(&h.trace, call), gl_trace_has_asked(&h.trace, call));
    job_set(&small.j, "border", 0, AG_BORDER_WRAP);
    ag_status status = AG_PENDING;
    while (status == AG_PENDING)
        status = f->ag->prepare(pass, &small.j.job);
    CHECK_STATUS(status, AG_OK);
    CHECK_EQ(gl_trace_calls(&h.trace, call), gl_trace_has_asked(&h.trace, call));
    f->ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    fixture_current(f);
    sized_free(f, &small);
}

// If the driver cannot report completion, prepare waits and is never pending.
static void test_without_threads(void **state)
{
    fixture *f = *state;
    sized small;
    job_of(f, &small, 9, 7);
    test_host h;
    slow_driver slow;
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    open_slow(f, &h, &slow, "parallel_shader_compile", &device);
    CHECK_STATUS(f->ag->pass_create(device, "convolve", &pass), AG_OK);
    small.j.job.flags = AG_JOB_BACKGROUND;
    CHECK_STATUS(f->ag->prepare(pass, &small.j.job), AG_OK);
    CHECK_STATUS(execute(f, pass, &small), AG_OK);
    CHECK(is_right(f, &small));
    f->ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    fixture_current(f);
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
    test_host h;
    slow_driver slow;
    ag_device *device = NULL;
    open_slow(f, &h, &slow, NULL, &device);
    ag_device_tuning(device)->dispatch_bytes = 1;
    CHECK_STATUS(f->ag->pass_create(device, "bloom", &pass), AG_OK);
    job_set(&j, "resolution", 0, AG_BLOOM_FULL);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK); // the former plan
    uint32_t impatient = h.trace.impatient;
    slow.frame += FRAMES; // its programs are there
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
        CHECK_STATUS(f->ag->frame(device, slow.frame), AG_OK);
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        ++slow.frame;
    }
    CHECK_STATUS(status, AG_OK);
    impatient = h.trace.impatient - impatient;
    printf("  ok    %d frames pending; %u questions that would wait\n", pending, impatient);
    CHECK(pending >= FRAMES - 1);
    CHECK_EQ(impatient, 0);
    texture_poison(f, job_output(&j));
    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
    double *now = texture_read(f, job_output(&j), 0);
    CHECK(!memcmp(now, right, texture_value_count(job_output(&j), 0) * sizeof *now));
    free(now);
    free(right);
    f->ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    fixture_current(f);
    job_destroy(f, &j);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_old_plan_serves),      FIXTURE_TEST(test_given_up),
        FIXTURE_TEST(test_who_asks_for_threads), FIXTURE_TEST(test_without_threads),
        FIXTURE_TEST(test_auto_does_not_wait),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
