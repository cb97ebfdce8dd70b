// test_prepare_cost.c - what prepare costs in every frame: unchanged, and of alternating textures
// SPDX-License-Identifier: MIT
//
// The limits are those that docs/integrate.md promises, of a build with optimisation on one core of
// a server of 2020. The smallest of many batches counts, so that a busy machine does not matter.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jobs.h"

enum { BATCHES = 40, CALLS = 240, SETS = 8 };

static const double limit_same = 5, limit_alternating = 8; // us

#ifdef NDEBUG // the preset release
static const bool counts = true;
#else
static const bool counts = false;
#endif

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

// us a call of prepare with `count` jobs in turn, all of which are prepared.
static double price(const ag_api *ag, ag_pass *pass, const ag_job *jobs, int count)
{
    double best = 1e30;
    for (int batch = 0; batch < BATCHES; ++batch) {
        double start = now_us();
        for (int i = 0; i < CALLS; ++i)
            if (ag->prepare(pass, &jobs[i % count]) < 0)
                abort();
        double each = (now_us() - start) / CALLS;
        best = each < best ? each : best;
    }
    return best;
}

static void test_prepare_cost(void **state)
{
    fixture *f = *state;
    // Without the tests' own callbacks, which count what the module does.
    const ag_host host = {.struct_size = sizeof host};
    ag_device *device = NULL;
    CHECK_STATUS(f->ag->device_create(&host, NULL, &device), AG_OK);
    uint32_t count = 0, dear = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    printf("  us a call                same   of 2   of 4   of 8, least of %d batches\n", BATCHES);
    for (uint32_t e = 0; e < count; ++e) {
        test_job sets[SETS];
        ag_job jobs[SETS];
        ag_pass *pass = NULL;
        CHECK_STATUS(f->ag->pass_create(device, effects[e]->id, &pass), AG_OK);
        for (int i = 0; i < SETS; ++i) {
            job_create(f, effects[e]->id, JOB_WIDTH, JOB_HEIGHT, &sets[i]);
            if (i) // a kernel is one texture, whatever frame it is for
                for (uint32_t k = 0; k < effects[e]->slot_count; ++k)
                    if (sets[i].slots[k].width != sets[0].slots[0].width)
                        sets[i].slots[k] = sets[0].slots[k];
            jobs[i] = sets[i].job;
        }
        for (int i = 0; i < SETS; ++i)
            CHECK_STATUS(f->ag->prepare(pass, &jobs[i]), AG_OK);
        double us[4];
        for (int i = 0; i < 4; ++i)
            us[i] = price(f->ag, pass, jobs, 1 << i);
        for (int i = 0; i < SETS; ++i) // the alternating ones stay prepared
            CHECK_STATUS(f->ag->execute(pass, &jobs[i], NULL), AG_OK);
        bool within = us[0] <= limit_same;
        for (int i = 1; i < 4; ++i)
            within = within && us[i] <= limit_alternating;
        printf("  %-4s  %-16s %6.2f %6.2f %6.2f %6.2f\n",
               within   ? "ok"
               : counts ? "FAIL"
                        : "slow",
               effects[e]->id, us[0], us[1], us[2], us[3]);
        dear += counts && !within;
        f->ag->pass_destroy(pass);
        for (int i = 0; i < SETS; ++i)
            job_destroy(f, &sets[i]);
    }
    f->ag->device_destroy(device, 0);
    fixture_current(f);
    CHECK_F(dear == 0, "%u effects cost more than %g us unchanged or %g us alternating", dear,
            limit_same, limit_alternating);
}

// An unchanged prepare makes no GL call, nor one of textures that alternate.
static void test_prepare_calls(void **state)
{
    fixture *f = *state;
    fixture_device(f, NULL);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job a, b;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &a);
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &b);
        ag_pass *pass = fixture_pass(f, (*e)->id);
        const uint32_t kernels = (*e)->slot_count;
        for (uint32_t k = 0; k < kernels; ++k) // a kernel is one texture, whatever frame it is for
            if (b.slots[k].width != b.slots[0].width)
                b.slots[k] = a.slots[k];
        CHECK_STATUS(f->ag->prepare(pass, &a.job), AG_OK);
        CHECK_STATUS(f->ag->prepare(pass, &b.job), AG_OK);
        gl_trace_reset(&f->host.trace);
        for (int i = 0; i < 4; ++i)
            CHECK_STATUS(f->ag->prepare(pass, i & 1 ? &a.job : &b.job), AG_OK);
        CHECK_F(f->host.trace.total == 0, "%s: %u GL calls, the last %s", (*e)->id,
                (unsigned)f->host.trace.total, f->host.trace.last);
        f->ag->pass_destroy(pass);
        job_destroy(f, &a);
        job_destroy(f, &b);
    }
    f->ag->device_destroy(f->device, 0);
    f->device = NULL;
}

int main(int argc, char **argv)
{
    const check_test tests[] = {FIXTURE_FULL(test_prepare_cost), FIXTURE_TEST(test_prepare_calls)};
    return CHECK_MAIN(argc, argv, tests, fixture_setup_bare, fixture_teardown);
}
