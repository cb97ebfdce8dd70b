// program.h - the programs of a pass: shader, defines, and the GL program in use
// SPDX-License-Identifier: MIT
//
// An effect names its programs by file and defines and holds pointers to them. Live reload replaces
// the GL program behind a pointer without the effect's knowledge. All programs of a pass come from
// one origin (ag_origin) at one moment, so a pass never runs a mixture of old and new shaders.
#ifndef AG_PROGRAM_H
#define AG_PROGRAM_H

#include "base/log.h"
#include "shader/build.h"

typedef struct ag_program { // an effect's view; its address is valid as long as the pass's plan
    GLuint name;
    uint64_t ints, floats; // locations with an active ivec4, vec4
    ag_use *use;           // dispatch records there which uniforms it sets
    ag_values *values;     // and there their values
} ag_program;

enum { AG_MAX_PROGRAMS = 32 }; // of a pass

typedef struct ag_program_files { // of the folder, which a text was made from
    uint32_t numbers[AG_SOURCE_MAX_FILES];
    uint32_t count;   // 0: the text is not the folder's
    uint32_t changes; // ag_watch_changes at that time
} ag_program_files;

typedef struct ag_program_slot { // a program with the module's data about it
    ag_program program;
    ag_use use;
    char *path, *defines;
    ag_watch *folder;   // of the pass that it is of; NULL: a shader of the module
    ag_build *build;    // in use
    ag_build *built_in; // of the embedded text: the plan fits its interface. NULL: of a folder
    ag_build *next;     // of a reload: replaces `build` once all programs of the pass are ready
    ag_program_files files, next_files; // of `build`, of `next`
    uint32_t round;                     // the last reload that handled it
    bool fresh;                         // made from the folder as it has been since that round
} ag_program_slot;

typedef struct ag_program_set {
    ag_origin origin;
    ag_watch *folder; // as of its programs
    uint32_t count;
    ag_program_slot *slots[AG_MAX_PROGRAMS];
} ag_program_set;

// What the compiles of a frame and a prepare need.
typedef struct ag_preparation {
    ag_gpu *gpu;
    ag_compiler *compiler;
    ag_program_set *programs; // ag_program_get adds to it, from the set's origin
    bool may_wait;            // for the GPU; false in a live reload
    ag_memory scratch;        // the pass's own, of the plan's size; none if the host lends scratch
} ag_preparation;

// ---- for effects

// The #define lines that make a variant of a shader.
enum { AG_DEFINES = 12288 }; // characters, the end included

// All zero is empty. If a define does not fit, `overflows` is set and ag_program_get fails, because
// a shader without some of its defines might compile.
typedef struct ag_defines {
    size_t length;
    bool overflows;
    char text[AG_DEFINES];
} ag_defines;

// Appends "#define NAME VALUE".
void ag_define(ag_defines *defines, const char *name, int32_t value);
// Appends whole lines.
void ag_defines_add(ag_defines *defines, const char *format, ...) AG_PRINTF(2, 3);

// Finds the program in prep->programs, or adds it there and starts its compile. It can be used
// after ag_programs_wait.
//   errors  AG_E_SHADER (compiler->refused has the reason; the caller reports it), AG_E_MEMORY
ag_status ag_program_get(const ag_preparation *prep, const char *path, const ag_defines *defines,
                         const ag_program **program);

// ---- for passes

// Waits for every program of a set. errors  AG_E_SHADER (compiler->refused has the first reason)
ag_status ag_programs_wait(ag_compiler *compiler, const ag_program_set *set);
// Whether all programs of a set have been compiled. Waits only if the driver has no
// GL_COMPLETION_STATUS.
bool ag_programs_done(ag_compiler *compiler, const ag_program_set *set);
// Call it at the end of a prepare, also after a failure: deletes failed builds.
void ag_programs_end(ag_compiler *compiler);
// Call it instead of ag_programs_end to leave unfinished compiles to the driver. The next prepare
// finds them.
void ag_programs_leave(ag_compiler *compiler);
// Frees a set's programs; their builds stay until a sweep.
void ag_programs_release(ag_compiler *compiler, ag_program_set *set);

// ---- for reload

// Starts the build of a program from the folder's present text, as slot->next. If none of its files
// has changed, or not its text, this is the build in use. errors  AG_E_SHADER (`problem`),
// AG_E_MEMORY
ag_status ag_program_renew(ag_compiler *compiler, ag_program_slot *slot, ag_problem *problem);
// Whether the slot may use a finished build. If not, `problem` has the reason.
bool ag_program_accepts(const ag_program_slot *slot, const ag_build *build, ag_problem *problem);
// Makes the slot use `build` and takes over one of its users. Removes a user of the former build.
void ag_program_serve(ag_program_slot *slot, ag_build *build);
// Copies a problem into an empty one.
void ag_problem_copy(const ag_host *host, const ag_problem *from, ag_problem *to);

#endif
