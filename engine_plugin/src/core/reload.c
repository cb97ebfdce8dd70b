// reload.c - live reload: replaces the programs of passes after files changed, a little each frame
// SPDX-License-Identifier: MIT
//
// Each change of the folder is a round. The sources of all programs of all prepared passes are
// expanded again. Programs whose text changed compile beside the old ones. When all have finished,
// each pass whose programs all work takes them, all passes in the same frame(). A change of the
// folder before that begins a new round.
#include "base/abi.h"
#include "base/log.h"
#include "base/system.h"
#include "core/device.h"

#include <string.h>

enum { LEAST_BUDGET_NS = 200000, SLOW_FRAME_NS = 250000000, MOST_BUDGET_NS = 500000000 };
enum { NAP_MS = 1, MOST_NAPS = MOST_BUDGET_NS / 1000000 / NAP_MS };

// ---- reports to the host -----------------------------------------------------------------------

// The length of a problem's text without the driver's own log, whose lines count those of one
// variant.
static size_t said_length(const ag_text *text)
{
    const char *log = text->data ? strstr(text->data, AG_DRIVERS_LOG) : NULL;
    return log ? (size_t)(log - text->data) : text->length;
}

static bool is_told(const ag_device *device, const ag_problem *problem)
{
    const ag_text *now = &problem->text, *before = &device->reload.told.text;
    size_t length = said_length(now);
    return length == said_length(before) && (!length || !memcmp(now->data, before->data, length));
}

void ag_reload_tell(ag_device *device)
{
    ag_problem *refused = &device->compiler.refused;
    if (!refused->text.length)
        return;
    if (!is_told(device, refused))
        ag_problem_log(&device->gpu.host, refused, AG_E_SHADER);
    ag_problem_free(&device->reload.told);
    device->reload.told = *refused;
    *refused = (ag_problem){0};
}

// Takes a problem over. The first problem of a round that was not reported before is reported at
// once: an edit of one pass must not repeat the error of another, and that error must not hide a
// new one.
static void offer(ag_device *device, ag_problem *problem)
{
    ag_compiler *compiler = &device->compiler;
    bool is_first = problem->text.length && device->reload.told_in != compiler->round;
    if (!is_first || is_told(device, problem)) {
        ag_problem_free(problem);
        return;
    }
    device->reload.told_in = compiler->round;
    ag_problem_free(&compiler->refused);
    compiler->refused = *problem;
    ag_reload_tell(device);
}

static uint32_t count_failed(const ag_device *device)
{
    uint32_t failed = 0;
    for (const ag_pass *pass = device->passes; pass; pass = pass->next)
        failed +=
            pass->prepared && ag_pass_folder(pass) && pass->programs.origin != AG_ORIGIN_FOLDER;
    return failed;
}

void ag_reload_prepared(ag_device *device)
{
    const ag_compiler *compiler = &device->compiler;
    if (compiler->reloading || count_failed(device))
        return;
    ag_problem_free(&device->reload.told);
    for (ag_loaded *l = device->loaded; l; l = l->next)
        if (!l->broken) {
            ag_watch_accept(l->folder);
            l->good = l->newest;
        }
    if (compiler->watch)
        ag_watch_accept(compiler->watch);
}

typedef struct watched { // of the folders of shaders and of passes
    uint32_t paths, unsettled;
} watched;

static watched count_watched(const ag_device *device)
{
    const ag_watch *shaders = device->compiler.watch;
    watched all = {0};
    if (shaders)
        all = (watched){ag_watch_paths(shaders), ag_watch_unsettled(shaders)};
    for (const ag_loaded *l = device->loaded; l; l = l->next) {
        all.paths += ag_watch_paths(l->folder);
        all.unsettled += ag_watch_unsettled(l->folder);
    }
    return all;
}

ag_status ag_reload_status(ag_device *device, ag_reload *out)
{
    if (!device)
        return AG_E_ARG;
    const ag_compiler *compiler = &device->compiler;
    watched folders = count_watched(device);
    uint32_t pending = folders.unsettled;
    if (compiler->reloading) {
        ++pending; // the round itself
        for (const ag_build *build = compiler->builds; build; build = build->next)
            pending += build->users && build->state == AG_BUILD_COMPILING;
    }
    const ag_problem *told = &device->reload.told;
    uint32_t failed = count_failed(device);
    bool says = failed && told->text.length > 0;
    ag_reload mine = {.struct_size = sizeof mine,
                      .generation = device->reload.generation,
                      .pending = pending,
                      .failed = failed,
                      .watched = folders.paths,
                      .line = says ? told->line : 0,
                      .column = says ? told->column : 0,
                      .file = says && told->file[0] ? told->file : NULL,
                      .message = says ? told->text.data : NULL};
    return ag_write_struct(&device->gpu.host, "reload", out, &mine, sizeof mine);
}

// ---- a round -----------------------------------------------------------------------------------

