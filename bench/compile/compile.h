// compile.h - what the parts of `afterglow-bench compile` share: plans, starts, reports
// SPDX-License-Identifier: MIT
#ifndef BENCH_COMPILE_H
#define BENCH_COMPILE_H

#include "flags.h"
#include "overhear.h"
#include "pass.h"

enum { COMPILE_MAX_REPEATS = 100 };

typedef struct compile_plan { // a job as a host would execute it; its textures hold anything
    const char *variant;
    pass_case job;
} compile_plan;

extern const compile_plan compile_plans[]; // plans.c; ends with a variant of NULL

// ---- one start of a plan: start.c --------------------------------------------------------------

typedef enum start_kind {
    START_DEVICE, // no plan: only the names of the device
    START_COLD,   // with an empty program cache
    START_APART,  // the same, with a wait after every dispatch; fills the cache
    START_WARM,   // with a filled program cache
    START_HEAR,   // as START_COLD, and what the driver's compiler says of each program
    START_LIST    // the driver is not called: only texts are reported, times are NaN
} start_kind;

typedef struct start { // all in ms
    report_names names;
    char plan[384];   // in words
    double driver_ms; // the driver's first program of the process, an empty one
    double create_ms; // device_create
    double prepare_ms;
    double compile_ms, link_ms; // in glCompileShader and in glLinkProgram
    double total_ms;            // device_create and prepare
    double rest_ms;             // of these without compiles and links
    double picture_ms;   // until the first execute is done, device_create and prepare included
    uint32_t from_cache; // programs that came from the plugin's cache
    int count;
    heard_program programs[HEARD_PROGRAMS];
} start;

typedef struct compile_wishes {
    const char *effect, *json;      // NULL: all; none
    const char *skips[FLAGS_WORDS]; // words of plans that are left out
    const char *list;  // "plain" or "full": the texts for a driver without, or with, subgroups
    const char *texts; // a folder for the texts; NULL: none
    bool hears;        // what the driver says, in place of measuring
    bool driver_cache; // the driver's own is on: empty at first, and filled for START_WARM
    int repeats, device;
    int threads; // of the driver's compiler
} compile_wishes;

// Runs a start in a process of its own. Valid until the next call.
const start *start_run(start_kind kind, const compile_plan *plan, const compile_wishes *wanted);
// Empties the program cache, before the next plan.
void start_forget(void);

// ---- the report: compile_report.c ------------------------------------------------------------

typedef struct compile_row { // medians
    const compile_plan *plan;
    start cold;                      // with the times of its programs from START_APART
    double warm_ms, warm_picture_ms; // create + prepare; the first picture
    uint32_t from_cache;
} compile_row;

typedef struct compile_report {
    report_names names;
    const compile_wishes *wanted;
    compile_row *rows;
    int count;
} compile_report;

void compile_report_begin(const compile_report *target);
void compile_report_add(compile_report *target, const compile_row *row);
void compile_report_free(compile_report *target);

#endif
