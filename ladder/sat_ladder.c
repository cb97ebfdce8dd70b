// sat_ladder.c - the effect "sat_ladder": summed-area tables by the documents' scans
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "effects/sat/sat_table.h"
#include "ladder/scan_plan.h"
#include "shaders/ladder/sat/interface.h"

#include <stdio.h>

enum { SRC = AG_SAT_LADDER_SRC, DST = AG_SAT_LADDER_DST };

static const ag_slot_info slots[] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [DST] = AG_SLOT("dst", "its table", AG_WRITE, ag_table_formats),
};

AG_SETTINGS(sat_ladder, SAT_LADDER)
static const char *const storages[] = {AG_SAT_LADDER_STORAGE(AG_NAME)};

typedef struct scan_design {
    ag_scan_plan scan;
    ag_sat_plan repair; // lookback: by tiles, whose groups are 0 unless look-back has failed
} scan_design;

static ag_scan_question question_of(const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    const ag_sat_ladder_settings s = settings_of(request);
    return (ag_scan_question){.settings = s,
                              .width = src->rect_width,
                              .height = src->rect_height,
                              .channels = request->formats[DST]->channels,
                              .counts = s.storage == AG_SCAN_UINT32 &&
                                        request->formats[SRC]->store == AG_STORE_UNORM8};
}

// ---- check -------------------------------------------------------------------------------------

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_sat_ladder_settings s = settings_of(request);
    const ag_format *src = request->formats[SRC], *dst = request->formats[DST];
    const ag_scan_question q = question_of(request);
    const char *takes = ag_scan_refused(&s);
    bool integers = s.storage == AG_SCAN_UINT32;
    if (takes)
        return ag_fail(host, AG_E_ARG, "sat_ladder: method %s takes %s", ag_scan_names[s.method],
                       takes);
    AG_TRY(ag_check_limit(host, request, SRC, AG_TABLE_MAX_SIZE));
    AG_TRY(ag_check_one_layer(host, request, SRC));
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    if (integers != (dst->store == AG_STORE_32UI))
        return ag_fail(host, AG_E_FORMAT, "sat_ladder: dst is %s; storage %s wants %s", dst->text,
                       storages[s.storage], integers ? "32UI" : "32F");
    if (dst->channels > (src->channels == 3 ? 4 : src->channels))
        return ag_fail(host, AG_E_FORMAT, "sat_ladder: dst has %d channels, src only %d",
                       dst->channels, src->channels);
    if (integers && ag_scan_fraction_bits(&q) < 0)
        return ag_fail(host, AG_E_ARG,
                       "sat_ladder: storage uint32: boxes of max_box %d (0: the image) of %dx%d "
                       "with max_value %g and fraction_bits %d reach 2^32",
                       s.max_box, q.width, q.height, (double)s.max_value, s.fraction_bits);
    return AG_OK;
}

// ---- design ------------------------------------------------------------------------------------

static ag_status plan_repair(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             scan_design *d)
{
    const ag_scan_plan *p = &d->scan;
    ag_sat_request want = ag_table_request(gl, request);
    want.channels = p->question.channels;
    want.storage = p->integers ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32;
    want.counts = p->question.counts;
    want.fraction_bits = p->fraction_bits;
    want.max_value = p->question.settings.max_value;
    return ag_table_plan(host, gl, request, &want, &d->repair);
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    scan_design *d = out;
    ag_scan_question q = question_of(request);
    q.subgroups = ag_subgroups_of(gl, &request->tuning, &request->tuning.sat_exchange);
    *d = (scan_design){.scan = ag_scan_plan_of(&q)};
    AG_TRY(ag_units_check(host, gl, AG_IMAGE_TABLES, request->info->id, "tables"));
    AG_TRY(ag_check_block(host, gl, request, SRC, d->scan.sums_bytes));
    return q.settings.method == AG_SCAN_LOOKBACK ? plan_repair(host, gl, request, d) : AG_OK;
}

// ---- shaders -----------------------------------------------------------------------------------

static bool reads_image(const ag_scan_pass *pass)
{
    return (pass->shader->is & AG_SCAN_READS) && pass->from < 0;
}

