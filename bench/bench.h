// bench.h - what all parts of the bench share: a context, a device on it, a timer, and their names
// SPDX-License-Identifier: MIT
#ifndef BENCH_H
#define BENCH_H

#include "cli/gpu.h"
#include "gpu_time.h"
#include "picture.h"
#include "process.h"
#include "report.h"

#include <afterglow/afterglow.h>
#include <stdbool.h>

enum { BENCH_PICTURES = 4 };

typedef struct bench_size {
    int width, height;
} bench_size;

typedef struct bench {
    gpu gpu;
    gpu_timer timer;
    const ag_api *api;
    ag_device *device;
    // The module of the documents' methods, and its device on the same context: bench_ladder.
    const ag_api *ladder;
    ag_device *ladder_device;
    void *ladder_library;
    uint64_t frame; // number of the last one
    report report;  // with the names of what is measured

    // Of the benches of effects (effects.h):
    int samples;       // of each figure
    double cold_bytes; // of all the textures together that a cold run cycles through
    bool quick, smallest;
    bench_size only; // width 0: all sizes
    struct bench_picture {
        picture (*make)(int width, int height);
        picture made;
        unsigned used; // when it last was
    } pictures[BENCH_PICTURES];
    unsigned picture_uses;
} bench;

// bench_close takes what is open, or a zeroed bench.
void bench_open(bench *self, int device); // a context, and its names
void bench_device(bench *self, const ag_device_desc *desc, const ag_host *host); // NULL: its own
void bench_timer(bench *self);
void bench_ladder(bench *self);
void bench_close(bench *self);

ag_host bench_host(bench *self); // a copy, to change; `user` is the context
void bench_check(const bench *self, ag_status status, const char *what);
void bench_frame(bench *self); // ends a frame of the devices
bool bench_has_extension(const GladGLContext *gl, const char *name);

// A picture that `make` made for this size; the last BENCH_PICTURES are kept.
const picture *bench_picture(bench *self, picture (*make)(int width, int height), int width,
                             int height);

// ---- times -------------------------------------------------------------------------------------

double bench_now_us(void);
// Sorts. Of an even count the mean of the middle two; NAN of none.
double bench_median(double *values, int count);

// Work is measured hot, on the same textures: the case of a pass whose input was just drawn; and
// cold, on as many textures in turn as no cache holds: the case of a pass in a crowded frame.
// Scratch memory and spectra of the pass stay the same.
enum { MEASURE_MAX_SETS = 64 };

typedef struct measure_work {
    bool (*record)(void *user, int set); // one execution on a set of textures, barrier included
    void (*between)(void *user);         // not timed; NULL: nothing
    void *user;
    int sets;
} measure_work;

int measure_sets(double set_bytes, double total_bytes); // so many of them exceed the total
void measure(bench *self, const measure_work *work, report_row *row); // its times

#endif
