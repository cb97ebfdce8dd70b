// frame.c - what an effect's frame says, and the plan that follows from it
// SPDX-License-Identifier: MIT
#include "core/frame.h"
#include "core/frame_state.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ag_frame_begin(ag_frame *f, ag_frame_mode mode, const ag_host *host, const ag_gl *gl,
                    const ag_request *request, ag_design *design)
{
    // Not all of it: recording must not clear what only other modes use.
    f->mode = mode;
    f->host = host;
    f->gl = gl;
    f->effect = (const ag_effect *)request->info; // its first member
    f->request = request;
    f->design = design;
    f->status = AG_OK;
    f->shader_count = f->store_count = f->step_count = 0;
    f->step_name = NULL;
    f->hazards.count = 0;
}

const ag_request *ag_frame_request(const ag_frame *f)
{
    return f->request;
}

const void *ag_frame_design(const ag_frame *f)
{
    return f->design + 1;
}

void ag_frame_text(ag_frame *f, const char *format, ...)
{
    if (f->mode != AG_FRAME_PLANS)
        return;
    va_list values;
    va_start(values, format);
    vsnprintf(f->plan->head.text, sizeof f->plan->head.text, format, values);
    va_end(values);
}

// ---- shaders -----------------------------------------------------------------------------------

void ag_frame_end_shader(ag_frame *f)
{
    if (f->mode != AG_FRAME_COMPILES || !f->shader_count)
        return;
    ag_shader *shader = &f->shaders[f->shader_count - 1];
    if (shader->defines && f->status >= 0)
        f->status = ag_program_get(f->prep, shader->path, shader->defines,
                                   f->gets ? &f->state->programs[f->shader_count - 1] : NULL);
    shader->defines = NULL;
}

ag_shader *ag_frame_shader(ag_frame *f, const char *path)
{
    ag_frame_end_shader(f);
    assert(f->shader_count < AG_MAX_PROGRAMS);
    ag_shader *shader = &f->shaders[f->shader_count++];
    shader->path = path;
    shader->defines = NULL;
    if (f->mode == AG_FRAME_COMPILES) {
        f->defines = (ag_defines){0};
        shader->defines = &f->defines;
    }
    if (f->mode == AG_FRAME_RECORDS)
        shader->program = f->state->programs[f->shader_count - 1];
    return shader;
}

void ag_shader_define(ag_shader *shader, const char *name, int32_t value)
{
    if (shader->defines)
        ag_define(shader->defines, name, value);
}

ag_defines *ag_shader_defines(ag_shader *shader)
{
    return shader->defines;
}

// ---- memory ------------------------------------------------------------------------------------

// The next store. A run that plans writes the design down; all later ones must agree with it.
static ag_handle next_store(ag_frame *f, const ag_store *store, const ag_own *own)
{
    uint32_t place = f->store_count++;
    assert(place < AG_MAX_STORES);
    if (f->mode == AG_FRAME_PLANS)
        f->design->stores[place] = *store;
    else
        assert(place < f->design->store_count &&
               !strcmp(f->design->stores[place].name, store->name));
    if (f->mode == AG_FRAME_MAKES && f->status >= 0)
        ag_frame_keep(f, own, place);
    return (ag_handle){AG_FIRST_STORE + place};
}

ag_handle ag_scratch(ag_frame *f, const char *name, uint64_t bytes)
{
    return next_store(f, &(ag_store){.name = name, .kind = AG_IN_SCRATCH, .bytes = bytes}, NULL);
}

ag_handle ag_own_memory(ag_frame *f, const ag_own *own)
{
    ag_store store = {.name = own->name, .kind = AG_IN_BUFFER, .bytes = own->bytes};
    if (own->format) {
        store.kind = AG_IN_TEXTURE;
        store.format = ag_format_find(own->format);
        store.bytes = (uint64_t)own->width * (uint64_t)own->height *
                      (uint64_t)(own->layers > 1 ? own->layers : 1) * (uint64_t)store.format->bytes;
    }
    return next_store(f, &store, own);
}

ag_handle ag_shared_constants(ag_frame *f, const char *name, const int32_t key[8], size_t count,
                              void (*fill)(const void *context, float *values), const void *context)
{
    ag_handle handle =
        next_store(f, &(ag_store){.name = name, .kind = AG_IN_CONSTANTS, .bytes = 4 * count}, NULL);
    if (f->mode == AG_FRAME_MAKES && f->status >= 0) {
        const ag_memory *memory;
        f->status = ag_gpu_constants(f->prep->gpu, name, key, count, fill, context, &memory);
        if (f->status >= 0)
            f->state->kept[handle.number - AG_FIRST_STORE] =
                (ag_kept){.name = name, .memory = *memory, .shared = true};
    }
    return handle;
}

