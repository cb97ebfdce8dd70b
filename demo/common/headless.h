// headless.h - an OpenGL context without a window, through EGL opened at run time
// SPDX-License-Identifier: MIT
//
// It works on Mesa (llvmpipe included) and on NVIDIA machines without a display. It links neither
// GL nor EGL: libEGL.so.1 is opened with dlopen, so a program that uses it runs wherever a driver
// is.
#ifndef AFTERGLOW_HEADLESS_H
#define AFTERGLOW_HEADLESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct headless headless;

typedef struct headless_options { // all zero: device 0, OpenGL 4.3 core, no debug, not robust
    int device;                   // index among EGL's devices; -1 prints them in the error
    int major, minor;             // 0, 0 = 4.3
    bool debug;                   // a debug context
    bool robust;                  // lose the context on reset; dropped when the driver refuses
    bool no_error;                // GL checks no call; without debug and robust
    headless *share;              // share objects with this context
} headless_options;

// Creates a context and makes it current. Returns NULL and writes one line to `error` on failure.
headless *headless_create(const headless_options *options, char *error, size_t error_size);
// Makes the context current on this thread (NULL: none).
bool headless_make_current(headless *context);
// The ag_host callbacks: `user` is the headless context.
void *headless_proc(void *user, const char *name);
int headless_is_current(void *user);
void headless_destroy(headless *context);

#endif
