// frame_plan.c - what a frame says, by its mode, and the plan that follows from it
// SPDX-License-Identifier: MIT
#include "base/memory.h"
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
    f->skips = f->of_make = f->goes_on = false;
    f->plan = NULL;
    f->recording = NULL;
    f->info = (ag_handle){0};
    f->first_shader = f->shader_count = f->store_count = f->step_count = 0;
    f->step_name = NULL;
    f->hazards.count = 0;
}

const ag_host *ag_frame_host(const ag_frame *f)
{
    return f->host;
}

const ag_gl *ag_frame_gl(const ag_frame *f)
{
    return f->gl;
}

const ag_request *ag_frame_request(const ag_frame *f)
{
    return f->request;
}

void *ag_frame_facts(ag_frame *f)
{
    return f->facts;
}

bool ag_frame_is_recorded(const ag_frame *f)
{
    return f->mode == AG_FRAME_RECORDS;
}

const void *ag_frame_design(const ag_frame *f)
{
    return f->design + 1;
}

uint64_t ag_frame_planned_bytes(const ag_frame *f)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; f->plan && i < f->step_count; ++i)
        bytes += f->plan->steps[i].bytes;
    return bytes;
}

uint32_t ag_frame_planned_dispatches(const ag_frame *f)
{
    uint32_t dispatches = 0;
    for (uint32_t i = 0; f->plan && i < f->step_count; ++i)
        dispatches += f->plan->steps[i].dispatches;
    return dispatches;
}

bool ag_frame_is_planned(const ag_frame *f)
{
    return f->plan != NULL;
}

void ag_frame_text(ag_frame *f, const char *format, ...)
{
    if (!f->plan)
        return;
    va_list values;
    va_start(values, format);
    char *text = f->plan->head.text;
    size_t used = strlen(text);
    vsnprintf(text + used, sizeof f->plan->head.text - used, format, values);
    va_end(values);
}

// ---- shaders -----------------------------------------------------------------------------------

void ag_frame_end_shader(ag_frame *f)
{
    if (f->mode != AG_FRAME_COMPILES || !f->shader_count)
        return;
    uint32_t last = f->shader_count - 1;
    ag_shader *shader = &f->shaders[last];
    if (shader->defines && f->status >= 0)
        f->status = ag_program_get(f->prep, shader->path, shader->defines,
                                   &f->state->programs[f->first_shader + last]);
    shader->defines = NULL;
}

