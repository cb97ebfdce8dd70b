// box_table.c - a table of the module's own in images, a texture or a buffer, and its queries
// SPDX-License-Identifier: MIT
#include "effects/sat/box_table.h"
#include "base/log.h"

#include <stdio.h>

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

ag_status ag_boxes_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        const ag_format *format, int32_t storage, bool squares, ag_sat_plan *plan)
{
    const ag_texture *src = &request->slots[0];
    bool integers = storage == AG_TABLE_UINT32, counts = format->store == AG_STORE_UNORM8;
    ag_sat_request want = {.width = src->rect_width,
                           .height = src->rect_height,
                           .layers = src->layers,
                           .channels = format->channels == 3 ? 4 : format->channels,
                           .storage = storage,
                           .offset = integers ? AG_TABLE_PLAIN : AG_TABLE_MEAN,
                           .square = squares,
                           .counts = integers && counts,
                           .max_value = integers && !counts ? 65535 : 1,
                           .tuning = request->tuning,
                           .subgroups = ag_subgroups_of(gl, &request->tuning),
                           .max_block_bytes = gl->max_ssbo_bytes,
                           .alignment = gl->ssbo_alignment};
    want.query = ag_sat_query(&want, gl->max_texture_size);
    if (ag_units_check(host, gl, AG_IMAGE_TABLES, request->info->id, "tables") < 0)
        return AG_E_ARG;
    if (!ag_sat_plan_make(&want, plan) || src->rect_height * src->layers > gl->max_texture_size)
        return ag_box_too_large(host, gl, request);
    return AG_OK;
}

// ---- in a frame --------------------------------------------------------------------------------

// Textures have the layers below each other.
static ag_handle texture_of(ag_frame *f, const ag_boxes *b, const char *name, bool wanted)
{
    const ag_sat_request *r = &b->table.plan->request;
    bool sections = r->query == AG_QUERY_TEXTURE;
    if (!wanted)
        return (ag_handle){0};
    return ag_own_memory(f, &(ag_own){.name = name,
                                      .format = b->format->name,
                                      .width = r->width,
                                      .height = r->height * r->layers *
                                                (sections ? ag_sat_sections(r) : 1),
                                      .target = sections ? b->target : 0});
}

void ag_boxes_begin(ag_frame *f, const ag_sat_plan *plan, const ag_table_source *src,
                    ag_handle info, bool second, ag_boxes *b)
{
    static const char *const names[2][5] = {
        {"box table", "low box table", "box table of squares", "low box table of squares", "mean"},
        {"second box table", "low second box table", NULL, NULL, "second mean"}};
    const ag_sat_request *r = &plan->request;
    const char *const *name = names[second];
    bool doubled = r->storage == AG_TABLE_DOUBLE, images = r->query == AG_QUERY_IMAGE;
    *b =
        (ag_boxes){.table.plan = plan,
                   .format = ag_table_format(r->storage == AG_TABLE_UINT32, r->channels),
                   .shape = {.rect_width = r->width, .rect_height = r->height, .layers = r->layers},
                   .target = ag_frame_request(f)->slots[0].target};
    ag_table_io io = {.src = *src, .info = info, .shape = &b->shape, .stacked = true};
    if (r->query == AG_QUERY_BUFFER)
        io.buffer = ag_scratch(f, name[0], (uint64_t)(ag_table_layer_bytes(r) * r->layers));
    else
        io.dst = texture_of(f, b, name[0], true);
    io.low = texture_of(f, b, name[1], images && doubled);
    io.squares = texture_of(f, b, name[2], images && r->square);
    io.squares_low = texture_of(f, b, name[3], images && r->square && doubled);
    if (r->offset == AG_TABLE_MEAN)
        io.mean = ag_own_memory(
            f, &(ag_own){.name = name[4], .format = GL_RGBA32F, .width = 1, .height = r->layers});
    ag_table_begin(f, plan, &io, &b->table);
}

int32_t ag_boxes_bind(const ag_boxes *b, int32_t layer, ag_dispatch *d)
{
    const ag_table_io *io = &b->table.io;
    const ag_sat_request *r = &b->table.plan->request;
    uint64_t section = (uint64_t)r->width * (uint64_t)r->height * (uint64_t)b->format->bytes;
    d->images[AG_IMAGE_TABLE_MEAN] = (ag_view){.of = io->mean, .access = AG_READ, .bytes = 16};
    if (r->query == AG_QUERY_BUFFER) {
        uint64_t bytes = (uint64_t)ag_table_layer_bytes(r);
        d->ranges[AG_SSBO_TABLE] = ag_block_of(io->buffer, AG_READ, bytes * (uint64_t)layer, bytes);
        return 0;
    }
    ag_view view = {.of = io->dst, .access = AG_READ, .bytes = section};
    if (r->query == AG_QUERY_TEXTURE) {
        view.bytes *= (uint64_t)ag_sat_sections(r);
        d->textures[0] = view;
        return layer * ag_sat_sections(r) * r->height;
    }
    d->images[AG_IMAGE_TABLE] = view;
    view.of = io->low;
    d->images[AG_IMAGE_TABLE_LOW] = view;
    view.of = io->squares;
    d->images[AG_IMAGE_TABLE_SQUARES] = view;
    view.of = io->squares_low;
    d->images[AG_IMAGE_TABLE_SQUARES_LOW] = view;
    return layer * r->height;
}

// ---- queries -----------------------------------------------------------------------------------

ag_box_query ag_boxes_query(const ag_boxes *b)
{
    const ag_sat_request *r = &b->table.plan->request;
    return (ag_box_query){.storage = r->storage,
                          .query = r->query,
                          .format = b->format,
                          .target = b->target,
                          .mean = r->offset == AG_TABLE_MEAN,
                          .squares = r->square};
}

void ag_box_defines(ag_shader *shader, const ag_box_query *query)
{
    bool array = query->query == AG_QUERY_TEXTURE && query->target == GL_TEXTURE_2D_ARRAY;
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines)
        return;
    // Only image units need the format. Its name is left out elsewhere, so that programs are
    // shared.
    ag_defines_add(defines,
                   "#define SAT_STORAGE %d\n#define SAT_MEAN %d\n#define SAT_FORMAT %s\n"
                   "#define SAT_ENTRY %s\n#define SQUARES %d\n#define QUERY %d\n"
                   "#define SAT_ARRAY %d\n#define SAT_CHANNELS %d\n",
                   query->storage, query->mean,
                   query->query == AG_QUERY_IMAGE ? query->format->glsl : "none",
                   ag_sat_entry_type(query->storage, query->format->channels), query->squares,
                   query->query, array, query->format->channels);
}

void ag_box_group_defines(ag_shader *shader, int32_t query)
{
    ag_box_group group = ag_box_group_of(query);
    ag_shader_define(shader, "GROUP_X", group.x);
    ag_shader_define(shader, "GROUP_Y", group.y);
}

const char *ag_boxes_text(const ag_frame *f, const ag_sat_plan *plan, char text[AG_BOXES_TEXT])
{
    char how[128];
    text[0] = 0;
    if (!ag_frame_is_planned(f))
        return text;
    ag_sat_plan_describe(plan, how, sizeof how);
    snprintf(text, AG_BOXES_TEXT, "by %s; query by %s", how,
             ag_sat_query_text(&plan->request, plan->request.query));
    return text;
}