static void own_defines(const ag_scan_plan *p, const ag_scan_pass *pass, ag_defines *defines)
{
    const ag_sat_ladder_settings *s = &p->question.settings;
    const struct {
        uint32_t has;
        const char *name;
        int32_t value;
    } rows[] = {
        {AG_SCAN_HAS_AXIS, "AXIS", pass->axis},
        {AG_SCAN_HAS_GROUP, "GROUP", pass->group},
        {AG_SCAN_HAS_LINES, "LINES", pass->lines},
        {AG_SCAN_HAS_TREE, "TREE_PADDED", s->tile == AG_SCAN_TILE_PADDED},
        {AG_SCAN_HAS_BLOCK, "BLOCK", pass->group},
        {AG_SCAN_HAS_RADIX, "RADIX", p->radix},
        {AG_SCAN_HAS_TILE, "TILE", s->tile},
        {AG_SCAN_HAS_SUBGROUPS, "SCAN_SUBGROUPS", s->subgroups},
        {AG_SCAN_HAS_DOWN, "DOWN", pass->group},
        {AG_SCAN_SHUFFLES, "THREADS", pass->group},
        {AG_SCAN_SHUFFLES, "SUBGROUPS", p->subgroups},
    };
    for (size_t i = 0; i < AG_COUNT_OF(rows); ++i)
        if (pass->shader->is & rows[i].has)
            ag_define(defines, rows[i].name, rows[i].value);
    if ((pass->shader->is & AG_SCAN_SHUFFLES) && p->subgroups == AG_SUBGROUPS_OF_DRIVER)
        ag_defines_add(defines, "%s", AG_SUBGROUPS_EXTENSIONS);
}

static ag_shader *shader_of(ag_frame *f, const ag_scan_plan *p, const ag_scan_pass *pass)
{
    const ag_request *request = ag_frame_request(f);
    ag_shader *shader = ag_frame_shader(f, pass->shader->path);
    ag_defines *defines = ag_shader_defines(shader);
    int32_t channels = p->question.channels;
    bool image = reads_image(pass);
    if (!defines || (pass->shader->is & AG_SCAN_NO_VALUES))
        return shader;
    own_defines(p, pass, defines);
    ag_defines_add(defines,
                   "#define CHANNELS %d\n#define COUNTS %d\n#define LOCAL %s\n"
                   "#define LOCAL_IS_UINT %d\n#define SAT_ENTRY %s\n#define FROM_IMAGE %d\n",
                   channels, image && p->question.counts, p->integers ? "uint" : "float",
                   p->integers,
                   ag_sat_entry_type(p->integers ? AG_TABLE_UINT32 : AG_TABLE_FLOAT32, channels),
                   image);
    if (image) {
        ag_source_defines(request->formats[SRC], ag_reading_of(request, SRC), defines);
        ag_define(defines, "SRC_TEXEL", request->formats[SRC]->hold);
    } else
        ag_defines_add(defines, "#define TABLE_FORMAT %s\n",
                       ag_table_format(p->integers, channels)->glsl);
    return shader;
}

// ---- frame -------------------------------------------------------------------------------------

typedef struct work {
    ag_frame *f;
    const ag_scan_plan *plan;
    ag_shader *shaders[AG_SCAN_PASSES];
    ag_handle info, sums, flags, textures[AG_SCAN_TEXTURES];
    ag_picture src;
    ag_table repair; // of lookback; else plan NULL
    bool scrub;
    int32_t turns;
} work;

// Error of an entry of a float table, at most, in units of the last place of the sum of all
// magnitudes: half a unit for each addition that a texel's value may pass through.
// A rounding of a row's sum counts for each row, of which none is larger than the table's largest
// entry in all: at most a unit; one of a column's sum for half.
static double error_of(const ag_scan_plan *p)
{
    return p->roundings + 1.0;
}

static void say(ag_frame *f, const ag_scan_plan *p)
{
    const ag_sat_ladder_settings *s = &p->question.settings;
    char bound[64] = "exact";
    if (!ag_frame_is_planned(f))
        return;
    if (!p->integers)
        snprintf(bound, sizeof bound, "within %.3g last places of the largest", error_of(p));
    ag_frame_text(f, "sat_ladder: %dx%d, storage %s by %s, %d dispatches, entries %s%s",
                  p->question.width, p->question.height, storages[s->storage],
                  ag_scan_names[s->method], p->passes, bound,
                  p->subgroups == AG_SUBGROUPS_OF_DRIVER  ? ", by subgroups"
                  : p->subgroups == AG_SUBGROUPS_EMULATED ? ", by emulated subgroups"
                                                          : "");
}

