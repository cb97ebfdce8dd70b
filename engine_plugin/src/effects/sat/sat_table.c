// sat_table.c - how sat makes tables, also for other effects: a part of a frame
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_table.h"
#include "effects/kit/tables.h"

#include <string.h>

const uint32_t ag_table_formats[AG_TABLE_FORMATS] = {GL_R32F,  GL_RG32F,  GL_RGBA32F,
                                                     GL_R32UI, GL_RG32UI, GL_RGBA32UI};

const ag_format *ag_table_format(bool integers, int32_t channels)
{
    return ag_format_find(ag_table_formats[3 * integers + channels / 2]);
}

// ---- shaders -----------------------------------------------------------------------------------

ag_table_source ag_table_source_of(const ag_frame *f)
{
    return (ag_table_source){.picture = ag_slot_picture(f, 0),
                             .reading = ag_reading_of(ag_frame_request(f), 0)};
}

// The defines of sat/types.glsl. Only the last step depends on an offset other than the mean.
static void value_defines(const ag_sat_plan *p, bool last, ag_defines *defines)
{
    const ag_sat_request *r = &p->request;
    bool integers = r->storage == AG_TABLE_UINT32;
    bool doubles = r->storage == AG_TABLE_DOUBLE || (!integers && p->method == AG_TABLE_BY_LINES);
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

// The defines of sat/store.glsl.
static void store_defines(const ag_sat_plan *p, ag_defines *defines)
{
    const ag_sat_request *r = &p->request;
    ag_defines_add(defines,
                   "#define STORAGE %d\n#define EDGE %d\n#define QUERY %d\n#define SAT_ENTRY %s\n",
                   r->storage, r->exclusive, r->query, ag_sat_entry_type(r->storage, r->channels));
}

// Whether a step reads the image.
static bool reads_image(const ag_sat_plan *p, int32_t index)
{
    bool last = index == p->steps - 1;
    return index == 0 || (last && p->method == AG_TABLE_BY_TILES);
}

// Whether subgroups exchange sums: they read texels by gathers, so a texture unit must read the
// image.
static bool by_subgroups(const ag_sat_plan *p, const ag_table_source *src)
{
    return p->subgroups && src->reading != AG_BY_IMAGE;
}

// The last step. Folded: it adds up the carry-ins itself.
static const char *last_shader_of(const ag_sat_plan *p, bool subgroups)
{
    if (subgroups) // float32 and uint32 without squares, from the corner
        return p->folded ? "sat/finish_gathers_folded.comp" : "sat/finish_gathers.comp";
    if (p->request.storage == AG_TABLE_SPLIT)
        return p->folded ? "sat/finish_split_folded.comp" : "sat/finish_split.comp";
    if (ag_sat_scans_wide(&p->request)) // residual and double_float
        return p->folded ? "sat/finish_low_folded.comp" : "sat/finish_low.comp";
    return p->folded ? "sat/finish_shared_folded.comp" : "sat/finish_shared.comp";
}

static const char *shader_of(const ag_sat_plan *p, int32_t index, bool subgroups)
{
    bool last = index == p->steps - 1;
    if (p->method == AG_TABLE_BY_LINES)
        return last ? "sat/scan_columns.comp" : "sat/scan_rows.comp";
    if (!last && index > 0)
        return "sat/carry.comp";
    if (!last)
        return subgroups ? "sat/reduce_subgroups.comp" : "sat/reduce_shared.comp";
    return last_shader_of(p, subgroups);
}

// A step gets only the defines that it depends on, so that tables share programs.
static void step_defines(const ag_sat_plan *p, int32_t index, const ag_table_source *src,
                         ag_defines *defines)
{
    bool last = index == p->steps - 1, reads = reads_image(p, index),
         subgroups = by_subgroups(p, src);
    value_defines(p, last, defines);
    if (reads)
        ag_source_defines(src->picture.format, src->reading, defines);
    if (last)
        store_defines(p, defines);
    if (p->method == AG_TABLE_BY_LINES)
        return;
    if (index == 0)
        ag_define(defines, "WIDE_SUMS", ag_sat_sums_wide(&p->request));
    ag_defines_add(defines,
                   "#define TILE_W %d\n#define TILE_H %d\n#define GROUP_X %d\n"
                   "#define GROUP_Y %d\n",
                   p->tile_w, p->tile_h, p->group_x, p->group_y);
    if (reads && subgroups)
        ag_defines_add(defines, "#define SUBGROUPS %d\n%s", p->subgroups,
                       p->subgroups == AG_SUBGROUPS_OF_DRIVER ? AG_SUBGROUPS_EXTENSIONS : "");
    if (last)
        ag_defines_add(defines, "#define PACKED_SUM %s\n",
                       p->request.storage == AG_TABLE_UINT32 ? "uint" : "uvec2");
    else if (index > 0)
        ag_define(defines, "BATCH", p->carry_batch);
    else if (!subgroups)
        ag_define(defines, "BATCH", p->reduce_batch);
}

void ag_table_begin(ag_frame *f, const ag_sat_plan *p, const ag_table_io *io, ag_table *table)
{
    *table = (ag_table){.plan = p, .io = *io};
    for (int32_t i = 0; i < p->steps; ++i) {
        table->steps[i] = ag_frame_shader(f, shader_of(p, i, by_subgroups(p, &io->src)));
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

// A layer of an output. Of those that are stacked it is a part.
static ag_view target_of(const ag_table *t, ag_handle of, int32_t layer)
{
    const ag_sat_request *r = &t->plan->request;
    bool mean = of.number == t->io.mean.number;
    uint64_t entries = mean ? 1 : (uint64_t)r->width * (uint64_t)r->height;
    int32_t sections = r->query == AG_QUERY_TEXTURE && !mean ? ag_sat_sections(r) : 1;
    if (!t->io.stacked)
        return (ag_view){.of = of, .access = AG_WRITE, .layer = layer};
    return (ag_view){.of = of,
                     .access = AG_WRITE,
                     .bytes = entries * (uint64_t)(4 * r->channels * sections)};
}

static void bind_source(const ag_table *t, int32_t layer, ag_dispatch *d)
{
    const ag_table_source *src = &t->io.src;
    const ag_texture *shape = src->picture.shape;
    ag_view *view = src->reading == AG_BY_IMAGE ? &d->images[AG_IMAGE_SRC] : &d->textures[0];
    *view = ag_picture_view(&src->picture, AG_READ, src->stacked ? 0 : layer);
    view->bytes = (uint64_t)shape->rect_width * (uint64_t)shape->rect_height *
                  (uint64_t)src->picture.format->bytes;
}

static void bind_targets(const ag_table *t, int32_t layer, ag_dispatch *d)
{
    const ag_table_io *io = &t->io;
    if (io->buffer.number) {
        uint64_t bytes = (uint64_t)ag_table_layer_bytes(&t->plan->request);
        d->ranges[AG_SSBO_TABLE] =
            ag_block_of(io->buffer, AG_WRITE, bytes * (uint64_t)layer, bytes);
    } else {
        d->images[AG_IMAGE_DST] = target_of(t, io->dst, layer);
        d->images[AG_IMAGE_LOW] = target_of(t, io->low, layer);
        d->images[AG_IMAGE_SQUARES] = target_of(t, io->squares, layer);
        d->images[AG_IMAGE_SQUARES_LOW] = target_of(t, io->squares_low, layer);
    }
    bool lines = t->plan->method == AG_TABLE_BY_LINES;
    d->images[lines ? AG_IMAGE_SRC : AG_IMAGE_MEAN] = target_of(t, io->mean, layer);
}

// A step binds only what it uses, so that no driver sees more outputs than it allows.
static void bind(const ag_table *t, int32_t index, int32_t layer, ag_dispatch *d)
{
    const ag_sat_plan *p = t->plan;
    bool first = index == 0, last = index == p->steps - 1;
    if (first)
        d->ranges[AG_SSBO_INFO] = ag_all(t->io.info, AG_ADD);
    if (reads_image(p, index))
        bind_source(t, layer, d);
    if (last)
        bind_targets(t, layer, d);
    if (p->method == AG_TABLE_BY_LINES) {
        d->ranges[AG_SSBO_LINES] = sums_of(t, p->lines, layer, first ? AG_WRITE : AG_READ);
        return;
    }
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

void ag_table_steps(ag_frame *f, const ag_table *t, bool scrub, bool timed)
{
    const ag_sat_plan *p = t->plan;
    const ag_sat_request *r = &p->request;
    const ag_texture *src = t->io.src.picture.shape, *dst = t->io.shape;
    for (int32_t i = 0; i < p->steps; ++i) {
        ag_sat_step step = ag_sat_step_of(p, i);
        if (timed)
            ag_frame_step(f, step.name);
        for (int32_t layer = 0; layer < r->layers; ++layer) {
            int32_t down = t->io.stacked ? layer : 0; // tables: their own height each
            int32_t above = r->query == AG_QUERY_BUFFER    ? 0
                            : r->query == AG_QUERY_TEXTURE ? down * ag_sat_sections(r) * r->height
                                                           : down * r->height;
            ag_uniform uniforms[] = {
                AG_INTS(AG_LOC_SRC_RECT, src->rect_x,
                        src->rect_y + (t->io.src.stacked ? layer * src->rect_height : 0),
                        src->rect_width, src->rect_height),
                AG_INTS(AG_LOC_SRC_MODE, r->channels, 0, scrub, src->first_layer + layer),
                AG_INTS(AG_LOC_DST_RECT, dst->rect_x, dst->rect_y + above, dst->rect_width,
                        dst->rect_height),
                AG_INTS(AG_LOC_SAT_GRID, p->tiles_x, p->tiles_y, p->column_pitch, p->row_pitch),
                AG_INTS(AG_LOC_SAT_SPAN, p->part_height, p->part_width, p->line_pitch, down),
                AG_FLOATS(AG_LOC_SAT_VALUE, p->units, p->square_units, r->max_value,
                          r->offset == AG_TABLE_HALF ? 0.5f : 0),
            };
            ag_dispatch d = {.shader = t->steps[i],
                             .uniforms = uniforms,
                             .uniform_count = AG_COUNT_OF(uniforms),
                             .groups = {(uint32_t)step.groups[0], (uint32_t)step.groups[1],
                                        (uint32_t)step.groups[2]}};
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
