// denoise.c - the effect "denoise": wavelet thresholds, with noise that the GPU estimates itself
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/denoise/atrous.h"
#include "effects/denoise/temporal.h"
#include "effects/kit/checks.h"
#include "effects/kit/info.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "effects/kit/units.h"
#include "shaders/denoise/interface.h"
#include "shaders/denoise/interface_atrous.h"

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

static const char *const filters[] = {
    [AG_DENOISE_TI_HAAR] = "ti_haar", [AG_DENOISE_HAAR] = "haar", [AG_DENOISE_ATROUS] = "atrous"};
static const char *const thresholds[] = {[AG_DENOISE_SOFT] = "soft",
                                         [AG_DENOISE_HARD] = "hard",
                                         [AG_DENOISE_GARROTE] = "garrote",
                                         [AG_DENOISE_FIRM] = "firm",
                                         [AG_DENOISE_GROUP] = "group"};
static const char *const rules[] = {[AG_DENOISE_BAYES] = "bayes",
                                    [AG_DENOISE_BAYES_LOCAL] = "bayes_local",
                                    [AG_DENOISE_VISU] = "visu",
                                    [AG_DENOISE_GIVEN] = "given"};
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
    AG_SWITCH(scrub, "count non-finite texels as 0", 1),
};

typedef struct denoise_detail { // results of plan for the later functions
    int32_t statistics;         // AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES: what is estimated
    int32_t tile, counting_tile;
    int32_t counting; // dispatches a layer that count first
} denoise_detail;

typedef struct denoise_state {
    ag_state base; // first in every effect's state
    denoise_detail detail;
    const ag_program *filter, *counter;
    ag_memory memory; // shaders/denoise/statistics.glsl has its layout
    bool counted;     // it has statistics
    ag_temporal temporal;
    ag_atrous atrous;
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
    bool ti = s.filter == AG_DENOISE_TI_HAAR;
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
    int32_t most = ti ? 3 : s.threshold == AG_DENOISE_GROUP ? 5 : AG_DENOISE_MAX_LEVELS;
    if (s.levels > most)
        return ag_fail(host, AG_E_ARG, "denoise: levels is %d; filter = %s%s takes 1 .. %d",
                       s.levels, filters[s.filter],
                       !ti && s.threshold == AG_DENOISE_GROUP ? " with threshold = group" : "",
                       most);
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
                      (int32_t)request->slots[MOTION].format,
                      (int32_t)request->slots[HISTORY].format,
                      (int32_t)request->slots[ALBEDO].format,
                      (int32_t)request->slots[NORMAL].format,
                      (int32_t)request->slots[DEPTH].format};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static denoise_detail detail_of(const ag_denoise_settings *s)
{
    if (s->filter == AG_DENOISE_ATROUS)
        return (denoise_detail){0}; // it counts by itself
    denoise_detail d = {.statistics = (s->sigma > 0 ? 0 : AG_DENOISE_HISTOGRAM) |
                                      (s->rule == AG_DENOISE_BAYES ? AG_DENOISE_ENERGIES : 0),
                        .counting_tile = s->levels > 5 ? AG_DENOISE_TILE_LARGE : AG_DENOISE_TILE};
    d.tile = s->filter == AG_DENOISE_HAAR       ? d.counting_tile
             : s->threshold == AG_DENOISE_GROUP ? AG_DENOISE_TI_GROUP_TILE
                                                : AG_DENOISE_TI_TILE;
    // Energies are counted in units of sigma, so sigma must be known before.
    d.counting = d.statistics == (AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES) ? 2
                 : d.statistics                                               ? 1
                                                                              : 0;
    return d;
}

static void groups_of(const ag_texture *src, int32_t tile, uint32_t groups[3])
{
    groups[0] = (uint32_t)ag_div_up(src->rect_width, tile);
    groups[1] = (uint32_t)ag_div_up(src->rect_height, tile);
    groups[2] = 1;
}

static int32_t components_of(const ag_request *request)
{
    int32_t channels = request->formats[SRC]->channels;
    return channels > 2 || settings_of(request).threshold == AG_DENOISE_GROUP
               ? AG_DENOISE_COMPONENTS
               : channels;
}

