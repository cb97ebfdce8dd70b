// cli/tune_time.c - how long one job takes by one tuning
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "effect.h"
#include "report.h"
#include "tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 15, SOFTWARE_SAMPLES = 3, STRIP_ROWS = 64 };

double tune_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool tune_has_time(const tune *self)
{
    return tune_now() < self->deadline;
}

typedef struct job_run {
    tune *owner;
    const tune_case *desc;
    const ag_effect_info *effect;
    ag_pass *pass;
    void *settings;
    ag_texture slots[EFFECT_MAX_SLOTS];
    GLuint names[EFFECT_MAX_SLOTS];
    ag_job job;
    uint64_t frame;
} job_run;

static int levels_of(int width, int height)
{
    int count = 1;
    for (int size = width > height ? width : height; size > 1; size /= 2)
        count++;
    return count;
}

// Noise, so that no kernel is even and no texel like the next: what a pass can spare it must not be
// spared.
static int fill(const tune *self, int width, int height)
{
    size_t count = (size_t)width * STRIP_ROWS * 4;
    float *values = malloc(count * sizeof *values);
    uint32_t state = 1;
    if (!values)
        return fail_memory();
    for (size_t i = 0; i < count; i++) {
        state = state * 747796405u + 2891336453u;
        values[i] = (float)(state >> 8) * 0x1p-24f;
    }
    for (int y = 0; y < height; y += STRIP_ROWS)
        self->gpu.gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, y, width,
                                   height - y < STRIP_ROWS ? height - y : STRIP_ROWS, GL_RGBA,
                                   GL_FLOAT, values);
    free(values);
    return STATUS_OK;
}

static int make_slot(job_run *self, int slot)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    const tune_case *desc = self->desc;
    const ag_slot_info *info = effect_slot(self->effect, slot);
    bool kernel = strcmp(info->name, "kernel") == 0 && desc->kernel_width;
    self->slots[slot].struct_size = sizeof self->slots[slot];
    if ((info->access & AG_OPTIONAL) && !kernel)
        return STATUS_OK;
    bool target = !(info->access & AG_READ) && desc->target;
    const char *name = target ? desc->target : desc->format;
    const format_info *format = format_by_name(name, strlen(name));
    int width = kernel ? desc->kernel_width : desc->width;
    int height = kernel ? desc->kernel_height : desc->height;
    gl->GenTextures(1, &self->names[slot]);
    gl->BindTexture(GL_TEXTURE_2D, self->names[slot]);
    gl->TexStorage2D(GL_TEXTURE_2D, desc->levels ? levels_of(width, height) : 1, format->sized,
                     width, height);
    int status = info->access & AG_READ ? fill(self->owner, width, height) : STATUS_OK;
    gl->BindTexture(GL_TEXTURE_2D, 0);
    self->slots[slot] = (ag_texture){.struct_size = sizeof(ag_texture),
                                     .name = self->names[slot],
                                     .target = GL_TEXTURE_2D,
                                     .format = format->sized,
                                     .width = width,
                                     .height = height};
    return status;
}

static int check(const job_run *self, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "tune: %s: %s: %s", self->desc->effect, what,
                              self->owner->api->status_text(status));
}

static int job_open(job_run *self)
{
    const ag_api *api = self->owner->api;
    self->effect = effect_find(api, self->desc->effect);
    if (!self->effect)
        return STATUS_FAILED;
    self->settings = calloc(1, self->effect->settings_size);
    if (!self->settings)
        return fail_memory();
    int status =
        check(self, api->defaults(self->desc->effect, self->settings, self->effect->settings_size),
              "defaults");
    for (int i = 0; i < TUNE_SETTINGS && self->desc->settings[i] && status == STATUS_OK; i++)
        status = effect_set(self->effect, self->desc->settings[i], self->settings);
    for (int i = 0; i < (int)self->effect->slot_count && status == STATUS_OK; i++)
        status = make_slot(self, i);
    self->job = (ag_job){.struct_size = sizeof(ag_job),
                         .slots = self->slots,
                         .slot_count = self->effect->slot_count,
                         .settings = self->settings,
                         .next_use = AG_USE_SAMPLE};
    if (status == STATUS_OK)
        status = check(self, api->pass_create(self->owner->device, self->desc->effect, &self->pass),
                       "pass_create");
    return status == STATUS_OK ? check(self, api->prepare(self->pass, &self->job), "prepare")
                               : status;
}

static void job_close(job_run *self)
{
    const tune *owner = self->owner;
    owner->api->pass_destroy(self->pass);
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (self->names[i]) {
            owner->api->forget(owner->device, self->names[i]);
            owner->gpu.gl.DeleteTextures(1, &self->names[i]);
        }
    free(self->settings);
}

static bool record(void *user, unsigned turn)
{
    const job_run *self = user;
    (void)turn;
    return self->owner->api->execute(self->pass, &self->job, NULL) >= 0;
}

static void next_frame(void *user)
{
    job_run *self = user;
    self->owner->api->frame(self->owner->device, ++self->frame);
}

static int job_measure(job_run *self, double *us, uint64_t *key)
{
    tune *owner = self->owner;
    const ag_plan *plan = NULL;
    gpu_times times;
    const gpu_work work = {record, next_frame, self};
    int status = check(self, owner->api->declare(self->pass, &self->job, &plan), "declare");
    if (status != STATUS_OK)
        return status;
    if (!gpu_time_run(&owner->timer, &work, owner->software ? SOFTWARE_SAMPLES : SAMPLES, &times))
        return fail(STATUS_FAILED, "tune: %s: execute failed", self->desc->effect);
    *us = times.median;
    *key = plan->key;
    if (owner->count == TUNE_ROWS)
        return STATUS_OK;
    cost_row *row = &owner->rows[owner->count++];
    *row = (cost_row){.us = times.median};
    cost_key(self->desc->effect, plan, row->effect);
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step =
            (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
        row->dispatches += step->dispatches;
        row->bytes += step->bytes;
    }
    return STATUS_OK;
}

int tune_time(tune *self, const tune_case *desc, const ag_tuning *tuning, double *us, uint64_t *key)
{
    ag_tuning *mine = ag_device_tuning(self->device), former = *mine;
    tune_case small = *desc;
    if (self->software) { // an eighth of the size is a 64th of the work
        small.width /= 8;
        small.height /= 8;
    }
    job_run run = {.owner = self, .desc = &small};
    *mine = *tuning;
    int status = job_open(&run);
    if (status == STATUS_OK)
        status = job_measure(&run, us, key);
    job_close(&run);
    *mine = former;
    return status;
}
