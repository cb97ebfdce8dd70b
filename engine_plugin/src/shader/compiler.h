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
    ag_watch *watch; // of the host's shader folder; NULL: embedded shaders
    ag_cache cache;
    struct ag_build *builds;      // all there are (shader/build.h)
    uint32_t program_count;       // alive
    uint32_t programs_from_cache; // since creation
    bool threads_asked;           // the driver's compiler has been asked for threads
    bool reloading;               // a live reload compiles: its builds are not to be waited for
    uint32_t round;               // of how many reloads
    ag_problem refused; // the first new problem of this round, or of the prepare now running
} ag_compiler;

#endif
