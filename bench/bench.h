// bench.h - what the benches of all effects share
// SPDX-License-Identifier: MIT
#ifndef BENCH_H
#define BENCH_H

#include "cli/gpu.h"
#include "copy_speed.h"
#include "effects.h"
#include "gpu_time.h"
#include "report.h"

#include <afterglow/afterglow.h>
#include <stdbool.h>

typedef struct bench_size {
    int width, height;
} bench_size;

typedef struct bench {
    const ag_api *api;
    gpu gpu;
    ag_device *device;
    gpu_timer timer;
    copy_speed speed;
    report report;
    int samples;       // of each figure
    double cold_bytes; // of all the textures together that a cold run cycles through
    bool software;     // a software renderer: times mean nothing, and sizes are small
    bool quick, smallest;
    bench_size only;     // width 0: all sizes
    const char *methods; // of sat_methods: names with commas between them; NULL: all
} bench;

typedef struct bench_effect {
    const char *name;
    int (*run)(bench *self); // returns a STATUS_*; errors are printed
    bool only_named;         // runs only when it is named
} bench_effect;

#define BENCH_DECLARE(bench) extern const bench_effect bench;
BENCH_EFFECTS(BENCH_DECLARE)
#undef BENCH_DECLARE

// Selects the sizes of `all` that this run measures: the first `quick_count` with --quick, the
// first one with --smallest, reduced ones on a software renderer. Returns how many are in `out`.
enum { BENCH_MAX_SIZES = 16 };
int bench_sizes(const bench *self, const bench_size *all, int count, int quick_count,
                bench_size out[BENCH_MAX_SIZES]);

#endif
