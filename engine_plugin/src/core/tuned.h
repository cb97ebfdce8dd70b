// tuned.h - what `afterglow tune` found out on a GPU, as text: read into a device's tuning
// SPDX-License-Identifier: MIT
//
//   afterglow tuning 1                      always the first line
//   module 0.1.0                            of which this is; of another one it is stale
//   renderer NVIDIA H200/PCIe/SSE2          GL_RENDERER
//   driver NVIDIA 580.159.04                GL_VERSION without OpenGL's own version and profile
//   convolve.direct_taps.zero 9             a choice: a whole number each (ag_tuned_keys)
//   time.convolve 1.53 0.25 0.0012          for the command line's predictions; not looked at here
//   # ...                                   a remark
#ifndef AG_TUNED_H
#define AG_TUNED_H

#include "core/tuning.h"
#include "gl/gl.h"

#include <stddef.h>

enum { AG_TUNED_VERSION = 1, AG_TUNED_MAX = 65536 }; // bytes of a text

typedef struct ag_tuned_key {
    const char *name;
    size_t offset; // of the int32_t in ag_tuning
    int32_t min, max;
} ag_tuned_key;

extern const ag_tuned_key ag_tuned_keys[]; // ends with a name of NULL

// What is left of GL_VERSION, so that contexts of several versions on one driver share a text.
const char *ag_tuned_driver(const char *gl_version);

// Reads a text of this GPU, driver and module: `tuning` gets the choices, `copy_speed` MB/s if it
// is 0 so far.
//   returns  AG_OK; AG_UNTUNED, having logged in one sentence what is wrong with which line:
//            nothing is changed then
ag_status ag_tuned_read(const ag_host *host, const ag_gl *gl, const char *text, ag_tuning *tuning,
                        uint32_t *copy_speed);

#endif
