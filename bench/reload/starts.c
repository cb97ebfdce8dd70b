// starts.c - device_create and prepare of a bloom, with an empty and with a filled program cache;
// and a second one prepared beside frames
// SPDX-License-Identifier: MIT
//
// Each start has a process of its own, because drivers keep programs within a process. Beside
// frames of a bloom with the Gaussian, the aperture of the same size is prepared, whose programs
// the Gaussian has not: waiting, or with AG_JOB_BACKGROUND.
#define _XOPEN_SOURCE 700
#include "child.h"
#include "cli/cache.h"
#include "cli/report.h"
#include "driver_cache.h"
#include "reload.h"

#include <afterglow/bloom.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 200 }; // frames of the new look

typedef struct start { // of a child, in milliseconds since its begin
    const reload_wishes *wanted;
    bool background;
    double prepared, executed;   // since device_create began
    double ready, middle, worst; // beside frames: until it is prepared; frames
    unsigned programs, from_cache;
    int frames;
} start;

// ---- starts ------------------------------------------------------------------------------------

typedef struct keeper { // the host of a start
    engine *engine;
    cache kept;
} keeper;

static void *gl_proc(void *user, const char *name)
{
    return headless_proc(((keeper *)user)->engine->bench.gpu.context, name);
}

static size_t load(void *user, const char *key, void *data, size_t capacity)
{
    return cache_load(&((keeper *)user)->kept, key, data, capacity);
}

static void store(void *user, const char *key, const void *data, size_t bytes)
{
    cache_store(&((keeper *)user)->kept, key, data, bytes);
}

static int start_once(void *user)
{
    start *out = user;
    engine self = {0};
    keeper keeps = {.engine = &self};
    ag_health health = {.struct_size = sizeof health};
    int status = engine_open(&self, out->wanted, NULL, NULL);
    if (status != STATUS_OK)
        return status;
    const ag_api *api = self.bench.api;
    const ag_job *job = &self.scene.sets[0].job;
    ag_host host = bench_host(&self.bench);
    host.user = &keeps;
    host.gl_proc = gl_proc;
    host.cache_load = load;
    host.cache_store = store;
    cache_open(&keeps.kept);
    self.bench.gpu.gl.Finish();
    double begin = bench_now_us();
    bool good = bench_device(&self.bench, NULL, &host) == STATUS_OK &&
                api->pass_create(self.bench.device, "bloom", &self.pass) >= 0 &&
                api->prepare(self.pass, job) == AG_OK;
    out->prepared = (bench_now_us() - begin) * 1e-3;
    good = good && api->execute(self.pass, job, NULL) >= 0;
    self.bench.gpu.gl.Finish();
    out->executed = (bench_now_us() - begin) * 1e-3;
    good = good && api->health(self.bench.device, &health) >= 0;
    out->programs = health.programs;
    out->from_cache = health.programs_from_cache;
    engine_close(&self);
    cache_close(&keeps.kept);
    return good ? STATUS_OK : fail(STATUS_FAILED, "bloom cannot be prepared");
}

// `folder`: of the program cache.
static int measure_starts(start *it, const char *folder, bool warm)
{
    double prepared[RELOAD_REPEATS], executed[RELOAD_REPEATS];
    int count = it->wanted->starts;
    int status = warm ? child_run(start_once, it) : STATUS_OK; // fills the cache
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        if (!warm)
            folder_drop(folder);
        if (!warm && it->wanted->driver_cache)
            status = driver_cache_new(true);
        if (status == STATUS_OK)
            status = child_run(start_once, it);
        prepared[i] = it->prepared;
        executed[i] = it->executed;
    }
    if (status != STATUS_OK)
        return status;
    double middle = bench_median(prepared, count), first = bench_median(executed, count);
    printf("%-6s %10u %12u %14.1f %14.1f %14.1f\n", warm ? "warm" : "cold", it->programs,
           it->from_cache, middle, prepared[count - 1], first);
    return STATUS_OK;
}

