// cli/ways.h - ways of one result that an effect's `auto` chooses from: the list of them, and times
// SPDX-License-Identifier: MIT
//
// One table, `choices`: `afterglow tune` measures its jobs to write what `auto` should take on this
// GPU, and `afterglow-bench auto` compares what it does take with every other way.
#ifndef CLI_WAYS_H
#define CLI_WAYS_H

#include "core/tuning.h"
#include "effect.h"
#include "gpu_time.h"

enum { WAYS = 12, WAY_TUNED = 2, CHOICE_JOBS = 40 };

typedef struct way {
    const char *name;     // NULL: no more
    const char *settings; // that ask for it; NULL: none
    struct way_tuned {
        size_t at; // in ag_tuning, an int32_t
        int32_t value;
    } tuned[WAY_TUNED]; // value 0: no more
} way;

typedef struct way_job {     // as a host would have it
    int width, height;       // 0: no more
    int at;                  // what decides: texels, tiles, groups; of WAYS_LAST alone
    const char *format;      // of src, or of a chain's texture
    const char *target;      // of what is written; NULL: as `format`
    int to_width, to_height; // 0: as src
    int kernel;              // side of the slot "kernel"; 0: no such slot
    const char *settings;    // beside those of its choice; NULL: none
} way_job;

typedef enum way_rule {
    WAYS_COMPARED, // `auto` has a rule of its own
    WAYS_LAST,     // the key is the last `at` that is done the first way; beyond, the second
    WAYS_BEST,     // the key is `tuned[0].value` of the way that is fastest on average
    WAYS_COST      // bloom's: the keys are of what a plan costs
} way_rule;

typedef struct choice {
    const char *effect;   // NULL: no more
    const char *settings; // of all ways; NULL: the defaults
    const char *key;      // of ag_tuned_keys; NULL: none
    way_rule rule;
    // NULL: up to the key, and beyond it, WAYS_LAST. Tune forces these two in any case.
    const way *ways;
    bool (*takes)(const way *it, const way_job *job); // NULL: every way does every job
    const way_job *jobs;
} choice;

extern const choice choices[];

const ag_tuned_key *choice_key(const choice *it); // NULL: none
// Its ways: those of the table, or the two of its key. Ends with a name of NULL.
const way *choice_ways(const choice *it, way made[3]);

// ---- times -------------------------------------------------------------------------------------

typedef struct ways_bench { // what measures
    const ag_api *api;
    const GladGLContext *gl;
    ag_device *device;
    gpu_timer *timer;
    int samples; // of each figure; 0: nothing is measured, only planned
    int divisor; // of sizes, where a CPU renders
    uint64_t frame;
    double idle_us; // that a GPU waited for what the CPU prepares: it is slow for as long after it
} ways_bench;

typedef struct ways_textures { // of a job
    ways_bench *owner;
    const choice *of;
    way_job job; // divided
    const ag_effect_info *effect;
    ag_texture slots[EFFECT_MAX_SLOTS];
    GLuint names[EFFECT_MAX_SLOTS];
} ways_textures;

typedef struct way_pass { // a way of doing it
    const ways_textures *on;
    const way *by;
    ag_tuning tuning;
    ag_pass *pass;
    void *settings;
    ag_job job;
    double us; // the least of the medians so far; 0: none
    // Of its plan:
    uint64_t key, bytes, dispatches;
    int bloom_plan;       // of bloom's resolution = auto; 0: another job
    double bloom_work[3]; // of this plan: effects/bloom/bloom_cost.h
    char effect[64];      // as cost_key
    char text[384];
} way_pass;

// All return a STATUS_*, having printed why.
int ways_open(ways_bench *owner, const choice *of, const way_job *job, ways_textures *out);
void ways_close(ways_textures *target);
// Prepares a way, with what else `tuning` says. `by` NULL: auto.
int way_pass_open(const ways_textures *on, const way *by, const ag_tuning *tuning, way_pass *out);
int way_pass_measure(way_pass *self);
void way_pass_close(way_pass *target);

#endif
