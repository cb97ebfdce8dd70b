// frame_memory.c - the memory that a pass keeps: what serves stays, the rest is made, all or nothing
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "core/frame_state.h"

#include <string.h>

static const ag_kept *find(const ag_frame_state *state, const char *name)
{
    for (int i = 0; i < AG_MAX_STORES; ++i)
        if (state->kept[i].name && !state->kept[i].shared && !strcmp(state->kept[i].name, name))
            return &state->kept[i];
    return NULL;
}

static bool fits(const ag_kept *old, const ag_memory *memory, const ag_kept *made, uint64_t bytes)
{
    if (!memory->name || old->texture != made->texture)
        return false;
    return made->texture
               ? old->format == made->format && !memcmp(old->size, made->size, sizeof made->size)
               : ag_memory_serves(memory, bytes);
}

static ag_status make_texture(ag_gpu *gpu, const ag_own *own, ag_memory *memory)
{
    const ag_format *format = ag_format_find(own->format);
    return ag_gpu_texture_layers(gpu, own->name, own->format, format->bytes, own->width,
                                 own->height, own->layers > 1 ? own->layers : 1, memory);
}

// Fills a buffer from the CPU: `spare`, if it has a name, or a new one.
static ag_status make_buffer(ag_gpu *gpu, const ag_own *own, const ag_memory *spare,
                             ag_memory *memory)
{
    if (!own->fill)
        return ag_gpu_zeros(gpu, own->name, own->bytes, memory);
    void *bytes = ag_alloc(&gpu->host, (size_t)own->bytes);
    if (!bytes)
        return AG_E_MEMORY;
    own->fill(own->context, bytes);
    ag_status status = AG_OK;
    if (spare->name) {
        *memory = *spare;
        ag_gpu_write(gpu, memory, 0, own->bytes, bytes);
    } else {
        status = ag_gpu_buffer(gpu, own->name, AG_ON_GPU, own->bytes, bytes, memory);
    }
    ag_free(&gpu->host, bytes, (size_t)own->bytes);
    return status;
}

void ag_frame_keep(ag_frame *f, const ag_own *own, uint32_t place)
{
    const ag_store *store = &f->design->stores[place];
    ag_kept *made = &f->state->kept[place];
    if (store->kind != AG_IN_BUFFER && store->kind != AG_IN_TEXTURE)
        return;
    *made = (ag_kept){.name = own->name,
                      .texture = own->format != 0,
                      .format = own->format,
                      .size = {own->width, own->height, own->layers > 1 ? own->layers : 1},
                      .keyed = own->key_bytes != 0};
    if (made->keyed)
        made->key = ag_hash128_of(own->key, own->key_bytes);
    const ag_kept *old = find(f->old, own->name);
    ag_memory spare = {0};
    if (old && fits(old, &old->memory, made, own->bytes) && old->keyed == made->keyed &&
        ag_hash128_equal(old->key, made->key)) {
        made->memory = old->memory;
        made->spare = old->spare;
        return;
    }
    if (old && fits(old, &old->spare, made, own->bytes))
        spare = old->spare;
    f->status = made->texture ? make_texture(f->prep->gpu, own, &made->memory)
                              : make_buffer(f->prep->gpu, own, &spare, &made->memory);
}

static void free_memory(ag_gpu *gpu, bool texture, ag_memory *memory, bool with_gl)
{
    if (texture)
        ag_gpu_free_texture(gpu, memory, with_gl);
    else
        ag_gpu_free_buffer(gpu, memory, with_gl);
}

static bool has(const ag_frame_state *state, bool texture, GLuint name)
{
    for (int i = 0; i < AG_MAX_STORES; ++i) {
        const ag_kept *k = &state->kept[i];
        if (k->name && k->texture == texture && (k->memory.name == name || k->spare.name == name))
            return true;
    }
    return false;
}

// Frees what `from` alone has.
static void free_rest(ag_gpu *gpu, ag_frame_state *from, const ag_frame_state *other)
{
    for (int i = 0; i < AG_MAX_STORES; ++i) {
        ag_kept *k = &from->kept[i];
        ag_memory *both[] = {&k->memory, &k->spare};
        for (int m = 0; m < 2 && !k->shared; ++m)
            if (both[m]->name && !has(other, k->texture, both[m]->name))
                free_memory(gpu, k->texture, both[m], true);
        *k = (ag_kept){0};
    }
}

void ag_frame_commit(ag_gpu *gpu, ag_frame_state *old, ag_frame_state *made)
{
    // A former content's memory is the next content's: repeated prepares allocate nothing.
    for (int i = 0; i < AG_MAX_STORES; ++i) {
        ag_kept *k = &made->kept[i];
        const ag_kept *o = k->name && !k->shared && k->keyed ? find(old, k->name) : NULL;
        if (o && !k->spare.name && o->memory.name != k->memory.name &&
            fits(o, &o->memory, k, k->memory.bytes))
            k->spare = o->memory;
    }
    free_rest(gpu, old, made);
}

void ag_frame_abandon(ag_gpu *gpu, const ag_frame_state *old, ag_frame_state *made)
{
    free_rest(gpu, made, old);
}

void ag_frame_free(ag_gpu *gpu, ag_frame_state *state, bool with_gl)
{
    for (int i = 0; i < AG_MAX_STORES; ++i) {
        ag_kept *k = &state->kept[i];
        if (k->shared)
            continue;
        free_memory(gpu, k->texture, &k->memory, with_gl);
        free_memory(gpu, k->texture, &k->spare, with_gl);
    }
    memset(state->kept, 0, sizeof state->kept);
}
