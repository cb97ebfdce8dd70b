// timer.h - GPU times by GL_TIMESTAMP, never waiting
// SPDX-License-Identifier: MIT
//
// Timestamps, not GL_TIME_ELAPSED: those do not nest inside a query of the host's. N steps take N+1
// stamps from a ring. A sample is read frames later, when its last stamp is there; when the ring is
// full the new sample is dropped and counted.
#ifndef AG_TIMER_H
#define AG_TIMER_H

#include "gl.h"

struct ag_device;

enum { AG_MAX_STEPS = 4, AG_HISTORY = 512 };

typedef struct ag_history { // of a pass or a step: the last AG_HISTORY samples, in ns
    float gpu[AG_HISTORY], cpu[AG_HISTORY];
    uint64_t count;
} ag_history;

typedef struct ag_sample {
    ag_pass *pass; // NULL: the pass is gone
    uint64_t frame;
    uint32_t first_stamp; // in the ring of queries
    uint32_t intervals;   // 1, or the number of steps
    bool by_step;
    uint64_t cpu[AG_MAX_STEPS + 1];
} ag_sample;

typedef struct ag_timer {
    GLuint *queries;
    ag_sample *samples; // ring; as many as there are pairs of queries
    uint32_t capacity;  // of queries
    uint64_t stamps_made, stamps_read;
    uint64_t samples_made, samples_read;
    uint64_t dropped;
    bool available;
} ag_timer;

ag_status ag_timer_create(struct ag_device *device);
void ag_timer_destroy(struct ag_device *device, bool with_gl);
// Starts a sample of up to `intervals` intervals, or returns NULL: no timing, or the ring is full.
ag_sample *ag_timer_begin(struct ag_device *device, ag_pass *pass, uint64_t frame,
                          uint32_t intervals, bool by_step);
// Places the sample's stamp `index`, 0 .. intervals.
void ag_timer_stamp(struct ag_device *device, ag_sample *sample, uint32_t index);
// Reads what has arrived: into the passes' histories and to the host's span callback.
void ag_timer_harvest(struct ag_device *device);
void ag_timer_forget_pass(struct ag_device *device, const ag_pass *pass);
// Percentiles and means of a history.
void ag_history_stats(const ag_history *history, ag_stats *stats);

#endif
