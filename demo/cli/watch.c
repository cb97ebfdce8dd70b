// cli/watch.c - `afterglow run --watch`: rewrites the output when shaders change
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "report.h"
#include "run.h"

#include <signal.h>
#include <string.h>
#include <time.h>

enum { FRAME_NS = 10000000 }; // the period of looking for changes: that of a fast frame

static volatile sig_atomic_t stopped; // the only variable that the signal handler sets

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

// Says once for each change of a pass's slots or settings that they wait for another run: the words
// of this one are for the former. `tag`: of the settings that were told last.
static void tell_interface(const run *target, uint32_t *tag)
{
    const session *work = &target->session;
    const ag_effect_info *now = NULL;
    if (work->api->pass_load(work->device, target->request->folder, &now) < 0 ||
        now->settings_tag == *tag)
        return;
    *tag = now->settings_tag;
    if (*tag != target->request->effect->settings_tag)
        note("the slots or settings of %s have changed: the former pass goes on; start again to "
             "run the new one",
             now->id);
}

int run_watch(run *chain, const char *const *outputs)
{
    const run_request *request = chain->request;
    session *work = &chain->session;
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    uint32_t generation = 0, tags[RUN_MAX_STAGES];
    const char *watched = request->shaders;
    for (int i = 0; i < request->stage_count; i++) {
        tags[i] = request[i].effect->settings_tag;
        watched = watched ? watched : request[i].folder;
    }
    note("watching %s; Ctrl-C ends", request->folder ? request->folder : watched);
    int status = STATUS_OK;
    for (uint64_t frame = 1; !stopped && status == STATUS_OK; frame++) {
        ag_reload reload = {.struct_size = sizeof reload};
        nanosleep(&(struct timespec){.tv_nsec = FRAME_NS}, NULL);
        status = session_check(work, work->api->frame(work->device, frame), STATUS_FAILED, "frame");
        for (int i = 0; i < request->stage_count && status == STATUS_OK; i++) {
            if (!request[i].folder)
                continue;
            run_adopt(&chain[i]);
            tell_interface(&chain[i], &tags[i]);
        }
        if (status == STATUS_OK)
            status = session_check(work, work->api->reload_status(work->device, &reload),
                                   STATUS_FAILED, "reload_status");
        if (status != STATUS_OK || reload.generation == generation)
            continue;
        generation = reload.generation;
        status = run_repeat(chain, outputs);
        if (status == STATUS_OK)
            note("edit %u: %s is written", (unsigned)generation, request->output);
    }
    return status;
}
