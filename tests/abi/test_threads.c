// test_threads.c - two devices on two contexts in two threads, bit for bit as on one
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // opendir
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crash.h"
#include "jobs.h"

enum { THREADS = 2, ROUNDS = 3, JOBS = 4 };

static const struct {
    const char *name, *effect;
    int method, width, height;
} jobs[JOBS] = {{"convolve direct", "convolve", 1, JOB_WIDTH, JOB_HEIGHT},
                {"convolve fft", "convolve", 2, JOB_WIDTH, JOB_HEIGHT},
                {"convolve fft, smaller", "convolve", 2, 9, 7},
                {"bloom", "bloom", -1, JOB_WIDTH, JOB_HEIGHT}};

typedef struct worker {
    fixture *f;
    int index, rounds;
    job_results results[JOBS]; // of the first round
    char why[160];             // the first call that failed; "": none did
    test_job background;       // of test_threads_asked_in_turn
    int asked, met; // calls about compiler threads; those while another thread was in one
    atomic_int *started, *inside;
    void (*work)(struct worker *w);
} worker;

// CHECK cannot end a test from another thread, so the worker notes the failure and the test prints
// it.
static bool holds(worker *w, bool condition, const char *what)
{
    if (!condition && !w->why[0])
        snprintf(w->why, sizeof w->why, "%s: %s", what, host_log_last(&w->f->host));
    return condition;
}

static void run_job(worker *w, ag_pass *pass, int k)
{
    fixture *f = w->f;
    test_job j;
    job_results now = {0};
    crash_note(jobs[k].name);
    job_create(f, jobs[k].effect, jobs[k].width, jobs[k].height, &j);
    if (jobs[k].method >= 0)
        job_set(&j, "method", 0, jobs[k].method);
    holds(w,
          f->ag->prepare(pass, &j.job) == AG_OK && f->ag->execute(pass, &j.job, NULL) == AG_OK &&
              f->ag->execute(pass, &j.job, NULL) == AG_OK && f->ag->frame(f->device, 1) == AG_OK,
          jobs[k].name);
    holds(w, texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0) == 0, "texels not written");
    job_read(f, &j, &now);
    if (w->results[k].count) {
        holds(w, job_results_same(&now, &w->results[k]), "rounds differ");
        job_results_free(&now);
    } else
        w->results[k] = now;
    job_destroy(f, &j);
}

static void run_jobs(worker *w)
{
    ag_pass *convolve = NULL, *bloom = NULL;
    fixture *f = w->f;
    crash_note("device_create");
    if (!holds(w,
               f->ag->device_create(&f->host.host, NULL, &f->device) == AG_OK &&
                   f->ag->pass_create(f->device, "convolve", &convolve) == AG_OK &&
                   f->ag->pass_create(f->device, "bloom", &bloom) == AG_OK,
               "device and passes"))
        return;
    for (int i = 0; i < w->rounds * JOBS && !w->why[0]; ++i) {
        int k = (i + 2 * w->index) % JOBS; // in another order in each thread
        run_job(w, jobs[k].method < 0 ? bloom : convolve, k);
    }
    crash_note("pass_destroy");
    f->ag->pass_destroy(convolve);
}

static void *thread_main(void *argument)
{
    worker *w = argument;
    crash_note("making the context current");
    bool current = holds(w, headless_make_current(w->f->context), "the context is not current");
    gl_trace_use(&w->f->host.trace);
    atomic_fetch_add(w->started, 1);
    while (atomic_load(w->started) < THREADS) {
    }
    if (current)
        w->work(w);
    w->f->gl.Finish();
    crash_note("giving the context up");
    headless_make_current(NULL);
    gl_trace_use(NULL);
    crash_note("ending the thread");
    return NULL;
}

