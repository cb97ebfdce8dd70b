// sat_table.c - summed-area tables as a part of a frame
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_table.h"
#include "base/log.h"

#include <string.h>

const uint32_t ag_table_formats[AG_TABLE_FORMATS] = {GL_R32F,  GL_RG32F,  GL_RGBA32F,
                                                     GL_R32UI, GL_RG32UI, GL_RGBA32UI};

const ag_format *ag_table_format(bool integers, int32_t channels)
{
    return ag_format_find(ag_table_formats[3 * integers + channels / 2]);
}

// ---- plan --------------------------------------------------------------------------------------

ag_sat_request ag_table_request(const ag_gl *gl, const ag_request *request)
{
    const ag_texture *src = &request->slots[0];
    return (ag_sat_request){.width = src->rect_width,
                            .height = src->rect_height,
                            .layers = src->layers,
                            .tuning = request->tuning,
                            .subgroups = ag_subgroups_of(gl, &request->tuning,
                                                         &request->tuning.sat_exchange),
                            .max_block_bytes = gl->max_ssbo_bytes,
                            .alignment = gl->ssbo_alignment};
}

ag_status ag_table_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        const ag_sat_request *want, ag_sat_plan *plan)
{
    AG_TRY(ag_units_check(host, gl, AG_IMAGE_TABLES, request->info->id, "tables"));
    return ag_sat_plan_make(want, plan) ? AG_OK
                                        : ag_check_block(host, gl, request, 0, plan->layer_bytes);
}

// ---- shaders -----------------------------------------------------------------------------------

// The defines of sat/types.glsl. Only the last step depends on an offset other than the mean.
static void value_defines(const ag_sat_plan *p, bool last, ag_defines *defines)
{
    const ag_sat_request *r = &p->request;
    bool integers = r->storage == AG_TABLE_UINT32;
    bool doubles = r->storage == AG_TABLE_DOUBLE;
    const char *wide = integers ? "uint" : doubles ? "double" : "vec2"; // a pair of floats
    const char *sum = integers ? "uint" : ag_sat_sums_wide(r) ? wide : "float";
    const char *local = integers ? "uint" : ag_sat_scans_wide(r) ? wide : "float";
    ag_defines_add(defines,
                   "#define CHANNELS %d\n#define SQUARE %d\n#define OFFSET %d\n#define COUNTS %d\n"
                   "#define CENTER %d\n#define SUM %s\n#define LOCAL %s\n#define WIDE %s\n"
                   "#define DOUBLES %d\n",
                   r->channels, r->square,
                   last || r->offset == AG_TABLE_MEAN ? r->offset : AG_TABLE_PLAIN, r->counts,
                   r->center, sum, last ? local : sum, wide, doubles);
}

// Whether a step reads the image.
static bool reads_image(const ag_sat_plan *p, int32_t index)
{
    return index == 0 || index == p->steps - 1;
}

// Whether subgroups exchange sums: they read texels by gathers, so a texture unit must read the
// image.
static bool by_subgroups(const ag_sat_plan *p, const ag_picture *src)
{
    return p->subgroups && src->reading != AG_BY_IMAGE;
}

static const char *shader_of(const ag_sat_plan *p, int32_t index)
{
    return index == p->steps - 1 ? "sat/finish.comp" : index ? "sat/carry.comp" : "sat/reduce.comp";
}

