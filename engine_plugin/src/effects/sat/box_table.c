// box_table.c - a table of the module's own in images, a texture or a buffer, and its queries
// SPDX-License-Identifier: MIT
#include "effects/sat/box_table.h"
#include "base/log.h"

enum { MAX_SIZE = 16384 };

ag_status ag_box_check_size(const ag_host *host, const ag_request *request)
{
    const ag_texture *src = &request->slots[0];
    if (src->rect_width <= MAX_SIZE && (int64_t)src->rect_height * src->layers <= MAX_SIZE)
        return AG_OK;
    return ag_fail(host, AG_E_SIZE,
                   "%s: src is %dx%d with %d layers; width, and height times layers, may be up to "
                   "%d",
                   request->info->id, src->rect_width, src->rect_height, src->layers, MAX_SIZE);
}

ag_status ag_box_too_large(const ag_host *host, const ag_gl *gl, const ag_request *request)
{
    const ag_texture *src = &request->slots[0];
    return ag_fail(host, AG_E_SIZE,
                   "%s: %dx%d with %d layers is too large for this context's storage blocks (%lld "
                   "bytes) or textures (%d texels)",
                   request->info->id, src->rect_width, src->rect_height, src->layers,
                   (long long)gl->max_ssbo_bytes, gl->max_texture_size);
}

static ag_sat_request want_table(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                                 int32_t storage, bool squares, const ag_tuning *tuning)
{
    bool integers = storage == AG_TABLE_UINT32;
    int32_t channels = format->channels == 3 ? 4 : format->channels;
    return (ag_sat_request){.width = src->rect_width,
                            .height = src->rect_height,
                            .layers = src->layers,
                            .channels = channels,
                            .storage = storage,
                            .offset = integers ? AG_TABLE_PLAIN : AG_TABLE_MEAN,
                            .square = squares,
                            .counts = integers,
                            .max_value = 1,
                            .tuning = *tuning,
                            .subgroups = ag_subgroups_of(gl, tuning),
                            .src_bytes = format->bytes,
                            .dst_bytes = 4 * channels * (squares ? 2 : 1) *
                                         (storage == AG_TABLE_DOUBLE ? 2 : 1),
                            .max_block_bytes = gl->max_ssbo_bytes,
                            .alignment = gl->ssbo_alignment};
}

bool ag_box_table_plan(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                       int32_t storage, bool squares, const ag_tuning *tuning, ag_sat_plan *plan)
{
    ag_sat_request want = want_table(gl, src, format, storage, squares, tuning);
    want.query = ag_sat_query(&want, gl->max_texture_size);
    return ag_sat_plan_make(&want, plan);
}

bool ag_box_table_plan_whole(const ag_gl *gl, const ag_texture *src, const ag_format *format,
                             const ag_tuning *tuning, ag_sat_plan *plan)
{
    ag_sat_request want = want_table(gl, src, format, AG_TABLE_UINT32, false, tuning);
    want.counts = false; // in units of 1
    want.max_value = 65535;
    want.query = ag_sat_query(&want, gl->max_texture_size);
    return ag_sat_plan_make(&want, plan);
}

const ag_format *ag_box_table_format(const ag_sat_plan *plan)
{
    static const GLenum floats[] = {0, GL_R32F, GL_RG32F, 0, GL_RGBA32F};
    static const GLenum integers[] = {0, GL_R32UI, GL_RG32UI, 0, GL_RGBA32UI};
    bool whole = plan->request.storage == AG_TABLE_UINT32;
    return ag_format_find((whole ? integers : floats)[plan->request.channels]);
}

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

ag_box_query ag_box_query_of(const ag_sat_plan *plan, GLenum target)
{
    const ag_sat_request *r = &plan->request;
    return (ag_box_query){.storage = r->storage,
                          .query = r->query,
                          .format = ag_box_table_format(plan),
                          .target = target,
                          .mean = r->offset == AG_TABLE_MEAN,
                          .squares = r->square};
}

void ag_box_defines(const ag_box_query *query, ag_defines *defines)
{
    bool array = query->query == AG_QUERY_TEXTURE && query->target == GL_TEXTURE_2D_ARRAY;
    // Only image units need the format. Its name is left out elsewhere, so that programs are
    // shared.
    ag_defines_add(defines,
                   "#define SAT_STORAGE %d\n#define SAT_MEAN %d\n#define SAT_FORMAT %s\n"
                   "#define SAT_ENTRY %s\n#define SQUARES %d\n#define QUERY %d\n"
                   "#define SAT_ARRAY %d\n",
                   query->storage, query->mean,
                   query->query == AG_QUERY_IMAGE ? query->format->glsl : "none",
                   ag_sat_entry_type(query->storage, query->format->channels), query->squares,
                   query->query, array);
}

void ag_box_group_defines(const ag_box_query *query, ag_defines *defines)
{
    ag_box_group group = ag_box_group_of(query->query);
    ag_defines_add(defines, "#define SAT_CHANNELS %d\n#define GROUP_X %d\n#define GROUP_Y %d\n",
                   query->format->channels, group.x, group.y);
}

void ag_box_groups(int32_t query, int32_t width, int32_t height, uint32_t groups[3])
{
    ag_box_group group = ag_box_group_of(query);
    groups[0] = (uint32_t)((width + group.x - 1) / group.x);
    groups[1] = (uint32_t)((height + group.y - 1) / group.y);
    groups[2] = 1;
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
