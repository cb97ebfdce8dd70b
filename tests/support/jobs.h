// jobs.h - a small valid job for any effect, built from the effect's own description
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_JOBS_H
#define AG_TEST_JOBS_H

#include "fixture.h"
#include "texture.h"

enum { JOB_SLOTS = 8, JOB_SETTINGS = 384, JOB_VARIANTS = 4 };

typedef struct test_job { // do not copy: `job` points into it
    const ag_effect_info *info;
    texture textures[JOB_SLOTS]; // name 0: the slot is empty
    texture lower; // of an effect that works in place: a view of its texture's levels from 1 on
    ag_texture slots[JOB_SLOTS];
    _Alignas(16) uint8_t settings[JOB_SETTINGS];
    int32_t tables; // how its own table is asked: job_tune
    ag_job job;
} test_job;

const ag_effect_info *job_effect(const ag_api *ag, const char *id); // NULL when unknown
const ag_slot_info *job_slot_info(const ag_effect_info *info, uint32_t slot);
const ag_setting_info *job_setting_info(const ag_effect_info *info, uint32_t setting);

// Textures for every required slot: reads are RGBA32F noise of width x height (a slot whose name
// starts with "kernel" gets 5 x 3 R32F, positive), writes RGBA32F poison. A slot that is both gets
// noise above levels of poison. Where RGBA32F is not taken it is R32F. Of an effect with the
// setting `levels` textures have all of them. A slot of state is of the size that the module
// states, and zero, as before a first execute; poison in it counts as no state. Settings: the
// defaults.
void job_create(fixture *f, const char *effect, int width, int height, test_job *j);
void job_destroy(fixture *f, test_job *j);

// Variants of a job that run different code: 0 the defaults; from 1 on each forced `method`, or of
// effects that ask boxes of a table of their own each way to do that, which is no setting:
// job_tune. Returns false when the effect has no such variant.
bool job_variant(test_job *j, uint32_t variant);
// Makes a device do the job as its variant says: before prepare and before each execute, where jobs
// share one. job_destroy makes f->device choose again.
void job_tune(ag_device *device, const test_job *j);

// Value `index` of a setting, by name. Ends the test when there is none.
void job_set(test_job *j, const char *name, uint32_t index, double value);
double job_get(const test_job *j, const char *name, uint32_t index);
uint32_t job_slot(const test_job *j, const char *name); // ends the test when there is none
texture *job_output(test_job *j); // the first slot that is written, or `lower`

#endif
