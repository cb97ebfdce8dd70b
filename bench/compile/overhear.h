// overhear.h - a GL loader that overhears how the plugin makes and runs its programs
// SPDX-License-Identifier: MIT
//
// The plugin takes every GL function from its host, so the host may hand out others: these time the
// call, ask for its status at once, so that no driver leaves work for later, and note what was
// compiled.
#ifndef BENCH_OVERHEAR_H
#define BENCH_OVERHEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEARD_PROGRAMS = 64, HEARD_DISPATCHES = 2048, HEARD_PATH = 96, HEARD_DEFINES = 2048 };

typedef struct heard_program {
    char path[HEARD_PATH];       // "fft/columns.comp"
    char defines[HEARD_DEFINES]; // "STORE=0 ARRAY=1", in the order of the text
    uint64_t hash;               // of the text that the driver got
    size_t text_bytes;
    int text_lines;
    int assembly_lines; // -1: the driver does not tell them
    double compile_ms, link_ms;
    // Of a dispatch by itself, waited for; NaN: there was none. `again`: the median of the later
    // ones of as many groups
    double first_ms, again_ms;
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
    bool pretends;     // that pretend.h's functions are the real ones
    const char *texts; // a folder that receives the texts, as HASH.comp; NULL: none
    bool apart;        // wait before and after each dispatch, and time it
    heard_program *programs;
    int count, current; // program in use, -1: none of these
    double compile_ms, link_ms;
    heard_dispatch *dispatches; // of HEARD_DISPATCHES; NULL unless `apart`
    int dispatch_count;
    bool too_many;   // programs, for what there is room for
    bool unwritable; // the folder
} overheard;

// Makes it the one that hears. GL functions have no user data, so there is one at a time.
void overhear_begin(overheard *target);
// As ag_host.gl_proc.
void *overhear_proc(const char *name);
// From the dispatches: the times of the programs.
void overhear_end(overheard *target);

uint64_t now_ns(void);
// The median of `count` values, which it sorts; NaN of none.
double median_of(double *values, int count);

#endif
