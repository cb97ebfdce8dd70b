// pass.c - a pass of a module with the textures of its jobs: opened, measured, its result compared
// SPDX-License-Identifier: MIT
#include "pass.h"

#include "cli/effect.h"
#include "cli/format.h"
#include "cli/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- textures ----------------------------------------------------------------------------------

static int levels_of(const ag_texture *t)
{
    int levels = 1;
    while (t->width >> levels > 0 || t->height >> levels > 0)
        levels++;
    return levels;
}

// `from` may be NULL. False: GL has no memory.
static bool make_texture(const GladGLContext *gl, const pass_slot *slot, ag_texture *t,
                         const picture *from)
{
    GLenum kind = slot->layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    int levels = slot->levels ? levels_of(t) : 1;
    t->target = kind;
    t->layers = slot->layers;
    if (!slot->layers && levels == 1) {
        t->name = picture_texture(gl, slot->format, t->width, t->height, from);
        return t->name != 0;
    }
    while (gl->GetError() != GL_NO_ERROR)
        ; // only ours counts below
    gl->GenTextures(1, &t->name);
    gl->BindTexture(kind, t->name);
    if (slot->layers)
        gl->TexStorage3D(kind, levels, slot->format, t->width, t->height, slot->layers);
    else
        gl->TexStorage2D(kind, levels, slot->format, t->width, t->height);
    gl->TexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    if (from)
        gl->TexSubImage2D(kind, 0, 0, 0, t->width, t->height, GL_RGBA, GL_FLOAT, from->texels);
    gl->BindTexture(kind, 0);
    return gl->GetError() == GL_NO_ERROR;
}

// The slots' sizes; textures follow.
static ag_texture view(const pass_case *desc, const pass_slot *slot)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .format = slot->format,
                        .width = slot->width ? slot->width : desc->width,
                        .height = slot->height ? slot->height : desc->height};
}

static double set_bytes(const pass_case *desc)
{
    double bytes = 0;
    for (const pass_slot *slot = desc->slots; slot < desc->slots + PASS_SLOTS && slot->name;
         slot++) {
        ag_texture t = view(desc, slot);
        double texels = 0;
        for (int i = 0, levels = slot->levels ? levels_of(&t) : 1; i < levels; i++)
            texels += (double)(t.width >> i ? t.width >> i : 1) *
                      (double)(t.height >> i ? t.height >> i : 1);
        if (!slot->shared)
            bytes += texels * format_by_enum(slot->format)->texel_bytes *
                     (slot->layers ? slot->layers : 1);
    }
    return bytes;
}

// All sets hold the same pictures, because the time of most passes does not depend on them.
static int make_set(pass *self, const pass_case *desc, int set)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    ag_texture *slots = self->sets[set].slots, *first = self->sets[0].slots;
    for (int i = 0; i < PASS_SLOTS; i++)
        slots[i] = (ag_texture){.struct_size = sizeof slots[i]};
    for (const pass_slot *slot = desc->slots; slot < desc->slots + PASS_SLOTS && slot->name;
         slot++) {
        int at = effect_find_slot(self->effect, slot->name, strlen(slot->name));
        if (at < 0)
            return STATUS_FAILED;
        ag_texture *t = &slots[at];
        self->shared[at] = slot->shared;
        if (self->result < 0 && effect_slot(self->effect, at)->access & AG_WRITE)
            self->result = at;
        if (set > 0 && slot->shared) {
            *t = first[at];
            continue;
        }
        *t = view(desc, slot);
        t->name = slot->texture;
        t->target = GL_TEXTURE_2D;
        self->given[at] = slot->texture != 0;
        if (slot->texture)
            continue;
        const picture *holds = slot->holds;
        if (set == 0 && slot->make &&
            !(holds = bench_picture(self->owner, slot->make, t->width, t->height)))
            return STATUS_FAILED;
        if (!make_texture(gl, slot, t, set ? NULL : holds))
            return fail(STATUS_FAILED, "GL has no memory for %d sets of textures", self->set_count);
        if (set > 0 && (slot->make || slot->holds))
            gl->CopyImageSubData(first[at].name, GL_TEXTURE_2D, 0, 0, 0, 0, t->name, GL_TEXTURE_2D,
                                 0, 0, 0, 0, t->width, t->height, 1);
    }
    return STATUS_OK;
}

// ---- the pass ----------------------------------------------------------------------------------

static int check(const pass *self, ag_status status, const char *what)
{
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s: %s", self->effect->id, what,
                              self->api->status_text(status));
}

static int read_settings(pass *self, const char *settings)
{
    self->settings = calloc(1, self->effect->settings_size);
    if (!self->settings)
        return fail_memory();
    int status =
        check(self,
              self->api->defaults(self->effect->id, self->settings, self->effect->settings_size),
              "defaults");
    while (settings && *settings && status == STATUS_OK) {
        char assignment[64];
        size_t length = strcspn(settings, " ");
        snprintf(assignment, sizeof assignment, "%.*s", (int)length, settings);
        status = effect_set(self->effect, assignment, self->settings);
        settings += length + (settings[length] == ' ');
    }
    return status;
}

