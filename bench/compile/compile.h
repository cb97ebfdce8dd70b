// compile.h - what the parts of `afterglow-bench compile` share: plans, starts, reports
// SPDX-License-Identifier: MIT
#ifndef BENCH_COMPILE_H
#define BENCH_COMPILE_H

#include "overhear.h"

#include <afterglow/afterglow.h>
#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

enum { COMPILE_TEXT = 128, COMPILE_SLOTS = 5, COMPILE_SETTINGS = 4, COMPILE_MAX_REPEATS = 100 };

// ---- plans: plans.c --------------------------------------------------------------------

typedef struct compile_slot {
    const char *name; // NULL: no more slots
    GLenum format;
    int width, height; // 0: the plan's size
    bool levels;       // all levels down to 1x1
    bool kernel; // contains a kernel without any symmetry; contents of other slots do not matter
} compile_slot;

typedef struct compile_plan { // a job as a host would execute it
    const char *effect, *variant;
    int width, height;
    const char *settings[COMPILE_SETTINGS]; // "border=wrap"
    compile_slot slots[COMPILE_SLOTS];
} compile_plan;

extern const compile_plan compile_plans[]; // ends with an effect of NULL

// ---- the textures and the job of a plan: scene.c -----------------------------------------------

typedef struct compile_scene {
    const GladGLContext *gl;
    const ag_effect_info *effect;
    GLuint names[COMPILE_SLOTS];
    ag_texture slots[16];
    void *settings;
    ag_job job;
} compile_scene;

int scene_open(const GladGLContext *gl, const ag_api *api, const compile_plan *plan,
               compile_scene *out); // STATUS_*, having printed why
void scene_close(compile_scene *target);

// ---- one start of a plan: start.c --------------------------------------------------------------

typedef enum start_kind {
    START_DEVICE, // no plan: only the description of the device
    START_COLD,   // with an empty program cache
    START_APART,  // the same, with a wait after every dispatch; fills the cache
    START_WARM,   // with a filled program cache
    START_HEAR,   // as START_COLD, and what the driver's compiler says of each program
    START_LIST    // the driver is not called: only texts are reported, times are NaN
} start_kind;

typedef struct device_text {
    char renderer[COMPILE_TEXT], vendor[COMPILE_TEXT], driver[COMPILE_TEXT];
    bool software;
} device_text;

typedef struct start { // all in ms
    device_text device;
    char plan[384];   // in words
    double driver_ms; // the driver's first program of the process, an empty one
    double create_ms; // device_create
    double prepare_ms;
    double compile_ms, link_ms; // in glCompileShader and in glLinkProgram
    double picture_ms;   // until the first execute is done, device_create and prepare included
    uint32_t from_cache; // programs that came from the plugin's cache
    int count;
    heard_program programs[HEARD_PROGRAMS];
} start;

typedef struct start_options {
    int device;
    bool full;         // START_LIST: the texts for a driver with subgroups, or without
    const char *texts; // a folder for the texts; NULL: none
    bool driver_cache; // the driver's own is on: empty at first, and filled for START_WARM
    int threads;       // of the driver's compiler
} start_options;

// Runs a start in a process of its own. Returns a STATUS_*; errors are printed. `out` is valid
// until the next call.
int start_run(start_kind kind, const compile_plan *plan, const start_options *options,
              const start **out);
// Empties the program cache, before the next plan.
void start_forget(void);

// ---- the report: compile_report.c ------------------------------------------------------------

typedef struct compile_row { // medians
    const compile_plan *plan;
    start cold; // with the times of its programs from START_APART
    double create_and_prepare_ms, rest_ms;
    double warm_ms, warm_picture_ms; // create + prepare; the first picture
    uint32_t from_cache;
} compile_row;

typedef struct compile_report {
    device_text device;
    const char *version; // of the module
    const char *json;    // NULL: none
    const char *list;    // NULL: measured; else "plain" or "full"
    bool hears;          // one start of each plan, with what the driver says
    int repeats;
    bool driver_cache; // as start_options say
    int threads;
    compile_row *rows;
    int count;
} compile_report;

int compile_report_begin(const compile_report *target); // STATUS_*, having printed why
int compile_report_add(compile_report *target, const compile_row *row);
void compile_report_free(compile_report *target);

// `afterglow-bench compile`; argv[0] is "compile".
int compile_main(int argc, char **argv);
void compile_help(void);

#endif
