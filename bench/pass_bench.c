// pass_bench.c - measures one pass of the plugin on as many sets of textures as needed
// SPDX-License-Identifier: MIT
#include "pass_bench.h"

#include "cli/effect.h"
#include "cli/format.h"
#include "cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 8 };

typedef struct pass_set { // the textures of one execution
    ag_texture slots[MAX_SLOTS];
    ag_job job;
} pass_set;

typedef struct pass_run {
    bench *owner;
    const pass_case *desc;
    const ag_effect_info *effect;
    ag_pass *pass;
    void *settings;
    pass_set *sets;
    int set_count, source_slot, target_slot;
    uint64_t frame;
} pass_run;

int pass_values(const bench *owner, const char *effect, const char *setting,
                char out[PASS_MAX_VALUES][64])
{
    const ag_effect_info *info = effect_find(owner->api, effect);
    int count = 0;
    for (int i = 0; info && i < (int)info->setting_count; i++) {
        const ag_setting_info *row = effect_setting(info, i);
        if (strcmp(row->name, setting) != 0 || row->type != AG_ENUM)
            continue;
        for (uint32_t k = 0; k < row->name_count && count < PASS_MAX_VALUES; k++)
            if (row->names[k])
                snprintf(out[count++], sizeof out[0], "%s=%s", setting, row->names[k]);
    }
    return count;
}

// ---- textures ----------------------------------------------------------------------------------

static ag_texture view(GLuint name, GLenum format, int width, int height)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .name = name,
                        .target = GL_TEXTURE_2D,
                        .format = format,
                        .width = width,
                        .height = height};
}

static double set_bytes(const pass_case *desc)
{
    return (double)format_by_enum(desc->source_format)->texel_bytes * desc->source->width *
               desc->source->height * (desc->source_plane ? 2 : 1) +
           (double)format_by_enum(desc->target_format)->texel_bytes * desc->target_width *
               desc->target_height * (desc->target_plane ? 2 : 1);
}

// All sources have the same picture, because the time of most passes does not depend on it.
static int make_set(pass_run *self, int set)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    const pass_case *desc = self->desc;
    const picture *src = desc->source;
    ag_texture *slots = self->sets[set].slots;
    for (int i = 0; i < MAX_SLOTS; i++)
        slots[i] = (ag_texture){.struct_size = sizeof slots[i]};
    GLuint source =
        picture_texture(gl, desc->source_format, src->width, src->height, set == 0 ? src : NULL);
    GLuint target =
        picture_texture(gl, desc->target_format, desc->target_width, desc->target_height, NULL);
    slots[self->source_slot] = view(source, desc->source_format, src->width, src->height);
    slots[self->target_slot] =
        view(target, desc->target_format, desc->target_width, desc->target_height);
    if (!source || !target)
        return fail(STATUS_FAILED, "GL has no memory for %d sets of textures", self->set_count);
    if (set > 0) {
        GLuint first = self->sets[0].slots[self->source_slot].name;
        gl->CopyImageSubData(first, GL_TEXTURE_2D, 0, 0, 0, 0, source, GL_TEXTURE_2D, 0, 0, 0, 0,
                             src->width, src->height, 1);
    }
    const char *const planes[] = {desc->source_plane, desc->target_plane};
    for (int i = 0; i < 2; i++) {
        int slot = planes[i] ? effect_find_slot(self->effect, planes[i], strlen(planes[i])) : -1;
        const ag_texture *like = &slots[i ? self->target_slot : self->source_slot];
        GLenum format = i && desc->target_plane_format ? desc->target_plane_format : like->format;
        if (!planes[i])
            continue;
        GLuint plane =
            slot < 0 ? 0 : picture_texture(gl, format, like->width, like->height, i ? NULL : src);
        if (!plane)
            return fail(STATUS_FAILED, "the bench cannot make %s", planes[i]);
        slots[slot] = view(plane, format, like->width, like->height);
    }
    if (desc->kernel_slot) {
        int slot = effect_find_slot(self->effect, desc->kernel_slot, strlen(desc->kernel_slot));
        if (slot < 0)
            return STATUS_FAILED;
        slots[slot] =
            view(desc->kernel, desc->kernel_format, desc->kernel_width, desc->kernel_height);
    }
    return STATUS_OK;
}

static int find_slots(pass_run *self)
{
    self->source_slot = self->target_slot = -1;
    if (self->effect->slot_count > MAX_SLOTS)
        return fail(STATUS_FAILED, "%s has too many slots for the bench", self->effect->id);
    for (int i = (int)self->effect->slot_count - 1; i >= 0; i--) {
        uint32_t access = effect_slot(self->effect, i)->access;
        if (access & AG_OPTIONAL)
            continue;
        *(access & AG_WRITE ? &self->target_slot : &self->source_slot) = i;
    }
    return self->source_slot < 0 || self->target_slot < 0
               ? fail(STATUS_FAILED, "%s has no source or no output", self->effect->id)
               : STATUS_OK;
}

// ---- the pass ----------------------------------------------------------------------------------

static int check(const pass_run *self, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s: %s", self->desc->effect, what,
                              self->owner->api->status_text(status));
}

