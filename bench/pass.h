// pass.h - a pass of a module with the textures of its jobs: opened, measured, its result compared
// SPDX-License-Identifier: MIT
#ifndef BENCH_PASS_H
#define BENCH_PASS_H

#include "bench.h"
#include "core/tuning.h"
#include "picture.h"

enum { PASS_SLOTS = 8 };

typedef struct pass_slot { // what a slot of the effect gets
    const char *name;      // NULL: no more
    GLenum format;
    int width, height;                      // 0: the job's
    int layers;                             // 0: a 2-D texture
    bool levels;                            // all of them, down to 1 x 1
    bool shared;                            // one texture for all sets
    picture (*make)(int width, int height); // what it holds (bench_picture); NULL: anything
    const picture *holds;                   // the same, ready made
    GLuint texture;                         // that of the caller, who deletes it; 0: it is made
} pass_slot;

struct pass;

typedef struct pass_case {
    const char *effect;
    const ag_effect_info *loaded; // of pass_load; NULL: `effect` is one of the module
    bool ladder;                  // of the module of the documents' methods
    const char *settings;         // "border=wrap method=fft"; NULL: the defaults
    ag_tuning tuning;             // of its module's device, as long as the pass is open
    int width, height;            // of the row, and of slots that do not say theirs
    pass_slot slots[PASS_SLOTS];
    uint64_t bytes; // that must move; 0: what the plan says
    // The format in which the result adds no rounding to the error of the pass; 0: RGBA32F. The
    // result is the first of the slots that the effect writes.
    GLenum exact_format;
    bool (*record)(void *user, int set);         // NULL: pass_record
    accuracy (*judge)(const struct pass *timed); // of a result that is not one texture; NULL: none
} pass_case;

typedef struct pass_expected { // what a result should be
    double *values;            // RGB row by row; NULL: not checked
    double scale;              // errors are relative to it
} pass_expected;

typedef struct pass_set { // the textures of one execution
    ag_texture slots[PASS_SLOTS];
    ag_job job;
} pass_set;

typedef struct pass {
    bench *owner;
    const ag_api *api;
    const ag_effect_info *effect;
    ag_pass *pass;
    void *settings;
    pass_set *sets;
    int set_count, result; // the slot that is compared
    bool shared[PASS_SLOTS], given[PASS_SLOTS];
    ag_tuning former; // of `tuned`
    ag_device *tuned; // NULL: none
} pass;

// A bloom of an RGBA16F frame, which holds what `make` makes (NULL: anything).
pass_case bloom_case(bench_size size, picture (*make)(int width, int height));

// Makes the textures and prepares the jobs; `sets` 0: as many as a cold run cycles through.
void pass_open(bench *owner, const pass_case *desc, int sets, pass *out);
// Makes textures and jobs alone: what comes before a device, where that and prepare are measured.
void pass_make(bench *owner, const pass_case *desc, int sets, pass *out);
void pass_close(pass *target);
// The plan's text, dispatches, launches and bytes go to the row.
void pass_declare(const pass *self, report_row *row);
void pass_measure(pass *self, bool (*record)(void *user, int set), report_row *row); // hot and cold
bool pass_record(void *user, int set); // executes a set's job; `user` is the pass

// Measures the pass and checks its result (`right` NULL: tests do that), and checks it again in
// `exact_format`. Completes the row, of which the caller sets effect and variant, and adds it.
void pass_bench(bench *owner, const pass_case *desc, const pass_expected *right, report_row *row);

#endif
