// frame_record.c - a frame's dispatches, from handles to GL's names, with their barriers
// SPDX-License-Identifier: MIT
#include "core/frame_state.h"
#include "gl/host_texture.h"

#include <assert.h>

static void bind_slots(ag_frame *f)
{
    const ag_request *r = f->request;
    for (uint32_t i = 0; i < r->info->slot_count; ++i) {
        if (!r->formats[i])
            continue;
        const ag_known *known = ag_texture_find(f->recording->gpu, &r->slots[i]);
        GLuint read = ag_texture_to_read(known); // depth: by texture units alone
        f->bound[i] = (ag_bound){.read = read,
                                 .write = ag_texture_to_write(known),
                                 .texels = r->formats[i]->depth ? read
                                           : known              ? known->texels
                                                                : 0,
                                 .memory = i + 1,
                                 .samples = known ? known->samples : 0};
        f->bound[i].written = (r->info->slots[i].access & AG_WRITE) != 0;
        for (uint32_t k = 0; k < i; ++k)
            if (r->formats[k] && r->slots[k].name == r->slots[i].name) {
                f->bound[i].memory = f->bound[k].memory;
                f->bound[k].written = f->bound[i].written |= f->bound[k].written;
            }
    }
}

int32_t ag_frame_samples(const ag_frame *f, int slot)
{
    return ag_frame_is_recorded(f) ? f->bound[slot].samples : 0;
}

// ---- what the last frame left ------------------------------------------------------------------

// Textures that the last frame may have written: the opening barrier orders buffers alone.
static void leave_from_last(ag_frame *f)
{
    ag_touch all = {.how = AG_WRITE, .to = UINT64_MAX};
    const ag_request *r = f->request;
    for (uint32_t i = 0; i < r->info->slot_count; ++i)
        if (r->formats[i] && (r->info->slots[i].access & AG_STATE)) {
            all.memory = f->bound[i].memory;
            ag_hazards_add(&f->hazards, &all, 1, UINT32_MAX);
        }
    for (uint32_t i = 0; i < f->design->store_count && !f->of_make; ++i)
        if (f->design->stores[i].kind == AG_IN_TEXTURE) {
            all.memory = AG_FIRST_STORE + i;
            ag_hazards_add(&f->hazards, &all, 1, UINT32_MAX);
        }
}

void ag_frame_open(ag_frame *f, ag_recording *recording)
{
    f->recording = recording;
    f->hazards.count = 0;
    bind_slots(f);
    leave_from_last(f);
}

// ---- from handles to names ---------------------------------------------------------------------

typedef struct touches {
    uint32_t count;
    ag_touch at[AG_IMAGE_MAX + AG_TEXTURE_MAX + AG_SSBO_COUNT + 1];
} touches;

static void touch(touches *t, uint32_t memory, uint32_t how, GLbitfield unit, uint64_t from,
                  uint64_t to)
{
    if (how)
        t->at[t->count++] = (ag_touch){memory, how, unit, from, to};
}

static const ag_place *store_of(const ag_frame *f, ag_handle handle)
{
    return &f->places[handle.number - AG_FIRST_STORE];
}

typedef struct where { // of a view
    GLuint read, write, texels;
    GLint level, layer;
    GLenum target;
    const ag_format *format;
    uint32_t memory;
    bool written; // by this frame or the last one
} where;

static where where_of(const ag_frame *f, const ag_view *v)
{
    uint32_t n = v->of.number;
    if (n >= AG_FIRST_STORE) {
        const ag_place *s = store_of(f, v->of);
        return (where){s->name,   s->name,   s->texels, v->level, v->layer,
                       s->target, s->format, n,         true};
    }
    const ag_texture *t = &f->request->slots[n - 1];
    const ag_bound *b = &f->bound[n - 1];
    return (where){b->read,
                   b->write,
                   b->texels,
                   t->level + v->level,
                   t->first_layer + v->layer,
                   t->target,
                   f->request->formats[n - 1],
                   b->memory,
                   b->written};
}

// Layers of a level, as a range.
static void touch_view(touches *t, const ag_view *v, const where *p, GLbitfield unit)
{
    if (!p->written) // the reads of what nobody writes need no order
        return;
    uint64_t level = (uint64_t)p->level << 12;
    uint64_t from = level + (v->layered ? 0 : (uint64_t)p->layer),
             to = level + (v->layered ? 4096 : (uint64_t)p->layer + 1);
    touch(t, p->memory, v->access, unit, from, to);
}

