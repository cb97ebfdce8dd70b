// denoise.c - the effect "denoise": wavelet thresholds, with noise that the GPU estimates itself
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/denoise/atrous.h"
#include "effects/denoise/dwt.h"
#include "effects/denoise/haar.h"
#include "effects/denoise/temporal.h"
#include "effects/kit/checks.h"
#include "core/info.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "effects/kit/units.h"
#include "shaders/denoise/interface.h"
#include "shaders/denoise/interface_atrous.h"
#include "shaders/denoise/interface_counts.h"
#include "shaders/denoise/interface_tiles.h"

#include <afterglow/denoise.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_DENOISE_SRC,
    DST = AG_DENOISE_DST,
    MOTION = AG_DENOISE_MOTION,
    HISTORY = AG_DENOISE_HISTORY,
    ALBEDO = AG_DENOISE_ALBEDO,
    NORMAL = AG_DENOISE_NORMAL,
    DEPTH = AG_DENOISE_DEPTH,
    SLOTS
};

static const uint32_t motion_formats[] = {GL_RG16F, GL_RG32F, GL_RGBA16F, GL_RGBA32F};
static const uint32_t history_formats[] = {GL_RGBA16F, GL_RGBA32F};
static const uint32_t albedo_formats[] = {GL_RGBA8, GL_RGBA16F, GL_RGBA32F};
static const uint32_t normal_formats[] = {GL_RGBA16F, GL_RGBA32F};
static const uint32_t depth_formats[] = {GL_R16F, GL_R32F};
static const ag_temporal_slots temporal_slots = {SRC, MOTION, HISTORY};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [DST] = AG_COLOUR_SLOT("dst", "the image without noise", AG_WRITE),
    [MOTION] = AG_SLOT("motion", "texels that each surface has moved since the last frame",
                       AG_READ | AG_OPTIONAL, motion_formats),
    [HISTORY] = AG_SLOT("history", "mean of former frames, and of how many",
                        AG_READ | AG_WRITE | AG_STATE | AG_OPTIONAL, history_formats),
    [ALBEDO] = AG_SLOT("albedo", "atrous: by which light is divided while it is filtered",
                       AG_READ | AG_OPTIONAL, albedo_formats),
    [NORMAL] = AG_SLOT("normal", "atrous: normals of surfaces, of any length",
                       AG_READ | AG_OPTIONAL, normal_formats),
    [DEPTH] = AG_SLOT("depth", "atrous: linear depth", AG_READ | AG_OPTIONAL, depth_formats),
};

static const char *const filters[] = {[AG_DENOISE_TI_HAAR] = "ti_haar",
                                      [AG_DENOISE_HAAR] = "haar",
                                      [AG_DENOISE_ATROUS] = "atrous",
                                      [AG_DENOISE_DWT] = "dwt"};
static const char *const thresholds[] = {[AG_DENOISE_SOFT] = "soft",
                                         [AG_DENOISE_HARD] = "hard",
                                         [AG_DENOISE_GARROTE] = "garrote",
                                         [AG_DENOISE_FIRM] = "firm",
                                         [AG_DENOISE_GROUP] = "group"};
static const char *const rules[] = {[AG_DENOISE_BAYES] = "bayes",
                                    [AG_DENOISE_BAYES_LOCAL] = "bayes_local",
                                    [AG_DENOISE_VISU] = "visu",
                                    [AG_DENOISE_GIVEN] = "given"};
static const char *const wavelets[] = {
    [AG_WAVELET_HAAR] = "haar",   [AG_WAVELET_DB2] = "db2",     [AG_WAVELET_DB4] = "db4",
    [AG_WAVELET_SYM4] = "sym4",   [AG_WAVELET_COIF1] = "coif1", [AG_WAVELET_CDF53] = "cdf53",
    [AG_WAVELET_CDF97] = "cdf97",
};
static const char *const spaces[] = {
    [AG_DENOISE_LINEAR] = "linear", [AG_DENOISE_LOG] = "log", [AG_DENOISE_ANSCOMBE] = "anscombe"};

// Shaders do not include public headers: they take the numbers from interface.h.
_Static_assert(AG_DENOISE_SHRINK_SOFT == (int)AG_DENOISE_SOFT &&
                   AG_DENOISE_SHRINK_HARD == (int)AG_DENOISE_HARD &&
                   AG_DENOISE_SHRINK_GARROTE == (int)AG_DENOISE_GARROTE &&
                   AG_DENOISE_SHRINK_FIRM == (int)AG_DENOISE_FIRM &&
                   AG_DENOISE_SHRINK_GROUP == (int)AG_DENOISE_GROUP &&
                   AG_DENOISE_IN_LINEAR == (int)AG_DENOISE_LINEAR &&
                   AG_DENOISE_IN_LOG == (int)AG_DENOISE_LOG &&
                   AG_DENOISE_IN_ANSCOMBE == (int)AG_DENOISE_ANSCOMBE,
               "settings have one set of numbers");