ag_shader *ag_frame_shader(ag_frame *f, const char *path)
{
    ag_frame_end_shader(f);
    uint32_t place = f->first_shader + f->shader_count;
    assert(place < AG_MAX_PROGRAMS);
    ag_shader *shader = &f->shaders[f->shader_count++];
    *shader = (ag_shader){.path = path};
    if (f->mode == AG_FRAME_COMPILES) {
        f->defines = (ag_defines){0};
        shader->defines = &f->defines;
    }
    if (f->mode == AG_FRAME_RECORDS || f->mode == AG_FRAME_MAKES)
        shader->program = f->state->programs[place];
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

static bool keeps(const ag_frame *f)
{
    return (f->mode == AG_FRAME_KEEPS || f->mode == AG_FRAME_MAKES) && f->status >= 0;
}

// The next store. A frame that plans writes the design down; later runs must agree with it.
static ag_place *next_place(ag_frame *f, const ag_store *store, ag_handle *handle)
{
    uint32_t i = f->store_count++;
    assert(i < AG_MAX_STORES);
    if (f->plan)
        f->design->stores[i] = *store;
    assert(f->of_make || f->plan ||
           (i < f->design->store_count && !strcmp(f->design->stores[i].name, store->name)));
    ag_place *place = &f->places[i];
    *place = (ag_place){.kind = store->kind, .format = store->format, .bytes = store->bytes};
    if (f->mode == AG_FRAME_RECORDS) {
        place->name = f->state->places[i].name;
        place->texels = f->state->texels[i];
        place->offset = f->design->stores[i].offset;
        if (store->kind == AG_IN_CONSTANTS)
            place->bytes = f->state->places[i].bytes;
    }
    *handle = (ag_handle){AG_FIRST_STORE + i};
    return place;
}

// The memory of a store that is kept, for this run and for recording.
static void set_memory(ag_frame *f, ag_place *place, const ag_memory *memory)
{
    place->name = memory->name;
    if (place->kind == AG_IN_CONSTANTS) // an empty table has bytes, too
        place->bytes = memory->bytes;
    if (!f->of_make)
        f->state->places[place - f->places] = *memory;
}

// Scratch of `make`: that of the pass, one block behind the other; else memory of its own.
static void place_scratch(ag_frame *f, ag_place *place, const char *name)
{
    uint64_t alignment = (uint64_t)f->gl->ssbo_alignment;
    place->offset = f->scratch;
    f->scratch += (place->bytes + alignment - 1) / alignment * alignment;
    if (f->mode != AG_FRAME_MAKES || f->status < 0)
        return;
    if (f->scratch <= f->prep->scratch.bytes) {
        place->name = f->prep->scratch.name;
        return;
    }
    const ag_kept *kept =
        ag_frame_keep(f, &(ag_own){.name = name, .bytes = place->bytes, .temporary = true},
                      place->bytes);
    place->kind = AG_IN_BUFFER;
    place->offset = 0;
    place->name = kept ? kept->memory.name : 0;
}

ag_handle ag_scratch(ag_frame *f, const char *name, uint64_t bytes)
{
    ag_handle handle;
    ag_place *place =
        next_place(f, &(ag_store){.name = name, .kind = AG_IN_SCRATCH, .bytes = bytes}, &handle);
    if (f->of_make)
        place_scratch(f, place, name);
    else if (f->mode == AG_FRAME_RECORDS) {
        place->name = f->request->scratch.buffer;
        place->offset += f->request->scratch.offset;
    }
    return handle;
}

ag_handle ag_own_memory(ag_frame *f, const ag_own *own)
{
    ag_handle handle;
    ag_store store = {.name = own->name, .kind = AG_IN_BUFFER, .bytes = own->bytes};
    if (own->format) {
        store.kind = AG_IN_TEXTURE;
        store.format = ag_format_find(own->format);
        store.bytes = (uint64_t)own->width * (uint64_t)own->height *
                      (uint64_t)(own->layers > 1 ? own->layers : 1) * (uint64_t)store.format->bytes;
    }
    ag_place *place = next_place(f, &store, &handle);
    place->target = ag_frame_target(own);
    const ag_kept *kept = keeps(f) ? ag_frame_keep(f, own, store.bytes) : NULL;
    if (!kept)
        return handle;
    set_memory(f, place, &kept->memory);
    place->texels = kept->packed ? kept->view.name : place->name;
    if (!f->of_make)
        f->state->texels[place - f->places] = place->texels;
    return handle;
}

ag_handle ag_shared_constants(ag_frame *f, const char *name, const int32_t key[8], size_t count,
                              void (*fill)(const void *context, float *values), const void *context)
{
    ag_handle handle;
    ag_store store = {.name = name, .kind = AG_IN_CONSTANTS, .bytes = 4 * count};
    ag_place *place = next_place(f, &store, &handle);
    const ag_memory *memory;
    if (!keeps(f))
        return handle;
    f->status = ag_gpu_constants(f->prep->gpu, name, key, count, fill, context, &memory);
    if (f->status >= 0)
        set_memory(f, place, memory);
    return handle;
}

void *ag_frame_work(ag_frame *f, size_t bytes)
{
    if (!keeps(f) || f->skips)
        return NULL;
    void *work = ag_alloc(f->host, bytes);
    if (!work)
        f->status = AG_E_MEMORY;
    return work;
}

ag_handle ag_frame_info(ag_frame *f)
{
    if (f->info.number) // parts of a frame ask for it, too; to the hazards it is one memory
        return f->info;
    ag_store store = {.name = "info", .kind = AG_IN_INFO, .bytes = AG_INFO_BYTES};
    ag_place *place = next_place(f, &store, &f->info);
    if (keeps(f))
        set_memory(f, place, &f->state->info);
    return f->info;
}

// ---- make --------------------------------------------------------------------------------------

// Of what `make` computes: the key of the effect, and the programs that do it.
static ag_hash128 made_of(const ag_frame_state *state, const void *key, size_t bytes)
{
    struct {
        GLuint programs[AG_MAX_PROGRAMS];
        ag_hash128 key;
    } all = {.key = ag_hash128_of(key, bytes)};
    for (uint32_t i = state->frame_programs; i < state->program_count; ++i)
        all.programs[i - state->frame_programs] = state->programs[i]->name;
    return ag_hash128_of(&all, sizeof all);
}

bool ag_frame_is_made(ag_frame *f, const void *key, size_t bytes)
{
    ag_frame_state *state = f->state, *old = f->old;
    if (f->mode != AG_FRAME_MAKES || f->status < 0)
        return false;
    state->made_of = made_of(state, key, bytes);
    if (!old->has_made || !f->prep->may_wait || !ag_hash128_equal(state->made_of, old->made_of))
        return false;
    ag_frame_keep_made(f);
    // Their programs count as used by this plan too, so that live reload makes it again when one of
    // their shaders changes.
    for (uint32_t i = state->frame_programs; i < state->program_count; ++i)
        *state->programs[i]->use =
            *old->programs[i - state->frame_programs + old->frame_programs]->use;
    f->skips = true;
    return true;
}

void ag_frame_now_made(ag_frame *f, const void *key, size_t bytes)
{
    if (f->mode == AG_FRAME_MAKES)
        f->state->made_of = made_of(f->state, key, bytes);
}

bool ag_frame_is_making(const ag_frame *f)
{
    return f->mode == AG_FRAME_MAKES && f->status >= 0 && !f->skips;
}

void ag_frame_fail(ag_frame *f, ag_status status)
{
    if (f->status >= 0)
        f->status = status;
}

void ag_frame_leave(ag_frame *f, bool unfinished)
{
    if (f->mode == AG_FRAME_MAKES)
        f->state->unfinished = unfinished;
}

bool ag_frame_goes_on(const ag_frame *f)
{
    return f->goes_on;
}

bool ag_frame_may_wait(const ag_frame *f)
{
    return f->mode == AG_FRAME_MAKES && f->prep->may_wait;
}

void ag_frame_refuse(ag_frame *f, ag_status status, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (f->status >= 0)
        f->status = ag_fail(f->host, status, "%s", text);
}

// ---- plan --------------------------------------------------------------------------------------

void ag_frame_step(ag_frame *f, const char *name)
{
    ag_frame_end_shader(f);
    uint32_t step = f->step_count++;
    assert(!f->plan || step < AG_MAX_STEPS);
    f->step_name = name;
    if (f->plan)
        f->plan->steps[step].name = name;
}

static void note(ag_frame *f, ag_handle of, uint32_t access)
{
    uint32_t n = of.number;
    ag_live *live =
        n >= AG_FIRST_STORE ? &f->design->stores[n - AG_FIRST_STORE].live : &f->slots[n - 1];
    live->last_step = f->step_count ? f->step_count - 1 : 0;
    if (!live->used)
        live->first_step = live->last_step;
    live->used = true;
    live->access |= access == AG_ADD ? AG_READ | AG_WRITE : access & (AG_READ | AG_WRITE);
}

static uint64_t times(uint32_t access, uint64_t bytes) // read, written, both, or only bound
{
    return access == (AG_READ | AG_WRITE) ? 2 * bytes : access ? bytes : 0;
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
    if (s->moves)
        return s->moves;
    if (store->kind == AG_IN_INFO || store->kind == AG_IN_CONSTANTS)
        return 0;
    uint32_t access = s->access == AG_ADD ? AG_READ | AG_WRITE : s->access;
    return times(access, s->bytes ? s->bytes : store->bytes);
}

static void plan_dispatch(ag_frame *f, const ag_dispatch *d)
{
    ag_step *step = &f->plan->steps[f->step_count ? f->step_count - 1 : 0];
    uint64_t groups = (uint64_t)d->groups[0] * d->groups[1] * d->groups[2],
             most = (uint64_t)step->groups[0] * step->groups[1] * step->groups[2];
    const uint64_t bytes = step->bytes;
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
    if (!groups)
        step->bytes = bytes;
}

void ag_frame_step_bytes(ag_frame *f, uint64_t bytes)
{
    if (f->plan)
        f->plan->steps[f->step_count - 1].bytes = bytes;
}

void ag_frame_dispatch(ag_frame *f, const ag_dispatch *dispatch)
{
    ag_frame_end_shader(f);
    if (f->plan)
        plan_dispatch(f, dispatch);
    bool makes = f->mode == AG_FRAME_MAKES && f->status >= 0 && !f->skips;
    if (f->mode == AG_FRAME_RECORDS || makes)
        ag_frame_record(f, dispatch);
}