// Leaves what an unfinished or failed round has made for a pass.
static void drop_next(ag_pass *pass)
{
    for (uint32_t i = 0; i < pass->programs.count; ++i) {
        ag_build_release(pass->programs.slots[i]->next);
        pass->programs.slots[i]->next = NULL;
    }
}

static void begin(ag_device *device)
{
    ag_compiler *compiler = &device->compiler;
    ++compiler->round;
    compiler->reloading = true;
    ag_problem_free(&compiler->refused);
    for (ag_pass *pass = device->passes; pass; pass = pass->next) {
        drop_next(pass);
        for (uint32_t i = 0; i < pass->programs.count; ++i)
            pass->programs.slots[i]->fresh = false;
    }
}

// Whether a round replaces its programs.
static bool takes_part(const ag_pass *pass)
{
    return pass->prepared && ag_pass_folder(pass) && !ag_pass_is_former(pass);
}

static ag_program_slot *next_slot(const ag_device *device)
{
    for (const ag_pass *pass = device->passes; pass; pass = pass->next)
        for (uint32_t i = 0; takes_part(pass) && i < pass->programs.count; ++i)
            if (pass->programs.slots[i]->round != device->compiler.round)
                return pass->programs.slots[i];
    return NULL;
}

// Gives programs to the driver, at least one. False if some are left for the next frame.
static bool submit(ag_device *device, uint64_t deadline, bool *worked)
{
    ag_compiler *compiler = &device->compiler;
    ag_program_slot *slot = next_slot(device);
    while (slot) {
        *worked = true;
        slot->round = compiler->round;
        ag_problem problem = {0};
        ag_program_renew(compiler, slot, &problem); // a failure leaves next NULL
        offer(device, &problem);
        slot = next_slot(device);
        if (ag_now(&compiler->gpu->host) >= deadline)
            return slot == NULL;
    }
    return true;
}

// Polls the builds that have users, or all builds. False while one of them compiles.
static bool collect(ag_device *device, bool all, uint64_t deadline, bool *worked)
{
    ag_compiler *compiler = &device->compiler;
    for (ag_build *build = compiler->builds; build; build = build->next) {
        if (build->state != AG_BUILD_COMPILING || !(all || build->users))
            continue;
        ag_build_poll(compiler, build, false);
        if (build->state == AG_BUILD_COMPILING)
            return false;
        *worked = true;
        if (build->state == AG_BUILD_FAILED && build->users) {
            ag_problem problem = {0};
            ag_problem_copy(&compiler->gpu->host, &build->problem, &problem);
            offer(device, &problem);
        }
        if (ag_now(&compiler->gpu->host) >= deadline)
            return false;
    }
    return true;
}

// After a round, in later frames: deletes builds without users once the driver has finished all
// builds.
static void tidy(ag_device *device, uint64_t deadline)
{
    bool worked = false;
    if (!device->reload.untidy || !collect(device, true, deadline, &worked))
        return;
    ag_builds_sweep(&device->compiler, true);
    device->reload.untidy = false;
}

// Whether all programs of a pass work with the folder's shaders.
static bool is_good(const ag_pass *pass, ag_device *device)
{
    bool good = true;
    for (uint32_t i = 0; i < pass->programs.count; ++i) {
        const ag_program_slot *slot = pass->programs.slots[i];
        ag_problem problem = {0};
        // `next` is NULL if the source did not expand, or if prepare made the program in this
        // round.
        bool works = slot->next ? ag_program_accepts(slot, slot->next, &problem) : slot->fresh;
        good = good && works;
        offer(device, &problem);
    }
    return good;
}

// Replaces all programs of the pass at once, and computes again what the old ones had computed in
// prepare. Returns how many changed; on failure the old programs stay.
static int32_t swap(ag_pass *pass)
{
    ag_build *old[AG_MAX_PROGRAMS];
    ag_program_set *set = &pass->programs;
    int32_t changed = 0;
    bool remake = false;
    for (uint32_t i = 0; i < set->count; ++i) {
        ag_program_slot *slot = set->slots[i];
        old[i] = slot->build;
        ++old[i]->users;
        if (!slot->next)
            continue;
        bool differs = slot->next != slot->build;
        changed += differs;
        remake = remake || (differs && slot->use.in_prepare);
        ag_program_serve(slot, slot->next);
        slot->next = NULL;
    }
    ag_status status = remake ? ag_pass_remake(pass) : AG_OK;
    for (uint32_t i = 0; i < set->count; ++i) {
        ag_program_slot *slot = set->slots[i];
        if (status < 0) {
            ag_program_serve(slot, old[i]);
            continue;
        }
        ag_build_release(old[i]);
        if (!slot->fresh)
            slot->files = slot->next_files;
    }
    set->origin = status < 0 ? AG_ORIGIN_GOOD : AG_ORIGIN_FOLDER;
    return status < 0 ? 0 : changed;
}

