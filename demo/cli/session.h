// cli/session.h - a context, a device on it, and one pass; sessions may share the first two
// SPDX-License-Identifier: MIT
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cache.h"
#include "gpu.h"

#include <afterglow/afterglow.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct session_span { // the part of an ag_span that measurements keep
    const ag_pass *pass;
    uint32_t step; // or AG_WHOLE_PASS
    uint64_t frame, gpu_begin, gpu_end, cpu_begin, cpu_end;
    uint64_t host_begin, host_end, clock_error; // the GPU's times on the CPU's clock
} session_span;

typedef struct session {
    const ag_api *api;
    struct session *owner; // of context, device, cache and spans: this session, or another
    gpu gpu;
    ag_device *device;
    ag_pass *pass;
    cache cache;    // of compiled programs
    bool tuned;     // the device took the tuning
    bool explained; // the module has logged an error since the last session_check
    // Spans of frames other than 0, in the order of their arrival.
    session_span *spans;
    size_t span_count, span_capacity;
    bool spans_lost; // out of memory
} session;

typedef struct session_desc {
    const ag_api *api;
    const char *effect;  // NULL: a device alone
    const char *folder;  // of the effect; NULL: it is one of the module
    const char *shaders; // NULL: embedded
    const char *tuning;  // a text that `afterglow tune` wrote; NULL: none
    int device;
} session_desc;

typedef struct session_pass { // of a chain, whose passes are executed one after the other
    session *work;
    const char *effect;
    ag_job *job;
    const ag_plan *plan;
} session_pass;

// The module's callbacks get a pointer to the session, so it must not move while it is open.
int session_open(session *out, const session_desc *desc); // returns a STATUS_*; errors are printed
// Another pass on the owner's device. Close it before the owner.
int session_join(session *out, session *owner, const session_desc *desc);
void session_close(session *target); // a zeroed session is fine

// Returns STATUS_OK on success, else `failure`; a message about `what` is then printed in any case.
int session_check(session *target, ag_status status, int failure, const char *what);
uint64_t session_now_ns(void);

#endif
