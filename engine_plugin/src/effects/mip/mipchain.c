// mipchain.c - the effect "mipchain": the levels of a texture below its first, in place
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/mip/mip_more.h"
#include "effects/mip/mip_plan.h"

#include <afterglow/mipchain.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

static const ag_slot_info slots[] = {
    AG_COLOUR_SLOT("texture", "its first level is read, the levels below it are written",
                   AG_READ | AG_WRITE | AG_LEVELS),
};

static const char *const reductions[] = {"mean", "min", "max", "minmax", "first"};
static const char *const weights[] = {"none", "karis", "alpha", "coverage"};
static const char *const exactnesses[] = {"recursive", "direct"};

#define SETTINGS ag_mipchain_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(reduce, "what becomes of the texels of a box", reductions, AG_PREPARE_PLAN),
    AG_CHOICE(weight,
              "of mean: equal, against fireflies, by alpha, or by alpha and with its coverage",
              weights, AG_PREPARE_PLAN),
    AG_WHOLE(levels, "", "levels to make, 0 for all down to 1x1", 0, 16, 0, AG_PREPARE_PLAN),
    AG_CHOICE(exactness, "each level from the one above, or as the mean of level 0", exactnesses,
              AG_PREPARE_PLAN),
    AG_REAL(reference, "", "that alpha is tested against, for coverage", 0.004, 1, 0.5),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

typedef struct mip_state {
    ag_state base;
    ag_mip_detail detail;
    const ag_program *programs[AG_MIP_DISPATCHES];
    ag_mip_more more;
    ag_memory counters;
} mip_state;

AG_SETTINGS_OF(ag_mipchain_settings)

static int32_t levels_of(const ag_request *request)
{
    const ag_texture *t = &request->slots[0];
    int32_t full = ag_mip_full(t->rect_width, t->rect_height), wanted = settings_of(request).levels;
    return wanted && wanted < full ? wanted : full;
}