int reload_starts(const reload_wishes *wanted)
{
    char folder[] = "/tmp/afterglow-bench-XXXXXX", kept[64];
    start *it = child_memory(sizeof *it);
    if (!it || !mkdtemp(folder))
        return fail(STATUS_FAILED, "no temporary folder can be made");
    it->wanted = wanted;
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(kept, sizeof kept, "%s/afterglow", folder);
    printf("\ndevice_create + prepare of bloom, %dx%d, %d starts of each kind, the driver's cache "
           "%s, in ms\n\n%-6s %10s %12s %14s %14s %14s\n",
           wanted->size.width, wanted->size.height, wanted->starts,
           wanted->driver_cache ? "on" : "off", "start", "programs", "from cache", "prepared",
           "at worst", "first picture");
    int status = measure_starts(it, kept, false);
    if (status == STATUS_OK)
        status = measure_starts(it, kept, true);
    folder_drop(folder);
    return status;
}

// ---- beside frames -----------------------------------------------------------------------------

static int background_once(void *user)
{
    start *out = user;
    engine self = {0};
    const ag_host host = bench_host(&self.bench);
    ag_pass *other = NULL;
    ag_bloom_settings look = AG_BLOOM_DEFAULTS;
    look.shape = AG_BLOOM_APERTURE;
    int status = engine_open(&self, out->wanted, &host, NULL);
    if (status == STATUS_OK)
        status = bench_check(&self.bench,
                             self.bench.api->pass_create(self.bench.device, "bloom", &other),
                             "pass_create");
    if (status == STATUS_OK)
        status = engine_frames_for(&self, reload_quiet_us);
    if (status != STATUS_OK)
        return status;
    const ag_job *job = &self.scene.sets[0].job;
    ag_job next = *job;
    ag_status prepared = AG_PENDING;
    next.settings = &look;
    next.flags = out->background ? AG_JOB_BACKGROUND : 0;
    self.count = 0;
    double begin = bench_now_us();
    while (status == STATUS_OK && prepared == AG_PENDING &&
           bench_now_us() - begin < reload_patience_us)
        status = engine_frame(&self, self.pass, job, other, &next, &prepared);
    out->ready = (bench_now_us() - begin) * 1e-3;
    if (status == STATUS_OK && prepared != AG_OK)
        status = fail(STATUS_FAILED, "the aperture is not prepared after 20 s");
    out->frames = self.count;
    // Its first frames, too: a driver may leave a part of the work to the first use.
    for (int i = 0; i < SHOWN && status == STATUS_OK; i++)
        status = engine_frame(&self, other, &next, NULL, NULL, NULL);
    out->middle = bench_median(self.frame_us, self.count) * 1e-3;
    out->worst = self.frame_us[self.count - 1] * 1e-3; // they are sorted
    if (other)
        self.bench.api->pass_destroy(other);
    engine_close(&self);
    return status;
}

int reload_background(const reload_wishes *wanted)
{
    double ready[RELOAD_REPEATS], beyond[RELOAD_REPEATS];
    start *it = child_memory(sizeof *it);
    int count = wanted->starts, status = it ? STATUS_OK : STATUS_FAILED;
    printf("\na second bloom (aperture) prepared beside frames of %dx%d, %d times, the driver's "
           "cache %s, in ms\n\n%-18s %10s %8s %14s %14s %12s\n",
           wanted->size.width, wanted->size.height, count, wanted->driver_cache ? "on" : "off",
           "prepare", "ready", "frames", "median frame", "worst, + typ.", "+ at worst");
    for (int background = 0; background < 2 && status == STATUS_OK; background++) {
        *it = (start){.wanted = wanted, .background = background};
        for (int i = 0; i < count && status == STATUS_OK; i++) {
            if (wanted->driver_cache)
                status = driver_cache_new(true);
            if (status == STATUS_OK)
                status = child_run(background_once, it);
            ready[i] = it->ready;
            beyond[i] = it->worst - it->middle;
        }
        if (status != STATUS_OK)
            return status;
        double until = bench_median(ready, count), typical = bench_median(beyond, count);
        printf("%-18s %10.1f %8d %14.2f %14.1f %12.1f\n",
               background ? "AG_JOB_BACKGROUND" : "waiting", until, it->frames, it->middle, typical,
               beyond[count - 1]);
    }
    return status;
}
