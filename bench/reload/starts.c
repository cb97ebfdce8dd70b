// starts.c - device_create and prepare of a bloom, with an empty and with a filled program cache
// SPDX-License-Identifier: MIT
//
// Each start has a process of its own, because drivers keep programs within a process.
#define _POSIX_C_SOURCE 200809L
#include "bench_reload.h"
#include "cache.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int start_once(const bench_options *options)
{
    cache kept;
    bench_host self = {.cache = &kept};
    int status = gpu_open(&self.gpu, options->device);
    if (status != STATUS_OK)
        return status;
    const ag_api *api = ag_entry_v1(AG_ABI_MINOR);
    bloom_scene scene;
    scene_create(&self.gpu, options, &scene);
    cache_open(&kept);
    ag_host host = host_of(&self);
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    self.gpu.gl.Finish();
    uint64_t begin = now_ns();
    bool good = api->device_create(&host, NULL, &device) >= 0;
    uint64_t created = now_ns();
    good = good && api->pass_create(device, "bloom", &pass) >= 0 &&
           api->prepare(pass, &scene.job) == AG_OK;
    uint64_t prepared = now_ns();
    good = good && api->execute(pass, &scene.job, NULL) >= 0;
    self.gpu.gl.Finish();
    uint64_t executed = now_ns();
    ag_health health = {.struct_size = sizeof health};
    good = good && api->health(device, &health) >= 0;
    if (good)
        printf("%g %g %g %u %u\n", (double)(created - begin) / 1e6,
               (double)(prepared - begin) / 1e6, (double)(executed - begin) / 1e6, health.programs,
               health.programs_from_cache);
    else
        status = fail(STATUS_FAILED, "bloom cannot be prepared");
    api->device_destroy(device, 0);
    scene_destroy(&scene);
    cache_close(&kept);
    gpu_close(&self.gpu);
    return status;
}

static void empty(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/afterglow", folder);
    DIR *entries = opendir(path);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(path, sizeof path, "%s/afterglow/%.255s", folder, entry->d_name);
        unlink(path);
    }
    if (entries)
        closedir(entries);
}

typedef struct start { // milliseconds since device_create began
    double created, prepared, executed;
    unsigned programs, from_cache;
} start;

static int run_child(const bench_options *options, start *out)
{
    char command[256], path[128];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return fail(STATUS_FAILED, "/proc/self/exe cannot be read");
    path[length] = '\0';
    snprintf(command, sizeof command, "'%s' --start-once --size %dx%d --device %d", path,
             options->width, options->height, options->device);
    FILE *child = popen(command, "r");
    int got = child ? fscanf(child, "%lf %lf %lf %u %u", &out->created, &out->prepared,
                             &out->executed, &out->programs, &out->from_cache)
                    : 0;
    int status = child ? pclose(child) : -1;
    return got == 5 && status == 0 ? STATUS_OK : fail(STATUS_FAILED, "a start failed");
}

static int measure_kind(const bench_options *options, const char *folder, bool warm)
{
    double prepared[1000], executed[1000];
    start last = {0};
    int status = warm ? run_child(options, &last) : STATUS_OK; // fills the cache
    for (int i = 0; i < options->starts && status == STATUS_OK; i++) {
        if (!warm)
            empty(folder);
        if (!warm && options->driver_cache)
            status = driver_cache_empty();
        if (status == STATUS_OK)
            status = run_child(options, &last);
        prepared[i] = last.prepared;
        executed[i] = last.executed;
    }
    if (status != STATUS_OK)
        return status;
    int n = options->starts;
    double middle = median(prepared, n), picture = median(executed, n);
    printf("%-6s %10u %12u %14.1f %14.1f %14.1f\n", warm ? "warm" : "cold", last.programs,
           last.from_cache, middle, prepared[n - 1], picture);
    return STATUS_OK;
}

int measure_starts(const bench_options *options)
{
    char folder[] = "/tmp/afterglow-bench-XXXXXX", inside[64];
    if (!mkdtemp(folder))
        return fail(STATUS_FAILED, "no temporary folder can be made");
    setenv("XDG_CACHE_HOME", folder, 1);
    printf(
        "\ndevice_create + prepare of bloom, %dx%d, %d starts of each kind, the driver's cache %s, "
        "in ms\n\n%-6s %10s %12s %14s %14s %14s\n",
        options->width, options->height, options->starts, options->driver_cache ? "on" : "off",
        "start", "programs", "from cache", "prepared", "at worst", "first picture");
    int status = measure_kind(options, folder, false);
    if (status == STATUS_OK)
        status = measure_kind(options, folder, true);
    empty(folder);
    snprintf(inside, sizeof inside, "%s/afterglow", folder);
    rmdir(inside);
    rmdir(folder);
    return status;
}
