// build.h - one shader text on its way through the driver: compiling, then a GL program or a problem
// SPDX-License-Identifier: MIT
//
// Builds are keyed by their text, so passes that need the same text share one GL program, and an edit
// that is taken back finds its former program. Nothing here waits unless it is told to.
#ifndef AG_BUILD_H
#define AG_BUILD_H

#include "base/hash.h"
#include "gl/gl.h"
#include "shader/reflection.h"
#include "shader/source.h"

struct ag_compiler;

typedef enum ag_build_state {
    AG_BUILD_COMPILING, // given to the driver; nothing may be asked but whether it is complete
    AG_BUILD_READY,
    AG_BUILD_FAILED
} ag_build_state;

// What a GL program's uniforms hold, as far as it is known.
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
    GLuint name, shader;    // the shader goes once it is linked
    bool to_cache;          // to be, once it is linked
    bool left;              // to the driver, by a prepare in the background: nobody waits for it
    ag_interface interface; // when ready
    ag_values values;       // of the uniforms
    ag_source source;       // kept while it may be asked for lines: see ag_build_settle
    ag_problem problem;     // when failed
} ag_build;

// Gives a text to the driver, unless a build of it exists; `by_cache`: unless the cache has it. The
// build takes the source over, or frees it. It gains a user.
//   errors  AG_E_MEMORY
ag_status ag_build_start(struct ag_compiler *compiler, ag_source *source, bool by_cache,
                         ag_build **build);
// Moves it on. Without `wait` it asks a driver that compiles in the background for nothing but
// GL_COMPLETION_STATUS, until that is true.
void ag_build_poll(struct ag_compiler *compiler, ag_build *build, bool wait);
// The source is not needed any more.
void ag_build_settle(ag_build *build);
// One user less; NULL is fine. The build stays until a sweep.
void ag_build_release(ag_build *build);
// Deletes builds without users: failed ones, and with `ready` also those that work. What still compiles
// stays, because deleting it might wait for it.
void ag_builds_sweep(struct ag_compiler *compiler, bool ready);
// Frees all; calls GL only if `with_gl`.
void ag_builds_free(struct ag_compiler *compiler, bool with_gl);

// From the first call on, drivers may compile on threads of their own (NVIDIA's does only when asked to).
// For who does not wait for programs: a reload, and a prepare in the background.
void ag_builds_use_threads(struct ag_compiler *compiler);

#endif