// Shared memory of denoise/haar_tile.glsl, or of denoise/ti_haar.comp, with that of
// denoise/statistics.glsl.
static uint32_t shared_bytes(const ag_request *request, int32_t tile, bool ti, int32_t statistics)
{
    const ag_denoise_settings s = settings_of(request);
    int32_t together = s.threshold == AG_DENOISE_GROUP ? 3 : 1;
    int32_t at_once = tile == AG_DENOISE_TILE_LARGE ? 1 : components_of(request);
    int32_t blocks = tile * tile / 16;
    int32_t floats = ti ? s.levels * together * (tile + 14) * (tile + 16)
                        : at_once * (16 * (blocks + 2) + blocks);
    floats += 4 + 2 * AG_DENOISE_ALL_BANDS +
              (statistics & AG_DENOISE_HISTOGRAM ? AG_DENOISE_COMPONENTS * AG_DENOISE_BINS : 0);
    return (uint32_t)(4 * floats);
}

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
    int32_t stride = 1 << (s.levels - 1);
    uint32_t dispatches = (uint32_t)(src->layers * (s.levels + 1 + !(s.sigma > 0)));
    plan->steps[steps++] = (ag_step){
        .name = "atrous",
        .dispatches = dispatches,
        .groups = {(uint32_t)(stride * ag_div_up(ag_div_up(src->rect_width, stride), 16)),
                   (uint32_t)(stride * ag_div_up(ag_div_up(src->rect_height, stride), 16)), 1},
        .shared_bytes = ag_atrous_guided(request) ? 8000 : 4800,
        .bytes = ag_atrous_step_bytes(request),
        .instructions = ag_slot_texels(request, SRC) * (uint64_t)s.levels *
                        (ag_atrous_guided(request) ? 900 : 450)};
    plan_rows(request, temporal, steps, plan);
    plan->resources[plan->head.resource_count++] = (ag_resource){.name = "levels",
                                                                 .kind = AG_RESOURCE_OWN,
                                                                 .access = AG_READ | AG_WRITE,
                                                                 .first_step = steps - 1,
                                                                 .last_step = steps - 1,
                                                                 .bytes = ag_atrous_bytes(request)};
    plan->head.persistent_bytes += ag_atrous_bytes(request);
    snprintf(plan->head.text, sizeof plan->head.text,
             "denoise: %dx%d, %d layers; atrous, %d levels, %s%s%s%s", src->rect_width,
             src->rect_height, src->layers, s.levels,
             request->tuning.atrous == AG_ATROUS_PERMUTED ? "permuted" : "dilated",
             ag_atrous_guided(request) ? "; guided" : "", s.sigma > 0 ? "" : "; sigma is estimated",
             temporal ? "; of the mean of frames" : "");
    return AG_OK;
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    denoise_detail *d = out;
    *d = detail_of(&s);
    bool ti = s.filter == AG_DENOISE_TI_HAAR;
    uint64_t texels = ag_slot_texels(request, SRC), read = ag_slot_bytes(request, SRC);
    uint64_t components = (uint64_t)components_of(request);
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
    if (d->statistics) {
        ag_step *step = &plan->steps[steps++];
        *step =
            (ag_step){.name = "statistics",
                      .dispatches = (uint32_t)(d->counting * src->layers),
                      .shared_bytes = shared_bytes(request, d->counting_tile, false, d->statistics),
                      // else only the first execute, and those with AG_JOB_RESET, run it
                      .bytes = s.exact ? (uint64_t)d->counting * read : 4 * AG_DENOISE_WORDS,
                      .instructions =
                          s.exact ? (uint64_t)d->counting * texels * 25 * components : 0};
        groups_of(src, d->counting_tile, step->groups);
    }
    ag_step *step = &plan->steps[steps++];
    *step =
        (ag_step){.name = filters[s.filter],
                  .dispatches = (uint32_t)src->layers,
                  .shared_bytes = shared_bytes(request, d->tile, ti, s.exact ? 0 : d->statistics),
                  .bytes = read + ag_slot_bytes(request, DST),
                  .instructions = texels * components * (ti ? 40 + 60 * (uint64_t)s.levels : 40)};
    groups_of(src, d->tile, step->groups);
    plan_rows(request, temporal, steps, plan);
    snprintf(
        plan->head.text, sizeof plan->head.text,
        "denoise: %dx%d, %d layers; %s, %d levels, in tiles of %dx%d; threshold %s, rule %s%s%s%s",
        src->rect_width, src->rect_height, src->layers, filters[s.filter], s.levels, d->tile,
        d->tile, thresholds[s.threshold], rules[s.rule],
        d->statistics & AG_DENOISE_HISTOGRAM ? "; sigma is estimated" : "",
        !d->statistics ? ""
        : s.exact      ? "; statistics before each execute"
                       : "; statistics while it runs",
        temporal ? "; of the mean of frames" : "");
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static void common_defines(const ag_request *request, int32_t tile, int32_t threads,
                           int32_t statistics, ag_defines *defines)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_format *history = request->formats[HISTORY];
    // the mean of frames is a 2D texture
    ag_reading reading = ag_reading_of(request, SRC);
    ag_source_defines(history ? history : request->formats[SRC],
                      history && reading != AG_BY_IMAGE ? AG_BY_TEXTURE : reading, defines);
    ag_define(defines, "LEVELS", s.levels);
    ag_define(defines, "TILE", tile);
    ag_define(defines, "THREADS", threads);
    ag_denoise_component_defines(request, s.space, components_of(request), defines);
    ag_define(defines, "STATISTICS", statistics);
}

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
    if (status >= 0 && d->statistics) {
        ag_defines defines = {0};
        common_defines(request, d->counting_tile, d->counting_tile * d->counting_tile / 4,
                       d->statistics, &defines);
        ag_define(&defines, "THRESHOLD", AG_DENOISE_SHRINK_SOFT);
        ag_define(&defines, "LOCAL", 0);
        status = ag_program_get(prep, "denoise/statistics.comp", &defines,
                                state ? &state->counter : NULL);
    }
    if (status >= 0) {
        ag_defines defines = {0};
        bool ti = s.filter == AG_DENOISE_TI_HAAR;
        int32_t tasks = (d->tile + 4) / 2, threads = ti ? tasks * tasks : d->tile * d->tile / 4;
        common_defines(request, d->tile, threads, s.exact ? 0 : d->statistics, &defines);
        ag_define(&defines, "THRESHOLD", s.threshold);
        ag_define(&defines, "LOCAL", s.rule == AG_DENOISE_BAYES_LOCAL);
        ag_define(&defines, "STORE", request->formats[DST]->store);
        status = ag_program_get(prep,
                                s.filter == AG_DENOISE_HAAR ? "denoise/haar.comp"
                                                            : "denoise/ti_haar.comp",
                                &defines, state ? &state->filter : NULL);
    }
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

