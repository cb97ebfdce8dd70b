// trace_host.c - 50 executes of every method of every effect, between marks, for a capture tool
// SPDX-License-Identifier: MIT
//
// Run by check_trace_calls.py under apitrace. Each run of executes stands between two debug
// messages of the host's, "begin NAME" and "end". Exits 77 without OpenGL 4.3.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "jobs.h"

enum { EXECUTES = 50 };

static void mark(fixture *f, const char *text)
{
    f->gl.DebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                             GL_DEBUG_SEVERITY_NOTIFICATION, -1, text);
}

static bool run(fixture *f, const char *effect, uint32_t variant, uint32_t flags)
{
    test_job j;
    ag_pass *pass = NULL;
    job_create(f, effect, JOB_WIDTH, JOB_HEIGHT, &j);
    bool there = job_variant(&j, variant);
    job_tune(f->device, &j);
    bool done = there && f->ag->pass_create(f->device, effect, &pass) == AG_OK &&
                f->ag->prepare(pass, &j.job) == AG_OK;
    if (done) {
        char text[128]; // the units that the effect states, for the checker to hold it to
        snprintf(text, sizeof text, "begin %s, variant %u, units %u %u %u, flags %u", effect,
                 variant, j.info->image_units, j.info->ssbos, j.info->texture_units, flags);
        j.job.flags = flags;
        mark(f, text);
        for (int i = 0; i < EXECUTES && done; ++i)
            done = f->ag->execute(pass, &j.job, NULL) == AG_OK;
        mark(f, "end");
        // frame() reads all stamps or none; the ring of 512 holds those of 50 executes of 9 steps.
        f->gl.Finish();
        done = done && f->ag->frame(f->device, 1) == AG_OK;
    }
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
    return done || !there;
}

int main(void)
{
    fixture *f = fixture_open(&(fixture_options){.no_device = true});
    if (!f)
        return 77;
    f->host.host.is_current = NULL; // it would ask EGL in each call, and that is the host's doing
    fixture_device(f, NULL);
    static const uint32_t flags[] = {0, AG_JOB_TIME_STEPS, AG_JOB_UNTIMED};
    uint32_t count = 0;
    bool done = true;
    sweep *share = sweep_start("traces", 2); // of three runs of each: every method at least once
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e)
        for (uint32_t variant = 0; variant < JOB_VARIANTS; ++variant)
            for (uint32_t i = 0; i < 3; ++i)
                if (sweep_takes(share))
                    done = run(f, effects[e]->id, variant, flags[i]) && done;
    if (!done)
        host_log_print(&f->host);
    return fixture_close(f) && done ? 0 : 1;
}
