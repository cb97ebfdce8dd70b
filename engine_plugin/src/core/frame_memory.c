// frame_memory.c - the memory that a pass keeps: what serves stays, the rest is made; or nothing
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "core/frame_state.h"

#include <string.h>

static ag_kept *find(const ag_frame_state *state, const char *name)
{
    for (uint32_t i = 0; i < state->kept_count; ++i)
        if (!strcmp(state->kept[i].name, name))
            return (ag_kept *)&state->kept[i];
    return NULL;
}

static bool fits(const ag_kept *old, const ag_memory *memory, const ag_kept *made, uint64_t bytes)
{
    if (!memory->name || old->texture != made->texture)
        return false;
    return ag_memory_serves(memory, bytes) &&
           (!made->texture || (old->format == made->format && old->target == made->target &&
                               old->packed == made->packed && old->size[0] >= made->size[0] &&
                               old->size[1] >= made->size[1] && old->size[2] == made->size[2]));
}

GLenum ag_frame_target(const ag_own *own)
{
    return own->layers > 1 || own->target == GL_TEXTURE_2D_ARRAY ? GL_TEXTURE_2D_ARRAY
                                                                 : GL_TEXTURE_2D;
}

static int32_t grown(int32_t had, int32_t needed, int32_t most)
{
    int32_t more = needed + needed / 8;
    return !had || had >= needed ? needed : more < most ? more : most;
}

// A texture that replaces a smaller one is an eighth larger than needed, so that a size that
// changes on every frame soon allocates nothing.
static ag_status make_texture(ag_gpu *gpu, const ag_kept *old, ag_kept *made, bool filtered)
{
    const ag_format *format = ag_format_find(made->format);
    int32_t most = gpu->gl.max_texture_size;
    for (int i = 0; i < 2; ++i)
        made->size[i] = grown(old && old->texture ? old->size[i] : 0, made->size[i], most);
    ag_status status = ag_gpu_texture(gpu, made->name, made->target, made->format,
                                      filtered ? GL_LINEAR : GL_NEAREST, format->bytes,
                                      made->size[0], made->size[1], made->size[2], &made->memory);
    if (status < 0 || !made->packed)
        return status;
    GLuint view =
        ag_gpu_view(gpu, made->name, made->target, format->texture, made->memory.name, 0, 1);
    made->view = (ag_memory){view, 0};
    return view ? AG_OK
                : ag_fail(&gpu->host, AG_E_MEMORY,
                          "GL has no memory for a view of the texture \"%s\"", made->name);
}

