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

enum { THREADS = 2, SIZES = 2, ROUNDS = 3, VARIANTS = 3 };

static const int sizes[SIZES][2] = {{JOB_WIDTH, JOB_HEIGHT}, {9, 7}};

typedef struct worker {
    fixture *f;
    int index, rounds;
    double *results[VARIANTS][SIZES]; // of the last round
    size_t counts[VARIANTS][SIZES];
    bool equal;           // rounds gave equal results
    bool failed;          // a call failed
    char why[160];        // the first that did
    int compiler_threads; // that the context asked its driver for; -1: as many as it likes
    atomic_int *started;
} worker;

// CHECK cannot end a test from another thread, so the worker notes the failure and the test prints
// it.
static bool succeeds(worker *w, ag_status status, const char *call, const char *what)
{
    if (status == AG_OK)
        return true;
    if (!w->failed)
        snprintf(w->why, sizeof w->why, "%s %s: %s", call, what, check_status_name(status));
    w->failed = true;
    return false;
}

// variants: convolve direct, convolve fft, bloom
static void run_job(worker *w, ag_pass *pass, int variant, int size)
{
    fixture *f = w->f;
    test_job j;
    job_create(f, variant == 2 ? "bloom" : "convolve", sizes[size][0], sizes[size][1], &j);
    if (variant < 2)
        job_set(&j, "method", 0, variant + 1);
    static const char *const names[] = {"convolve direct", "convolve fft", "bloom"};
    crash_note(names[variant]);
    if (succeeds(w, f->ag->prepare(pass, &j.job), "prepare", names[variant])) {
        succeeds(w, f->ag->execute(pass, &j.job, NULL), "execute", names[variant]);
        succeeds(w, f->ag->execute(pass, &j.job, NULL), "second execute", names[variant]);
        succeeds(w, f->ag->frame(f->device, 1), "frame", names[variant]);
    }
    crash_note("reading the result");
    size_t count = texture_value_count(job_output(&j), 0);
    double *now = texture_read(f, job_output(&j), 0), *last = w->results[variant][size];
    size_t poisoned = texture_poison_count(f, job_output(&j), 0, 0, 0, 0, 0);
    if (poisoned && !w->failed)
        snprintf(w->why, sizeof w->why, "%s: %zu texels not written", names[variant], poisoned);
    w->failed |= poisoned != 0;
    if (last)
        w->equal &= memcmp(now, last, count * sizeof *now) == 0;
    free(last);
    w->results[variant][size] = now;
    w->counts[variant][size] = count;
    job_destroy(f, &j);
}

static void run_worker(worker *w)
{
    ag_pass *convolve = NULL, *bloom = NULL;
    w->equal = true;
    fixture *f = w->f;
    crash_note("device_create");
    if (!succeeds(w, f->ag->device_create(&f->host.host, NULL, &f->device), "device_create", "") ||
        !succeeds(w, f->ag->pass_create(f->device, "convolve", &convolve), "pass_create", "") ||
        !succeeds(w, f->ag->pass_create(f->device, "bloom", &bloom), "pass_create", ""))
        return;
    for (int round = 0; round < w->rounds && !w->failed; ++round) {
        for (int i = 0; i < SIZES; ++i) {
            int size = (i + w->index) % SIZES; // in another order in each thread
            for (int variant = 0; variant < VARIANTS; ++variant)
                run_job(w, variant == 2 ? bloom : convolve, variant, size);
        }
    }
    crash_note("pass_destroy");
    f->ag->pass_destroy(convolve);
    w->compiler_threads = -2;
    for (uint32_t i = 0; i < f->host.trace.asked_count; ++i)
        if (strncmp(f->host.trace.asked[i], "glMaxShaderCompilerThreads", 26) == 0)
            f->gl.GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &w->compiler_threads);
}

static void *thread_main(void *argument)
{
    worker *w = argument;
    crash_note("making the context current");
    if (!headless_make_current(w->f->context)) {
        w->failed = true;
        snprintf(w->why, sizeof w->why, "the context cannot be made current on this thread");
    }
    gl_trace_use(&w->f->host.trace);
    atomic_fetch_add(w->started, 1);
    while (atomic_load(w->started) < THREADS) {
    }
    if (!w->failed)
        run_worker(w);
    crash_note("giving the context up");
    headless_make_current(NULL);
    gl_trace_use(NULL);
    crash_note("ending the thread");
    return NULL;
}

// Observes the calls about compiler threads from two threads; each call pauses, so that the other
// thread can enter it, too.
typedef struct asker {
    fixture *f;
    test_job j;
    atomic_int *started, *inside;
    int asked, met; // calls; those during which another thread was in one
    bool failed;
} asker;

static void on_threads(void *user, bool done)
{
    asker *a = user;
    const struct timespec pause = {.tv_nsec = 50000000};
    crash_note(done ? "glMaxShaderCompilerThreads is done" : "glMaxShaderCompilerThreads");
    if (!done) {
        ++a->asked;
        a->met += atomic_fetch_add(a->inside, 1) > 0;
        nanosleep(&pause, NULL);
    } else {
        atomic_fetch_sub(a->inside, 1);
    }
}

