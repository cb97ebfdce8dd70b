// sat_table.c - how sat makes tables, also for other effects: programs, memory, steps
// SPDX-License-Identifier: MIT
#include "effects/sat/sat_old.h"

// ---- programs and memory -----------------------------------------------------------------------

ag_sat_table_source ag_sat_table_source_of(const ag_request *request)
{
    return (ag_sat_table_source){request->formats[0], ag_reading_of(request, 0)};
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
static bool by_subgroups(const ag_sat_plan *p, const ag_sat_table_source *src)
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
static void step_defines(const ag_sat_plan *p, int32_t index, const ag_sat_table_source *src,
                         ag_defines *defines)
{
    bool last = index == p->steps - 1, reads = reads_image(p, index),
         subgroups = by_subgroups(p, src);
    value_defines(p, last, defines);
    if (reads)
        ag_source_defines(src->format, src->reading, defines);
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

ag_status ag_sat_table_programs(const ag_preparation *prep, const ag_sat_plan *p,
                                const ag_sat_table_source *src, ag_sat_table *made)
{
    ag_status status = AG_OK;
    for (int32_t i = 0; i < p->steps && status >= 0; ++i) {
        ag_defines defines = {0};
        step_defines(p, i, src, &defines);
        status = ag_program_get(prep, shader_of(p, i, by_subgroups(p, src)), &defines,
                                made ? &made->steps[i] : NULL);
    }
    return status;
}

// ---- steps -------------------------------------------------------------------------------------

static ag_range range_of(const ag_request *request, const ag_sat_table *table, int32_t layer,
                         ag_sat_range part)
{
    int64_t at = table->plan.layer_bytes * layer + part.offset;
    return part.bytes ? ag_part(request->scratch, (uint64_t)at, (uint64_t)part.bytes)
                      : (ag_range){0};
}

static ag_image_binding target_of(const ag_source_texture *t, bool stacked, int32_t layer)
{
    return t->texture ? ag_write_image(t, stacked ? 0 : layer) : (ag_image_binding){0};
}

// The bindings of all steps. Those that a step does not use are removed, so that no driver sees
// more outputs than it allows.
static ag_gl_dispatch dispatch_of(const ag_request *request, const ag_sat_table *table,
                                  int32_t index, int32_t layer, const ag_sat_table_textures *t,
                                  const ag_memory *info)
{
    const ag_sat_plan *p = &table->plan;
    bool lines = p->method == AG_TABLE_BY_LINES, last = index == p->steps - 1;
    ag_gl_dispatch d = {.program = table->steps[index]};
    ag_sat_step step = ag_sat_step_of(p, index);
    for (int i = 0; i < 3; ++i)
        d.groups[i] = (uint32_t)step.groups[i];
    if (t->groups.buffer)
        d.indirect = ag_part(t->groups, 12 * (uint64_t)index, 12);
    if (index == 0)
        d.ranges[AG_SSBO_INFO] = ag_whole(info);
    if (reads_image(p, index) && t->sampled) {
        d.textures[0].texture = t->src.texels;
        d.textures[0].target = t->src.texture->target;
    } else if (reads_image(p, index))
        d.images[AG_IMAGE_SRC] = ag_read_image(&t->src, t->src_stacked ? 0 : layer);
    if (last && t->buffer) {
        uint64_t bytes = (uint64_t)ag_table_layer_bytes(&p->request);
        d.ranges[AG_SSBO_TABLE] = (ag_range){t->buffer->name, bytes * (uint64_t)layer, bytes};
    } else if (last) {
        d.images[AG_IMAGE_DST] = target_of(&t->dst, t->dst_stacked, layer);
        d.images[AG_IMAGE_LOW] = target_of(&t->low, t->dst_stacked, layer);
        d.images[AG_IMAGE_SQUARES] = target_of(&t->squares, t->dst_stacked, layer);
        d.images[AG_IMAGE_SQUARES_LOW] = target_of(&t->squares_low, t->dst_stacked, layer);
    }
    if (last)
        d.images[lines ? AG_IMAGE_SRC : AG_IMAGE_MEAN] = target_of(&t->mean, t->dst_stacked, layer);
    if (lines) {
        d.ranges[AG_SSBO_LINES] = range_of(request, table, layer, p->lines);
        return d;
    }
    if (!last || p->folded) {
        d.ranges[AG_SSBO_COLUMN_SUMS] = range_of(request, table, layer, p->column_sums);
        d.ranges[AG_SSBO_ROW_SUMS] = range_of(request, table, layer, p->row_sums);
    }
    if (index > 0 && !p->folded) {
        d.ranges[AG_SSBO_COLUMN_CARRY] = range_of(request, table, layer, p->column_carry);
        d.ranges[AG_SSBO_ROW_CARRY] = range_of(request, table, layer, p->row_carry);
    }
    return d;
}

void ag_sat_table_record(ag_recording *recording, const ag_request *request,
                         const ag_sat_table *table, const ag_sat_table_textures *t,
                         const ag_memory *info, bool scrub, int32_t first_step, bool waits)
{
    const ag_sat_plan *p = &table->plan;
    const ag_sat_request *r = &p->request;
    const ag_texture *src = t->src.texture, *dst = t->dst.texture;
    for (int32_t i = 0; i < p->steps; ++i) {
        if (first_step != AG_TABLE_NO_STEP)
            ag_record_step(recording, (uint32_t)(first_step + i), ag_sat_step_of(p, i).name,
                           i > 0 || waits);
        else if (i > 0 || waits)
            ag_record_wait(recording,
                           GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        for (int32_t layer = 0; layer < r->layers; ++layer) {
            int32_t down = t->dst_stacked ? layer : 0; // tables: their own height each
            int32_t above = r->query == AG_QUERY_BUFFER    ? 0
                            : r->query == AG_QUERY_TEXTURE ? down * ag_sat_sections(r) * r->height
                                                           : down * r->height;
            ag_uniform uniforms[] = {
                AG_INTS(AG_LOC_SRC_RECT, src->rect_x,
                        src->rect_y + (t->src_stacked ? layer * src->rect_height : 0),
                        src->rect_width, src->rect_height),
                AG_INTS(AG_LOC_SRC_MODE, r->channels, 0, scrub, src->first_layer + layer),
                AG_INTS(AG_LOC_DST_RECT, dst->rect_x, dst->rect_y + above, dst->rect_width,
                        dst->rect_height),
                AG_INTS(AG_LOC_SAT_GRID, p->tiles_x, p->tiles_y, p->column_pitch, p->row_pitch),
                AG_INTS(AG_LOC_SAT_SPAN, p->part_height, p->part_width, p->line_pitch, down),
                AG_FLOATS(AG_LOC_SAT_VALUE, p->units, p->square_units, r->max_value,
                          r->offset == AG_TABLE_HALF ? 0.5f : 0),
            };
            ag_gl_dispatch d = dispatch_of(request, table, i, layer, t, info);
            d.uniforms = uniforms;
            d.uniform_count = sizeof uniforms / sizeof *uniforms;
            ag_record(recording, &d);
        }
    }
}

void ag_sat_table_steps(const ag_sat_plan *p, uint32_t first_step, ag_pass_plan *plan)
{
    for (int32_t i = 0; i < p->steps; ++i) {
        ag_sat_step step = ag_sat_step_of(p, i);
        plan->steps[first_step + (uint32_t)i] =
            (ag_step){.name = step.name,
                      .dispatches = (uint32_t)p->request.layers,
                      .groups = {(uint32_t)step.groups[0], (uint32_t)step.groups[1],
                                 (uint32_t)step.groups[2]},
                      .shared_bytes = (uint32_t)step.shared_bytes,
                      .bytes = (uint64_t)step.bytes,
                      .instructions = (uint64_t)step.instructions};
    }
}
