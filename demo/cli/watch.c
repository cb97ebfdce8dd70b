// cli/watch.c - `afterglow run --watch`: rewrites the output when shaders or a folder's pass change
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "report.h"
#include "run.h"
#include "run_options.h"
#include "words.h"

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

typedef struct watching {
    run *chain;
    const char *const *outputs;
    const ag_effect_info *told[RUN_MAX_STAGES]; // the last description whose changes were said
    bool unloaded; // slots have changed, and their textures are not there
    const ag_effect_info *runs[RUN_MAX_STAGES]; // the description that the last output is of
    unsigned edits;                             // that were written
} watching;

static bool has_slot(const ag_effect_info *effect, const ag_slot_info *like)
{
    for (int i = 0; i < (int)effect->slot_count; i++)
        if (strcmp(effect_slot(effect, i)->name, like->name) == 0)
            return effect_slot(effect, i)->access == like->access;
    return false;
}

static bool has_setting(const ag_effect_info *effect, const ag_setting_info *like)
{
    for (int i = 0; i < (int)effect->setting_count; i++)
        if (strcmp(effect_setting(effect, i)->name, like->name) == 0)
            return effect_setting(effect, i)->type == like->type;
    return false;
}

// What `of` has and the other one has not, of this name and kind.
static void add_names(words *list, const ag_effect_info *of, const ag_effect_info *other)
{
    char text[64];
    for (int i = 0; i < (int)of->slot_count; i++)
        if (!has_slot(other, effect_slot(of, i))) {
            snprintf(text, sizeof text, "slot %s", effect_slot(of, i)->name);
            words_add(list, text);
        }
    for (int i = 0; i < (int)of->setting_count; i++)
        if (!has_setting(other, effect_setting(of, i))) {
            snprintf(text, sizeof text, "setting %s", effect_setting(of, i)->name);
            words_add(list, text);
        }
}

static void tell_change(const ag_effect_info *had, const ag_effect_info *now)
{
    char gone[512] = "", added[512] = "";
    words before = words_begin(gone, sizeof gone, ", ");
    words after = words_begin(added, sizeof added, ", ");
    add_names(&before, had, now);
    add_names(&after, now, had);
    note("%s has changed%s%s%s%s", now->id, *added ? "; new: " : "", added, *gone ? "; gone: " : "",
         gone);
}

// Takes a folder's description of now. Not STATUS_OK: the command does not do for it.
static int follow(watching *w, int stage)
{
    run_request *request = &w->chain->request[stage];
    session *work = &w->chain[stage].session;
    const ag_effect_info *now = request->effect;
    if (!request->folder || work->api->pass_load(work->device, request->folder, &now) < 0 ||
        now == request->effect)
        return STATUS_OK;
    if (now->settings_tag == request->effect->settings_tag) {
        request->effect = now; // of the same slots and settings
        return STATUS_OK;
    }
    if (now != w->told[stage])
        tell_change(request->effect, now);
    w->told[stage] = now;
    run_drop_textures(w->chain); // as the former links have them
    w->unloaded = true;
    int status = run_options_follow(w->chain->request, stage, now);
    if (status != STATUS_OK)
        note("the former pass goes on; start again with what the new one needs");
    return status;
}

static int follow_all(watching *w)
{
    int status = STATUS_OK;
    for (int i = 0; i < w->chain->request->stage_count && status == STATUS_OK; i++)
        status = follow(w, i);
    return status;
}

static int read_status(const watching *w, ag_reload *out)
{
    session *work = &w->chain->session;
    *out = (ag_reload){.struct_size = sizeof *out};
    return session_check(work, work->api->reload_status(work->device, out), STATUS_FAILED,
                         "reload_status");
}

// After an edit. What fails has been said, and waits for the next one. True: there was a further
// edit meanwhile.
static bool run_again(watching *w)
{
    const char *frames = NULL; // never with --watch
    ag_reload before, after;
    int status = read_status(w, &before);
    status = status == STATUS_OK ? follow_all(w) : status;
    if (status == STATUS_OK && w->unloaded) {
        status = run_load_slots(w->chain);
        status = status == STATUS_OK ? run_load_inputs(w->chain, &frames) : status;
        w->unloaded = status != STATUS_OK;
    }
    if (status == STATUS_OK)
        status = run_process(w->chain, w->outputs);
    if (status == STATUS_OK && !run_fell_back(w->chain))
        note("edit %u: %s is written", ++w->edits, w->chain->request->output);
    uint32_t own = 0; // a prepare that takes a new description counts as an edit
    for (int i = 0; i < w->chain->request->stage_count; i++) {
        const ag_effect_info *effect = w->chain->request[i].effect;
        own += effect != w->runs[i];
        w->runs[i] = status == STATUS_OK ? effect : w->runs[i];
    }
    return read_status(w, &after) == STATUS_OK && after.generation - before.generation > own;
}

int run_watch(run *chain, const char *const *outputs)
{
    const run_request *request = chain->request;
    session *work = &chain->session;
    watching w = {.chain = chain, .outputs = outputs};
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    const char *watched = request->shaders;
    for (int i = request->stage_count - 1; i >= 0; i--)
        watched = request[i].folder ? request[i].folder : watched;
    note("watching %s; Ctrl-C ends", watched);
    bool edited = false; // and the module is not done with it
    ag_reload before, after;
    for (int i = 0; i < request->stage_count; i++)
        chain[i].again = true;
    int status = follow_all(&w); // this device's own description, which is the same one
    for (int i = 0; i < request->stage_count; i++)
        w.told[i] = w.runs[i] = request[i].effect;
    for (uint64_t frame = 1; !stopped && status == STATUS_OK; frame++) {
        nanosleep(&(struct timespec){.tv_nsec = FRAME_NS}, NULL);
        status = read_status(&w, &before);
        if (status == STATUS_OK)
            status =
                session_check(work, work->api->frame(work->device, frame), STATUS_FAILED, "frame");
        if (status == STATUS_OK)
            status = read_status(&w, &after);
        edited = edited || after.pending || after.generation != before.generation;
        if (status == STATUS_OK && edited && !after.pending)
            edited = run_again(&w);
    }
    return status;
}
