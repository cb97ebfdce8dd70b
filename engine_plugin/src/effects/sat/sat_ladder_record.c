// sat_ladder_record.c - the frame of the documents' scans
// SPDX-License-Identifier: MIT
#include "effects/kit/tables.h"
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

static ag_shader *shader_of(ag_frame *f, const ag_scan_plan *p, const ag_scan_pass *pass)
{
    const ag_request *request = ag_frame_request(f);
    ag_shader *shader = ag_frame_shader(f, pass->path);
    ag_defines *defines = ag_shader_defines(shader);
    if (!defines || is(pass, "lookback_clear.comp"))
        return shader;
    bool image = pass->reads && pass->from < 0;
    own_defines(p, pass, defines);
    ag_defines_add(defines,
                   "#define CHANNELS %d\n#define COUNTS %d\n#define LOCAL %s\n"
                   "#define LOCAL_IS_UINT %d\n#define SAT_ENTRY %s\n#define FROM_IMAGE %d\n",
                   p->channels, image && p->counts, p->integers ? "uint" : "float", p->integers,
                   ag_sat_entry_type(p->integers ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32, p->channels),
                   image);
    if (image)
        ag_source_defines(request->formats[SRC], ag_reading_of(request, SRC), defines);
    else
        ag_defines_add(defines, "#define TABLE_FORMAT %s\n", format_of(p)->glsl);
    return shader;
}

// ---- frame -------------------------------------------------------------------------------------

typedef struct scan {
    const ag_scan_plan *plan;
    ag_shader *shaders[AG_SCAN_PASSES];
    ag_handle info, sums, flags, textures[AG_SCAN_TEXTURES];
    ag_table repair; // lookback: by tiles, whose groups are 0 unless look-back has failed
} scan;

static void begin(ag_frame *f, const ag_scan_plan *p, scan *s)
{
    static const char *const names[AG_SCAN_TEXTURES] = {"lines 0", "lines 1", "lines 2"};
    s->plan = p;
    for (int32_t i = 0; i < p->passes; ++i)
        s->shaders[i] = shader_of(f, p, &p->pass[i]);
    s->info = ag_frame_info(f);
    for (int32_t i = 0; i < p->textures; ++i)
        s->textures[i] = ag_own_memory(f, &(ag_own){.name = names[i],
                                                    .format = format_of(p)->name,
                                                    .width = p->texture_size[i][0],
                                                    .height = p->texture_size[i][1]});
    if (p->sums_bytes)
        s->sums = ag_scratch(f, "sums of blocks", (uint64_t)p->sums_bytes);
    if (p->flags_bytes)
        s->flags = ag_scratch(f, "flags", (uint64_t)p->flags_bytes);
    if (p->method != AG_SAT_LOOKBACK)
        return;
    const ag_table_io io = {.src = ag_table_source_of(f),
                            .info = s->info,
                            .dst = ag_slot(DST),
                            .shape = &ag_frame_request(f)->slots[DST],
                            .groups = ag_block_of(s->flags, AG_READ, 16, 36)};
    ag_table_begin(f, &p->repair, &io, &s->repair);
}

static void bind(const ag_frame *f, const scan *s, const ag_scan_pass *pass, ag_dispatch *d)
{
    const ag_scan_plan *p = s->plan;
    bool image = pass->reads && pass->from < 0,
         by_image = ag_reading_of(ag_frame_request(f), SRC) == AG_BY_IMAGE;
    ag_view *from = image && !by_image ? &d->textures[0] : &d->images[AG_IMAGE_SRC];
    if (pass->reads)
        *from = (ag_view){.of = image ? ag_slot(SRC) : s->textures[pass->from],
                          .access = AG_READ,
                          .bytes = pass->texels_read *
                                   (uint64_t)(image ? p->src_bytes : 4 * p->channels)};
    if (pass->writes)
        d->images[AG_IMAGE_DST] =
            (ag_view){.of = pass->to < 0 ? ag_slot(DST) : s->textures[pass->to],
                      .access = AG_WRITE};
    if (image)
        d->ranges[AG_SSBO_INFO] = ag_all(s->info, AG_ADD);
    if (pass->sums)
        d->ranges[AG_SSBO_SCAN_SUMS] = ag_all(s->sums, pass->sums);
    if (pass->flags)
        d->ranges[AG_SSBO_SCAN_FLAGS] = ag_all(s->flags, pass->flags);
}

// Of lookback's tiles u_scan.w is one that is silent, or -1.
static bool silences(const ag_scan_plan *p, const ag_scan_pass *pass)
{
    return p->method == AG_SAT_LOOKBACK && pass->writes;
}

void ag_scan_frame(ag_frame *f, const ag_scan_plan *p)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const bool scrub = settings_of(request).scrub;
    scan s;
    ag_scan_text(f, p);
    begin(f, p, &s);
    for (int32_t i = 0; i < p->passes; ++i) {
        const ag_scan_pass *pass = &p->pass[i];
        bool last = pass->to < 0;
        ag_uniform uniforms[8] = {
            AG_INTS(AG_LOC_SRC_RECT, src->rect_x, src->rect_y, src->rect_width, src->rect_height),
            AG_INTS(AG_LOC_SRC_MODE, p->channels, 0, scrub, src->first_layer),
            AG_INTS(AG_LOC_DST_RECT, last ? dst->rect_x : 0, last ? dst->rect_y : 0, 0, 0),
            AG_INTS(AG_LOC_SCAN, pass->width, pass->height, pass->distance,
                    silences(p, pass) ? pass->blocks - 1 : pass->blocks),
            AG_FLOATS(AG_LOC_SAT_VALUE, p->units, 0, p->max_value, 0),
        };
        ag_dispatch d = {.shader = s.shaders[i],
                         .uniforms = uniforms,
                         .uniform_count = 5,
                         .groups = {pass->groups[0], pass->groups[1], 1}};
        for (int32_t k = 0; p->method == AG_SAT_LOOKBACK && k < p->repair.steps; ++k) {
            ag_sat_step step = ag_sat_step_of(&p->repair, k);
            uniforms[d.uniform_count++] =
                (ag_uniform)AG_INTS(AG_LOC_SCAN_REPAIR + k, step.groups[0], step.groups[1],
                                    step.groups[2], p->turns);
        }
        bind(f, &s, pass, &d);
        ag_frame_step(f, pass->name);
        ag_frame_dispatch(f, &d);
    }
    if (p->method == AG_SAT_LOOKBACK)
        ag_table_steps(f, &s.repair, scrub, true);
}
