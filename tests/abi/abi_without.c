// abi_without.c - effects keep their contract on a device that forgoes features of its driver
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/depth_of_field.h>

#include "jobs.h"
#include "test_abi.h"

// The result of an effect on a device of its own. malloc.
static double *picture_without(fixture *f, test_job *j, uint32_t without)
{
    test_host h;
    host_init(&h, f->context);
    ag_device_desc desc = {.struct_size = sizeof desc, .without = without};
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    CHECK_STATUS(f->ag->device_create(&h.host, &desc, &device), AG_OK);
    CHECK_STATUS(f->ag->pass_create(device, j->info->id, &pass), AG_OK);
    CHECK_STATUS(f->ag->prepare(pass, &j->job), AG_OK);
    texture_poison(f, job_output(j));
    gl_trace_reset(&h.trace);
    CHECK_STATUS(f->ag->execute(pass, &j->job, NULL), AG_OK);
    if (without & AG_WITHOUT_TEXTURE_UNITS)
        CHECK_EQ(gl_trace_calls_with(&h.trace, "glBindTexture") +
                     gl_trace_calls_with(&h.trace, "glActiveTexture") +
                     gl_trace_calls_with(&h.trace, "glBindSampler"),
                 0);
    f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    double *picture = texture_read(f, job_output(j), 0);
    f->ag->device_destroy(device, 0);
    CHECK(host_finish(&h));
    return picture;
}

void test_without(void **state)
{
    static const uint32_t ways[] = {AG_WITHOUT_SUBGROUPS, AG_WITHOUT_TEXTURE_UNITS,
                                    AG_WITHOUT_SUBGROUPS | AG_WITHOUT_TEXTURE_UNITS};
    enum { WAYS = sizeof ways / sizeof *ways };
    fixture *f = *state;
    sweep *share = sweep_start("without", 2 * WAYS); // of every other effect one way
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j;
        job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
        size_t values = texture_value_count(job_output(&j), 0);
        if (!strcmp((*e)->id, "depth_of_field")) // gather is made of texture units
            job_set(&j, "method", 0, AG_FOCUS_TABLES);
        double *plain = picture_without(f, &j, 0), largest = 0;
        for (size_t i = 0; i < values; ++i)
            largest = fmax(largest, fabs(plain[i]));
        for (size_t w = 0; w < WAYS; ++w) {
            if (!sweep_takes(share))
                continue;
            double *got = picture_without(f, &j, ways[w]), worst = 0;
            for (size_t i = 0; i < values; ++i) {
                double off = fabs(got[i] - plain[i]);
                worst = isnan(worst) || off <= worst ? worst : off;
            }
            char name[96];
            snprintf(name, sizeof name, "%s without 0x%X, of the largest value", (*e)->id, ways[w]);
            CHECK_LIMIT(name, worst / largest, 2e-6);
            free(got);
        }
        free(plain);
        job_destroy(f, &j);
    }
    fixture_current(f);
}
