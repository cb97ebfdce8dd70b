// box_table.c - a table in textures of the module's own, and what asks it: for box_blur and local_stats
// SPDX-License-Identifier: MIT
#include "box_table.h"
#include "../device.h"

#include <stdio.h>
#include <string.h>

bool ag_box_table_plan(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                       int32_t storage, bool squares, ag_table_plan *plan)
{
    bool integers = storage == AG_TABLE_UINT32;
    int32_t channels = format->channels == 3 ? 4 : format->channels;
    const ag_table_request want = {.width = src->w,
                                   .height = src->h,
                                   .layers = src->layers,
                                   .channels = channels,
                                   .storage = storage,
                                   .offset = integers ? AG_TABLE_PLAIN : AG_TABLE_MEAN,
                                   .square = squares,
                                   .counts = integers,
                                   .max_value = 1,
                                   .has_warps = gl->has_warps,
                                   .src_bytes = format->bytes,
                                   .dst_bytes = 4 * channels * (squares ? 2 : 1) *
                                                (storage == AG_TABLE_DOUBLE ? 2 : 1),
                                   .max_block_bytes = gl->max_ssbo_bytes,
                                   .alignment = gl->ssbo_alignment};
    return ag_table_plan_make(&want, plan);
}

const ag_format *ag_box_table_format(const ag_table_plan *plan)
{
    static const GLenum floats[] = {0, GL_R32F, GL_RG32F, 0, GL_RGBA32F};
    static const GLenum integers[] = {0, GL_R32UI, GL_RG32UI, 0, GL_RGBA32UI};
    bool whole = plan->request.storage == AG_TABLE_UINT32;
    return ag_format_find((whole ? integers : floats)[plan->request.channels]);
}

static int32_t texture_count(const ag_table_request *r)
{
    return (r->square ? 2 : 1) * (r->storage == AG_TABLE_DOUBLE ? 2 : 1);
}

uint64_t ag_box_table_bytes(const ag_table_plan *plan)
{
    const ag_table_request *r = &plan->request;
    uint64_t texels = (uint64_t)r->width * (uint64_t)r->height * (uint64_t)r->layers;
    uint64_t mean = r->offset == AG_TABLE_MEAN ? 16 * (uint64_t)r->layers : 0;
    return texels * (uint64_t)(4 * r->channels * texture_count(r)) + mean;
}

ag_status ag_box_table_prepare(ag_device *device, const ag_table_plan *plan,
                               const ag_table_source *src, ag_box_table *made)
{
    const ag_table_request *r = &plan->request;
    *made = (ag_box_table){.format = ag_box_table_format(plan),
                           .shape = {.w = r->width, .h = r->height, .layers = r->layers}};
    bool doubled = r->storage == AG_TABLE_DOUBLE;
    const struct {
        ag_memory *memory;
        bool wanted;
    } textures[] = {{&made->image, true},
                    {&made->low, doubled},
                    {&made->squares, r->square},
                    {&made->squares_low, r->square && doubled}};
    ag_sat_table nothing = {0};
    ag_status status = ag_table_prepare(device, plan, src, false, &nothing, &made->table);
    for (size_t i = 0; i < sizeof textures / sizeof *textures; ++i)
        if (status >= 0 && textures[i].wanted)
            status = ag_gpu_texture_of(device, "afterglow table", made->format->name,
                                       made->format->bytes, r->width, r->height * r->layers,
                                       textures[i].memory);
    if (status >= 0 && r->offset == AG_TABLE_MEAN)
        status = ag_gpu_texture(device, "afterglow mean", 1, r->layers, &made->mean);
    return status;
}

void ag_box_table_free(ag_device *device, ag_box_table *table, bool with_gl)
{
    ag_memory *const textures[] = {&table->image, &table->low, &table->squares, &table->squares_low,
                                   &table->mean};
    for (size_t i = 0; i < sizeof textures / sizeof *textures; ++i)
        ag_gpu_free_texture(device, textures[i], with_gl);
}

ag_source_texture ag_own_texture(const ag_memory *memory, const ag_format *format,
                                 const ag_texture *shape)
{
    return (ag_source_texture){memory->name, memory->name, 0, memory->name ? shape : NULL, format};
}

void ag_box_table_record(ag_recording *recording, const ag_request *request, const ag_box_table *t,
                         const ag_memory *scratch, const ag_source_texture *src, bool src_stacked,
                         const ag_memory *info, bool scrub, int32_t first_step, bool waits)
{
    ag_sat_table table = t->table;
    table.scratch = *scratch;
    const ag_table_textures textures = {
        .src = *src,
        .dst = ag_own_texture(&t->image, t->format, &t->shape),
        .low = ag_own_texture(&t->low, t->format, &t->shape),
        .squares = ag_own_texture(&t->squares, t->format, &t->shape),
        .squares_low = ag_own_texture(&t->squares_low, t->format, &t->shape),
        .mean = ag_own_texture(&t->mean, ag_format_find(GL_RGBA32F), &t->shape),
        .src_stacked = src_stacked,
        .dst_stacked = true,
        .sampled = !src_stacked && ag_table_source_of(request).reading != AG_BY_IMAGE};
    ag_table_record(recording, request, &table, &textures, info, scrub, first_step, waits);
}

void ag_box_defines(int32_t storage, bool mean, const ag_format *format, bool squares,
                    int32_t border, char *text, size_t size)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used,
             "#define TABLE %d\n#define TABLE_MEAN %d\n#define TABLE_FORMAT %s\n"
             "#define TABLE_CHANNELS %d\n#define SQUARES %d\n#define BORDER %d\n",
             storage, mean, format->glsl, format->channels, squares, border);
}

static ag_image_binding read_binding(const ag_memory *memory, GLenum format)
{
    return (ag_image_binding){memory->name, 0, 0, GL_READ_ONLY, format, false};
}

void ag_box_table_bind(const ag_box_table *t, ag_dispatch *d)
{
    d->images[AG_IMAGE_TABLE] = read_binding(&t->image, t->format->name);
    d->images[AG_IMAGE_TABLE_LOW] = read_binding(&t->low, t->format->name);
    d->images[AG_IMAGE_TABLE_MEAN] = read_binding(&t->mean, GL_RGBA32F);
    if (t->squares.name) {
        d->images[AG_IMAGE_TABLE_SQUARES] = read_binding(&t->squares, t->format->name);
        d->images[AG_IMAGE_TABLE_SQUARES_LOW] = read_binding(&t->squares_low, t->format->name);
    }
}
