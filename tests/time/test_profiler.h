// test_profiler.h - scripted clocks, a pass timed by them, and the tests of spans and clocks
// SPDX-License-Identifier: MIT
//
// The test advances the host's clock. The GPU's clock follows at a rate of its own, and a timestamp
// is its time when the timestamp was placed.
#ifndef AG_PROFILER_TESTS_H
#define AG_PROFILER_TESTS_H

#include "jobs.h"

enum { WORLD_STAMPS = 4096, WORLD_STEPS = 8 };

typedef struct world {
    uint64_t now, gpu_now; // of the host's clock and the GPU's, in ns
    double drift;          // how much faster the GPU's clock runs
    uint64_t reading_ns;   // the duration of reading the GPU's clock
    uint32_t readings;
    bool stuck;                    // no timestamp arrives
    bool falls;                    // the host's clock runs backwards
    uint64_t set_back;             // the host's clock is set back by so much
    uint32_t set_back_at;          // in so many stamps from now; 0: it is not
    uint64_t before_stamp;         // what passes before each stamp
    uint32_t step_ns[WORLD_STEPS]; // and, unless 0, before each stamp of one execute in turn
    uint32_t next_step;
    uint64_t stamps[WORLD_STAMPS];
    uint64_t true_begin; // on the host's clock, of the last execute's first stamp
} world;

void world_pass(world *w, uint64_t ns); // time passes

typedef struct scene { // do not move: callbacks point into it
    fixture *f;
    world w;
    test_job j;
    ag_pass *pass;
    uint32_t steps;
    uint64_t bytes; // of one execute
} scene;

// A prepared convolution by FFT, of several steps. `old`: OpenGL 4.3 without GL_QUERY_BUFFER.
void scene_open(scene *s, bool old, ag_device_desc desc);
// Checks that no question waited, too. `group`: whose context is current afterwards.
void scene_close(scene *s, fixture *group);
void scene_execute(scene *s, uint32_t flags);
void scene_frame(scene *s);
ag_stats scene_stats(scene *s, uint32_t step);

void test_spans(void **state);
void test_spans_in_order(void **state);
void test_clock_drift(void **state);
void test_clock_backs_off(void **state);
void test_clock_jumps(void **state);
void test_real_clocks(void **state);

#endif
