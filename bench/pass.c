// pass.c - a pass of a module with the textures of its jobs: opened, measured, its result compared
// SPDX-License-Identifier: MIT
#include "pass.h"

#include "cli/effect.h"
#include "cli/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- textures ----------------------------------------------------------------------------------

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
        for (int i = 0, levels = slot->levels ? picture_levels(t.width, t.height) : 1; i < levels;
             i++)
            texels += (double)(t.width >> i ? t.width >> i : 1) *
                      (double)(t.height >> i ? t.height >> i : 1);
        if (!slot->shared)
            bytes += texels * format_by_enum(slot->format)->texel_bytes *
                     (slot->layers ? slot->layers : 1);
    }
    return bytes;
}

// All sets hold the same pictures, because the time of most passes does not depend on them.
static void make_set(pass *self, const pass_case *desc, int set)
{
    const GladGLContext *gl = &self->owner->gpu.gl;
    ag_texture *slots = self->sets[set].slots, *first = self->sets[0].slots;
    for (int i = 0; i < PASS_SLOTS; i++)
        slots[i] = (ag_texture){.struct_size = sizeof slots[i]};
    for (const pass_slot *slot = desc->slots; slot < desc->slots + PASS_SLOTS && slot->name;
         slot++) {
        int at = effect_find_slot(self->effect, slot->name, strlen(slot->name));
        must(at >= 0, "%s has no slot %s", desc->effect, slot->name);
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
        t->target = slot->layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
        t->layers = slot->layers;
        self->given[at] = slot->texture != 0;
        if (slot->texture)
            continue;
        const picture *holds = slot->holds;
        if (set == 0 && slot->make)
            holds = bench_picture(self->owner, slot->make, t->width, t->height);
        t->name = texture_make(gl, slot->format, t->width, t->height, slot->layers, slot->levels,
                               set ? NULL : holds);
        if (set > 0 && (slot->make || slot->holds))
            gl->CopyImageSubData(first[at].name, GL_TEXTURE_2D, 0, 0, 0, 0, t->name, GL_TEXTURE_2D,
                                 0, 0, 0, 0, t->width, t->height, 1);
    }
}

pass_case bloom_case(bench_size size, picture (*make)(int width, int height))
{
    return (pass_case){.effect = "bloom",
                       .settings = "shape=gaussian size=0.3 intensity=0.1",
                       .width = size.width,
                       .height = size.height,
                       .slots = {{"src", .format = GL_RGBA16F, .make = make},
                                 {"dst", .format = GL_RGBA16F, .make = make}}};
}

// ---- the pass ----------------------------------------------------------------------------------

static void check(const pass *self, ag_status status, const char *what)
{
    must(status >= 0, "%s: %s: %s", self->effect->id, what, self->api->status_text(status));
}

static void read_settings(pass *self, const char *settings)
{
    self->settings = need_memory(self->effect->settings_size);
    check(self,
          self->api->effect_defaults(self->effect, self->settings, self->effect->settings_size),
          "effect_defaults");
    while (settings && *settings) {
        char assignment[64];
        size_t length = strcspn(settings, " ");
        snprintf(assignment, sizeof assignment, "%.*s", (int)length, settings);
        must(effect_set(self->effect, assignment, self->settings) == STATUS_OK,
             "%s has no setting %s", self->effect->id, assignment);
        settings += length + (settings[length] == ' ');
    }
}

void pass_make(bench *owner, const pass_case *desc, int sets, pass *out)
{
    *out = (pass){.owner = owner, .result = -1, .api = desc->ladder ? owner->ladder : owner->api};
    out->effect = desc->loaded ? desc->loaded : effect_find(out->api, desc->effect);
    must(out->effect && out->effect->slot_count <= PASS_SLOTS,
         "%s is no effect, or has too many slots for the bench", desc->effect);
    out->set_count = sets ? sets : measure_sets(set_bytes(desc), owner->cold_bytes);
    out->sets = need_memory((size_t)out->set_count * sizeof *out->sets);
    read_settings(out, desc->settings);
    for (int i = 0; i < out->set_count; i++) {
        pass_set *set = &out->sets[i];
        make_set(out, desc, i);
        set->job = (ag_job){.struct_size = sizeof(ag_job),
                            .slots = set->slots,
                            .slot_count = out->effect->slot_count,
                            .settings = out->settings,
                            .next_use = AG_USE_SAMPLE};
    }
}

void pass_open(bench *owner, const pass_case *desc, int sets, pass *out)
{
    if (desc->ladder)
        bench_ladder(owner);
    pass_make(owner, desc, sets, out);
    ag_device *device = desc->ladder ? owner->ladder_device : owner->device;
    out->tuned = device;
    out->former = *ag_device_tuning(device);
    *ag_device_tuning(device) = desc->tuning;
    check(out, out->api->pass_create(device, out->effect->id, &out->pass), "pass_create");
    for (int i = 0; i < out->set_count; i++)
        check(out, out->api->prepare(out->pass, &out->sets[i].job), "prepare");
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

static void next_frame(void *user)
{
    bench_frame(((pass *)user)->owner);
}

// ---- a row -------------------------------------------------------------------------------------

void pass_declare(const pass *self, report_row *row)
{
    const ag_plan *plan = NULL;
    check(self, self->api->declare(self->pass, &self->sets[0].job, &plan), "declare");
    snprintf(row->plan, sizeof row->plan, "%s", plan->text);
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step =
            (const void *)((const char *)plan->steps + (size_t)i * plan->step_stride);
        row->bytes += step->bytes;
        row->dispatches += (int)step->dispatches;
        row->launches++; // the dispatches of a step do not wait for each other
    }
}

void pass_measure(pass *self, bool (*record)(void *user, int set), report_row *row)
{
    const measure_work work = {record ? record : pass_record, next_frame, self, self->set_count};
    measure(self->owner, &work, row);
}

static accuracy compare(pass *self, const pass_expected *right)
{
    const ag_texture *result = &self->sets[0].slots[self->result];
    must(pass_record(self, 0), "%s: execute failed", self->effect->id);
    picture got =
        picture_read(&self->owner->gpu.gl, result->name, 0, result->width, result->height);
    accuracy out = reference_compare(&got, right->values, right->scale);
    picture_free(&got);
    return out;
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

void pass_bench(bench *owner, const pass_case *desc, const pass_expected *right, report_row *row)
{
    pass timed, exact;
    bool checks = right && right->values;
    if (!*row->subject)
        snprintf(row->subject, sizeof row->subject, "afterglow");
    row->width = desc->width;
    row->height = desc->height;
    pass_open(owner, desc, 0, &timed);
    pass_declare(&timed, row);
    if (desc->bytes)
        row->bytes = desc->bytes;
    pass_measure(&timed, desc->record, row);
    const pass_case into_floats = exactly(desc, &timed);
    if (checks)
        row->error = compare(&timed, right);
    if (desc->judge)
        row->error = desc->judge(&timed);
    pass_close(&timed);
    if (checks) {
        pass_open(owner, &into_floats, 1, &exact);
        row->error_float = compare(&exact, right);
        pass_close(&exact);
    }
    report_add(&owner->report, row);
}