static void *ask_in_background(void *argument)
{
    asker *a = argument;
    fixture *f = a->f;
    ag_pass *pass = NULL;
    crash_note("making the context current");
    a->failed = !headless_make_current(f->context);
    gl_trace_use(&f->host.trace);
    if (!a->failed)
        a->failed = f->ag->device_create(&f->host.host, NULL, &f->device) != AG_OK ||
                    f->ag->pass_create(f->device, "convolve", &pass) != AG_OK;
    atomic_fetch_add(a->started, 1);
    while (atomic_load(a->started) < THREADS) {
    }
    ag_status status = a->failed ? AG_OK : AG_PENDING;
    while (status == AG_PENDING) {
        crash_note("prepare in the background");
        status = f->ag->prepare(pass, &a->j.job);
    }
    crash_note("execute");
    if (!a->failed)
        a->failed = status != AG_OK || f->ag->execute(pass, &a->j.job, NULL) != AG_OK;
    f->gl.Finish();
    crash_note("giving the context up");
    headless_make_current(NULL);
    gl_trace_use(NULL);
    return NULL;
}

// Two devices on two threads set the driver's compiler threads at the same moment; the module must
// do it one after the other.
static void test_threads_asked_in_turn(void **state)
{
    fixture *alone = *state;
    static asker askers[THREADS];
    atomic_int started = 0, inside = 0;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
        CHECK(f != NULL);
        askers[i] = (asker){.f = f, .started = &started, .inside = &inside};
        job_create(f, "convolve", 9, 7, &askers[i].j);
        askers[i].j.job.flags = AG_JOB_BACKGROUND;
        f->gl.Finish();
        f->host.trace.on_threads = on_threads;
        f->host.trace.on_call_user = &askers[i];
        // nobody has asked yet, also where the number is the process's
        f->host.trace.limits[0] = (gl_trace_limit){GL_MAX_SHADER_COMPILER_THREADS_KHR, -1};
        f->host.trace.limit_count = 1;
        headless_make_current(NULL);
    }
    for (int i = 0; i < THREADS; ++i)
        CHECK_EQ(pthread_create(&threads[i], NULL, ask_in_background, &askers[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    bool passed = true, can_ask = false;
    int asked = 0;
    for (int i = 0; i < THREADS; ++i) {
        fixture *f = askers[i].f;
        char name[64];
        asked += askers[i].asked;
        can_ask |= gl_trace_has_asked(&f->host.trace, "glMaxShaderCompilerThreadsKHR");
        snprintf(name, sizeof name, "thread %d: prepared in the background", i);
        passed &= check_case(name, !askers[i].failed);
        snprintf(name, sizeof name, "thread %d: asks when nobody else does", i);
        passed &= check_case(name, askers[i].met == 0);
        fixture_current(f);
        CHECK_EQ(texture_poison_count(f, job_output(&askers[i].j), 0, 0, 0, 0, 0), 0);
        job_destroy(f, &askers[i].j);
        passed &= fixture_close(f);
    }
    fixture_current(alone);
    printf("  asked %d times\n", asked);
    CHECK(passed);
    CHECK_EQ(asked, can_ask ? THREADS : 0); // else there was nothing to see
}

static void free_results(worker *w)
{
    for (int v = 0; v < VARIANTS; ++v) {
        for (int s = 0; s < SIZES; ++s)
            free(w->results[v][s]);
    }
}

static void test_two_devices(void **state)
{
    fixture *alone = *state;
    worker single = {.f = alone, .rounds = 1}, workers[THREADS];
    memset(workers, 0, sizeof workers);
    run_worker(&single);
    CHECK_F(!single.failed, "%s", single.why);

    pthread_t threads[THREADS];
    atomic_int started = 0;
    for (int i = 0; i < THREADS; ++i) {
        fixture *f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
        CHECK(f != NULL);
        workers[i] = (worker){.f = f, .index = i, .rounds = ROUNDS, .started = &started};
        headless_make_current(NULL);
    }
    for (int i = 0; i < THREADS; ++i)
        CHECK_EQ(pthread_create(&threads[i], NULL, thread_main, &workers[i]), 0);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);

    bool passed = true;
    for (int i = 0; i < THREADS; ++i) {
        char name[64];
        snprintf(name, sizeof name, "thread %d: calls succeed", i);
        passed &= check_case(name, !workers[i].failed);
        snprintf(name, sizeof name, "thread %d: rounds agree", i);
        passed &= check_case(name, workers[i].equal);
        for (int v = 0; v < VARIANTS; ++v) {
            for (int s = 0; s < SIZES; ++s) {
                snprintf(name, sizeof name, "thread %d: variant %d, %dx%d", i, v, sizes[s][0],
                         sizes[s][1]);
                passed &=
                    check_case(name, workers[i].results[v][s] &&
                                         memcmp(workers[i].results[v][s], single.results[v][s],
                                                single.counts[v][s] * sizeof(double)) == 0);
            }
        }
        if (workers[i].failed) {
            printf("    thread %d: %s; compiler threads %d (-2: none of the driver's)\n", i,
                   workers[i].why, workers[i].compiler_threads);
            host_log_print(&workers[i].f->host);
        }
        free_results(&workers[i]);
        passed &= fixture_close(workers[i].f);
    }
    free_results(&single);
    fixture_current(alone);
    CHECK(passed);
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
