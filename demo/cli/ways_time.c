// cli/ways_time.c - how long a job takes by one way of doing it
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "core/pass.h"
#include "cost.h"
#include "effects/bloom/bloom_cost.h"
#include "report.h"
#include "ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRIP_ROWS = 64 };

// ---- textures ----------------------------------------------------------------------------------

static int levels_of(int width, int height)
{
    int count = 1;
    for (int size = width > height ? width : height; size > 1; size /= 2)
        count++;
    return count;
}

// Noise, so that no kernel is even and no texel like the next: what a pass can spare it must not be
// spared. Strips of it, because the CPU makes it.
static int fill(const GladGLContext *gl, GLuint name, int width, int height)
{
    size_t count = (size_t)width * STRIP_ROWS * 4;
    float *values = malloc(count * sizeof *values);
    uint32_t state = 1;
    int rows = height < STRIP_ROWS ? height : STRIP_ROWS;
    if (!values)
        return fail_memory();
    for (size_t i = 0; i < count; i++) {
        state = state * 747796405u + 2891336453u;
        values[i] = (float)(state >> 8) * 0x1p-24f;
    }
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, rows, GL_RGBA, GL_FLOAT, values);
    for (int y = rows; y < height; y += rows)
        gl->CopyImageSubData(name, GL_TEXTURE_2D, 0, 0, 0, 0, name, GL_TEXTURE_2D, 0, 0, y, 0,
                             width, height - y < rows ? height - y : rows, 1);
    free(values);
    return STATUS_OK;
}

static int make_slot(ways_textures *self, int slot)
{
    const GladGLContext *gl = self->owner->gl;
    const way_job *job = &self->job;
    const ag_slot_info *info = effect_slot(self->effect, slot);
    bool kernel = strcmp(info->name, "kernel") == 0 && job->kernel;
    bool reads = info->access & AG_READ, chain = reads && info->access & AG_WRITE;
    self->slots[slot].struct_size = sizeof self->slots[slot];
    if ((info->access & AG_OPTIONAL) && !kernel)
        return STATUS_OK;
    const char *name = reads || !job->target ? job->format : job->target;
    const format_info *format = format_by_name(name, strlen(name));
    int width = kernel ? job->kernel : !reads && job->to_width ? job->to_width : job->width;
    int height = kernel ? job->kernel : !reads && job->to_height ? job->to_height : job->height;
    gl->GenTextures(1, &self->names[slot]);
    gl->BindTexture(GL_TEXTURE_2D, self->names[slot]);
    gl->TexStorage2D(GL_TEXTURE_2D, chain ? levels_of(width, height) : 1, format->sized, width,
                     height);
    int status =
        reads && self->owner->samples ? fill(gl, self->names[slot], width, height) : STATUS_OK;
    gl->BindTexture(GL_TEXTURE_2D, 0);
    self->slots[slot] = (ag_texture){.struct_size = sizeof(ag_texture),
                                     .name = self->names[slot],
                                     .target = GL_TEXTURE_2D,
                                     .format = format->sized,
                                     .width = width,
                                     .height = height};
    return status;
}

static int divided(int size, int divisor)
{
    return size ? (size + divisor - 1) / divisor : 0;
}

int ways_open(ways_bench *owner, const choice *of, const way_job *job, ways_textures *out)
{
    *out = (ways_textures){.owner = owner, .of = of, .job = *job};
    int *sizes[] = {&out->job.width, &out->job.height, &out->job.to_width, &out->job.to_height};
    for (int i = 0; i < 4; i++)
        *sizes[i] = divided(*sizes[i], owner->divisor);
    out->effect = effect_find(owner->api, of->effect);
    int status = out->effect ? STATUS_OK : STATUS_FAILED;
    for (int i = 0; status == STATUS_OK && i < (int)out->effect->slot_count; i++)
        status = make_slot(out, i);
    return status;
}

void ways_close(ways_textures *target)
{
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (target->names[i]) {
            target->owner->api->forget(target->owner->device, target->names[i]);
            target->owner->gl->DeleteTextures(1, &target->names[i]);
        }
    *target = (ways_textures){.owner = target->owner};
}

// ---- a way -------------------------------------------------------------------------------------

static int check(const way_pass *self, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s, %s: %s: %s", self->on->effect->id,
                              self->by ? self->by->name : "auto", what,
                              self->on->owner->api->status_text(status));
}

