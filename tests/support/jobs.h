// jobs.h - a small valid job for any effect, built from the effect's own description
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_JOBS_H
#define AG_TEST_JOBS_H

#include "fixture.h"
#include "texture.h"

enum { JOB_SLOTS = 8, JOB_SETTINGS = 384, JOB_VARIANTS = 4 };
// The size of jobs whose size does not matter: what one test has compiled, the cache of the driver
// has for the others. It exceeds a subgroup and a tile of 16 in width, and is no power of two.
enum { JOB_WIDTH = 33, JOB_HEIGHT = 21 };

typedef struct test_job { // do not copy: `job` points into it
    const ag_effect_info *info;
    texture textures[JOB_SLOTS]; // name 0: the slot is empty
    texture lower; // of an effect that works in place: a view of its texture's levels from 1 on
    ag_texture slots[JOB_SLOTS];
    _Alignas(16) uint8_t settings[JOB_SETTINGS];
    int32_t tables; // the way to query its own table: job_tune
    ag_job job;
} test_job;

const ag_effect_info *job_effect(const ag_api *ag, const char *id); // NULL when unknown
// All effects, ended by NULL. They serve until the next call on this thread.
const ag_effect_info *const *job_effects(const ag_api *ag);
const ag_slot_info *job_slot_info(const ag_effect_info *info, uint32_t slot);
const ag_setting_info *job_setting_info(const ag_effect_info *info, uint32_t setting);

// Creates textures for every required slot, and default settings; but a bloom is a Gaussian, whose
// programs are three instead of eleven. Inputs are RGBA32F noise of width
// x height; a slot whose name starts with "kernel" gets 5 x 3 positive R32F texels. Outputs are of
// the size that the module states, or if it takes any, of width x height, and are
// RGBA32F poison. A slot that is both gets noise in level 0 and poison in the other levels. If a
// slot does not take RGBA32F, it gets R32F. If the slot has AG_LEVELS, textures have all levels. If
// the effect reads nothing, its outputs have the sizes that the module states for its smallest size
// and one cascade, not width x height. A slot of state has the size that the module states, and is
// zero, as before the first execute; poison in it counts as no state.
void job_create(fixture *f, const char *effect, int width, int height, test_job *j);
void job_destroy(fixture *f, test_job *j);

// Sets a setting out of its range, and to a value that it may have again.
void job_spoil(test_job *j);
void job_mend(test_job *j);
// An effect that reads nothing, such as ocean: its settings decide the sizes of its outputs, so
// tests that vary sizes or inputs leave it out.
bool job_generates(const ag_effect_info *info);

// Selects a variant of a job that runs different code: 0 is the default; from 1 on it is a forced
// `method`, or, for effects that query a table of their own, a way of querying, which is no
// setting: see job_tune. Returns false if the effect has no such variant.
bool job_variant(test_job *j, uint32_t variant);
// Applies the job's variant to a device. Call it before prepare, and before each execute if jobs
// share the device. job_destroy resets f->device.
void job_tune(ag_device *device, const test_job *j);

// Outputs get the sizes that the settings ask for.
void job_fit_outputs(fixture *f, ag_pass *pass, test_job *j);

// Value `index` of a setting, by name. Ends the test when there is none.
void job_set(test_job *j, const char *name, uint32_t index, double value);
double job_get(const test_job *j, const char *name, uint32_t index);
uint32_t job_slot(const test_job *j, const char *name); // ends the test when there is none
texture *job_output(test_job *j); // the first slot that is written, or `lower`

// The bytes of every level that a job writes: of all outputs, without level 0 of a slot that is
// read and written.
enum { JOB_RESULTS = JOB_SLOTS * 8 };
typedef struct job_results {
    uint8_t *bytes[JOB_RESULTS];
    size_t sizes[JOB_RESULTS];
    int count;
} job_results;

int job_first_output(const ag_effect_info *info, uint32_t slot); // the first level written: 0, 1
void job_poison(fixture *f, test_job *j); // all that it writes; slots of state become zero
void job_read(fixture *f, const test_job *j, job_results *results);
bool job_results_same(const job_results *a, const job_results *b);
void job_results_free(job_results *results);

// Fills the optional slots that are empty: inputs with noise, outputs with poison. A kernel is 5 x
// 3, an exposure 1 x 1; else the format and size are the first slot's where the slot takes them.
void job_fill_optional(fixture *f, test_job *j);

// Values inside the range that tests give to a setting: every one of a choice, else a few.
int job_setting_values(const ag_setting_info *s);
double job_setting_value(const ag_setting_info *s, int i); // i: 0 .. job_setting_values - 1

#endif