static ag_image_binding image_of(const ag_frame *f, const ag_view *v, touches *t)
{
    where p = where_of(f, v);
    touch_view(t, v, &p, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    bool reads = v->access == AG_READ || !v->access;
    return (ag_image_binding){reads ? p.read : p.write,
                              p.level,
                              v->layered ? 0 : p.layer,
                              reads                   ? GL_READ_ONLY
                              : v->access == AG_WRITE ? GL_WRITE_ONLY
                                                      : GL_READ_WRITE,
                              v->format ? v->format
                              : reads   ? p.format->read
                                        : p.format->image,
                              v->layered};
}

static ag_texture_binding texture_of(const ag_frame *f, const ag_view *v, touches *t)
{
    where p = where_of(f, v);
    ag_view whole = *v; // a texture unit reads what its view has: all layers
    whole.layered = true;
    touch_view(t, &whole, &p, GL_TEXTURE_FETCH_BARRIER_BIT);
    return (ag_texture_binding){p.texels, p.target};
}

static ag_range range_of(const ag_frame *f, const ag_block *s, GLbitfield unit, touches *t)
{
    const ag_place *p = store_of(f, s->of);
    uint64_t bytes = s->bytes ? s->bytes : p->bytes;
    ag_range range = {p->name, p->offset + s->at, bytes};
    // All blocks of scratch are one memory, so that those that share bytes are ordered.
    uint32_t memory = p->kind == AG_IN_SCRATCH ? 0 : s->of.number;
    // Up to where the next range may begin, so that those of layers join.
    uint64_t alignment = (uint64_t)f->gl->ssbo_alignment,
             end = (range.offset + bytes + alignment - 1) / alignment * alignment;
    if (p->kind != AG_IN_CONSTANTS)
        touch(t, memory, s->access, unit, range.offset, end);
    return range;
}

void ag_frame_record(ag_frame *f, const ag_dispatch *d)
{
    touches t;
    t.count = 0;
    if (!f->recording) { // `make`: where it begins, and after a look
        ag_record_begin_prepare(&f->own_recording, f->prep->gpu, f->effect->info.id);
        ag_frame_open(f, &f->own_recording);
    }
    ag_gl_dispatch gl = {.program = d->shader->program,
                         .uniforms = d->uniforms,
                         .uniform_count = d->uniform_count,
                         .groups = {d->groups[0], d->groups[1], d->groups[2]}};
    for (int i = 0; i < AG_IMAGE_MAX; ++i)
        if (d->images[i].of.number)
            gl.images[i] = image_of(f, &d->images[i], &t);
    for (int i = 0; i < AG_TEXTURE_MAX; ++i)
        if (d->textures[i].of.number)
            gl.textures[i] = texture_of(f, &d->textures[i], &t);
    for (int i = 0; i < AG_SSBO_COUNT; ++i)
        if (d->ranges[i].of.number)
            gl.ranges[i] = range_of(f, &d->ranges[i], GL_SHADER_STORAGE_BARRIER_BIT, &t);
    if (d->indirect.of.number)
        gl.indirect = range_of(f, &d->indirect, GL_COMMAND_BARRIER_BIT, &t);
    uint32_t step = f->step_count ? f->step_count - 1 : 0;
    GLbitfield bits = ag_hazards_of(&f->hazards, t.at, t.count, step);
    // What an image unit reads is often read by a texture unit next: one barrier serves both.
    if (bits & GL_SHADER_IMAGE_ACCESS_BARRIER_BIT)
        bits |= GL_TEXTURE_FETCH_BARRIER_BIT;
    if (bits)
        bits = ag_hazards_barrier(&f->hazards, bits);
    bits |= ag_hazards_add(&f->hazards, t.at, t.count, step);
    if (bits)
        ag_record_wait(f->recording, bits);
    if (f->step_name)
        ag_record_step(f->recording, step, f->step_name, false);
    f->step_name = NULL;
    ag_record(f->recording, &gl);
}

// ---- make --------------------------------------------------------------------------------------

void ag_frame_close(ag_frame *f)
{
    // Whatever reads it next, by whichever unit: an execute's opening barrier orders buffers alone.
    if (f->recording)
        ag_record_end(f->recording,
                      GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                          GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    f->recording = NULL;
    f->step_name = NULL;
}

bool ag_frame_look(ag_frame *f, ag_handle of, uint64_t at, uint64_t bytes, void *out)
{
    if (f->mode != AG_FRAME_MAKES || f->status < 0 || !f->prep->may_wait)
        return false;
    ag_frame_close(f);
    const ag_place *p = store_of(f, of);
    ag_memory memory = {p->name, p->bytes};
    f->status = ag_gpu_read(f->prep->gpu, &memory, p->offset + at, bytes, out);
    return f->status >= 0;
}

static ag_memory memory_of(const ag_frame *f, ag_handle handle)
{
    const ag_place *p = store_of(f, handle);
    return (ag_memory){p->name, p->bytes};
}

void ag_frame_upload(ag_frame *f, ag_handle to, const void *data, uint64_t bytes)
{
    if (!ag_frame_is_making(f))
        return;
    ag_frame_close(f);
    ag_memory memory = memory_of(f, to);
    ag_gpu_write(f->prep->gpu, &memory, store_of(f, to)->offset, bytes, data);
}

void ag_frame_copy(ag_frame *f, ag_handle from, uint64_t from_at, ag_handle to, uint64_t to_at,
                   uint64_t bytes)
{
    if (!ag_frame_is_making(f))
        return;
    ag_frame_close(f);
    ag_memory a = memory_of(f, from), b = memory_of(f, to);
    ag_gpu_copy(f->prep->gpu, &a, store_of(f, from)->offset + from_at, &b,
                store_of(f, to)->offset + to_at, bytes);
}

void ag_frame_answer(ag_frame *f, ag_handle from, uint64_t at, uint64_t to, uint64_t bytes)
{
    if (!ag_frame_is_making(f))
        return;
    ag_frame_close(f);
    ag_memory memory = memory_of(f, from);
    ag_gpu_copy(f->prep->gpu, &memory, store_of(f, from)->offset + at, f->answer, to, bytes);
}
