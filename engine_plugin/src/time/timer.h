// timer.h - GPU times by GL_TIMESTAMP, never waiting
// SPDX-License-Identifier: MIT
//
// Timestamps, not GL_TIME_ELAPSED: those do not nest inside a query of the host's. N steps take N+1
// stamps from a ring. Samples are read frames later, a frame's at once when the last stamp of them all is
// there; when the ring is full the new sample is dropped and counted.
#ifndef AG_TIMER_H
#define AG_TIMER_H

#include "gl/gpu.h"
#include "time/gpu_clock.h"
#include "time/history.h"

enum { AG_MAX_STEPS = 64 };

typedef struct ag_timed {  // what is timed: a pass, as far as times are concerned
    ag_pass *pass;         // as the host knows it
    const char *name;      // its effect
    const ag_step *steps;  // of its plan, for their names
    uint32_t step_count;   // histories there are
    ag_history *histories; // of the steps; NULL for one step, which is the pass
    ag_history whole;      // of the pass
    uint64_t dropped;
} ag_timed;

typedef struct ag_sample {
    ag_timed *timed; // NULL: it is gone
    uint64_t frame;
    uint64_t harvest;     // how many there had been
    uint32_t first_stamp; // in the rings of stamps
    uint32_t intervals;   // 1, or the number of steps
    bool by_step;
    bool first;            // some program was dispatched for the first time
    uint64_t enter, leave; // execute as a whole, on the host's clock
} ag_sample;

typedef struct ag_timer {
    const ag_gpu *gpu;
    GLuint *queries;    // ring of stamps on the GPU's clock
    uint64_t *cpu;      // and on the host's, of samples by step
    uint32_t capacity;  // of both
    ag_sample *samples; // ring; as many as there are pairs of stamps
    uint64_t stamps_made, stamps_read;
    uint64_t samples_made, samples_read;
    uint64_t harvests;
    uint64_t dropped;
    bool available;
    ag_gpu_clock clock;
    uint64_t placed, placed_error; // the last stamp on the host's clock, and how far off it may be
} ag_timer;

// A timer with room for so many stamps; 0: the usual number. errors  AG_E_MEMORY
ag_status ag_timer_create(ag_timer *timer, const ag_gpu *gpu, uint32_t stamps);
void ag_timer_destroy(ag_timer *timer, bool with_gl);
// Starts a sample of `intervals` intervals, or returns NULL: no timing, or the ring is full. `enter`: when
// execute began.
ag_sample *ag_timer_begin(ag_timer *timer, ag_timed *timed, uint64_t frame, uint32_t intervals,
                          bool by_step, uint64_t enter);
// Places the sample's stamp `index`, 0 .. intervals; a NULL sample is fine.
void ag_timer_stamp(ag_timer *timer, const ag_sample *sample, uint32_t index);
// Execute is about to return; a NULL sample is fine.
void ag_timer_leave(const ag_timer *timer, ag_sample *sample);
// Reads what has arrived: into histories and to the host's span callback.
void ag_timer_harvest(ag_timer *timer);
// Samples under way of what is gone, or of another plan, go nowhere.
void ag_timer_forget(ag_timer *timer, const ag_timed *timed);

#endif