// A step gets only the defines that it depends on, so that tables share programs.
static void step_defines(const ag_sat_plan *p, int32_t index, const ag_picture *src,
                         ag_defines *defines)
{
    bool last = index == p->steps - 1, reads = reads_image(p, index);
    value_defines(p, last, defines);
    if (reads) {
        ag_source_defines(src->format, src->reading, defines);
        ag_define(defines, "SRC_TEXEL", p->request.moments ? AG_TEXEL_MOMENTS : src->format->hold);
    }
    if (last)
        ag_defines_add(
            defines,
            "#define STORAGE %d\n#define EDGE %d\n#define QUERY %d\n#define SAT_ENTRY %s\n",
            p->request.storage, p->request.exclusive, p->request.query,
            ag_sat_entry_type(p->request.storage, p->request.channels)); // of sat/store.glsl
    if (index == 0)
        ag_define(defines, "WIDE_SUMS", ag_sat_sums_wide(&p->request));
    ag_defines_add(defines,
                   "#define TILE_W %d\n#define TILE_H %d\n#define GROUP_X %d\n"
                   "#define GROUP_Y %d\n",
                   p->tile_w, p->tile_h, p->group_x, p->group_y);
    int32_t exchange = by_subgroups(p, src) ? p->subgroups : AG_SUBGROUPS_NONE;
    if (reads)
        ag_defines_add(defines, "#define SUBGROUPS %d\n%s", exchange,
                       exchange == AG_SUBGROUPS_OF_DRIVER ? AG_SUBGROUPS_EXTENSIONS : "");
    if (last)
        ag_defines_add(defines, "#define FOLDED %d\n#define PACKED_SUM %s\n", p->folded,
                       p->request.storage == AG_TABLE_UINT32 ? "uint" : "uvec2");
    else if (index > 0)
        ag_define(defines, "BATCH", p->carry_batch);
    else if (exchange == AG_SUBGROUPS_NONE)
        ag_define(defines, "BATCH", p->reduce_batch);
}

void ag_table_begin(ag_frame *f, const ag_sat_plan *p, const ag_table_io *io, ag_table *table)
{
    table->plan = p;
    table->io = *io;
    for (int32_t i = 0; i < p->steps; ++i) {
        table->steps[i] = ag_frame_shader(f, shader_of(p, i));
        ag_defines *defines = ag_shader_defines(table->steps[i]);
        if (defines)
            step_defines(p, i, &io->src, defines);
    }
    table->sums = ag_scratch(f, "sums", (uint64_t)p->scratch_bytes);
}

// ---- steps -------------------------------------------------------------------------------------

static ag_block sums_of(const ag_table *t, ag_sat_range part, int32_t layer, uint32_t access)
{
    int64_t at = t->plan->layer_bytes * layer + part.offset;
    return part.bytes ? ag_block_of(t->sums, access, (uint64_t)at, (uint64_t)part.bytes)
                      : (ag_block){0};
}

// A layer of a table that lies in a buffer.
static ag_block buffer_of(const ag_table *t, int32_t layer, uint32_t access)
{
    uint64_t bytes = (uint64_t)ag_table_layer_bytes(&t->plan->request);
    return ag_block_of(t->io.buffer, access, bytes * (uint64_t)layer, bytes);
}

// A layer of an output. Of those that are stacked it is a part.
static ag_view target_of(const ag_table *t, ag_handle of, int32_t layer)
{
    const ag_sat_request *r = &t->plan->request;
    bool mean = of.number == t->io.mean.number;
    int32_t sections = r->query == AG_QUERY_TEXTURE && !mean ? ag_sat_sections(r) : 1;
    uint64_t entries = mean ? 1 : (uint64_t)r->width * (uint64_t)r->height;
    ag_view view = {.of = of, .access = AG_WRITE};
    if (t->io.stacked)
        view.bytes = entries * (uint64_t)(4 * r->channels * sections);
    else
        view.layer = layer;
    return view;
}

static void bind_targets(const ag_table *t, int32_t layer, ag_dispatch *d)
{
    const ag_table_io *io = &t->io;
    if (io->buffer.number) {
        d->ranges[AG_SSBO_TABLE] = buffer_of(t, layer, AG_WRITE);
    } else {
        d->images[AG_IMAGE_DST] = target_of(t, io->dst, layer);
        d->images[AG_IMAGE_LOW] = target_of(t, io->low, layer);
        d->images[AG_IMAGE_SQUARES] = target_of(t, io->squares, layer);
        d->images[AG_IMAGE_SQUARES_LOW] = target_of(t, io->squares_low, layer);
    }
    d->images[AG_IMAGE_MEAN] = target_of(t, io->mean, layer);
}

