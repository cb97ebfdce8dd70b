// local_stats.c - the effect "local_stats": mean and standard deviation of a box around every texel
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/sat/box_old.h"

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

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [MEAN] = AG_COLOUR_SLOT("dst", "mean around each texel", AG_WRITE),
    [DEVIATION] = AG_COLOUR_SLOT("deviation", "standard deviation around each texel", AG_WRITE),
};

// Not zero: a black frame would enter the statistics.
static const char *const borders[] = {[AG_BORDER_CLAMP] = "clamp",
                                      [AG_BORDER_MIRROR] = "mirror",
                                      [AG_BORDER_NORMALIZE] = "normalize"};

#define SETTINGS ag_local_stats_settings
static const ag_setting_info settings[] = {
    AG_REAL(radius, "texels", "half the box less half a texel; any real number", 0, 16384, 8),
    AG_CHOICE_FROM(border, "what lies outside the image", borders, AG_BORDER_CLAMP,
                   AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

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
    ag_status status = AG_OK;
    for (int i = MEAN; i < SLOTS && status >= 0; ++i)
        status = ag_check_same_size(host, request, i, SRC);
    if (status >= 0)
        status = ag_box_check_size(host, request);
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)request->slots[MEAN].format,
                      (int32_t)request->slots[DEVIATION].format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      settings_of(request).border,
                      (int32_t)src->target};
    memcpy(shape->plan, plan, sizeof plan);
    return status;
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
        return ag_box_too_large(host, gl, request);
    uint64_t texels = ag_slot_texels(request, SRC);
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
    ag_plan_scratch(plan, (uint64_t)p->scratch_bytes, last - 1);
    for (int i = 0; i < SLOTS; ++i)
        ag_plan_slot(plan, request, i, i ? last : 0, i ? last : last - 1);
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
    ag_box_query table = ag_box_query_of(p, request->slots[SRC].target);
    ag_box_defines(&table, &defines);
    ag_box_group_defines(&table, &defines);
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
    if (status < 0)
        ag_box_table_free(prep->gpu, &state->table, true);
    return ag_info_end(prep->gpu, old, &state->base, status);
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
            ag_gl_dispatch d = {.program = state->programs[which],
                                .images[AG_IMAGE_DST] = ag_write_image(&dst, layer)};
            int32_t y = ag_box_table_bind(&state->table, layer, &d);
            ag_uniform uniforms[] = {
                AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y, w, h),
                AG_INTS(AG_LOC_BOX_TABLE, 0, y, layer, 0),
                AG_INTS(AG_LOC_BOX_SIZE, w, h, 0, 0),
                AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            };
            d.uniforms = uniforms;
            d.uniform_count = AG_COUNT_OF(uniforms);
            ag_box_groups(state->plan.request.query, w, h, d.groups);
            ag_record(recording, &d);
        }
}

const ag_effect ag_effect_local_stats = {
    .info = AG_EFFECT_INFO("local_stats", "mean and standard deviation of a box around every texel",
                           AG_IMAGE_TABLES, 1),
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
