// build.h - the compile of one shader text: running, then a GL program or an error
// SPDX-License-Identifier: MIT
//
// The key of a build is its text. So passes with the same text share one GL program, and an edit
// that is undone finds its former program. No function waits, except ag_build_poll with `wait`.
#ifndef AG_BUILD_H
#define AG_BUILD_H

#include "gl/gpu.h"
#include "shader/program_cache.h"
#include "shader/reflection.h"

typedef enum ag_build_state {
    AG_BUILD_WAITING,   // not given to the driver yet: a prepare in the background had no time left
    AG_BUILD_COMPILING, // in the driver; no query is allowed except GL_COMPLETION_STATUS
    AG_BUILD_READY,
    AG_BUILD_FAILED
} ag_build_state;

// The known values of a GL program's uniforms.
typedef struct ag_values {
    uint64_t known; // bit i: of location i
    union ag_value {
        int32_t i[4];
        float f[4];
    } at[AG_MAX_LOCATIONS];
} ag_values;

typedef struct ag_build {
    struct ag_build *next;
    ag_build_state state;
    uint32_t users;         // programs of passes that hold it
    ag_hash128 hash;        // of the text
    GLuint name, shader;    // the shader is deleted once the program is linked
    bool to_cache;          // store it in the program cache once it is linked
    bool left;              // a prepare in the background left it to the driver: do not wait for it
    ag_interface interface; // if ready
    ag_values values;       // of the uniforms
    ag_source source;       // kept while messages may need its lines: until the program serves
    ag_problem problem;     // if failed
} ag_build;

typedef struct ag_compiler { // what all programs of a context share
    ag_gpu *gpu;
    ag_watch *watch; // the host's shader folder; NULL: embedded shaders
    ag_cache cache;
    ag_build *builds;             // all builds
    uint32_t program_count;       // GL programs alive
    uint32_t programs_from_cache; // since creation
    bool threads_asked;           // the driver has been asked for compiler threads
    bool spreads;       // a prepare in the background: one call gives the driver a share of a frame
    uint64_t spent_ns;  // in the driver, of that share
    bool reloading;     // a live reload is compiling: do not wait for its builds
    uint32_t round;     // number of live reloads
    ag_problem refused; // the first new error of this round, or of the present prepare
} ag_compiler;

// Gives a text to the driver, unless a build of it exists or, with `by_cache`, the program cache
// has it, or a prepare in the background has used up its share: then the build waits. Takes the
// source over, or frees it. Adds a user to the build.
//   errors  AG_E_MEMORY
ag_status ag_build_start(ag_compiler *compiler, ag_source *source, bool by_cache, ag_build **build);
// Updates the state of a build. Without `wait` it queries only GL_COMPLETION_STATUS until that is
// true, if the driver compiles in the background.
void ag_build_poll(ag_compiler *compiler, ag_build *build, bool wait);
// Removes a user; NULL is ignored. The build stays until a sweep.
void ag_build_release(ag_build *build);
// Deletes builds without users: failed ones, those that wait, and with `ready` also working ones.
// Builds that still compile stay, because deleting them might wait.
void ag_builds_sweep(ag_compiler *compiler, bool ready);
// Frees all builds; calls GL only if `with_gl`.
void ag_builds_free(ag_compiler *compiler, bool with_gl);

// A prepare in the background gives the driver programs, and takes linked ones, until both have
// taken 2 ms; one program at least, of which the driver decides how long it takes. `spreads` false:
// that prepare ends.
void ag_builds_spread(ag_compiler *compiler, bool spreads);
bool ag_builds_have_time(const ag_compiler *compiler);

// Allows the driver to compile on its own threads, from the first call on (NVIDIA's does so only on
// request). For programs that nobody waits for: those of a live device, or of a job with
// AG_JOB_BACKGROUND.
void ag_builds_use_threads(ag_compiler *compiler);

#endif
