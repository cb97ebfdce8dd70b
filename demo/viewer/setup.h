// viewer/setup.h - what a window and frames without one begin with alike
// SPDX-License-Identifier: MIT
#ifndef VIEWER_SETUP_H
#define VIEWER_SETUP_H

#include "command.h"
#include "frame.h"

typedef struct setup_gl { // of a context that is current
    void *(*proc)(void *user, const char *name);
    void *user;
} setup_gl;

// GL's functions; false, with a line printed, where the context has less than 4.3.
bool setup_load(const setup_gl *from, GladGLContext *gl);
// The frame as the command line wants it. STATUS_*, having printed why.
int setup_frame(frame *f, const GladGLContext *gl, const setup_gl *from,
                const viewer_command *wanted);

#endif
