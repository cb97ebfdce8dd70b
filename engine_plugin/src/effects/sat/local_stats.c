// local_stats.c - the effect "local_stats": mean and standard deviation of a box around every texel
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "effects/kit/settings.h"
#include "effects/sat/box_table.h"

#include <afterglow/local_stats.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_LOCAL_STATS_SRC,
    MEAN = AG_LOCAL_STATS_DST,
    DEVIATION = AG_LOCAL_STATS_DEVIATION,
    SLOTS
};
enum { MAX_SIZE = 16384 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const ag_slot_info slots[SLOTS] = {
    [SRC] = {"src", "the image", AG_READ, AG_COLOUR_FORMATS, ag_colour_formats},
    [MEAN] = {"dst", "mean around each texel", AG_WRITE, AG_COLOUR_FORMATS, ag_colour_formats},
    [DEVIATION] = {"deviation", "standard deviation around each texel", AG_WRITE, AG_COLOUR_FORMATS,
                   ag_colour_formats},
};

// Not zero: a black frame would enter the statistics.
static const char *const borders[] = {[AG_BORDER_CLAMP] = "clamp",
                                      [AG_BORDER_MIRROR] = "mirror",
                                      [AG_BORDER_NORMALIZE] = "normalize"};

#define SETTINGS ag_local_stats_settings
static const ag_setting_info settings[] = {
    AG_REAL(radius, "texels", "half the box less half a texel; any real number", 0, 16384, 8),
    AG_CHOICE_FROM(border, "what lies outside the image", borders, AG_BORDER_CLAMP),
    AG_SWITCH(scrub, "count non-finite texels as 0", 1),
};

extern const ag_effect ag_effect_local_stats;

typedef struct stats_state {
    ag_state base;
    ag_sat_plan plan;
    ag_box_table table;
    const ag_program *programs[2]; // mean, deviation
} stats_state;

AG_SETTINGS_OF(ag_local_stats_settings)

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_texture *src = &request->slots[SRC];
    for (int i = MEAN; i < SLOTS; ++i) {
        const ag_texture *t = &request->slots[i];
        if (t->rect_width != src->rect_width || t->rect_height != src->rect_height)
            return ag_fail(host, AG_E_SIZE,
                           "local_stats: %s's rectangle is %dx%d, src's %dx%d; they must be equal",
                           slots[i].name, t->rect_width, t->rect_height, src->rect_width,
                           src->rect_height);
        if (t->layers != src->layers)
            return ag_fail(host, AG_E_ARG,
                           "local_stats: %s has %d layers, src %d; they must be equal",
                           slots[i].name, t->layers, src->layers);
    }
    if (src->rect_width > MAX_SIZE || (int64_t)src->rect_height * src->layers > MAX_SIZE)
        return ag_fail(host, AG_E_SIZE,
                       "local_stats: src is %dx%d with %d layers; width, and height times layers, "
                       "may be up to %d",
                       src->rect_width, src->rect_height, src->layers, MAX_SIZE);
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)request->slots[MEAN].format,
                      (int32_t)request->slots[DEVIATION].format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      settings_of(request).border,
                      (int32_t)src->target};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    const ag_format *format = request->formats[SRC];
    ag_sat_plan *p = out;
    if (ag_units_check(host, gl, AG_IMAGE_TABLES, "local_stats", "tables") < 0)
        return AG_E_ARG;
    if (!ag_box_table_plan(gl, src, format, AG_TABLE_DOUBLE, true, &request->tuning, p) ||
        src->rect_height * src->layers > gl->max_texture_size)
        return ag_fail(host, AG_E_SIZE,
                       "local_stats: %dx%d with %d layers is too large for this context's storage "
                       "blocks (%lld bytes) or textures (%d texels)",
                       src->rect_width, src->rect_height, src->layers,
                       (long long)gl->max_ssbo_bytes, gl->max_texture_size);
    uint64_t texels =
        (uint64_t)src->rect_width * (uint64_t)src->rect_height * (uint64_t)src->layers;
    uint64_t channels = (uint64_t)p->request.channels;
    uint32_t last = (uint32_t)p->steps;
    ag_sat_table_steps(p, 0, plan);
    plan->steps[last] = (ag_step){.name = "stats",
                                  .dispatches = 2 * (uint32_t)src->layers,
                                  .bytes = texels * (2 * 8 * channels + 8 * channels +
                                                     (uint64_t)request->formats[MEAN]->bytes +
                                                     (uint64_t)request->formats[DEVIATION]->bytes),
                                  .instructions = texels * (200 + 600 * channels)};
    ag_box_groups(p->request.query, src->rect_width, src->rect_height, plan->steps[last].groups);
    plan->head.step_count = last + 1;
    plan->resources[0] = (ag_resource){.name = "scratch",
                                       .kind = AG_RESOURCE_SCRATCH,
                                       .access = AG_READ | AG_WRITE,
                                       .last_step = last - 1,
                                       .bytes = (uint64_t)p->scratch_bytes};
    for (int i = 0; i < SLOTS; ++i)
        plan->resources[1 + i] =
            (ag_resource){.name = slots[i].name,
                          .access = slots[i].access,
                          .first_step = i ? last : 0,
                          .last_step = i ? last : last - 1,
                          .bytes = texels * (uint64_t)request->formats[i]->bytes};
    plan->head.resource_count = 1 + SLOTS;
    plan->head.scratch_bytes = (uint64_t)p->scratch_bytes;
    plan->head.persistent_bytes = AG_INFO_BYTES + ag_box_table_bytes(p);
    char how[128];
    ag_sat_plan_describe(p, how, sizeof how);
    snprintf(plan->head.text, sizeof plan->head.text,
             "local_stats: %dx%d; tables double_float less the mean, by %s; query by %s",
             src->rect_width, src->rect_height, how,
             ag_sat_query_text(&p->request, p->request.query));
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status stats_program(const ag_preparation *prep, const ag_request *request,
                               const ag_sat_plan *p, int which, const ag_program **program)
{
    ag_defines defines = {0};
    ag_box_query asking = ag_box_query_of(p, request->slots[SRC].target);
    ag_box_defines(&asking, &defines);
    ag_box_group_defines(&asking, &defines);
    ag_defines_add(&defines, "#define BORDER %d\n#define STORE %d\n#define DEVIATION %d\n",
                   settings_of(request).border, request->formats[which ? DEVIATION : MEAN]->store,
                   which);
    return ag_program_get(prep, "sat/stats.comp", &defines, program);
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    ag_sat_table_source src = ag_sat_table_source_of(request);
    ag_status status = ag_sat_table_programs(prep, detail, &src, NULL);
    for (int i = 0; i < 2 && status >= 0; ++i)
        status = stats_program(prep, request, detail, i, NULL);
    return status;
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    stats_state *state = out;
    (void)plan;
    *state = (stats_state){.plan = *(const ag_sat_plan *)detail};
    ag_sat_table_source src = ag_sat_table_source_of(request);
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    for (int i = 0; i < 2 && status >= 0; ++i)
        status = stats_program(prep, request, detail, i, &state->programs[i]);
    if (status >= 0)
        status =
            ag_box_table_prepare(prep, detail, &src, request->slots[SRC].target, &state->table);
    if (status < 0) {
        ag_box_table_free(prep->gpu, &state->table, true);
        ag_info_abandon(prep->gpu, old, &state->base);
    } else {
        ag_info_commit(old, &state->base);
    }
    return status;
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    stats_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_box_table_free(gpu, &state->table, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const stats_state *state = out;
    const ag_local_stats_settings s = settings_of(request);
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    int32_t w = src.texture->rect_width, h = src.texture->rect_height;
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT |
                                  // the last execute may still read the tables that this one writes
                                  GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_box_table_record(recording, request, &state->table, &src, false, &state->base.info, s.scrub,
                        0, false);
    ag_record_step(recording, (uint32_t)state->plan.steps, "stats", true);
    ag_record_wait(recording, ag_box_table_bits(state->plan.request.query));
    for (int which = 0; which < 2; ++which)
        for (int32_t layer = 0; layer < src.texture->layers; ++layer) {
            ag_source_texture dst = ag_source_of(recording->gpu, request, which ? DEVIATION : MEAN);
            ag_dispatch d = {.program = state->programs[which],
                             .images[AG_IMAGE_DST] = ag_write_image(&dst, layer)};
            int32_t y = ag_box_table_bind(&state->table, layer, &d);
            ag_uniform uniforms[] = {
                AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y, w, h),
                AG_INTS(AG_LOC_BOX_TABLE, 0, y, layer, 0),
                AG_INTS(AG_LOC_BOX_SIZE, w, h, 0, 0),
                AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            };
            d.uniforms = uniforms;
            d.uniform_count = COUNT(uniforms);
            ag_box_groups(state->plan.request.query, w, h, d.groups);
            ag_record(recording, &d);
        }
}

const ag_effect ag_effect_local_stats = {
    .info = {.struct_size = sizeof(ag_effect_info),
             .settings_size = sizeof(ag_local_stats_settings),
             .id = "local_stats",
             .help = "mean and standard deviation of a box around every texel",
             .slots = slots,
             .slot_count = SLOTS,
             .slot_stride = sizeof *slots,
             .settings = settings,
             .setting_count = COUNT(settings),
             .setting_stride = sizeof *settings,
             .image_units = AG_IMAGE_TABLES,
             .ssbos = AG_SSBO_COUNT,
             .texture_units = 1},
    .state_bytes = sizeof(stats_state),
    .detail_bytes = sizeof(ag_sat_plan),
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .samples = 1u << SRC,
    .execute = execute,
    .free_state = free_state,
};
