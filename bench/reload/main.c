// main.c - `afterglow-bench-reload`: options, and what the parts share
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "bench_reload.h"
#include "cache.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPT_SIZE, OPT_EDITS, OPT_STARTS, OPT_DRIVER_CACHE, OPT_DEVICE, OPT_COUNT };

static const option options[OPT_COUNT] = {
    [OPT_SIZE] = {"--size", "WxH", "of the frame; default 1920x1080"},
    [OPT_EDITS] = {"--edits", "N", "of each kind; default 10, 0: none"},
    [OPT_STARTS] = {"--starts", "N", "cold and warm ones; default 10, 0: none"},
    [OPT_DRIVER_CACHE] = {"--driver-cache", NULL,
                          "leave the driver's own cache on, empty at first"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const command description = {.name = "afterglow-bench-reload", // for messages
                                    .options = options,
                                    .option_count = OPT_COUNT};

static void print_help(void)
{
    puts("usage: afterglow-bench-reload [options]\n\n"
         "Measures by how much the worst frame exceeds the median while shaders are edited, how\n"
         "long a bloom takes to start with an empty and with a filled program cache, and what\n"
         "frames pay while a second one is prepared, with and without AG_JOB_BACKGROUND.\n");
    for (int i = 0; i < OPT_COUNT; i++)
        printf("  %-14s %-5s %s\n", options[i].name, options[i].value ? options[i].value : "",
               options[i].help);
}

uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count ? values[count / 2] : 0;
}

// ---- the host ----------------------------------------------------------------------------------

static void *gl_proc(void *user, const char *name)
{
    return headless_proc(((bench_host *)user)->gpu.context, name);
}

static void log_message(void *user, const ag_message *message)
{
    if (message->level <= AG_LOG_WARNING && !((bench_host *)user)->quiet)
        note("%s", message->text);
}

static uint64_t host_now(void *user)
{
    (void)user;
    return now_ns();
}

static size_t load(void *user, const char *key, void *data, size_t capacity)
{
    return cache_load(((bench_host *)user)->cache, key, data, capacity);
}

static void store(void *user, const char *key, const void *data, size_t bytes)
{
    cache_store(((bench_host *)user)->cache, key, data, bytes);
}

ag_host host_of(bench_host *self)
{
    return (ag_host){.struct_size = sizeof(ag_host),
                     .user = self,
                     .gl_proc = gl_proc,
                     .log = log_message,
                     .now_ns = host_now,
                     .cache_load = self->cache ? load : NULL,
                     .cache_store = self->cache ? store : NULL};
}

// ---- the scene ---------------------------------------------------------------------------------

void scene_create(gpu *on, const bench_options *wanted, bloom_scene *out)
{
    const GladGLContext *gl = &on->gl;
    *out = (bloom_scene){.gpu = on};
    gl->GenTextures(2, out->textures);
    for (int i = 0; i < 2; i++) {
        gl->BindTexture(GL_TEXTURE_2D, out->textures[i]);
        gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, wanted->width, wanted->height);
        out->slots[i ? 2 : 0] = (ag_texture){.struct_size = sizeof(ag_texture),
                                             .name = out->textures[i],
                                             .target = GL_TEXTURE_2D,
                                             .format = GL_RGBA16F,
                                             .width = wanted->width,
                                             .height = wanted->height};
    }
    out->slots[1].struct_size = sizeof out->slots[1];
    gl->BindTexture(GL_TEXTURE_2D, 0);
    out->job = (ag_job){.struct_size = sizeof out->job,
                        .slots = out->slots,
                        .slot_count = 3,
                        .next_use = AG_USE_SAMPLE};
}

void scene_destroy(bloom_scene *target)
{
    if (target->gpu)
        target->gpu->gl.DeleteTextures(2, target->textures);
    *target = (bloom_scene){0};
}

// ---- options -----------------------------------------------------------------------------------

static int parse(int argc, char **argv, bench_options *out)
{
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        bool good = true;
        switch (which) {
        case OPT_SIZE: good = parse_size(reader.value, &out->width, &out->height, NULL); break;
        case OPT_EDITS: good = parse_int(reader.value, 0, 1000, &out->edits); break;
        case OPT_STARTS: good = parse_int(reader.value, 0, 1000, &out->starts); break;
        case OPT_DRIVER_CACHE: out->driver_cache = true; break;
        case OPT_DEVICE: good = parse_int(reader.value, 0, 1000, &out->device); break;
        default: return fail(STATUS_USAGE, "expected options only; see --help");
        }
        if (!good)
            return fail(STATUS_USAGE, "%s: %s is out of range", options[which].name, reader.value);
    }
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    bench_options wanted = {.width = 1920, .height = 1080, .edits = 10, .starts = 10};
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help();
        return STATUS_OK;
    }
    // A child of measure_starts or measure_background; it uses its parent's caches.
    bool start = argc > 1 && strcmp(argv[1], "--start-once") == 0;
    bool background = argc > 1 && strcmp(argv[1], "--background-once") == 0;
    bool child = start || background || (argc > 1 && strcmp(argv[1], "--waiting-once") == 0);
    int status = parse(argc - child, argv + child, &wanted);
    if (status == STATUS_OK && child)
        return start ? start_once(&wanted) : background_once(&wanted, background);
    if (status == STATUS_OK && wanted.driver_cache)
        status = driver_cache_empty();
    else
        driver_cache_off();
    if (status == STATUS_OK && wanted.edits)
        status = measure_frames(&wanted);
    if (status == STATUS_OK && wanted.starts)
        status = measure_starts(&wanted);
    if (status == STATUS_OK && wanted.starts)
        status = measure_background(&wanted);
    driver_cache_drop();
    return status;
}
