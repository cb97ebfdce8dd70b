// sat_ladder_record.c - programs, textures and dispatches of the documents' scans
// SPDX-License-Identifier: MIT
#include "effects/kit/settings.h"
#include "effects/sat/sat_ladder.h"
#include "shaders/sat/interface_ladder.h"

#include <string.h>

enum { SRC = AG_SAT_SRC, DST = AG_SAT_DST };

AG_SETTINGS_OF(ag_sat_settings)

static const ag_format *format_of(const ag_scan_plan *p)
{
    static const uint32_t formats[2][5] = {{0, GL_R32F, GL_RG32F, 0, GL_RGBA32F},
                                           {0, GL_R32UI, GL_RG32UI, 0, GL_RGBA32UI}};
    return ag_format_find(formats[p->integers][p->channels]);
}

// ---- programs ----------------------------------------------------------------------------------

static bool is(const ag_scan_pass *pass, const char *file)
{
    return strcmp(pass->path + sizeof "sat/ladder/" - 1, file) == 0;
}

static bool walks_lines(const ag_scan_pass *pass)
{
    return is(pass, "kogge_stone.comp") || is(pass, "ladner_fischer.comp") ||
           is(pass, "ladner_fischer_subgroups.comp") || is(pass, "blelloch_scan.comp") ||
           is(pass, "tree_rows.comp");
}

static void own_defines(const ag_scan_plan *p, const ag_scan_pass *pass, ag_defines *defines)
{
    bool chen = p->method == AG_SAT_SCANROW_BRLT || p->method == AG_SAT_SCANROWCOLUMN;
    if (is(pass, "lookback.comp"))
        ag_define(defines, "DOWN", pass->group);
    if (p->method == AG_SAT_LOOKBACK)
        return;
    bool shuffles = is(pass, "ladner_fischer_subgroups.comp") || is(pass, "scanrow_brlt.comp") ||
                    is(pass, "scanrowcolumn_rows.comp");
    if (!chen && !is(pass, "transpose.comp"))
        ag_define(defines, "AXIS", pass->axis);
    if (walks_lines(pass) || p->method == AG_SAT_SEGMENTED)
        ag_define(defines, "GROUP", pass->group);
    if (walks_lines(pass))
        ag_define(defines, "LINES", pass->lines);
    if (is(pass, "blelloch_scan.comp") || is(pass, "tree_rows.comp"))
        ag_define(defines, "TREE_PADDED", p->tile == AG_SCAN_PADDED);
    if (is(pass, "blelloch_add.comp"))
        ag_define(defines, "BLOCK", pass->group);
    if (is(pass, "hensley.comp"))
        ag_define(defines, "RADIX", p->radix);
    if (is(pass, "transpose.comp") || is(pass, "scanrow_brlt.comp"))
        ag_define(defines, "TILE", p->tile);
    if (chen)
        ag_define(defines, "SCAN_SUBGROUPS", p->in_group);
    if (shuffles) {
        ag_define(defines, "THREADS", pass->group);
        ag_defines_add(defines, "#define SUBGROUPS %d\n%s", p->subgroups,
                       p->subgroups == AG_SUBGROUPS_OF_DRIVER ? AG_SUBGROUPS_EXTENSIONS : "");
    }
}

static ag_status program_of(const ag_preparation *prep, const ag_request *request,
                            const ag_scan_plan *p, const ag_scan_pass *pass,
                            const ag_program **program)
{
    ag_defines defines = {0};
    ag_sat_table_source src = ag_sat_table_source_of(request);
    if (is(pass, "lookback_clear.comp"))
        return ag_program_get(prep, pass->path, &defines, program);
    bool image = pass->reads && pass->from < 0;
    own_defines(p, pass, &defines);
    ag_defines_add(&defines,
                   "#define CHANNELS %d\n#define COUNTS %d\n#define LOCAL %s\n"
                   "#define LOCAL_IS_UINT %d\n#define SAT_ENTRY %s\n#define FROM_IMAGE %d\n",
                   p->channels, image && p->counts, p->integers ? "uint" : "float", p->integers,
                   ag_sat_entry_type(p->integers ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32, p->channels),
                   image);
    if (image)
        ag_source_defines(src.format, src.reading, &defines);
    else
        ag_defines_add(&defines, "#define TABLE_FORMAT %s\n", format_of(p)->glsl);
    return ag_program_get(prep, pass->path, &defines, program);
}

ag_status ag_scan_programs(const ag_preparation *prep, const ag_request *request,
                           const ag_scan_plan *p, ag_scan_state *state)
{
    ag_status status = AG_OK;
    for (int32_t i = 0; i < p->passes && status >= 0; ++i)
        status = program_of(prep, request, p, &p->pass[i], state ? &state->programs[i] : NULL);
    ag_sat_table_source src = ag_sat_table_source_of(request);
    if (status >= 0 && p->method == AG_SAT_LOOKBACK)
        status = ag_sat_table_programs(prep, &p->repair, &src, state ? &state->repair : NULL);
    return status;
}

// ---- state -------------------------------------------------------------------------------------

