// background.c - the frames of an engine while it prepares another look: waiting, or with
// AG_JOB_BACKGROUND
// SPDX-License-Identifier: MIT
//
// The frame is a bloom with the Gaussian; what is prepared beside it is the aperture of the same
// size, whose programs the Gaussian has not. A process of its own for each repeat, because drivers
// keep programs within a process.
#define _POSIX_C_SOURCE 200809L
#include "bench_reload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IN_FLIGHT = 2, MAX_FRAMES = 200000 };
static const uint64_t patience_ns = 20000000000u, quiet_ns = 400000000u;

typedef struct frames {
    const GladGLContext *gl;
    GLsync fences[IN_FLIGHT];
    uint64_t number;
    double us[MAX_FRAMES];
    int count;
} frames;

// A frame's time is from its beginning to the beginning of the next, with `next` prepared within it
// (NULL: nothing).
static int one_frame(const ag_api *api, frames *f, ag_device *device, ag_pass *pass,
                     const ag_job *job, ag_pass *other, const ag_job *next, ag_status *prepared)
{
    uint64_t begin = now_ns();
    GLsync *fence = &f->fences[f->number++ % IN_FLIGHT];
    if (*fence) {
        f->gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10000000000u);
        f->gl->DeleteSync(*fence);
    }
    *prepared = next ? api->prepare(other, next) : AG_PENDING;
    if (*prepared < 0 || api->execute(pass, job, NULL) < 0 || api->frame(device, f->number) < 0)
        return fail(STATUS_FAILED, "a frame failed");
    *fence = f->gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    f->gl->Flush();
    if (f->count < MAX_FRAMES)
        f->us[f->count++] = (double)(now_ns() - begin) / 1e3;
    return STATUS_OK;
}

int background_once(const bench_options *options, bool background)
{
    bench_host self = {.cache = NULL};
    int status = gpu_open(&self.gpu, options->device);
    if (status != STATUS_OK)
        return status;
    frames *f = calloc(1, sizeof *f);
    if (!f)
        return fail_memory();
    f->gl = &self.gpu.gl;
    const ag_api *api = ag_entry_v1(AG_ABI_MINOR);
    bloom_scene scene;
    scene_create(&self.gpu, options, &scene);
    ag_host host = host_of(&self);
    ag_device *device = NULL;
    ag_pass *pass = NULL, *other = NULL;
    if (api->device_create(&host, NULL, &device) < 0 ||
        api->pass_create(device, "bloom", &pass) < 0 ||
        api->pass_create(device, "bloom", &other) < 0 || api->prepare(pass, &scene.job) != AG_OK)
        return fail(STATUS_FAILED, "bloom cannot be prepared");
    ag_bloom_settings look = AG_BLOOM_DEFAULTS;
    look.shape = AG_BLOOM_APERTURE;
    ag_job next = scene.job;
    next.settings = &look;
    next.flags = background ? AG_JOB_BACKGROUND : 0;

    ag_status prepared = AG_PENDING;
    for (uint64_t begin = now_ns();
         status == STATUS_OK && now_ns() - begin < quiet_ns;) // raises the clocks
        status = one_frame(api, f, device, pass, &scene.job, NULL, NULL, &prepared);
    f->count = 0;
    uint64_t begin = now_ns(), ready = 0;
    while (status == STATUS_OK && prepared == AG_PENDING && now_ns() - begin < patience_ns)
        status = one_frame(api, f, device, pass, &scene.job, other, &next, &prepared);
    ready = now_ns();
    if (status == STATUS_OK && prepared != AG_OK)
        status = fail(STATUS_FAILED, "the aperture is not prepared after 20 s");
    // Its first frames, too: a driver may leave a part of the work to the first use.
    for (int i = 0; i < 200 && status == STATUS_OK; i++)
        status = one_frame(api, f, device, other, &next, NULL, NULL, &prepared);
    if (status == STATUS_OK) {
        int shown = f->count - 200;
        double middle = median(f->us, f->count);
        printf("%g %g %g %d\n", (double)(ready - begin) / 1e6, middle, f->us[f->count - 1] - middle,
               shown);
    }
    for (int i = 0; i < IN_FLIGHT; i++)
        if (f->fences[i])
            f->gl->DeleteSync(f->fences[i]);
    api->device_destroy(device, 0);
    scene_destroy(&scene);
    free(f);
    gpu_close(&self.gpu);
    return status;
}

static int measure_kind(const bench_options *options, bool background)
{
    double ready[1000], beyond[1000], middle = 0;
    int shown = 0, status = STATUS_OK;
    char command[256], path[128];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return fail(STATUS_FAILED, "/proc/self/exe cannot be read");
    path[length] = '\0';
    snprintf(command, sizeof command, "'%s' --%s-once --size %dx%d --device %d", path,
             background ? "background" : "waiting", options->width, options->height,
             options->device);
    for (int i = 0; i < options->starts && status == STATUS_OK; i++) {
        if (options->driver_cache)
            status = driver_cache_empty();
        FILE *child = status == STATUS_OK ? popen(command, "r") : NULL;
        int got =
            child ? fscanf(child, "%lf %lf %lf %d", &ready[i], &middle, &beyond[i], &shown) : 0;
        if (!child || pclose(child) != 0 || got != 4)
            status = fail(STATUS_FAILED, "a start beside frames failed");
    }
    if (status != STATUS_OK)
        return status;
    double until = median(ready, options->starts), typical = median(beyond, options->starts);
    printf("%-18s %10.1f %8d %14.2f %14.1f %12.1f\n", background ? "AG_JOB_BACKGROUND" : "waiting",
           until, shown, middle / 1e3, typical / 1e3, beyond[options->starts - 1] / 1e3);
    return STATUS_OK;
}

int measure_background(const bench_options *options)
{
    printf(
        "\na second bloom (aperture) prepared beside frames of %dx%d, %d times, the driver's cache %s, in ms\n\n"
        "%-18s %10s %8s %14s %14s %12s\n",
        options->width, options->height, options->starts, options->driver_cache ? "on" : "off",
        "prepare", "ready", "frames", "median frame", "worst, + typ.", "+ at worst");
    int status = measure_kind(options, false);
    return status == STATUS_OK ? measure_kind(options, true) : status;
}
