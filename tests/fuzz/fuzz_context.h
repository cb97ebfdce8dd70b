// fuzz_context.h - a context and a device; complaints of the driver end the process
// SPDX-License-Identifier: MIT
#ifndef AG_FUZZ_CONTEXT_H
#define AG_FUZZ_CONTEXT_H

#include "fuzz.h"
#include "headless.h"

#include <afterglow/afterglow.h>
#include <glad/gl.h>

typedef struct fuzz_context { // must not move while the device is there
    headless *gl_context;
    GladGLContext gl;
    const ag_api *ag;
    ag_host host;
    ag_device *device; // of fuzz_context_open
    bool not_current;  // what the host says of its context
    // The allocator: live blocks and bytes, and after how many calls it has no memory (0: it has).
    size_t blocks, bytes;
    uint64_t fail_after;
    bool complained; // the driver, since this was false
} fuzz_context;

// Context and host; then, by fuzz_context_open, a device without a wish.
void fuzz_context_begin(fuzz_context *context);
void fuzz_context_open(fuzz_context *context);

#endif