// Each has a context of its own, which is current on its thread.
static void run_threads(worker workers[THREADS])
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
        CHECK_EQ(pthread_create(&threads[i], NULL, thread_main, &workers[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
}

static bool end_worker(worker *w)
{
    bool good = check_case(w->why[0] ? w->why : "a thread's calls succeed", !w->why[0]);
    if (!good)
        host_log_print(&w->f->host);
    for (int k = 0; k < JOBS; ++k)
        job_results_free(&w->results[k]);
    return fixture_close(w->f) && good;
}

static void test_two_devices(void **state)
{
    fixture *alone = *state;
    static worker single, workers[THREADS];
    atomic_int started = 0;
    bool passed = true;
    single = (worker){.f = alone, .rounds = 1};
    run_jobs(&single);
    CHECK_F(!single.why[0], "%s", single.why);
    for (int i = 0; i < THREADS; ++i) {
        fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
        CHECK(f != NULL);
        workers[i] =
            (worker){.f = f, .index = i, .rounds = ROUNDS, .started = &started, .work = run_jobs};
        headless_make_current(NULL);
    }
    run_threads(workers);
    for (int i = 0; i < THREADS; ++i) {
        for (int k = 0; k < JOBS; ++k)
            passed &= check_case(jobs[k].name,
                                 job_results_same(&workers[i].results[k], &single.results[k]));
        passed &= end_worker(&workers[i]);
    }
    for (int k = 0; k < JOBS; ++k)
        job_results_free(&single.results[k]);
    fixture_current(alone);
    CHECK(passed);
}

// ---- the driver's compiler threads -------------------------------------------------------------

// Each call pauses, so that the other thread can enter it, too.
static void on_threads(void *user, bool done)
{
    worker *w = user;
    const struct timespec pause = {.tv_nsec = 50000000};
    crash_note(done ? "glMaxShaderCompilerThreads is done" : "glMaxShaderCompilerThreads");
    if (!done) {
        ++w->asked;
        w->met += atomic_fetch_add(w->inside, 1) > 0;
        nanosleep(&pause, NULL);
    } else {
        atomic_fetch_sub(w->inside, 1);
    }
}

static void ask_in_background(worker *w)
{
    fixture *f = w->f;
    ag_pass *pass = NULL;
    ag_status status = AG_PENDING;
    if (!holds(w,
               f->ag->device_create(&f->host.host, NULL, &f->device) == AG_OK &&
                   f->ag->pass_create(f->device, "convolve", &pass) == AG_OK,
               "device and pass"))
        return;
    crash_note("prepare in the background");
    while (status == AG_PENDING)
        status = f->ag->prepare(pass, &w->background.job);
    crash_note("execute");
    holds(w, status == AG_OK && f->ag->execute(pass, &w->background.job, NULL) == AG_OK, "execute");
}

// Two devices on two threads set the driver's compiler threads at the same moment; the module must
// do it one after the other.
static void test_threads_asked_in_turn(void **state)
{
    fixture *alone = *state;
    static worker workers[THREADS];
    atomic_int started = 0, inside = 0;
    for (int i = 0; i < THREADS; ++i) {
        fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
        CHECK(f != NULL);
        workers[i] =
            (worker){.f = f, .started = &started, .inside = &inside, .work = ask_in_background};
        job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &workers[i].background);
        workers[i].background.job.flags = AG_JOB_BACKGROUND;
        f->gl.Finish();
        f->host.trace.on_threads = on_threads;
        f->host.trace.on_call_user = &workers[i];
        // nobody has asked yet, also where the number is the process's
        f->host.trace.limits[0] = (gl_trace_limit){GL_MAX_SHADER_COMPILER_THREADS_KHR, -1};
        f->host.trace.limit_count = 1;
        headless_make_current(NULL);
    }
    run_threads(workers);
    bool passed = true, can_ask = false;
    int asked = 0;
    for (int i = 0; i < THREADS; ++i) {
        worker *w = &workers[i];
        fixture *f = w->f;
        asked += w->asked;
        can_ask |= gl_trace_has_asked(&f->host.trace, "glMaxShaderCompilerThreadsKHR");
        passed &= check_case("a thread asks when nobody else does", w->met == 0);
        fixture_current(f);
        CHECK_EQ(texture_poison_count(f, job_output(&w->background), 0, 0, 0, 0, 0), 0);
        job_destroy(f, &w->background);
        passed &= end_worker(w);
    }
    fixture_current(alone);
    printf("  asked %d times\n", asked);
    CHECK(passed);
    CHECK_EQ(asked, can_ask ? THREADS : 0); // else there was nothing to see
}

// With mesa_glthread=true the driver's thread must exist; else that run of the tests shows nothing.
static void test_driver_thread(void **state)
{
    fixture *f = *state;
    const char *version = (const char *)f->gl.GetString(GL_VERSION);
    if (!f->threaded || !version || !strstr(version, "Mesa"))
        skip();
    int threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    CHECK(tasks != NULL);
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[320], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        FILE *file = fopen(path, "r");
        if (file && fgets(name, sizeof name, file))
            threads += strstr(name, ":gl") != NULL;
        if (file)
            fclose(file);
    }
    closedir(tasks);
    printf("  threads of the driver for GL calls: %d\n", threads);
    CHECK(threads > 0);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_TEST(test_two_devices),
                                FIXTURE_TEST(test_threads_asked_in_turn),
                                FIXTURE_TEST(test_driver_thread)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
