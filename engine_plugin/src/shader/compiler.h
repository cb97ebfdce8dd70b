// compiler.h - what all programs of a context share: their sources, cache, builds and counts
// SPDX-License-Identifier: MIT
#ifndef AG_COMPILER_H
#define AG_COMPILER_H

#include "gl/gpu.h"
#include "shader/program_cache.h"
#include "shader/source.h"
#include "shader/watch.h"

typedef struct ag_compiler {
    ag_gpu *gpu;
    ag_watch *watch; // the host's shader folder; NULL: embedded shaders
    ag_cache cache;
    struct ag_build *builds;      // all builds (shader/build.h)
    uint32_t program_count;       // GL programs alive
    uint32_t programs_from_cache; // since creation
    bool threads_asked;           // the driver has been asked for compiler threads
    bool reloading;               // a live reload is compiling: do not wait for its builds
    uint32_t round;               // number of live reloads
    ag_problem refused;           // the first new error of this round, or of the present prepare
} ag_compiler;

#endif