#define SETTINGS ag_denoise_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(filter, "the transform; ti_haar: the mean over all shifts", filters, AG_PREPARE_PLAN),
    AG_WHOLE(levels, "", "levels of the transform; noise coarser than 2^levels texels stays", 1,
             AG_DENOISE_MAX_LEVELS, 3, AG_PREPARE_PLAN),
    AG_CHOICE(threshold, "what is removed of a coefficient; group: jointly of all channels",
              thresholds, AG_PREPARE_PLAN),
    AG_CHOICE(rule, "how large thresholds are; given: strength times sigma", rules,
              AG_PREPARE_PLAN),
    AG_REAL(strength, "", "factor of the thresholds", 0, 100, 1),
    AG_REAL(sigma, "", "the noise's standard deviation; 0: estimated", 0, 1e6, 0, AG_PREPARE_PLAN),
    AG_REAL(chroma, "", "factor of the thresholds of chroma", 0, 100, 1),
    AG_REAL(amount, "", "how much of the result replaces the image", 0, 1, 1),
    AG_CHOICE(space, "the scale in which noise is the same everywhere", spaces, AG_PREPARE_PLAN),
    AG_REAL(gain, "", "log: where it becomes linear; anscombe: variance by signal", 1e-6, 1e6,
            0.01),
    AG_REAL(offset, "", "anscombe: variance of the noise of black", 0, 1e6, 0),
    AG_REAL(adapt, "1/s", "how fast estimates follow a change of noise", 0, 1000, 4),
    AG_REAL(edge_normal, "", "atrous: exponent of the cosine between normals", 0, 1024, 64),
    AG_REAL(edge_depth, "", "atrous: how far depth may be off a plane, in its slopes", 0.01, 1000,
            2),
    AG_REAL(frames, "", "with history: most frames that count", 1, 256, 16),
    AG_REAL(clamp, "", "with history: how many deviations it may be from the 5 x 5 texels around",
            0.5, 100, 2),
    AG_SWITCH(exact, "estimate from this image alone, by further dispatches", 0, AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
    AG_CHOICE_FROM(wavelet, "dwt: the transform; cdf53 and cdf97 are biorthogonal", wavelets,
                   AG_WAVELET_CDF97, AG_PREPARE_PLAN),
    AG_REAL(firefly, "",
            "atrous: how many times as bright as those around it a texel may be; 0: any", 0, 1000,
            0),
};

typedef struct denoise_detail { // results of plan for the later functions
    ag_haar haar;
    ag_dwt dwt;
} denoise_detail;

typedef struct denoise_state {
    ag_state base; // first in every effect's state
    denoise_detail detail;
    ag_memory memory; // shaders/denoise/memory.glsl has its layout
    bool counted;     // it has statistics
    int32_t set;      // that of the two sets which is read
    ag_temporal temporal;
    ag_haar_programs haar;
    ag_atrous atrous;
    ag_dwt_programs dwt;
} denoise_state;

AG_SETTINGS_OF(ag_denoise_settings)

static ag_status check_size(const ag_host *host, const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    ag_status status = ag_check_same_size(host, request, DST, SRC);
    if (status >= 0 && ag_slot_texels(request, SRC) > 1u << 31)
        return ag_fail(host, AG_E_SIZE,
                       "denoise: src has %dx%d texels in %d layers; the limit is 2147483648 in all",
                       src->rect_width, src->rect_height, src->layers);
    return status;
}