// A step binds only what it uses, so that no driver sees more outputs than it allows.
static void bind(const ag_table *t, int32_t index, int32_t layer, ag_dispatch *d)
{
    const ag_sat_plan *p = t->plan;
    bool first = index == 0, last = index == p->steps - 1;
    if (first)
        d->ranges[AG_SSBO_INFO] = ag_all(t->io.info, AG_ADD);
    if (reads_image(p, index))
        ag_dispatch_reads_picture(d, &t->io.src, layer);
    if (last)
        bind_targets(t, layer, d);
    if (!last || p->folded) {
        uint32_t access = first ? AG_WRITE : AG_READ;
        d->ranges[AG_SSBO_COLUMN_SUMS] = sums_of(t, p->column_sums, layer, access);
        d->ranges[AG_SSBO_ROW_SUMS] = sums_of(t, p->row_sums, layer, access);
    }
    if (!first && !p->folded) {
        uint32_t access = last ? AG_READ : AG_WRITE;
        d->ranges[AG_SSBO_COLUMN_CARRY] = sums_of(t, p->column_carry, layer, access);
        d->ranges[AG_SSBO_ROW_CARRY] = sums_of(t, p->row_carry, layer, access);
    }
}

// The row in which a layer begins in the texture that holds the table.
static int32_t row_of(const ag_sat_request *r, int32_t layer)
{
    return r->query == AG_QUERY_BUFFER
               ? 0
               : layer * r->height * (r->query == AG_QUERY_TEXTURE ? ag_sat_sections(r) : 1);
}

void ag_table_steps(ag_frame *f, const ag_table *t, bool scrub, bool timed)
{
    const ag_sat_plan *p = t->plan;
    const ag_sat_request *r = &p->request;
    const ag_texture *dst = t->io.shape;
    for (int32_t i = 0; i < p->steps; ++i) {
        ag_sat_step step = ag_sat_step_of(p, i);
        if (timed)
            ag_frame_step(f, step.name);
        for (int32_t layer = 0; layer < r->layers; ++layer) {
            int32_t down = t->io.stacked ? layer : 0; // tables: their own height each
            ag_uniform uniforms[] = {
                [2] = AG_INTS(AG_LOC_DST_RECT, dst->rect_x, dst->rect_y + row_of(r, down),
                              dst->rect_width, dst->rect_height),
                AG_INTS(AG_LOC_SAT_GRID, p->tiles_x, p->tiles_y, p->column_pitch, p->row_pitch),
                AG_INTS(AG_LOC_SAT_MEAN, down, 0, 0, 0),
                AG_FLOATS(AG_LOC_SAT_VALUE, p->units, p->square_units, r->max_value,
                          r->offset == AG_TABLE_HALF ? 0.5f : 0),
                t->io.light[0],
                t->io.light[1],
            };
            ag_read_uniforms(uniforms, &t->io.src, r->channels, scrub, layer);
            ag_dispatch d = {.shader = t->steps[i],
                             AG_UNIFORMS(uniforms),
                             .groups = {(uint32_t)step.groups[0], (uint32_t)step.groups[1],
                                        (uint32_t)step.groups[2]}};
            if (!r->moments) // the last two
                d.uniform_count -= 2;
            bind(t, i, layer, &d);
            if (t->io.groups.of.number && ag_frame_is_planned(f)) // most often without groups
                memset(d.groups, 0, sizeof d.groups);
            if (t->io.groups.of.number)
                d.indirect =
                    ag_block_of(t->io.groups.of, AG_READ, t->io.groups.at + 12 * (uint64_t)i, 12);
            ag_frame_dispatch(f, &d);
        }
    }
}

// ---- tables of the module's own ----------------------------------------------------------------

ag_status ag_box_check_size(const ag_host *host, const ag_request *request)
{
    const ag_texture *src = &request->slots[0];
    if (src->rect_width <= AG_TABLE_MAX_SIZE &&
        (int64_t)src->rect_height * src->layers <= AG_TABLE_MAX_SIZE)
        return AG_OK;
    return ag_fail(host, AG_E_SIZE,
                   "%s: src is %dx%d with %d layers; width, and height times layers, may be up to "
                   "%d",
                   request->info->id, src->rect_width, src->rect_height, src->layers,
                   AG_TABLE_MAX_SIZE);
}

