// measure.h - measures one piece of work hot, on the same textures, and cold, on changing ones
// SPDX-License-Identifier: MIT
//
//   hot    the same textures every time: the case of a pass whose input was just drawn
//   cold   as many textures in turn as no cache holds: the case of a pass in a crowded frame.
//          Scratch memory and spectra of the pass stay the same
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "gpu_time.h"

enum { MEASURE_MAX_SETS = 64 };

typedef struct measure_work {
    bool (*record)(void *user, int set); // one execution on a set of textures, barrier included
    void (*between)(void *user);         // not timed; NULL: nothing
    void *user;
    int sets;
} measure_work;

typedef struct measured {
    gpu_times hot, cold;
    int sets;
} measured;

// How many sets of `set_bytes` each exceed `total_bytes` together.
int measure_sets(double set_bytes, double total_bytes);

bool measure(gpu_timer *timer, const measure_work *work, int samples, measured *out);

#endif
