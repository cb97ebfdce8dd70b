// program.h - the programs of a pass: which shader with which defines, and what serves it now
// SPDX-License-Identifier: MIT
//
// An effect names its programs by file and defines, holds pointers to them, and never learns that live
// reload puts another GL program behind one. All programs of a pass come from one origin at one moment
// (ag_origin), so that no mixture of old and new shaders ever runs.
#ifndef AG_PROGRAM_H
#define AG_PROGRAM_H

#include "shader/build.h"
#include "shader/compiler.h"
#include "shader/defines.h"

typedef struct ag_program { // what an effect holds; stays where it is while its pass's plan lives
    GLuint name;
    uint64_t ints, floats; // locations where it has an active ivec4, vec4
    ag_use *use;           // dispatch notes there what it sets
    ag_values *values;     // and there to what
} ag_program;

enum { AG_MAX_PROGRAMS = 32 }; // of a pass

typedef struct ag_program_slot { // a program with what the module knows of it
    ag_program program;
    ag_use use;
    char *path, *defines;
    ag_build *build;    // serves it
    ag_build *built_in; // the text compiled into the module: its interface is what the plan fits
    ag_build *next;     // of a reload: takes over once all of the pass is ready
    uint32_t round;     // the reload that last looked at it
    bool fresh;         // made from the folder as it is since that round
} ag_program_slot;

typedef struct ag_program_set {
    ag_origin origin;
    uint32_t count;
    ag_program_slot *slots[AG_MAX_PROGRAMS];
} ag_program_set;

// What it takes to make programs and memory that last.
typedef struct ag_preparation {
    ag_gpu *gpu;
    ag_compiler *compiler;
    ag_program_set *programs; // ag_program_get fills it, from the set's origin
    bool may_wait;            // for the GPU; live reload must not
    ag_memory scratch;        // the pass's own, of what its plan says; none where the host lends it
} ag_preparation;

// ---- for effects

// In an effect's `programs`, with `program` NULL: starts making a program and returns at once. In its
// `prepare`: returns the program. One that `programs` did not name is made on the spot, and waited for.
// `defines` NULL: none.
//   errors  AG_E_SHADER (kept in compiler->refused, for the caller to tell), AG_E_MEMORY
ag_status ag_program_get(const ag_preparation *prep, const char *path, const ag_defines *defines,
                         const ag_program **program);

// ---- for passes

// Waits for every program of a set. errors  AG_E_SHADER (compiler->refused has the first reason),
// AG_E_MEMORY
ag_status ag_programs_wait(ag_compiler *compiler, const ag_program_set *set);
// Whether every program of a set is done compiling. Waits only where the driver cannot tell.
bool ag_programs_done(ag_compiler *compiler, const ag_program_set *set);
// Once a prepare is through, whether it succeeded or not: drops builds that failed.
void ag_programs_end(ag_compiler *compiler);
// Instead of ag_programs_end: what compiles is left to the driver, for the next prepare to find.
void ag_programs_leave(ag_compiler *compiler);
// Forgets a set's programs; what was built stays until a sweep.
void ag_programs_release(ag_compiler *compiler, ag_program_set *set);

// ---- for reload

// Starts building what the folder's text makes of a program now, as slot->next; that may be the build
// that serves it already. errors  AG_E_SHADER (problem), AG_E_MEMORY
ag_status ag_program_renew(ag_compiler *compiler, ag_program_slot *slot, ag_problem *problem);
// Whether a build that is not compiling any more may serve the slot; the problem says why not.
bool ag_program_accepts(const ag_program_slot *slot, const ag_build *build, ag_problem *problem);
// Makes `build` serve the slot, which takes over its user. The former build loses one.
void ag_program_serve(ag_program_slot *slot, ag_build *build);
// Appends a problem's text and place to an empty one.
void ag_problem_copy(const ag_host *host, const ag_problem *from, ag_problem *to);

#endif
