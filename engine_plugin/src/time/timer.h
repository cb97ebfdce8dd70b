// timer.h - GPU times by GL_TIMESTAMP, never waiting
// SPDX-License-Identifier: MIT
//
// Timestamps, not GL_TIME_ELAPSED: those do not nest inside a query of the host's. N steps take N+1
// stamps from a ring. Samples are read frames later, a frame's at once when the last stamp of them all is
// there; when the ring is full the new sample is dropped and counted.
#ifndef AG_TIMER_H
#define AG_TIMER_H

#include "gl/gl.h"
#include "time/gpu_clock.h"

struct ag_device;

enum { AG_MAX_STEPS = 4, AG_HISTORY = 512 };

typedef struct ag_history { // of a pass or a step: the last AG_HISTORY samples, in ns
    float gpu[AG_HISTORY], cpu[AG_HISTORY];
    uint64_t count;
    double gpu_first, cpu_first; // of the last first use, which is no sample; 0: none
} ag_history;

typedef struct ag_sample {
    ag_pass *pass; // NULL: the pass is gone
    uint64_t frame;
    uint64_t harvest;     // how many there had been
    uint32_t first_stamp; // in the ring of queries
    uint32_t intervals;   // 1, or the number of steps
    bool by_step;
    bool first;                     // some program was dispatched for the first time
    uint64_t enter, leave;          // execute as a whole, on the host's clock
    uint64_t cpu[AG_MAX_STEPS + 1]; // at the stamps, by step
} ag_sample;

typedef struct ag_timer {
    GLuint *queries;
    ag_sample *samples; // ring; as many as there are pairs of queries
    uint32_t capacity;  // of queries
    uint64_t stamps_made, stamps_read;
    uint64_t samples_made, samples_read;
    uint64_t harvests;
    uint64_t dropped;
    bool available;
    ag_gpu_clock clock;
    uint64_t placed, placed_error; // the last stamp on the host's clock, and how far off it may be
} ag_timer;

ag_status ag_timer_create(struct ag_device *device);
void ag_timer_destroy(struct ag_device *device, bool with_gl);
// Starts a sample of `intervals` intervals, or returns NULL: no timing, or the ring is full. `enter`: when
// execute began.
ag_sample *ag_timer_begin(struct ag_device *device, ag_pass *pass, uint64_t frame,
                          uint32_t intervals, bool by_step, uint64_t enter);
// Places the sample's stamp `index`, 0 .. intervals; a NULL sample is fine.
void ag_timer_stamp(struct ag_device *device, ag_sample *sample, uint32_t index);
// Execute is about to return; a NULL sample is fine.
void ag_timer_leave(const struct ag_device *device, ag_sample *sample);
// Reads what has arrived: into the passes' histories and to the host's span callback.
void ag_timer_harvest(struct ag_device *device);
void ag_timer_forget_pass(struct ag_device *device, const ag_pass *pass);
// Percentiles, means and the first use of a history.
void ag_history_stats(const ag_history *history, ag_stats *stats);

#endif