// A buffer filled by the CPU, or zeroed: `spare`, if it has a name, or a new one.
static ag_status fill_buffer(ag_gpu *gpu, const ag_own *own, const ag_memory *spare,
                             ag_memory *memory)
{
    if (!own->bytes)
        return AG_OK;
    void *bytes = ag_alloc(&gpu->host, (size_t)own->bytes);
    if (!bytes)
        return AG_E_MEMORY;
    if (own->fill)
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

static ag_status make_memory(ag_frame *f, const ag_own *own, ag_kept *made, const ag_kept *old)
{
    ag_gpu *gpu = f->prep->gpu;
    if (made->texture)
        return make_texture(gpu, old, made, own->filtered);
    ag_memory none = {0},
              spare = old && fits(old, &old->spare, made, own->bytes) ? old->spare : none;
    if (own->fill || !made->made)
        return fill_buffer(gpu, own, own->fill ? &spare : &none, &made->memory);
    // As large as the one in use if that would serve: the two take turns.
    uint64_t bytes = own->bytes;
    if (!spare.name && old && fits(old, &old->memory, made, bytes))
        bytes = old->memory.bytes;
    ag_status status = ag_gpu_buffer_again(gpu, own->name, bytes, &spare, &made->memory);
    bool second = own->twice && !(old && fits(old, &old->memory, made, bytes));
    if (status >= 0 && second)
        status = ag_gpu_buffer(gpu, own->name, AG_ON_GPU, bytes, NULL, &made->spare);
    return status;
}

const ag_kept *ag_frame_keep(ag_frame *f, const ag_own *own, uint64_t bytes)
{
    ag_frame_state *state = f->state;
    ag_kept *made = find(state, own->name);
    if (made)
        return made; // by `make`
    made = &state->kept[state->kept_count++];
    *made = (ag_kept){.name = own->name,
                      .texture = own->format != 0,
                      .packed = own->packed,
                      .format = own->format,
                      .target = ag_frame_target(own),
                      .size = {own->width, own->height, own->layers > 1 ? own->layers : 1},
                      .made = f->of_make && !own->temporary,
                      .temporary = own->temporary,
                      .keyed = own->key_bytes || (f->of_make && !own->temporary)};
    if (own->key_bytes)
        made->key = ag_hash128_of(own->key, own->key_bytes);
    else if (made->keyed)
        made->key = state->made_of;
    ag_kept *old = find(f->old, own->name);
    // What `make` is about to write must not be what the former state has.
    bool writes = made->made && !f->skips;
    bool stays = old && fits(old, &old->memory, made, bytes) && !writes &&
                 (f->skips || (old->keyed == made->keyed && ag_hash128_equal(old->key, made->key)));
    if (stays) {
        made->memory = old->memory;
        made->spare = old->spare;
        memcpy(made->size, old->size, sizeof made->size);
        made->view = old->view;
    } else {
        f->status = make_memory(f, own, made, old);
    }
    return f->status < 0 ? NULL : made;
}

void ag_frame_keep_made(ag_frame *f)
{
    for (uint32_t i = 0; i < f->old->kept_count; ++i)
        if ((f->old->kept[i].made || f->old->kept[i].temporary) &&
            !find(f->state, f->old->kept[i].name))
            f->state->kept[f->state->kept_count++] = f->old->kept[i];
}

ag_status ag_frame_make_info(ag_gpu *gpu, const ag_frame_state *old, ag_frame_state *state)
{
    static const char zeros[AG_INFO_BYTES];
    ag_status status = AG_OK;
    if (old->info_spare.name)
        state->info = old->info_spare;
    else
        status = ag_gpu_buffer(gpu, "afterglow info", AG_ON_GPU, sizeof zeros, zeros, &state->info);
    if (status >= 0 && !old->info.name) // for the next state, so that it allocates nothing
        status = ag_gpu_buffer(gpu, "afterglow info", AG_ON_GPU, sizeof zeros, zeros,
                               &state->info_spare);
    if (status >= 0 && old->info.name) {
        gpu->gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        ag_gpu_copy(gpu, &old->info, 0, &state->info, 0, AG_INFO_BYTES);
    }
    return status;
}

static bool has(const ag_frame_state *state, bool texture, GLuint name)
{
    for (uint32_t i = 0; i < state->kept_count; ++i) {
        const ag_kept *k = &state->kept[i];
        if (k->texture == texture &&
            (k->memory.name == name || k->spare.name == name || k->view.name == name))
            return true;
    }
    return false;
}

static void free_kept(ag_gpu *gpu, ag_kept *k, const ag_frame_state *other, bool with_gl)
{
    ag_memory *all[] = {&k->view, &k->memory, &k->spare};
    for (int m = 0; m < 3; ++m) {
        if (other && has(other, k->texture, all[m]->name))
            continue;
        if (k->texture)
            ag_gpu_free_texture(gpu, all[m], with_gl);
        else
            ag_gpu_free_buffer(gpu, all[m], with_gl);
    }
}

// Frees what `from` has and `other` does not; NULL: all.
static void free_all(ag_gpu *gpu, ag_frame_state *from, const ag_frame_state *other, bool with_gl)
{
    for (uint32_t i = 0; i < from->kept_count; ++i)
        free_kept(gpu, &from->kept[i], other, with_gl);
    from->kept_count = 0;
    ag_gpu_free_buffer(gpu, &from->info, with_gl);
    ag_gpu_free_buffer(gpu, &from->info_spare, with_gl);
}

void ag_frame_commit(ag_gpu *gpu, bool several, ag_frame_state *old, ag_frame_state *made)
{
    bool first = !old->program_count && !several;
    for (uint32_t i = 0; i < made->kept_count; ++i) {
        ag_kept *k = &made->kept[i];
        // A former content's memory is the next content's: repeated prepares allocate nothing.
        const ag_kept *o = k->keyed ? find(old, k->name) : NULL;
        if (o && !k->spare.name && o->memory.name != k->memory.name &&
            fits(o, &o->memory, k, k->memory.bytes))
            k->spare = o->memory;
        // A pass that is prepared once needs no more what only `make` needed.
        if (k->temporary && first) {
            free_kept(gpu, k, NULL, true);
            made->kept[i--] = made->kept[--made->kept_count];
        }
    }
    if (old->info.name)
        made->info_spare = old->info;
    old->info = old->info_spare = (ag_memory){0};
    free_all(gpu, old, made, true);
}

void ag_frame_abandon(ag_gpu *gpu, const ag_frame_state *old, ag_frame_state *made)
{
    if (made->info.name == old->info_spare.name)
        made->info = (ag_memory){0};
    free_all(gpu, made, old, true);
}

void ag_frame_free(ag_gpu *gpu, ag_frame_state *state, bool with_gl)
{
    free_all(gpu, state, NULL, with_gl);
}