static float factor_of_rule(const ag_denoise_settings *s, const ag_texture *src)
{
    double texels = (double)src->rect_width * src->rect_height;
    return s->rule == AG_DENOISE_GIVEN  ? 1
           : s->rule == AG_DENOISE_VISU ? (float)sqrt(2 * log(texels))
                                        : 0;
}

// A dispatch a layer. `rate`: of what the last group counts, the share that replaces former
// statistics.
static void record_layers(ag_recording *recording, const ag_request *request,
                          const denoise_state *state, const ag_program *program, int32_t tile,
                          float rate)
{
    const ag_denoise_settings s = settings_of(request);
    bool of_mean = request->formats[HISTORY] != NULL;
    ag_source_texture src = of_mean ? ag_temporal_source(request, &temporal_slots, &state->temporal)
                                    : ag_source_of(recording->gpu, request, SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    const ag_texture *t = src.texture, *to = dst.texture;
    ag_dispatch d = {.program = program,
                     .ranges[AG_SSBO_DENOISE] = ag_whole(&state->memory),
                     .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info)};
    groups_of(t, tile, d.groups);
    uint32_t groups = d.groups[0] * d.groups[1] * (uint32_t)t->layers;
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_uniform uniforms[6] = {
            [2] = AG_INTS(AG_LOC_DST_RECT, to->rect_x, to->rect_y, to->rect_width, to->rect_height),
            [3] = AG_FLOATS(AG_LOC_DENOISE_RULE, factor_of_rule(&s, t), s.strength, s.chroma,
                            s.sigma),
            [4] = AG_FLOATS(AG_LOC_DENOISE_SPACE, s.amount, s.gain,
                            0.375f * s.gain * s.gain + s.offset, 1 / s.gain),
            [5] = AG_FLOATS(AG_LOC_DENOISE_STATISTICS, rate, (float)groups, (float)t->layers, 0),
        };
        ag_source_uniforms(uniforms, &src, src.format->channels, s.scrub, layer);
        d.uniforms = uniforms;
        d.uniform_count = AG_COUNT_OF(uniforms);
        ag_bind_source(&d, request, SRC, &src, layer);
        if (program == state->filter)
            d.images[AG_IMAGE_DST] = ag_write_image(&dst, layer);
        ag_record(recording, &d);
    }
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    denoise_state *state = out;
    const ag_denoise_settings s = settings_of(request);
    const denoise_detail *d = &state->detail;
    uint32_t step = 0;
    bool counts = d->statistics && (!state->counted || s.exact || (request->flags & AG_JOB_RESET));
    if (request->formats[HISTORY]) {
        const ag_temporal_settings how = {s.frames, s.clamp, s.scrub};
        ag_record_step(recording, step++, "accumulate", false);
        ag_temporal_record(recording, request, &temporal_slots, &how, &state->temporal,
                           &state->base.info);
    }
    if (s.filter == AG_DENOISE_ATROUS) {
        const ag_denoise_input input = {
            request->formats[HISTORY]
                ? ag_temporal_source(request, &temporal_slots, &state->temporal)
                : ag_source_of(recording->gpu, request, SRC),
            ag_source_of(recording->gpu, request, DST), &state->memory, &state->base.info};
        ag_record_step(recording, step, "atrous", false);
        ag_atrous_record(recording, request, &state->atrous, &input);
        return;
    }
    if (d->statistics) {
        ag_record_step(recording, step++, "statistics", false);
        for (int32_t i = 0; i < d->counting && counts; ++i) {
            if (i)
                ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
            record_layers(recording, request, state, state->counter, d->counting_tile, 1);
        }
        state->counted = true;
    }
    ag_record_step(recording, step, filters[s.filter], counts);
    float rate = (float)-expm1(-(double)request->dt * (double)s.adapt);
    record_layers(recording, request, state, state->filter, d->tile, rate);
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