static void begin(work *w, const scan_design *d)
{
    static const char *const lines[AG_SCAN_TEXTURES] = {"lines 0", "lines 1", "lines 2"};
    const ag_scan_plan *p = w->plan;
    for (int32_t i = 0; i < p->passes; ++i)
        w->shaders[i] = shader_of(w->f, p, &p->pass[i]);
    w->info = ag_frame_info(w->f);
    for (int32_t i = 0; i < p->textures; ++i)
        w->textures[i] = ag_own_memory(
            w->f, &(ag_own){.name = lines[i],
                            .format = ag_table_format(p->integers, p->question.channels)->name,
                            .width = p->texture_size[i][0],
                            .height = p->texture_size[i][1]});
    if (p->sums_bytes)
        w->sums = ag_scratch(w->f, "sums of blocks", (uint64_t)p->sums_bytes);
    if (p->flags_bytes)
        w->flags = ag_scratch(w->f, "flags", (uint64_t)p->flags_bytes);
    if (p->question.settings.method != AG_SCAN_LOOKBACK)
        return;
    const ag_table_io io = {.src = w->src,
                            .info = w->info,
                            .dst = ag_slot(DST),
                            .shape = &ag_frame_request(w->f)->slots[DST],
                            .groups = ag_block_of(w->flags, AG_READ, 16, 36)};
    ag_table_begin(w->f, &d->repair, &io, &w->repair);
}

static void bind(const work *w, const ag_scan_pass *pass, ag_dispatch *d)
{
    const ag_scan_plan *p = w->plan;
    if (reads_image(pass)) {
        ag_dispatch_reads_picture(d, &w->src, 0)->bytes =
            pass->texels_read * (uint64_t)w->src.format->bytes;
        d->ranges[AG_SSBO_INFO] = ag_all(w->info, AG_ADD);
    } else if (pass->shader->is & AG_SCAN_READS) {
        d->images[AG_IMAGE_SRC] =
            (ag_view){.of = w->textures[pass->from],
                      .access = AG_READ,
                      .bytes = pass->texels_read * (uint64_t)(4 * p->question.channels)};
    }
    if (pass->shader->is & AG_SCAN_WRITES)
        d->images[AG_IMAGE_DST] =
            (ag_view){.of = pass->to < 0 ? ag_slot(DST) : w->textures[pass->to],
                      .access = AG_WRITE};
    if (pass->shader->sums)
        d->ranges[AG_SSBO_SCAN_SUMS] = ag_all(w->sums, pass->shader->sums);
    if (pass->shader->flags)
        d->ranges[AG_SSBO_SCAN_FLAGS] = ag_all(w->flags, pass->shader->flags);
}

static void run(const work *w, int32_t index)
{
    const ag_scan_plan *p = w->plan;
    const ag_scan_pass *pass = &p->pass[index];
    const ag_texture *dst = &ag_frame_request(w->f)->slots[DST];
    bool last = pass->to < 0;
    ag_uniform uniforms[8] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, last ? dst->rect_x : 0, last ? dst->rect_y : 0, 0, 0),
        [3] = AG_INTS(AG_LOC_SCAN, pass->width, pass->height, pass->distance, pass->blocks),
        [4] = AG_FLOATS(AG_LOC_SAT_VALUE, p->units, 0, p->question.settings.max_value, 0),
    };
    ag_dispatch d = {.shader = w->shaders[index],
                     .uniforms = uniforms,
                     .uniform_count = 5,
                     .groups = {pass->groups[0], pass->groups[1], 1}};
    ag_read_uniforms(uniforms, &w->src, p->question.channels, w->scrub, 0);
    for (int32_t k = 0; w->repair.plan && k < w->repair.plan->steps; ++k) {
        ag_sat_step step = ag_sat_step_of(w->repair.plan, k);
        uniforms[d.uniform_count++] = (ag_uniform)AG_INTS(AG_LOC_SCAN_REPAIR + k, step.groups[0],
                                                          step.groups[1], step.groups[2], w->turns);
    }
    bind(w, pass, &d);
    ag_frame_step(w->f, pass->name);
    ag_frame_dispatch(w->f, &d);
}

static void frame(ag_frame *f)
{
    const scan_design *d = ag_frame_design(f);
    const ag_sat_ladder_settings s = settings_of(ag_frame_request(f));
    work w = {.f = f,
              .plan = &d->scan,
              .src = ag_slot_picture(f, SRC),
              .scrub = s.scrub,
              .turns = s.turns};
    say(f, w.plan);
    begin(&w, d);
    for (int32_t i = 0; i < w.plan->passes; ++i)
        run(&w, i);
    if (w.repair.plan)
        ag_table_steps(f, &w.repair, w.scrub, true);
}

const ag_effect ag_effect_sat_ladder = {
    .info = AG_EFFECT_INFO("sat_ladder", "summed-area table by a document's scan, to compare with",
                           AG_IMAGE_TABLES, 1),
    .samples = 1u << SRC,
    .check = check,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(scan_design),
};