ag_handle ag_frame_info(ag_frame *f)
{
    return next_store(f, &(ag_store){.name = "info", .kind = AG_IN_INFO, .bytes = AG_INFO_BYTES},
                      NULL);
}

// ---- plan --------------------------------------------------------------------------------------

void ag_frame_step(ag_frame *f, const char *name)
{
    ag_frame_end_shader(f);
    uint32_t step = f->step_count++;
    assert(step < AG_MAX_STEPS);
    f->step_name = name;
    if (f->mode == AG_FRAME_PLANS)
        f->plan->steps[step].name = name;
}

static void note_use(bool *used, uint32_t *access, uint32_t *first, uint32_t *last, uint32_t how,
                     uint32_t step)
{
    uint32_t both = how == AG_ADD ? AG_READ | AG_WRITE : how & (AG_READ | AG_WRITE);
    if (!*used)
        *first = step;
    *used = true;
    *access |= both;
    *last = step;
}

static void note(ag_frame *f, ag_handle of, uint32_t access)
{
    uint32_t step = f->step_count - 1, n = of.number;
    if (n >= AG_FIRST_STORE) {
        ag_store *s = &f->design->stores[n - AG_FIRST_STORE];
        note_use(&s->used, &s->access, &s->first_step, &s->last_step, access, step);
    } else {
        note_use(&f->slots[n - 1].used, &f->slots[n - 1].access, &f->slots[n - 1].first_step,
                 &f->slots[n - 1].last_step, access, step);
    }
}

static uint64_t times(uint32_t access, uint64_t bytes) // read, written, or both
{
    return access == (AG_READ | AG_WRITE) ? 2 * bytes : bytes;
}

// What an access to a texture moves: its rectangle, or a level below.
static uint64_t view_bytes(const ag_frame *f, const ag_view *v)
{
    uint32_t n = v->of.number;
    if (v->bytes)
        return v->bytes;
    if (n >= AG_FIRST_STORE)
        return times(v->access, f->design->stores[n - AG_FIRST_STORE].bytes);
    const ag_texture *t = &f->request->slots[n - 1];
    int32_t w = t->rect_width >> v->level, h = t->rect_height >> v->level;
    uint64_t texels = (uint64_t)(w ? w : 1) * (uint64_t)(h ? h : 1);
    uint64_t layers = v->layered ? (uint64_t)t->layers : 1;
    return times(v->access, texels * layers * (uint64_t)f->request->formats[n - 1]->bytes);
}

// Counters and constants that all share are too small to count.
static uint64_t span_bytes(const ag_frame *f, const ag_block *s)
{
    const ag_store *store = &f->design->stores[s->of.number - AG_FIRST_STORE];
    if (store->kind == AG_IN_INFO || store->kind == AG_IN_CONSTANTS)
        return 0;
    uint32_t access = s->access == AG_ADD ? AG_READ | AG_WRITE : s->access;
    return times(access, s->bytes ? s->bytes : store->bytes);
}

static void plan_dispatch(ag_frame *f, const ag_dispatch *d)
{
    ag_step *step = &f->plan->steps[f->step_count - 1];
    uint64_t groups = (uint64_t)d->groups[0] * d->groups[1] * d->groups[2],
             most = (uint64_t)step->groups[0] * step->groups[1] * step->groups[2];
    ++step->dispatches;
    if (groups > most)
        memcpy(step->groups, d->groups, sizeof step->groups);
    for (int i = 0; i < AG_IMAGE_MAX; ++i)
        if (d->images[i].of.number) {
            note(f, d->images[i].of, d->images[i].access);
            step->bytes += view_bytes(f, &d->images[i]);
        }
    for (int i = 0; i < AG_TEXTURE_MAX; ++i)
        if (d->textures[i].of.number) {
            note(f, d->textures[i].of, d->textures[i].access);
            step->bytes += view_bytes(f, &d->textures[i]);
        }
    for (int i = 0; i < AG_SSBO_COUNT; ++i)
        if (d->ranges[i].of.number) {
            note(f, d->ranges[i].of, d->ranges[i].access);
            step->bytes += span_bytes(f, &d->ranges[i]);
        }
    if (d->indirect.of.number)
        note(f, d->indirect.of, AG_READ);
}

void ag_frame_dispatch(ag_frame *f, const ag_dispatch *dispatch)
{
    ag_frame_end_shader(f);
    assert(f->step_count);
    if (f->mode == AG_FRAME_PLANS)
        plan_dispatch(f, dispatch);
    if (f->mode == AG_FRAME_RECORDS)
        ag_frame_record(f, dispatch);
}