static ag_status check_temporal(const ag_host *host, const ag_request *request)
{
    if (request->formats[MOTION] && !request->formats[HISTORY])
        return ag_fail(host, AG_E_ARG, "denoise: slot motion is given, but slot history is empty");
    if (request->formats[HISTORY] && request->slots[SRC].layers != 1)
        return ag_fail(host, AG_E_ARG, "denoise: src has %d layers; with history it must have 1",
                       request->slots[SRC].layers);
    ag_status status = ag_check_same_size(host, request, MOTION, SRC);
    return status < 0 ? status : ag_check_same_size(host, request, HISTORY, SRC);
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    ag_status status = check_size(host, request);
    if (status >= 0)
        status = check_temporal(host, request);
    if (status < 0)
        return status;
    if (s.filter != AG_DENOISE_ATROUS)
        for (int i = ALBEDO; i <= DEPTH; ++i)
            if (request->formats[i])
                return ag_fail(host, AG_E_ARG,
                               "denoise: slot %s is given, but only filter = atrous reads it",
                               slots[i].name);
    for (int i = ALBEDO; i <= DEPTH && status >= 0; ++i)
        status = ag_check_same_size(host, request, i, SRC);
    if (status < 0)
        return status;
    if (s.filter == AG_DENOISE_DWT && s.rule == AG_DENOISE_BAYES_LOCAL)
        return ag_fail(host, AG_E_ARG,
                       "denoise: rule = bayes_local needs tiles; filter = dwt has "
                       "none: take bayes, visu or given");
    if (s.filter != AG_DENOISE_ATROUS && s.rule == AG_DENOISE_BAYES_LOCAL &&
        s.levels > AG_DENOISE_TI_FINE)
        return ag_fail(
            host, AG_E_ARG,
            "denoise: levels is %d; rule = bayes_local takes 1 .. %d, because tiles have "
            "too few coefficients of coarser ones",
            s.levels, AG_DENOISE_TI_FINE);
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)request->slots[DST].format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      (int32_t)src->target,
                      s.filter,
                      s.levels,
                      s.threshold,
                      s.rule,
                      s.space,
                      s.exact,
                      s.sigma > 0,
                      s.filter == AG_DENOISE_DWT ? s.wavelet : 0,
                      (int32_t)request->slots[MOTION].format,
                      (int32_t)request->slots[HISTORY].format,
                      (int32_t)request->slots[ALBEDO].format,
                      (int32_t)request->slots[NORMAL].format,
                      (int32_t)request->slots[DEPTH].format};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

// The rows of a plan that all filters have in common. `steps`: with that of the filter.
static void plan_rows(const ag_request *request, uint64_t temporal, uint32_t steps,
                      ag_pass_plan *plan)
{
    uint32_t first = temporal ? 1 : 0;
    plan->head.step_count = steps;
    ag_plan_slot(plan, request, SRC, 0, temporal ? 0 : steps - 1);
    ag_plan_slot(plan, request, DST, steps - 1, steps - 1);
    ag_plan_slot(plan, request, MOTION, 0, 0);
    ag_plan_slot(plan, request, HISTORY, 0, 0);
    for (int i = ALBEDO; i <= DEPTH; ++i)
        ag_plan_slot(plan, request, i, steps - 1, steps - 1);
    plan->resources[plan->head.resource_count++] = (ag_resource){.name = "statistics",
                                                                 .kind = AG_RESOURCE_OWN,
                                                                 .access = AG_READ | AG_WRITE,
                                                                 .first_step = first,
                                                                 .last_step = steps - 1,
                                                                 .bytes = 4 * AG_DENOISE_WORDS};
    if (temporal)
        plan->resources[plan->head.resource_count++] = (ag_resource){.name = "mean of frames",
                                                                     .kind = AG_RESOURCE_OWN,
                                                                     .access = AG_READ | AG_WRITE,
                                                                     .last_step = steps - 1,
                                                                     .bytes = temporal};
    plan->head.persistent_bytes = AG_INFO_BYTES + 4 * AG_DENOISE_WORDS + temporal;
}