int pass_make(bench *owner, const pass_case *desc, int sets, pass *out)
{
    *out = (pass){.owner = owner, .result = -1, .api = desc->ladder ? owner->ladder : owner->api};
    out->effect = effect_find(out->api, desc->effect);
    if (!out->effect)
        return STATUS_FAILED;
    if (out->effect->slot_count > PASS_SLOTS)
        return fail(STATUS_FAILED, "%s has too many slots for the bench", desc->effect);
    out->set_count = sets ? sets : measure_sets(set_bytes(desc), owner->cold_bytes);
    out->sets = calloc((size_t)out->set_count, sizeof *out->sets);
    int status = out->sets ? read_settings(out, desc->settings) : fail_memory();
    for (int i = 0; i < out->set_count && status == STATUS_OK; i++) {
        pass_set *set = &out->sets[i];
        status = make_set(out, desc, i);
        set->job = (ag_job){.struct_size = sizeof(ag_job),
                            .slots = set->slots,
                            .slot_count = out->effect->slot_count,
                            .settings = out->settings,
                            .next_use = AG_USE_SAMPLE};
    }
    return status;
}

int pass_open(bench *owner, const pass_case *desc, int sets, pass *out)
{
    *out = (pass){0};
    int status = desc->ladder ? bench_ladder(owner) : STATUS_OK;
    if (status == STATUS_OK)
        status = pass_make(owner, desc, sets, out);
    if (status != STATUS_OK)
        return status;
    ag_device *device = desc->ladder ? owner->ladder_device : owner->device;
    out->tuned = device;
    out->former = *ag_device_tuning(device);
    *ag_device_tuning(device) = desc->tuning;
    status = check(out, out->api->pass_create(device, desc->effect, &out->pass), "pass_create");
    for (int i = 0; i < out->set_count && status == STATUS_OK; i++)
        status = check(out, out->api->prepare(out->pass, &out->sets[i].job), "prepare");
    return status;
}

void pass_close(pass *self)
{
    bench *owner = self->owner;
    if (!owner)
        return;
    if (self->pass)
        self->api->pass_destroy(self->pass);
    for (int i = 0; i < self->set_count && self->sets; i++)
        for (int k = 0; k < PASS_SLOTS; k++) {
            GLuint name = self->sets[i].slots[k].name;
            if (!name || (i > 0 && self->shared[k]))
                continue; // it is that of the first set
            if (owner->device)
                owner->api->forget(owner->device, name); // GL reuses names
            if (owner->ladder_device)
                owner->ladder->forget(owner->ladder_device, name);
            if (!self->given[k])
                owner->gpu.gl.DeleteTextures(1, &name);
        }
    if (self->tuned)
        *ag_device_tuning(self->tuned) = self->former;
    free(self->sets);
    free(self->settings);
    *self = (pass){0};
}

bool pass_record(void *user, int set)
{
    const pass *self = user;
    return self->api->execute(self->pass, &self->sets[set].job, NULL) >= 0;
}

void pass_next_frame(void *user)
{
    bench_frame(((pass *)user)->owner);
}

// ---- a row -------------------------------------------------------------------------------------

int pass_declare(const pass *self, report_row *row)
{
    const ag_plan *plan = NULL;
    int status = check(self, self->api->declare(self->pass, &self->sets[0].job, &plan), "declare");
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
    return STATUS_OK;
}

int pass_measure(pass *self, report_row *row)
{
    const measure_work work = {pass_record, pass_next_frame, self, self->set_count};
    return measure(&self->owner->timer, &work, self->owner->samples, &row->times)
               ? STATUS_OK
               : fail(STATUS_FAILED, "%s: execute failed while it was measured", self->effect->id);
}

static int compare(pass *self, const pass_expected *right, accuracy *out)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    const ag_texture *result = &self->sets[0].slots[self->result];
    if (!pass_record(self, 0))
        return fail(STATUS_FAILED, "%s: execute failed", self->effect->id);
    gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT); // glGetTexImage reads what was stored
    picture got = picture_read(gl, result->name, result->width, result->height);
    if (!got.texels)
        return fail_memory();
    *out = reference_compare(&got, right->values, right->scale);
    picture_free(&got);
    return STATUS_OK;
}

// The same case, with a result of the exact format.
static pass_case exactly(const pass_case *desc, const pass *timed)
{
    pass_case out = *desc;
    const char *result = effect_slot(timed->effect, timed->result)->name;
    for (int i = 0; i < PASS_SLOTS && out.slots[i].name; i++)
        if (strcmp(out.slots[i].name, result) == 0)
            out.slots[i].format = desc->exact_format ? desc->exact_format : GL_RGBA32F;
    return out;
}

int pass_bench(bench *owner, const pass_case *desc, const pass_expected *right, report_row *row)
{
    pass timed, exact = {0};
    bool checks = right && right->values;
    pass_case into_floats;
    if (!*row->subject)
        snprintf(row->subject, sizeof row->subject, "afterglow");
    row->width = desc->width;
    row->height = desc->height;
    int status = pass_open(owner, desc, 0, &timed);
    if (status == STATUS_OK)
        status = pass_declare(&timed, row);
    if (desc->bytes)
        row->bytes = desc->bytes;
    if (status == STATUS_OK)
        status = pass_measure(&timed, row);
    if (status == STATUS_OK && checks) {
        status = compare(&timed, right, &row->error);
        into_floats = exactly(desc, &timed);
    }
    pass_close(&timed);
    if (status == STATUS_OK && checks) {
        status = pass_open(owner, &into_floats, 1, &exact);
        if (status == STATUS_OK)
            status = compare(&exact, right, &row->error_float);
    }
    pass_close(&exact);
    return status == STATUS_OK ? report_add(&owner->report, row) : status;
}
