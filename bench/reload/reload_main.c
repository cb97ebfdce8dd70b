// reload_main.c - `afterglow-bench reload`: what edits of shaders cost frames, and what a second
// bloom does that is prepared beside them
// SPDX-License-Identifier: MIT
//
// Beside frames of a bloom with the Gaussian, the aperture of the same size is prepared, whose
// programs the Gaussian has not: waiting, or with AG_JOB_BACKGROUND. Each time in a process of its
// own, because drivers keep programs within a process. What starts cost is `compile`'s.
#include "flags.h"
#include "reload.h"
#include "subcommands.h"

#include <afterglow/bloom.h>
#include <stdio.h>

enum { SHOWN = 200 }; // frames of the new look

typedef struct second { // of a child, in milliseconds
    const reload_wishes *wanted;
    bool background;
    double ready, middle, worst; // until it is prepared; frames
    int frames;
} second;

static void prepare_second(void *user)
{
    second *out = user;
    engine self = {0};
    const ag_host host = bench_host(&self.bench);
    ag_pass *other = NULL;
    ag_bloom_settings look = *ag_bloom_params(.intensity = 0.1f, .size = 0.3f);
    engine_open(&self, out->wanted, &host, NULL);
    const ag_api *api = self.bench.api;
    bench_check(&self.bench, api->pass_create(self.bench.device, "bloom", &other), "pass_create");
    engine_frames_for(&self, reload_quiet_us);
    const ag_job *job = &self.scene.sets[0].job;
    ag_job next = *job;
    ag_status prepared = AG_PENDING;
    next.settings = &look;
    next.flags = out->background ? AG_JOB_BACKGROUND : 0;
    self.count = 0;
    double begin = bench_now_us();
    while (prepared == AG_PENDING && bench_now_us() - begin < reload_patience_us)
        prepared = engine_frame(&self, self.pass, job, other, &next);
    out->ready = (bench_now_us() - begin) * 1e-3;
    must(prepared == AG_OK, "the aperture is not prepared after 20 s");
    out->frames = self.count;
    // Its first frames, too: a driver may leave a part of the work to the first use.
    for (int i = 0; i < SHOWN; i++)
        engine_frame(&self, other, &next, NULL, NULL);
    out->middle = bench_median(self.frame_us, self.count) * 1e-3;
    out->worst = self.frame_us[self.count - 1] * 1e-3; // they are sorted
    api->pass_destroy(other);
    engine_close(&self);
}

static void measure_seconds(const reload_wishes *wanted)
{
    double ready[RELOAD_REPEATS], beyond[RELOAD_REPEATS];
    second *it = child_memory(sizeof *it);
    int count = wanted->starts;
    printf("\na second bloom (aperture) prepared beside frames of %dx%d, %d times, the driver's "
           "cache %s, in ms\n\n%-18s %10s %8s %14s %14s %12s\n",
           wanted->size.width, wanted->size.height, count, wanted->driver_cache ? "on" : "off",
           "prepare", "ready", "frames", "median frame", "worst, + typ.", "+ at worst");
    for (int background = 0; background < 2; background++) {
        *it = (second){.wanted = wanted, .background = background};
        for (int i = 0; i < count; i++) {
            if (wanted->driver_cache)
                driver_cache_new(true);
            child_run(prepare_second, it);
            ready[i] = it->ready;
            beyond[i] = it->worst - it->middle;
        }
        double until = bench_median(ready, count), typical = bench_median(beyond, count);
        printf("%-18s %10.1f %8d %14.2f %14.1f %12.1f\n",
               background ? "AG_JOB_BACKGROUND" : "waiting", until, it->frames, it->middle, typical,
               beyond[count - 1]);
    }
}

#define WISH(kind, member) FLAG_INTO(reload_wishes, kind, member)
static const flag flags[] = {
    {"--size", "WxH", "of the frame; default 1920x1080", WISH(SIZE, size)},
    {"--edits", "N", "of each kind; default 10, 0: none", WISH(INT, edits), .most = RELOAD_REPEATS},
    {"--starts", "N", "of a second bloom; default 10, 0: none", WISH(INT, starts),
     .most = RELOAD_REPEATS},
    {"--driver-cache", NULL, "leave the driver's own cache on, empty at first",
     WISH(SET, driver_cache)},
    FLAG_DEVICE(reload_wishes),
    {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench reload",
    .usage = "[options]",
    .help =
        "Measures by how much the worst frame exceeds the median while shaders are edited, and what\n"
        "frames pay while a second bloom is prepared, with and without AG_JOB_BACKGROUND.\n",
    .flags = flags};

void reload_main(int argc, char **argv)
{
    reload_wishes wanted = {.size = {1920, 1080}, .edits = 10, .starts = 10};
    flags_read(&description, argc, argv, &wanted);
    if (wanted.driver_cache)
        driver_cache_new(true);
    else
        driver_cache_off(false);
    if (wanted.edits)
        child_run(reload_edits, &wanted);
    if (wanted.starts)
        measure_seconds(&wanted);
    driver_cache_drop();
}