static void conclude(ag_device *device)
{
    int32_t programs = 0, passes = 0;
    for (ag_pass *pass = device->passes; pass; pass = pass->next) {
        // An edit that has an error of its own counts as one of its shaders.
        if (pass->loaded && pass->loaded->broken && pass->programs.origin == AG_ORIGIN_FOLDER)
            pass->programs.origin = AG_ORIGIN_GOOD;
        if (!takes_part(pass))
            continue;
        if (is_good(pass, device)) {
            int32_t changed = swap(pass);
            programs += changed;
            passes += changed > 0;
            continue;
        }
        // One of its programs failed: the pass keeps all old ones, and the new builds are released.
        if (pass->programs.origin == AG_ORIGIN_FOLDER) // the folder has changed since
            pass->programs.origin = AG_ORIGIN_GOOD;
        drop_next(pass);
    }
    device->compiler.reloading = false;
    ag_reload_prepared(device);
    if (programs) {
        ++device->reload.generation;
        ag_say(&device->gpu.host, AG_LOG_INFO,
               "shaders reloaded: generation %u, %d programs of %d passes",
               device->reload.generation, programs, passes);
    }
    device->reload.untidy = true;
}

// ---- a frame -----------------------------------------------------------------------------------

typedef struct frame_time {
    uint64_t entered;
    uint64_t between; // the time that the host took since the last frame
    uint64_t given;   // the host's budget; 0: it follows `between`
} frame_time;

static bool is_busy(const ag_device *device)
{
    return device->compiler.reloading || count_watched(device).unsettled;
}

// With four frames a second or fewer there are too few to spread a reload over: an edit is to take
// half a second, not a number of frames.
static bool is_slow(const frame_time *time)
{
    return !time->given && time->between >= SLOW_FRAME_NS;
}

// Of the time between frames, a sixty-fourth while nothing happens. For an edit an eighth, more the
// slower the frames are, and all of it where they are slow.
static uint64_t deadline_of(const ag_device *device, const frame_time *time)
{
    if (time->given)
        return time->entered + time->given;
    uint64_t between = time->between < MOST_BUDGET_NS ? time->between : MOST_BUDGET_NS;
    uint64_t budget = between / 64;
    if (is_busy(device)) {
        uint64_t more = is_slow(time) ? between : between * between / SLOW_FRAME_NS;
        budget = more > between / 8 ? more : between / 8;
    }
    return time->entered + (budget > LEAST_BUDGET_NS ? budget : LEAST_BUDGET_NS);
}

// Looks at all folders; true if a content has changed.
static bool poll_folders(ag_device *device, uint64_t now, const frame_time *time)
{
    ag_compiler *compiler = &device->compiler;
    bool changed =
        compiler->watch && ag_watch_poll(compiler->watch, now, deadline_of(device, time));
    for (ag_loaded *l = device->loaded; l; l = l->next) {
        if (!ag_watch_poll(l->folder, now, deadline_of(device, time)))
            continue;
        changed = l->changed = true;
    }
    return changed;
}

// Descriptions of passes come before their shaders.
static void renew_descriptions(ag_device *device)
{
    for (ag_loaded *l = device->loaded; l; l = l->next) {
        ag_problem problem = {0};
        if (l->changed)
            ag_loaded_renew(&device->gpu.host, l, &problem);
        l->changed = false;
        offer(device, &problem);
    }
}

static void advance(ag_device *device, uint64_t now, const frame_time *time)
{
    ag_compiler *compiler = &device->compiler;
    if (poll_folders(device, now, time)) {
        begin(device);
        renew_descriptions(device);
    }
    uint64_t deadline = deadline_of(device, time);
    bool worked = false;
    if (!compiler->reloading) {
        tidy(device, deadline);
        return;
    }
    if (!submit(device, deadline, &worked) || !collect(device, false, deadline, &worked))
        return;
    // If the rest has used this frame's time, the swap is left to the next frame.
    if (!worked || is_slow(time) || ag_now(&compiler->gpu->host) < deadline)
        conclude(device);
}

void ag_reload_frame(ag_device *device)
{
    const ag_host *host = &device->gpu.host;
    if (!device->compiler.watch && !device->loaded)
        return;
    uint64_t now = ag_now(host), left = device->reload.left;
    frame_time time = {now, left && now > left ? now - left : 0, device->desc.frame_budget};
    advance(device, now, &time);
    // A slow frame sees an edit through if it has the time: until the file has been quiet, while
    // the driver's threads compile. The naps are counted, too, because a host's clock may stand.
    for (uint32_t nap = 0; is_slow(&time) && is_busy(device) && nap < MOST_NAPS; ++nap) {
        now = ag_now(host);
        if (now >= deadline_of(device, &time))
            break;
        ag_sleep(NAP_MS);
        advance(device, ag_now(host), &time);
    }
    device->reload.left = ag_now(host);
}