static ag_status plan_atrous(const ag_host *host, const ag_gl *gl, const ag_request *request,
                             uint64_t temporal, uint32_t steps, ag_pass_plan *plan)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    if (ag_units_check(host, gl, AG_DENOISE_ATROUS_IMAGES, "denoise", "guides") < 0)
        return AG_E_ARG;
    uint32_t dispatches = (uint32_t)(src->layers * (s.levels + 1 + !(s.sigma > 0)));
    ag_step *step = &plan->steps[steps++];
    *step = (ag_step){.name = "atrous",
                      .dispatches = dispatches,
                      .shared_bytes = ag_atrous_guided(request) ? 32000 : 19200,
                      .bytes = ag_atrous_step_bytes(request),
                      .instructions = ag_slot_texels(request, SRC) * (uint64_t)s.levels *
                                      (ag_atrous_guided(request) ? 800 : 350)};
    ag_atrous_groups(request, s.levels - 1, step->groups);
    plan_rows(request, temporal, steps, plan);
    plan->resources[plan->head.resource_count++] = (ag_resource){.name = "levels",
                                                                 .kind = AG_RESOURCE_OWN,
                                                                 .access = AG_READ | AG_WRITE,
                                                                 .first_step = steps - 1,
                                                                 .last_step = steps - 1,
                                                                 .bytes = ag_atrous_bytes(request)};
    plan->head.persistent_bytes += ag_atrous_bytes(request);
    snprintf(plan->head.text, sizeof plan->head.text,
             "denoise: %dx%d, %d layers; atrous, %d levels%s%s%s", src->rect_width,
             src->rect_height, src->layers, s.levels, ag_atrous_guided(request) ? "; guided" : "",
             s.sigma > 0 ? "" : "; sigma is estimated", temporal ? "; of the mean of frames" : "");
    return AG_OK;
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    denoise_detail *d = out;
    *d = (denoise_detail){0};
    const ag_haar *haar = &d->haar;
    uint64_t texels = ag_slot_texels(request, SRC), read = ag_slot_bytes(request, SRC);
    uint64_t temporal = ag_temporal_bytes(request, &temporal_slots);
    uint32_t steps = 0;
    if (temporal) {
        if (ag_units_check(host, gl, AG_DENOISE_IMAGES, "denoise", "frames") < 0)
            return AG_E_ARG;
        plan->steps[steps++] =
            (ag_step){.name = "accumulate",
                      .dispatches = 2,
                      .groups = {(uint32_t)ag_div_up(src->rect_width, 16),
                                 (uint32_t)ag_div_up(src->rect_height, 16), 1},
                      .shared_bytes = 16 * 20 * 20,
                      .bytes = read + ag_slot_bytes(request, MOTION) +
                               2 * ag_slot_bytes(request, HISTORY) + 2 * temporal,
                      .instructions = texels * 400};
    }
    if (s.filter == AG_DENOISE_ATROUS)
        return plan_atrous(host, gl, request, temporal, steps, plan);
    ag_status status = ag_haar_plan(host, gl, request, &d->haar);
    if (status >= 0 && s.filter == AG_DENOISE_DWT)
        status = ag_dwt_plan(host, gl, request, &d->dwt);
    if (status < 0)
        return status;
    if (haar->statistics)
        plan->steps[steps++] = ag_haar_count_step(request, haar);
    if (s.filter == AG_DENOISE_DWT) {
        plan->steps[steps++] = ag_dwt_step(request, &d->dwt, false);
        plan->steps[steps++] = ag_dwt_step(request, &d->dwt, true);
        plan_rows(request, temporal, steps, plan);
        ag_plan_scratch(plan, ag_dwt_scratch(&d->dwt), steps - 1);
        snprintf(plan->head.text, sizeof plan->head.text,
                 "denoise: %dx%d, %d layers; dwt of %s, %d levels, two dispatches a level; "
                 "threshold %s, rule %s%s%s",
                 src->rect_width, src->rect_height, src->layers, wavelets[s.wavelet], s.levels,
                 thresholds[s.threshold], rules[s.rule],
                 haar->statistics ? "; sigma is estimated" : "",
                 temporal ? "; of the mean of frames" : "");
        return AG_OK;
    }
    plan->steps[steps++] = ag_haar_step(request, haar);
    plan_rows(request, temporal, steps, plan);
    if (haar->coarse)
        ag_plan_scratch(plan, ag_haar_scratch(request, haar), steps - 1);
    snprintf(
        plan->head.text, sizeof plan->head.text,
        "denoise: %dx%d, %d layers; %s, %d levels, in tiles of %dx%d; threshold %s, rule %s%s%s%s",
        src->rect_width, src->rect_height, src->layers, filters[s.filter], s.levels, haar->tile[0],
        haar->tile[1], thresholds[s.threshold], rules[s.rule],
        haar->statistics & AG_DENOISE_HISTOGRAM ? "; sigma is estimated" : "",
        !haar->statistics ? ""
        : s.exact         ? "; statistics before each execute"
                          : "; statistics beside it, for the next execute",
        temporal ? "; of the mean of frames" : "");
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const denoise_detail *d, denoise_state *state)
{
    const ag_denoise_settings s = settings_of(request);
    ag_status status = AG_OK;
    const ag_format *src = request->formats[request->formats[HISTORY] ? HISTORY : SRC];
    if (!state)
        status = ag_temporal_programs(prep, request, &temporal_slots, NULL);
    if (status >= 0 && s.filter == AG_DENOISE_ATROUS)
        return state ? ag_atrous_prepare(prep, request, src, &state->atrous)
                     : ag_atrous_programs(prep, request, src, NULL);
    if (status >= 0 && d->haar.statistics)
        status = ag_haar_counter_program(prep, request, &d->haar, state ? &state->haar : NULL);
    if (status >= 0 && s.filter == AG_DENOISE_DWT)
        status = ag_dwt_get_programs(prep, request, src, &d->dwt, state ? &state->dwt : NULL);
    else if (status >= 0)
        status = ag_haar_get_programs(prep, request, &d->haar, state ? &state->haar : NULL);
    return status;
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    return get_programs(prep, request, detail, NULL);
}