ag_status ag_boxes_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        const ag_format *format, int32_t storage, bool squares, ag_sat_plan *plan)
{
    bool integers = storage == AG_TABLE_UINT32, counts = format->store == AG_STORE_UNORM8;
    ag_sat_request want = ag_table_request(gl, request);
    want.channels = format->channels == 3 ? 4 : format->channels;
    want.storage = storage;
    want.offset = integers ? AG_TABLE_PLAIN : AG_TABLE_MEAN;
    want.square = squares;
    want.counts = integers && counts;
    want.moments = integers && !counts;
    want.max_value = 1;
    want.query = ag_sat_query(&want, gl->max_texture_size);
    AG_TRY(ag_table_plan(host, gl, request, &want, plan));
    if (want.height * want.layers <= gl->max_texture_size)
        return AG_OK;
    return ag_fail(host, AG_E_SIZE,
                   "%s: %dx%d with %d layers is too large for this context's textures (%d texels)",
                   request->info->id, want.width, want.height, want.layers, gl->max_texture_size);
}

ag_picture ag_boxes_picture(ag_frame *f, const char *name, GLenum format, const ag_texture *shape)
{
    const ag_texture *src = &ag_frame_request(f)->slots[0];
    ag_own own = {.name = name,
                  .format = format,
                  .width = src->rect_width,
                  .height = src->rect_height * src->layers};
    ag_picture picture = ag_own_picture(f, &own, shape);
    picture.stacked = true;
    return picture;
}

// Textures have the layers below each other.
static ag_handle texture_of(ag_frame *f, const ag_table *b, const char *name, bool wanted)
{
    const ag_sat_request *r = &b->plan->request;
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

void ag_boxes_begin(ag_frame *f, const ag_sat_plan *plan, const ag_picture *src, ag_handle info,
                    bool second, ag_table *b)
{
    static const char *const names[2][5] = {
        {"box table", "low box table", "box table of squares", "low box table of squares", "mean"},
        {"second box table", "low second box table", NULL, NULL, "second mean"}};
    const ag_sat_request *r = &plan->request;
    const char *const *name = names[second];
    bool doubled = r->storage == AG_TABLE_DOUBLE, images = r->query == AG_QUERY_IMAGE;
    *b =
        (ag_table){.plan = plan,
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
    ag_table_begin(f, plan, &io, b);
}

ag_uniform ag_boxes_bind(const ag_table *b, int32_t layer, ag_dispatch *d)
{
    const ag_table_io *io = &b->io;
    const ag_sat_request *r = &b->plan->request;
    const int32_t sections = r->query == AG_QUERY_TEXTURE ? ag_sat_sections(r) : 1;
    ag_view view = {.access = AG_READ,
                    .bytes = (uint64_t)r->width * (uint64_t)r->height *
                             (uint64_t)(b->format->bytes * sections)};
    ag_view *textures[] = {r->query == AG_QUERY_TEXTURE ? &d->textures[0]
                                                        : &d->images[AG_IMAGE_TABLE],
                           &d->images[AG_IMAGE_TABLE_LOW], &d->images[AG_IMAGE_TABLE_SQUARES],
                           &d->images[AG_IMAGE_TABLE_SQUARES_LOW]};
    const ag_handle tables[] = {io->dst, io->low, io->squares, io->squares_low};
    d->images[AG_IMAGE_TABLE_MEAN] = (ag_view){.of = io->mean, .access = AG_READ, .bytes = 16};
    if (r->query == AG_QUERY_BUFFER)
        d->ranges[AG_SSBO_TABLE] = buffer_of(b, layer, AG_READ);
    for (int i = 0; i < 4 && r->query != AG_QUERY_BUFFER; ++i) {
        view.of = tables[i];
        *textures[i] = view;
    }
    return (ag_uniform)AG_INTS(AG_LOC_BOX_TABLE, 0, row_of(r, layer), layer, 0);
}

// ---- queries -----------------------------------------------------------------------------------

ag_box_query ag_boxes_query(const ag_table *b)
{
    const ag_sat_request *r = &b->plan->request;
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

void ag_boxes_say(ag_frame *f, const ag_sat_plan *plan)
{
    char how[128];
    if (!ag_frame_is_planned(f))
        return;
    ag_sat_plan_describe(plan, how, sizeof how);
    ag_frame_text(f, "by %s; query by %s", how,
                  ag_sat_query_text(&plan->request, plan->request.query));
}
