// box_table.c - a table of the module's own in images, a texture or a buffer, and its queries
// SPDX-License-Identifier: MIT
#include "effects/sat/box_old.h"
#include "base/log.h"

uint64_t ag_box_table_bytes(const ag_sat_plan *plan)
{
    const ag_sat_request *r = &plan->request;
    uint64_t texels = (uint64_t)r->width * (uint64_t)r->height * (uint64_t)r->layers;
    uint64_t mean = r->offset == AG_TABLE_MEAN ? 16 * (uint64_t)r->layers : 0;
    if (r->query == AG_QUERY_BUFFER)
        return (uint64_t)ag_table_layer_bytes(r) * (uint64_t)r->layers + mean;
    return texels * (uint64_t)(4 * r->channels * ag_sat_sections(r)) + mean;
}

static ag_status make_images(ag_gpu *gpu, const ag_sat_request *r, ag_box_table *made)
{
    bool doubled = r->storage == AG_TABLE_DOUBLE;
    const struct {
        ag_memory *memory;
        bool wanted;
    } textures[] = {{&made->image, true},
                    {&made->low, doubled},
                    {&made->squares, r->square},
                    {&made->squares_low, r->square && doubled}};
    ag_status status = AG_OK;
    for (size_t i = 0; i < sizeof textures / sizeof *textures; ++i)
        if (status >= 0 && textures[i].wanted)
            status =
                ag_gpu_texture_of(gpu, "afterglow table", made->format->name, made->format->bytes,
                                  r->width, r->height * r->layers, textures[i].memory);
    return status;
}

static ag_status make_sections(ag_gpu *gpu, const ag_sat_request *r, ag_box_table *made)
{
    ag_status status =
        ag_gpu_texture_of(gpu, "afterglow table", made->format->name, made->format->bytes, r->width,
                          r->height * r->layers * ag_sat_sections(r), &made->image);
    if (status >= 0)
        status = ag_gpu_view(gpu, "afterglow table view", made->target, made->format->name,
                             &made->image, &made->view);
    return status;
}

ag_status ag_box_table_prepare(const ag_preparation *prep, const ag_sat_plan *plan,
                               const ag_sat_table_source *src, GLenum target, ag_box_table *made)
{
    const ag_sat_request *r = &plan->request;
    *made = (ag_box_table){
        .table.plan = *plan,
        .format = ag_box_table_format(plan),
        .shape = {.rect_width = r->width, .rect_height = r->height, .layers = r->layers},
        .target = target};
    ag_status status = ag_sat_table_programs(prep, plan, src, &made->table);
    if (status >= 0 && r->query == AG_QUERY_BUFFER)
        status = ag_gpu_buffer(prep->gpu, "afterglow table", AG_ON_GPU,
                               (uint64_t)ag_table_layer_bytes(r) * (uint64_t)r->layers, NULL,
                               &made->buffer);
    else if (status >= 0)
        status = r->query == AG_QUERY_TEXTURE ? make_sections(prep->gpu, r, made)
                                              : make_images(prep->gpu, r, made);
    if (status >= 0 && r->offset == AG_TABLE_MEAN)
        status = ag_gpu_texture(prep->gpu, "afterglow mean", 1, r->layers, &made->mean);
    return status;
}

void ag_box_table_free(ag_gpu *gpu, ag_box_table *table, bool with_gl)
{
    ag_memory *const textures[] = {&table->view,    &table->image,       &table->low,
                                   &table->squares, &table->squares_low, &table->mean};
    for (size_t i = 0; i < sizeof textures / sizeof *textures; ++i)
        ag_gpu_free_texture(gpu, textures[i], with_gl);
    ag_gpu_free_buffer(gpu, &table->buffer, with_gl);
}

void ag_box_table_record(ag_recording *recording, const ag_request *request, const ag_box_table *t,
                         const ag_source_texture *src, bool src_stacked, const ag_memory *info,
                         bool scrub, int32_t first_step, bool waits)
{
    const ag_sat_table_textures textures = {
        .src = *src,
        .dst = {t->image.name, t->image.name, 0, &t->shape, t->format},
        .low = ag_own_texture(&t->low, t->format, &t->shape),
        .squares = ag_own_texture(&t->squares, t->format, &t->shape),
        .squares_low = ag_own_texture(&t->squares_low, t->format, &t->shape),
        .mean = ag_own_texture(&t->mean, ag_format_find(GL_RGBA32F), &t->shape),
        .src_stacked = src_stacked,
        .dst_stacked = true,
        .buffer = t->buffer.name ? &t->buffer : NULL,
        .sampled = !src_stacked && ag_sat_table_source_of(request).reading != AG_BY_IMAGE};
    ag_sat_table_record(recording, request, &t->table, &textures, info, scrub, first_step, waits);
}

static ag_image_binding read_binding(const ag_memory *memory, GLenum format)
{
    return (ag_image_binding){memory->name, 0, 0, GL_READ_ONLY, format, false};
}

int32_t ag_box_table_bind(const ag_box_table *t, int32_t layer, ag_gl_dispatch *d)
{
    const ag_sat_request *r = &t->table.plan.request;
    d->images[AG_IMAGE_TABLE_MEAN] = read_binding(&t->mean, GL_RGBA32F);
    if (r->query == AG_QUERY_BUFFER) {
        uint64_t bytes = (uint64_t)ag_table_layer_bytes(r);
        d->ranges[AG_SSBO_TABLE] = (ag_range){t->buffer.name, bytes * (uint64_t)layer, bytes};
        return 0;
    }
    if (r->query == AG_QUERY_TEXTURE) {
        d->textures[0].texture = t->view.name;
        d->textures[0].target = t->target;
        return layer * ag_sat_sections(r) * r->height;
    }
    d->images[AG_IMAGE_TABLE] = read_binding(&t->image, t->format->name);
    d->images[AG_IMAGE_TABLE_LOW] = read_binding(&t->low, t->format->name);
    if (t->squares.name) {
        d->images[AG_IMAGE_TABLE_SQUARES] = read_binding(&t->squares, t->format->name);
        d->images[AG_IMAGE_TABLE_SQUARES_LOW] = read_binding(&t->squares_low, t->format->name);
    }
    return layer * r->height;
}

GLbitfield ag_box_table_bits(int32_t query)
{
    return GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
           (query == AG_QUERY_TEXTURE ? GL_TEXTURE_FETCH_BARRIER_BIT : 0);
}