// A new plan has statistics of its own, and the former ones are left alone: they serve on if this
// fails.
static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    static const uint32_t zeros[AG_DENOISE_WORDS];
    denoise_state *state = out;
    (void)plan;
    *state = (denoise_state){.detail = *(const denoise_detail *)detail};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = get_programs(prep, request, detail, state);
    if (status >= 0)
        status = ag_temporal_prepare(prep, request, &temporal_slots, &state->temporal);
    if (status >= 0)
        status = ag_gpu_buffer(prep->gpu, "afterglow denoise", AG_ON_GPU, sizeof zeros, zeros,
                               &state->memory);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    denoise_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_gpu_free_buffer(gpu, &state->memory, with_gl);
    ag_temporal_free(gpu, &state->temporal, with_gl);
    ag_atrous_free(gpu, &state->atrous, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static ag_denoise_input input_of(const ag_recording *recording, const ag_request *request,
                                 const denoise_state *state)
{
    return (ag_denoise_input){request->formats[HISTORY]
                                  ? ag_temporal_source(request, &temporal_slots, &state->temporal)
                                  : ag_source_of(recording->gpu, request, SRC),
                              ag_source_of(recording->gpu, request, DST), &state->memory,
                              &state->base.info, state->set};
}

// Counts the image: before the filter where that must be, which then waits (the result says so),
// else beside it, into the set that the next execute reads.
static bool record_statistics(ag_recording *recording, const ag_request *request,
                              denoise_state *state, const ag_denoise_input *input, uint32_t *step)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_haar *haar = &state->detail.haar;
    bool anew = !state->counted || s.exact || (request->flags & AG_JOB_RESET);
    bool before = anew || s.filter == AG_DENOISE_DWT; // which makes variances of its own
    ag_haar_counts counts = {1, 1, input->set};
    if (!anew) {
        counts.rate = (float)-expm1(-(double)request->dt * (double)s.adapt);
        counts.every = haar->sampled ? 2 : 1;
        counts.to = before ? input->set : 1 - input->set;
    }
    ag_record_step(recording, (*step)++, "statistics", false);
    for (int32_t i = 0; i < (anew ? haar->counting : 1); ++i) {
        if (i)
            ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
        ag_haar_record_count(recording, request, haar, &state->haar, input, &counts);
    }
    state->counted = true;
    state->set = counts.to;
    return before;
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    denoise_state *state = out;
    const ag_denoise_settings s = settings_of(request);
    const ag_haar *haar = &state->detail.haar;
    uint32_t step = 0;
    if (request->formats[HISTORY]) {
        const ag_temporal_settings how = {s.frames, s.clamp, s.scrub};
        ag_record_step(recording, step++, "accumulate", false);
        ag_temporal_record(recording, request, &temporal_slots, &how, &state->temporal,
                           &state->base.info);
    }
    const ag_denoise_input input = input_of(recording, request, state);
    if (s.filter == AG_DENOISE_ATROUS) {
        ag_record_step(recording, step, "atrous", false);
        ag_atrous_record(recording, request, &state->atrous, &input);
        return;
    }
    bool counted = haar->statistics && record_statistics(recording, request, state, &input, &step);
    if (s.filter == AG_DENOISE_DWT) {
        for (int inverse = 0; inverse < 2; ++inverse) {
            ag_record_step(recording, step, inverse ? "inverse" : "forward", inverse || counted);
            ++step;
            ag_dwt_record(recording, request, &state->detail.dwt, &state->dwt, &input,
                          ag_denoise_factor(request), inverse);
        }
        return;
    }
    ag_record_step(recording, step, filters[s.filter], counted);
    ag_haar_record(recording, request, haar, &state->haar, &input);
}

const ag_effect ag_effect_denoise = {
    .info = AG_EFFECT_INFO("denoise",
                           "removes noise by wavelet thresholds that the GPU estimates itself",
                           AG_DENOISE_ATROUS_IMAGES, 1),
    .state_bytes = sizeof(denoise_state),
    .detail_bytes = sizeof(denoise_detail),
    .samples = 1u << SRC,
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
