// bench_reload.h - what the parts of afterglow-bench-reload share
// SPDX-License-Identifier: MIT
#ifndef BENCH_RELOAD_H
#define BENCH_RELOAD_H

#include "gpu.h"
#include "report.h"

#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct bench_options {
    int width, height; // of the frame
    int edits;         // of each kind
    int starts;        // of each kind
    int device;
    bool driver_cache; // leave the driver's own cache on
} bench_options;

// A bloom of an RGBA16F frame, as in an engine.
typedef struct bloom_scene {
    gpu *gpu;
    GLuint textures[2]; // src, dst
    ag_texture slots[3];
    ag_job job;
} bloom_scene;

void scene_create(gpu *on, const bench_options *options, bloom_scene *out);
void scene_destroy(bloom_scene *target);

uint64_t now_ns(void);
// The median and the largest of `count` values, which it sorts.
double median(double *values, int count);

// Switches the driver's own cache off, or on in a new folder, for this process and its children.
// Call it before the first context. The next call or driver_cache_drop deletes the folder. Returns
// a STATUS_*.
void driver_cache_off(void);
int driver_cache_empty(void);
void driver_cache_drop(void);

// The ag_host callbacks that both parts use; `user` is a bench_host.
typedef struct bench_host {
    gpu gpu;
    void *cache; // a `cache` of the command line's; NULL: none
    bool quiet;
} bench_host;
ag_host host_of(bench_host *self);

int measure_frames(const bench_options *options); // STATUS_*
int measure_starts(const bench_options *options);
// One start, in a process of its own; prints its times in ms.
int start_once(const bench_options *options);
// What a prepare beside frames costs them, waiting and with AG_JOB_BACKGROUND; one, in a process of
// its own.
int measure_background(const bench_options *options);
int background_once(const bench_options *options, bool background);

#endif
