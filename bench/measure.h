// measure.h - one work measured twice: on the same textures again and again, and on ever other ones
// SPDX-License-Identifier: MIT
//
//   hot    the same textures every time: what a pass sees whose input was just drawn
//   cold   in turn over so many textures that no cache holds them: what it sees in a crowded frame.
//          Scratch and spectra of the work itself stay the same ones
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

// How many sets of `set_bytes` each it takes so that together they exceed `total_bytes`.
int measure_sets(double set_bytes, double total_bytes);

bool measure(gpu_timer *timer, const measure_work *work, int samples, measured *out);

#endif
