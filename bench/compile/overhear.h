// overhear.h - a GL loader that observes how the plugin makes and runs its programs
// SPDX-License-Identifier: MIT
//
// The plugin gets every GL function from its host, so a host can return wrappers. These time each
// call, query the compile or link status at once, so that a driver cannot defer the work, and
// record what was compiled.
#ifndef BENCH_OVERHEAR_H
#define BENCH_OVERHEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HEARD_PROGRAMS = 64,
    HEARD_DISPATCHES = 2048,
    HEARD_PATH = 96,
    HEARD_DEFINES = 2048,
    HEARD_SAYS = 1024
};

typedef struct heard_program {
    char path[HEARD_PATH];       // "fft/columns.comp"
    char defines[HEARD_DEFINES]; // "STORE=0 ARRAY=1", in the order of the text
    uint64_t hash;               // of the text that the driver got
    size_t text_bytes;
    int text_lines;
    int assembly_lines; // -1: unknown
    double compile_ms, link_ms;
    // The time of a dispatch alone, until it is finished; NaN: there was none. `again`: the median
    // of later dispatches with as many groups
    double first_ms, again_ms;
    char says[HEARD_SAYS];    // what the driver's compiler reports of it, lines apart by '\n'
    bool executed;            // an execute dispatches it; else only a prepare does
    uint32_t shader, program; // GL names
} heard_program;

typedef struct heard_dispatch {
    int program; // index into programs
    uint32_t groups[3];
    double ms;
} heard_dispatch;

typedef struct overheard {
    void *(*proc)(void *user, const char *name); // the real loader
    void *user;
    bool pretends;     // the functions of pretend.h take the place of the driver's
    const char *texts; // a folder that receives the texts, as HASH.comp; NULL: none
    bool apart;        // wait before and after each dispatch, and time it
    bool executing;    // dispatches are those of an execute
    heard_program *programs;
    int count, current; // `current`: the program in use or being linked; -1: another one
    int complaints;     // messages that are no reports of a compiler
    double compile_ms, link_ms;
    heard_dispatch *dispatches; // of HEARD_DISPATCHES; NULL unless `apart`
    int dispatch_count;
} overheard;

// Makes it the active one. GL functions have no user data, so only one is active at a time.
void overhear_begin(overheard *target);
// As ag_host.gl_proc.
void *overhear_proc(const char *name);
// Takes what GL says (KHR_debug) from now on: reports of a compiler go to the program that is
// linked or in use, all else is printed and counted.
void overhear_messages(void);
// Computes the times of the programs from the dispatches.
void overhear_end(overheard *target);

#endif