static int set_all(way_pass *self, const char *settings)
{
    int status = STATUS_OK;
    while (settings && *settings && status == STATUS_OK) {
        char assignment[64];
        size_t length = strcspn(settings, " ");
        snprintf(assignment, sizeof assignment, "%.*s", (int)length, settings);
        status = effect_set(self->on->effect, assignment, self->settings);
        settings += length + (settings[length] == ' ');
    }
    return status;
}

static void describe(way_pass *self, const ag_plan *plan)
{
    self->key = plan->key;
    cost_key(self->on->effect->id, plan, self->effect);
    snprintf(self->text, sizeof self->text, "%s", plan->text);
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step =
            (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
        self->dispatches += step->dispatches;
        self->bytes += step->bytes;
    }
}

static int open_pass(way_pass *self)
{
    const ag_api *api = self->on->owner->api;
    const ag_effect_info *effect = self->on->effect;
    const ag_plan *plan = NULL;
    int status = check(self, api->effect_defaults(effect, self->settings, effect->settings_size),
                       "defaults");
    if (status == STATUS_OK)
        status = set_all(self, self->on->of->settings);
    if (status == STATUS_OK)
        status = set_all(self, self->on->job.settings);
    if (status == STATUS_OK && self->by)
        status = set_all(self, self->by->settings);
    if (status == STATUS_OK)
        status =
            check(self, api->pass_create(self->on->owner->device, effect->id, &self->pass), "pass");
    if (status == STATUS_OK && self->on->owner->samples)
        status = check(self, api->prepare(self->pass, &self->job), "prepare");
    if (status == STATUS_OK)
        status = check(self, api->declare(self->pass, &self->job, &plan), "declare");
    if (status == STATUS_OK)
        describe(self, plan);
    if (status == STATUS_OK && self->pass->request.decision) {
        const ag_bloom_work work = ag_bloom_work_of(&self->pass->request);
        self->bloom_plan = self->pass->request.decision;
        self->bloom_work[0] = work.taps;
        self->bloom_work[1] = work.fft;
        self->bloom_work[2] = work.waits;
    }
    return status;
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

int way_pass_open(const ways_textures *on, const way *by, const ag_tuning *tuning, way_pass *out)
{
    ag_tuning *device = ag_device_tuning(on->owner->device), former = *device;
    double begin = now_us();
    *out = (way_pass){.on = on, .by = by, .tuning = *tuning};
    for (int i = 0; by && i < WAY_TUNED && by->tuned[i].value; i++)
        memcpy((char *)&out->tuning + by->tuned[i].at, &by->tuned[i].value, sizeof(int32_t));
    out->settings = calloc(1, on->effect->settings_size);
    if (!out->settings)
        return fail_memory();
    out->job = (ag_job){.struct_size = sizeof(ag_job),
                        .slots = on->slots,
                        .slot_count = on->effect->slot_count,
                        .settings = out->settings,
                        .next_use = AG_USE_SAMPLE};
    *device = out->tuning;
    int status = open_pass(out);
    *device = former;
    on->owner->idle_us += now_us() - begin;
    return status;
}

void way_pass_close(way_pass *target)
{
    if (target->pass)
        target->on->owner->api->pass_destroy(target->pass);
    free(target->settings);
    *target = (way_pass){0};
}

static bool record(void *user, unsigned turn)
{
    const way_pass *self = user;
    (void)turn;
    return self->on->owner->api->execute(self->pass, &self->job, NULL) >= 0;
}

static void next_frame(void *user)
{
    ways_bench *owner = ((way_pass *)user)->on->owner;
    owner->api->frame(owner->device, ++owner->frame);
}

int way_pass_measure(way_pass *self)
{
    ways_bench *owner = self->on->owner;
    const double longest = owner->divisor == 1 ? 300e3 : 0, usual = owner->timer->warm_up_us;
    ag_tuning *device = ag_device_tuning(owner->device), former = *device;
    gpu_times times;
    owner->timer->warm_up_us = fmax(usual, fmin(longest, owner->idle_us));
    owner->idle_us = 0;
    *device = self->tuning; // execute refuses another one
    bool ran =
        gpu_time_run(owner->timer, &(gpu_work){record, next_frame, self}, owner->samples, &times);
    *device = former;
    owner->timer->warm_up_us = usual;
    if (!ran)
        return fail(STATUS_FAILED, "%s: execute failed", self->on->effect->id);
    if (!(self->us > 0 && self->us < times.median))
        self->us = times.median;
    return STATUS_OK;
}
