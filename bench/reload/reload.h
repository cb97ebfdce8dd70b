// reload.h - what the parts of `afterglow-bench reload` share: wishes, and an engine's frames
// SPDX-License-Identifier: MIT
//
// A frame is one bloom and one call of frame(). Two frames are in flight, and frames follow each
// other without a pause: an engine that waits for a display would hide delays. A frame's time is
// from its beginning to the beginning of the next.
#ifndef BENCH_RELOAD_H
#define BENCH_RELOAD_H

#include "pass.h"

enum { RELOAD_FRAMES = 400000, RELOAD_IN_FLIGHT = 2, RELOAD_REPEATS = 1000 };
static const double reload_patience_us = 20e6, reload_quiet_us = 400e3;

typedef struct reload_wishes {
    bench_size size;   // of the frame
    int edits, starts; // of each kind; of second blooms
    int device;
    bool driver_cache; // leave the driver's own cache on
} reload_wishes;

typedef struct engine {
    bench bench;
    pass scene; // a bloom of an RGBA16F frame
    ag_pass *pass;
    GLsync fences[RELOAD_IN_FLIGHT];
    double *frame_us, *call_us; // of the interval being measured: frames, and their frame()
    int count;
} engine;

// A context, the scene, and its pass on a device with `host` (whose user is the context) and a
// folder of shaders, or NULL.
void engine_open(engine *out, const reload_wishes *wanted, const ag_host *host, const char *folder);
void engine_close(engine *target);
// One frame of `of` and `job`; within it `next` is prepared by `other` (NULL: nothing), whose
// status is returned.
ag_status engine_frame(engine *self, ag_pass *of, const ag_job *job, ag_pass *other,
                       const ag_job *next);
void engine_frames_for(engine *self, double us); // of its own pass; raises the clocks

void reload_edits(void *wishes); // prints its table; in a process of its own

#endif
