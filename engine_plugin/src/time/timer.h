// timer.h - GPU times by GL_TIMESTAMP, never waiting: their clock, their statistics
// SPDX-License-Identifier: MIT
//
// It uses timestamps, because GL_TIME_ELAPSED does not nest inside a query of the host. N steps
// take N+1 timestamps from a ring. Samples are read frames later, all samples of a frame together,
// once the last of their timestamps has arrived. If the ring is full, the new sample is dropped and
// counted.
#ifndef AG_TIMER_H
#define AG_TIMER_H

#include "gl/gpu.h"

enum { AG_MAX_STEPS = 64 };

enum { AG_HISTORY = 512 };

typedef struct ag_history { // of a pass or a step: the last AG_HISTORY samples, in ns
    float gpu[AG_HISTORY], cpu[AG_HISTORY];
    uint64_t count;
    double gpu_first, cpu_first; // of the last first use, which is not a sample; 0: none
} ag_history;

typedef struct ag_timed {  // the part of a pass that the timer needs
    ag_pass *pass;         // the host's handle
    const char *name;      // its effect
    const ag_step *steps;  // of its plan, for their names
    uint32_t step_count;   // of the plan
    uint32_t capacity;     // number of histories
    ag_history *histories; // of the steps; of one step alone the times are those of the pass
    ag_history whole;      // of the pass
    uint64_t dropped;
} ag_timed;

typedef struct ag_sample {
    ag_timed *timed; // NULL: the pass was destroyed or has a new plan
    uint64_t frame;
    uint64_t harvest;     // number of harvests before this sample
    uint32_t first_stamp; // index in the rings of timestamps
    uint32_t intervals;   // 1, or the number of steps
    bool by_step;
    bool first;            // some program was dispatched for the first time
    uint64_t enter, leave; // execute as a whole, on the host's clock
} ag_sample;

typedef struct ag_gpu_clock { // the last reading of both clocks
    bool known;
    uint64_t gpu, host;      // the same moment on both clocks, in ns
    double error;            // of that reading, in ns
    double rate, rate_error; // the host's ns per ns of the GPU, less 1
    uint64_t interval, next; // on the host's clock: between readings, and of the next one
} ag_gpu_clock;

typedef struct ag_timer {
    const ag_gpu *gpu;
    GLuint *queries;    // ring of timestamps on the GPU's clock
    uint64_t *cpu;      // the same on the host's clock, for samples by step
    uint32_t capacity;  // of both rings
    ag_sample *samples; // ring of capacity / 2 samples
    uint64_t stamps_made, stamps_read;
    uint64_t samples_made, samples_read;
    uint64_t harvests;
    uint64_t dropped;
    bool available;
    ag_gpu_clock clock;
    uint64_t placed, placed_error; // the last timestamp on the host's clock, and its error bound
} ag_timer;

// Creates a timer with `stamps` timestamps, at least 10; 0: 512. errors  AG_E_MEMORY
ag_status ag_timer_create(ag_timer *timer, const ag_gpu *gpu, uint32_t stamps);
void ag_timer_destroy(ag_timer *timer, bool with_gl);
// Starts a sample of `intervals` intervals. NULL: no timing, or the ring is full. `enter`: the
// host's time when execute began.
ag_sample *ag_timer_begin(ag_timer *timer, ag_timed *timed, uint64_t frame, uint32_t intervals,
                          bool by_step, uint64_t enter);
// Places the sample's timestamp `index`, 0 .. intervals; a NULL sample is ignored.
void ag_timer_stamp(ag_timer *timer, const ag_sample *sample, uint32_t index);
// Call it at the end of execute; a NULL sample is ignored.
void ag_timer_leave(const ag_timer *timer, ag_sample *sample);
// Reads results that have arrived, adds them to histories, and calls the host's span callback.
void ag_timer_harvest(ag_timer *timer);
// Makes room for the times of a plan's steps; nothing else changes. errors  AG_E_MEMORY
ag_status ag_timed_reserve(const ag_host *host, ag_timed *timed, uint32_t steps);
// For a pass that gets a new plan, or is destroyed: its times so far are void, also pending ones.
void ag_timed_restart(ag_timer *timer, ag_timed *timed, uint32_t steps);
// Percentiles, means and the first use of a history.
void ag_history_stats(const ag_history *history, ag_stats *stats);

#endif