ag_status ag_scan_prepare(const ag_preparation *prep, const ag_request *request,
                          const ag_scan_plan *p, ag_scan_state *state)
{
    const ag_format *format = format_of(p);
    state->plan = *p;
    state->repair.plan = p->repair;
    ag_status status = ag_scan_programs(prep, request, p, state);
    for (int32_t i = 0; i < p->textures && status >= 0; ++i)
        status =
            ag_gpu_texture_of(prep->gpu, "afterglow scanned lines", format->name, format->bytes,
                              p->texture_size[i][0], p->texture_size[i][1], &state->textures[i]);
    return status;
}

void ag_scan_free(ag_gpu *gpu, ag_scan_state *state, bool with_gl)
{
    for (int i = 0; i < AG_SCAN_TEXTURES; ++i)
        ag_gpu_free_texture(gpu, &state->textures[i], with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static ag_image_binding own_image(const ag_scan_state *state, int32_t index, GLenum access)
{
    return (ag_image_binding){state->textures[index].name,   0,    0, access,
                              format_of(&state->plan)->name, false};
}

static void bind(const ag_gpu *gpu, const ag_request *request, const ag_scan_state *state,
                 const ag_scan_pass *pass, ag_gl_dispatch *d)
{
    const ag_scan_plan *p = &state->plan;
    ag_source_texture src = ag_source_of(gpu, request, SRC), dst = ag_source_of(gpu, request, DST);
    if (pass->reads && pass->from < 0)
        ag_bind_source(d, request, SRC, &src, 0);
    else if (pass->reads)
        d->images[AG_IMAGE_SRC] = own_image(state, pass->from, GL_READ_ONLY);
    if (pass->writes)
        d->images[AG_IMAGE_DST] =
            pass->to < 0 ? ag_write_image(&dst, 0) : own_image(state, pass->to, GL_WRITE_ONLY);
    if (p->sums.bytes && (pass->blocks || p->method == AG_SAT_LOOKBACK))
        d->ranges[AG_SSBO_SCAN_SUMS] =
            ag_part(request->scratch, (uint64_t)p->sums.offset, (uint64_t)p->sums.bytes);
    if (p->flags.bytes && (!pass->writes || p->method == AG_SAT_LOOKBACK))
        d->ranges[AG_SSBO_SCAN_FLAGS] =
            ag_part(request->scratch, (uint64_t)p->flags.offset, (uint64_t)p->flags.bytes);
}

// Of lookback's tiles u_scan.w is one that is silent, or -1.
static bool silences(const ag_scan_plan *p, const ag_scan_pass *pass)
{
    return p->method == AG_SAT_LOOKBACK && pass->writes;
}

// The steps of tiles, whose groups are 0 unless look-back has failed.
static void record_repair(ag_recording *recording, const ag_request *request,
                          const ag_scan_state *state, const ag_memory *info)
{
    const ag_scan_plan *p = &state->plan;
    const ag_sat_table_textures textures = {
        .src = ag_source_of(recording->gpu, request, SRC),
        .dst = ag_source_of(recording->gpu, request, DST),
        .sampled = ag_sat_table_source_of(request).reading != AG_BY_IMAGE,
        .groups = ag_part(request->scratch, (uint64_t)p->flags.offset + 16, 36)};
    ag_record_wait(recording, GL_COMMAND_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_sat_table_record(recording, request, &state->repair, &textures, info,
                        settings_of(request).scrub, p->passes, true);
}

void ag_scan_record(ag_recording *recording, const ag_request *request, const ag_scan_state *state,
                    const ag_memory *info)
{
    const ag_scan_plan *p = &state->plan;
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_scan_pass *pass = &p->pass[i];
        bool last = pass->to < 0;
        uint32_t count = 5;
        ag_uniform uniforms[8] = {
            AG_INTS(AG_LOC_SRC_RECT, src->rect_x, src->rect_y, src->rect_width, src->rect_height),
            AG_INTS(AG_LOC_SRC_MODE, p->channels, 0, settings_of(request).scrub, src->first_layer),
            AG_INTS(AG_LOC_DST_RECT, last ? dst->rect_x : 0, last ? dst->rect_y : 0, 0, 0),
            AG_INTS(AG_LOC_SCAN, pass->width, pass->height, pass->distance,
                    silences(p, pass) ? pass->blocks - 1 : pass->blocks),
            AG_FLOATS(AG_LOC_SAT_VALUE, p->units, 0, p->max_value, 0),
        };
        if (p->method == AG_SAT_LOOKBACK)
            for (int32_t k = 0; k < p->repair.steps; ++k) {
                ag_sat_step step = ag_sat_step_of(&p->repair, k);
                uniforms[count++] = (ag_uniform)AG_INTS(AG_LOC_SCAN_REPAIR + k, step.groups[0],
                                                        step.groups[1], step.groups[2], p->turns);
            }
        ag_gl_dispatch d = {.program = state->programs[i],
                            .uniforms = uniforms,
                            .uniform_count = count,
                            .groups = {pass->groups[0], pass->groups[1], 1}};
        if (pass->reads && pass->from < 0)
            d.ranges[AG_SSBO_INFO] = ag_whole(info);
        bind(recording->gpu, request, state, pass, &d);
        ag_record_step(recording, (uint32_t)i, pass->name, i > 0);
        ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT); // of the former execute, too
        ag_record(recording, &d);
    }
    if (p->method == AG_SAT_LOOKBACK)
        record_repair(recording, request, state, info);
}