static ag_levels_io io_of(const ag_request *request)
{
    ag_mipchain_settings s = settings_of(request);
    return (
        ag_levels_io){.request = request, .reduce = s.reduce, .weight = s.weight, .scrub = s.scrub};
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_mipchain_settings s = settings_of(request);
    const ag_format *format = request->formats[0];
    const ag_texture *t = &request->slots[0];
    if (s.weight != AG_MIP_WEIGHT_NONE && s.reduce != AG_MIP_MEAN)
        return ag_fail(host, AG_E_ARG, "mipchain: weight is %s with reduce %s; it needs mean",
                       weights[s.weight], reductions[s.reduce]);
    if (s.weight >= AG_MIP_WEIGHT_ALPHA && format->channels != 4)
        return ag_fail(host, AG_E_FORMAT,
                       "mipchain: weight is %s and the texture %s; it takes RGBA8 SRGB8_ALPHA8 "
                       "RGB10_A2 RGBA16F RGBA32F",
                       weights[s.weight], format->text);
    if (s.exactness == AG_MIP_DIRECT && (s.reduce != AG_MIP_MEAN || s.weight != AG_MIP_WEIGHT_NONE))
        return ag_fail(
            host, AG_E_ARG,
            "mipchain: exactness is direct with reduce %s, weight %s; it needs mean, none",
            reductions[s.reduce], weights[s.weight]);
    if (s.reduce == AG_MIP_MINMAX && format->channels != 2)
        return ag_fail(host, AG_E_FORMAT,
                       "mipchain: reduce is minmax and the texture %s; it takes RG8 RG16F RG32F",
                       format->text);
    request->more_levels[0] = levels_of(request);
    int32_t plan[] = {(int32_t)t->format, t->rect_width,      t->rect_height,
                      t->layers,          (int32_t)t->target, levels_of(request),
                      s.reduce,           s.weight,           s.exactness};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static void describe_direct(const ag_request *request, const ag_mip_detail *d, ag_pass_plan *plan)
{
    const ag_texture *t = &request->slots[0];
    int32_t texel = request->formats[0]->bytes, level = d->chain.request.levels + 1;
    int32_t more = d->levels - d->chain.request.levels;
    uint64_t held =
        4 * (uint64_t)ag_levels_held_channels(request->formats[0]) * (uint64_t)t->layers;
    uint64_t read = (uint64_t)t->rect_width * (uint64_t)t->rect_height * (uint64_t)more;
    size_t used = strlen(plan->head.text);
    for (int i = 0; i < 2; ++i) {
        ag_step *step = ag_levels_next_step(plan, i ? "columns" : "rows");
        if (!step->dispatches) {
            step->groups[0] = ag_groups(ag_mip_size(t->rect_width, level), 64);
            step->groups[1] =
                ((uint32_t)(i ? ag_mip_size(t->rect_height, level) : t->rect_height) + 3) / 4;
            step->groups[2] = (uint32_t)t->layers;
        }
        step->dispatches += (uint32_t)more;
        step->bytes += (uint64_t)d->rows * held;
        step->instructions += (i ? (uint64_t)d->rows : read) * 20;
        for (int32_t k = level; i && k <= d->levels; ++k)
            step->bytes += ag_levels_bytes(&request->slots[0], k, texel);
        step->bytes += i ? 0 : ag_levels_bytes(&request->slots[0], 0, texel);
    }
    snprintf(plan->head.text + used, sizeof plan->head.text - used, "; %d levels from level 0",
             more);
}

static void describe_coverage(const ag_request *request, const ag_mip_detail *d, ag_pass_plan *plan)
{
    const ag_texture *t = &request->slots[0];
    size_t used = strlen(plan->head.text);
    ag_step *step = ag_levels_next_step(plan, "coverage");
    if (!step->dispatches) {
        step->groups[0] = ag_groups(t->rect_width, 16);
        step->groups[1] = ag_groups(t->rect_height, 16);
        step->groups[2] = (uint32_t)t->layers;
    }
    step->dispatches += 2 * (uint32_t)d->levels + 2;
    for (int32_t k = 0; k <= d->levels; ++k)
        step->bytes +=
            ag_levels_bytes(&request->slots[0], k, request->formats[0]->bytes) * (k ? 3 : 1);
    step->instructions += step->bytes;
    snprintf(plan->head.text + used, sizeof plan->head.text - used, "; coverage");
}

static void describe(const ag_request *request, const ag_mip_detail *detail, ag_pass_plan *plan)
{
    const ag_mip_plan *p = &detail->chain;
    uint64_t stored = 0;
    ag_levels_io io = io_of(request);
    ag_levels_describe(&io, p, plan);
    if (detail->direct)
        describe_direct(request, detail, plan);
    if (detail->coverage)
        describe_coverage(request, detail, plan);
    for (int32_t k = 0; k <= detail->levels; ++k)
        stored += ag_levels_bytes(&request->slots[0], k, request->formats[0]->bytes);
    uint32_t last = plan->head.step_count ? plan->head.step_count - 1 : 0;
    ag_plan_scratch(plan, detail->scratch, last);
    ag_plan_slot(plan, request, 0, 0, last);
    plan->resources[1].bytes = stored; // of all levels
    plan->head.persistent_bytes =
        AG_INFO_BYTES + ag_levels_counter_bytes(&io, p) + ag_mip_histogram_bytes(request, detail);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *t = &request->slots[0];
    ag_mipchain_settings s = settings_of(request);
    ag_mip_detail *d = out;
    int32_t levels = levels_of(request),
            same = ag_mip_same_levels(t->rect_width, t->rect_height, levels);
    *d = (ag_mip_detail){.levels = levels,
                         .direct = s.exactness == AG_MIP_DIRECT && same < levels,
                         .coverage = s.weight == AG_MIP_WEIGHT_COVERAGE && levels > 0};
    ag_levels_io io = io_of(request);
    if (!ag_levels_plan(gl, &io, d->direct ? same : levels, &d->chain, &d->handover))
        return ag_fail(host, AG_E_SIZE, "mipchain: %d levels of %dx%d need more than %d dispatches",
                       levels, t->rect_width, t->rect_height, AG_MIP_DISPATCHES);
    uint64_t alignment = (uint64_t)gl->ssbo_alignment, rows = 0;
    for (int32_t k = d->chain.request.levels + 1; d->direct && k <= levels; ++k)
        rows += (uint64_t)ag_mip_size(t->rect_width, k) * (uint64_t)t->rect_height;
    d->rows_bytes =
        4 * (uint64_t)ag_levels_held_channels(request->formats[0]) * rows * (uint64_t)t->layers;
    d->scratch = d->handover;
    if (rows)
        d->scratch = (d->handover + alignment - 1) / alignment * alignment + d->rows_bytes;
    uint64_t largest = d->handover > d->rows_bytes ? d->handover : d->rows_bytes;
    if (largest > (uint64_t)gl->max_ssbo_bytes || rows > INT32_MAX)
        return ag_fail(host, AG_E_SIZE,
                       "mipchain: %dx%d, %d layers, hand over %llu bytes; this context's storage "
                       "blocks hold %lld",
                       t->rect_width, t->rect_height, t->layers, (unsigned long long)largest,
                       (long long)gl->max_ssbo_bytes);
    d->rows = (int32_t)rows;
    describe(request, d, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const ag_mip_detail *d = detail;
    ag_levels_io io = io_of(request);
    ag_status status = ag_levels_programs(prep, &io, &d->chain, NULL);
    return status < 0 ? status : ag_mip_more_programs(prep, request, d, NULL);
}

static void free_memory(ag_gpu *gpu, mip_state *state, bool with_gl)
{
    ag_gpu_free_buffer(gpu, &state->counters, with_gl);
    ag_gpu_free_buffer(gpu, &state->more.histograms, with_gl);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old_state, void *out)
{
    mip_state *state = out, *old = old_state;
    (void)plan;
    *state = (mip_state){.detail = *(const ag_mip_detail *)detail};
    const ag_mip_plan *chain = &state->detail.chain;
    ag_levels_io io = io_of(request);
    ag_status status = ag_levels_programs(prep, &io, chain, state->programs);
    if (status >= 0)
        status = ag_mip_more_programs(prep, request, &state->detail, &state->more);
    if (status >= 0)
        status = ag_info_make(prep->gpu, &old->base, &state->base);
    if (status >= 0)
        status = ag_gpu_zeros(prep->gpu, "afterglow counters", ag_levels_counter_bytes(&io, chain),
                              &state->counters);
    if (status >= 0)
        status =
            ag_gpu_zeros(prep->gpu, "afterglow histograms",
                         ag_mip_histogram_bytes(request, &state->detail), &state->more.histograms);
    if (status < 0)
        free_memory(prep->gpu, state, true);
    return ag_info_end(prep->gpu, &old->base, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    mip_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    free_memory(gpu, state, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const mip_state *state = out;
    const ag_mip_detail *d = &state->detail;
    ag_mipchain_settings s = settings_of(request);
    uint32_t steps = 0;
    ag_levels_io io = io_of(request);
    ag_levels_memory memory = {ag_part(request->scratch, 0, d->handover), &state->counters,
                               &state->base.info};
    ag_levels_record(recording, &io, &d->chain, state->programs, &memory, &steps);
    if (d->direct) {
        ag_range rows = ag_part(request->scratch, d->scratch - d->rows_bytes, d->rows_bytes);
        ag_levels_begin_step(recording, &steps, "rows", false);
        ag_mip_record_rows(recording, request, d, &state->more, rows, &state->base.info, s.scrub);
        ag_levels_begin_step(recording, &steps, "columns", true);
        ag_mip_record_columns(recording, request, d, &state->more, rows);
    }
    if (d->coverage) {
        ag_levels_begin_step(recording, &steps, "coverage", false);
        ag_mip_record_coverage(recording, request, d, &state->more, s.reference, s.scrub);
    }
}

const ag_effect ag_effect_mipchain = {
    .info = AG_EFFECT_INFO("mipchain", "the mipmap levels of a texture, exact at every size",
                           AG_IMAGE_MAX, 1),
    .state_bytes = sizeof(mip_state),
    .detail_bytes = sizeof(ag_mip_detail),
    .samples = 1,
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