static int read_settings(pass_run *self)
{
    const ag_api *api = self->owner->api;
    self->settings = calloc(1, self->effect->settings_size);
    if (!self->settings)
        return fail_memory();
    int status =
        check(self, api->defaults(self->desc->effect, self->settings, self->effect->settings_size),
              "defaults");
    for (int i = 0; i < PASS_MAX_SETTINGS && status == STATUS_OK; i++) {
        const char *assignment = self->desc->settings[i];
        if (assignment && *assignment)
            status = effect_set(self->effect, assignment, self->settings);
    }
    return status;
}

static int make_jobs(pass_run *self)
{
    const ag_api *api = self->owner->api;
    self->sets = calloc((size_t)self->set_count, sizeof *self->sets);
    if (!self->sets)
        return fail_memory();
    int status = STATUS_OK;
    for (int i = 0; i < self->set_count && status == STATUS_OK; i++) {
        status = make_set(self, i);
        self->sets[i].job = (ag_job){.struct_size = sizeof(ag_job),
                                     .slots = self->sets[i].slots,
                                     .slot_count = self->effect->slot_count,
                                     .settings = self->settings,
                                     .next_use = AG_USE_SAMPLE};
        if (status == STATUS_OK)
            status = check(self, api->prepare(self->pass, &self->sets[i].job), "prepare");
    }
    return status;
}

// `sets` 0: as many as a cold run needs.
static int run_open(bench *owner, const pass_case *desc, int sets, pass_run *out)
{
    *out = (pass_run){.owner = owner, .desc = desc};
    out->effect = effect_find(owner->api, desc->effect);
    if (!out->effect)
        return STATUS_FAILED;
    out->set_count = sets ? sets : measure_sets(set_bytes(desc), owner->cold_bytes);
    int status = find_slots(out);
    if (status == STATUS_OK)
        status = read_settings(out);
    if (status == STATUS_OK)
        status = check(out, owner->api->pass_create(owner->device, desc->effect, &out->pass),
                       "pass_create");
    return status == STATUS_OK ? make_jobs(out) : status;
}

static void run_close(pass_run *target)
{
    if (!target->owner)
        return;
    const bench *owner = target->owner;
    owner->api->pass_destroy(target->pass);
    for (int i = 0; i < target->set_count && target->sets; i++) {
        for (int k = 0; k < MAX_SLOTS; k++) {
            GLuint name = target->sets[i].slots[k].name;
            if (!name || name == target->desc->kernel)
                continue;
            owner->api->forget(owner->device, name); // GL reuses names
            owner->gpu.gl.DeleteTextures(1, &name);
        }
    }
    free(target->sets);
    free(target->settings);
    *target = (pass_run){0};
}

static bool record(void *user, int set)
{
    const pass_run *self = user;
    return self->owner->api->execute(self->pass, &self->sets[set].job, NULL) >= 0;
}

static void next_frame(void *user)
{
    pass_run *self = user;
    self->owner->api->frame(self->owner->device, ++self->frame);
}

static int run_measure(pass_run *self, report_row *row)
{
    const ag_plan *plan = NULL;
    const ag_job *job = &self->sets[0].job;
    int status = check(self, self->owner->api->declare(self->pass, job, &plan), "declare");
    if (status != STATUS_OK)
        return status;
    snprintf(row->plan, sizeof row->plan, "%s", plan->text);
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step =
            (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
        row->bytes += step->bytes;
        row->dispatches += (int)step->dispatches;
        row->launches++; // the dispatches of a step do not wait for each other
    }
    const measure_work work = {record, next_frame, self, self->set_count};
    return measure(&self->owner->timer, &work, self->owner->samples, &row->times)
               ? STATUS_OK
               : fail(STATUS_FAILED, "%s: execute failed while it was measured",
                      self->desc->effect);
}

static int run_compare(pass_run *self, const pass_expected *right, accuracy *out)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    if (!right->expected)
        return STATUS_OK;
    if (!record(self, 0))
        return fail(STATUS_FAILED, "%s: execute failed", self->desc->effect);
    gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT); // glGetTexImage reads what was stored
    picture result = picture_read(gl, self->sets[0].slots[self->target_slot].name,
                                  self->desc->target_width, self->desc->target_height);
    if (!result.texels)
        return fail_memory();
    *out = reference_compare(&result, right->expected, right->scale);
    picture_free(&result);
    return STATUS_OK;
}

int pass_bench(bench *owner, const pass_case *desc, const pass_expected *right, report_row *row)
{
    ag_tuning *tuning = ag_device_tuning(owner->device), former = *tuning;
    *tuning = desc->tuning;
    pass_run timed, exact = {0};
    int status = run_open(owner, desc, 0, &timed);
    if (status == STATUS_OK)
        status = run_measure(&timed, row);
    if (status == STATUS_OK)
        status = run_compare(&timed, right, &row->error);
    run_close(&timed);

    pass_case into_floats = *desc;
    into_floats.target_format = desc->exact_format ? desc->exact_format : GL_RGBA32F;
    if (status == STATUS_OK && right->expected) {
        status = run_open(owner, &into_floats, 1, &exact);
        if (status == STATUS_OK)
            status = run_compare(&exact, right, &row->error_float);
    }
    run_close(&exact);
    *tuning = former;
    return status == STATUS_OK ? report_add(&owner->report, row) : status;
}
