// exposure.c - the effect "exposure": a frame's exposure from its histogram, kept in a texel of the
// host's
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/info.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "shaders/exposure/interface.h"

#include <afterglow/exposure.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_EXPOSURE_SRC, STATE = AG_EXPOSURE_STATE, SLOTS };

static const uint32_t state_formats[] = {GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [STATE] =
        AG_SLOT("state", "one texel: exposure in EV, mean log2 luminance, share used, 1 = valid",
                AG_READ | AG_WRITE | AG_STATE, state_formats),
};

#define SETTINGS ag_exposure_settings
static const ag_setting_info settings[] = {
    AG_REAL(key, "", "luminance that the mean is brought to", 0.001, 1, 0.18),
    AG_REAL(compensation, "EV", "added to the exposure; more is brighter", -16, 16, 0),
    AG_REAL(min_ev, "EV", "log2 of luminance where the histogram begins", -64, 64, -16,
            AG_PREPARE_PLAN),
    AG_REAL(max_ev, "EV", "where it ends, at least 1 above min_ev", -64, 64, 16, AG_PREPARE_PLAN),
    AG_REAL(low, "", "share of texels cut as too dark", 0, 1, 0.1),
    AG_REAL(high, "", "share of texels above which they are cut as too bright", 0, 1, 0.9),
    AG_REAL(center, "", "how much less the corners weigh than the centre", 0, 1, 0),
    AG_REAL(speed_up, "1/s", "adapting to a brighter scene: the exposure falls", 0, 1000, 3),
    AG_REAL(speed_down, "1/s", "adapting to a darker scene: the exposure rises", 0, 1000, 1),
    AG_SWITCH(scrub, "leave out texels that are NaN, Inf or far too large, and count them", 1),
};

typedef struct exposure_detail { // results of plan for the later functions
    int32_t width, height;       // of the plan
    int32_t luminance;           // AG_EXPOSURE_*: what the format's texels are
    int32_t code_max;            // the code of 1; 0: no codes
    double units;                // of luminance 1
} exposure_detail;

typedef struct exposure_state {
    ag_state base; // first in every effect's state
    exposure_detail detail;
    const ag_program *histogram, *adapt;
    ag_memory counts; // shaders/exposure/interface.h has its layout
} exposure_state;

AG_SETTINGS_OF(ag_exposure_settings)

static exposure_detail detail_of(const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    const ag_format *format = request->formats[SRC];
    bool planned =
        request->plan_width >= src->rect_width && request->plan_height >= src->rect_height;
    bool bytes = format->store == AG_STORE_UNORM8 || format->store == AG_STORE_SRGB8;
    exposure_detail d = {.width = planned ? request->plan_width : src->rect_width,
                         .height = planned ? request->plan_height : src->rect_height,
                         .code_max = bytes                                  ? 255
                                     : format->store == AG_STORE_10_10_10_2 ? 1023
                                                                            : 0};
    d.luminance = format->srgb ? AG_EXPOSURE_SRGB
                  : d.code_max ? AG_EXPOSURE_CODED
                               : AG_EXPOSURE_VALUES;
    bool coded = d.luminance == AG_EXPOSURE_CODED;
    d.units = coded ? (double)AG_EXPOSURE_CODE_UNITS * d.code_max : 1;
    return d;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_exposure_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *state = &request->slots[STATE];
    if (state->rect_width != 1 || state->rect_height != 1 || state->layers != 1)
        return ag_fail(host, AG_E_SIZE,
                       "exposure: state's rectangle is %dx%d with %d layers; it must be 1x1 with 1",
                       state->rect_width, state->rect_height, state->layers);
    if (!(s.max_ev - s.min_ev >= 1))
        return ag_fail(host, AG_E_ARG,
                       "exposure: min_ev is %g, max_ev %g; max_ev must be at least 1 above min_ev",
                       (double)s.min_ev, (double)s.max_ev);
    if (!(s.low < s.high))
        return ag_fail(host, AG_E_ARG, "exposure: low is %g, high %g; low must be below high",
                       (double)s.low, (double)s.high);
    exposure_detail d = detail_of(request);
    int32_t plan[] = {(int32_t)src->format, d.width, d.height, src->layers, (int32_t)src->target};
    memcpy(shape->plan, plan, sizeof plan);
    memcpy(shape->plan + AG_COUNT_OF(plan), &s.min_ev, sizeof s.min_ev);
    memcpy(shape->plan + AG_COUNT_OF(plan) + 1, &s.max_ev, sizeof s.max_ev);
    return AG_OK;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_texture *src = &request->slots[SRC];
    size[0] = slot == STATE ? 1 : src->rect_width;
    size[1] = slot == STATE ? 1 : src->rect_height;
    size[2] = slot == STATE ? 1 : src->layers;
}

// ---- plan --------------------------------------------------------------------------------------

static uint32_t groups_of(int32_t w, int32_t h, int32_t tiles[2])
{
    tiles[0] = ag_div_up(w, AG_EXPOSURE_TILE);
    tiles[1] = tiles[0] * ag_div_up(h, AG_EXPOSURE_TILE);
    return (uint32_t)(tiles[1] < AG_EXPOSURE_MAX_GROUPS ? tiles[1] : AG_EXPOSURE_MAX_GROUPS);
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    exposure_detail *d = out;
    *d = detail_of(request);
    uint64_t texels = (uint64_t)d->width * (uint64_t)d->height * (uint64_t)src->layers;
    int32_t tiles[2];
    uint32_t groups = groups_of(d->width, d->height, tiles);
    const uint64_t counts = 2 * 4 * AG_EXPOSURE_COUNTS, texel = 4 * sizeof(float);
    (void)host;
    (void)gl;
    plan->steps[0] = (ag_step){.name = "histogram",
                               .dispatches = (uint32_t)src->layers,
                               .groups = {groups, 1, 1},
                               .shared_bytes = 4 * (8 * AG_EXPOSURE_BINS + AG_EXPOSURE_EDGES +
                                                    AG_EXPOSURE_CODES + 1),
                               .bytes = texels * (uint64_t)request->formats[SRC]->bytes,
                               .instructions = texels * 45};
    plan->steps[1] = (ag_step){.name = "adapt",
                               .dispatches = 1,
                               .groups = {1, 1, 1},
                               .shared_bytes = 2 * 8 * AG_EXPOSURE_BINS,
                               .bytes = 2 * (counts + texel),
                               .instructions = AG_EXPOSURE_BINS * 100};
    plan->head.step_count = 2;
    ag_plan_slot(plan, request, SRC, 0, 0);
    plan->resources[0].bytes = plan->steps[0].bytes; // of the largest image
    ag_plan_slot(plan, request, STATE, 1, 1);
    plan->resources[plan->head.resource_count++] = (ag_resource){.name = "histogram",
                                                                 .kind = AG_RESOURCE_OWN,
                                                                 .access = AG_READ | AG_WRITE,
                                                                 .last_step = 1,
                                                                 .bytes = 4 * AG_EXPOSURE_WORDS};
    plan->head.persistent_bytes = AG_INFO_BYTES + 4 * AG_EXPOSURE_WORDS;
    snprintf(plan->head.text, sizeof plan->head.text,
             "exposure: %dx%d, %d layers; %u groups of 256 threads for %d tiles of %dx%d", d->width,
             d->height, src->layers, groups, tiles[1], AG_EXPOSURE_TILE, AG_EXPOSURE_TILE);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const exposure_detail *d, exposure_state *state)
{
    ag_defines defines = {0}, none = {0};
    ag_source_defines(request->formats[SRC], ag_reading_of(request, SRC), &defines);
    ag_define(&defines, "LUMINANCE", d->luminance);
    ag_define(&defines, "CODE_MAX", d->code_max);
    ag_status status =
        ag_program_get(prep, "exposure/histogram.comp", &defines, state ? &state->histogram : NULL);
    if (status >= 0)
        status = ag_program_get(prep, "exposure/adapt.comp", &none, state ? &state->adapt : NULL);
    return status;
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    return get_programs(prep, request, detail, NULL);
}

static double decode_srgb(double code)
{
    return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4);
}

// No counts, the edges of bins in units of the format, and the values of sRGB codes.
static ag_status make_counts(ag_gpu *gpu, const ag_request *request, double units,
                             ag_memory *counts)
{
    const ag_exposure_settings s = settings_of(request);
    double width = ((double)s.max_ev - (double)s.min_ev) / AG_EXPOSURE_BINS;
    struct {
        uint32_t counts[2 * AG_EXPOSURE_COUNTS];
        float edges[AG_EXPOSURE_EDGES], codes[AG_EXPOSURE_CODES];
    } words = {0};
    _Static_assert(sizeof words == 4 * AG_EXPOSURE_WORDS, "as shaders have it");
    for (int i = 1; i < AG_EXPOSURE_BINS; ++i) // the first stays 0: darker texels belong to its bin
        words.edges[i] = (float)(exp2((double)s.min_ev + i * width) * units);
    words.edges[AG_EXPOSURE_BINS] = INFINITY;
    for (int i = 0; i < AG_EXPOSURE_CODES; ++i)
        words.codes[i] = (float)decode_srgb(i / 255.0);
    return ag_gpu_buffer(gpu, "afterglow exposure", AG_ON_GPU, sizeof words, &words, counts);
}

// Each execute leaves the counts at 0: adapt.comp empties what it reads. A new plan has counts of
// its own, which start at 0, and the former ones are left alone: they serve on if this fails.
static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    exposure_state *state = out;
    (void)plan;
    *state = (exposure_state){.detail = *(const exposure_detail *)detail};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = get_programs(prep, request, detail, state);
    if (status >= 0)
        status = make_counts(prep->gpu, request, state->detail.units, &state->counts);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    exposure_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_gpu_free_buffer(gpu, &state->counts, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static void record_histogram(ag_recording *recording, const ag_request *request,
                             const exposure_state *state)
{
    const ag_exposure_settings s = settings_of(request);
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    const ag_texture *t = src.texture;
    int32_t tiles[2];
    uint32_t groups = groups_of(t->rect_width, t->rect_height, tiles);
    float bins_an_ev = (float)(AG_EXPOSURE_BINS / ((double)s.max_ev - (double)s.min_ev));
    float one = (float)(-((double)s.min_ev + log2(state->detail.units)) * (double)bins_an_ev);
    double square = (double)t->rect_width * t->rect_width + (double)t->rect_height * t->rect_height;
    for (int32_t layer = 0; layer < t->layers; ++layer) {
        ag_uniform uniforms[5] = {
            [2] = AG_FLOATS(AG_LOC_EXPOSURE_SCALE, bins_an_ev, one,
                            (float)(ldexp(1, -20) * state->detail.units), 0),
            [3] = AG_INTS(AG_LOC_EXPOSURE_TILES, tiles[0], tiles[1], 0, 0),
            [4] = AG_FLOATS(AG_LOC_EXPOSURE_CENTRE, s.center, (float)(1 / square), 0, 0),
        };
        ag_source_uniforms(uniforms, &src, src.format->channels, s.scrub, layer);
        ag_dispatch d = {.program = state->histogram,
                         .ranges[AG_SSBO_EXPOSURE] = ag_whole(&state->counts),
                         .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {groups, 1, 1}};
        ag_bind_source(&d, request, SRC, &src, layer);
        ag_record(recording, &d);
    }
}

static void put_pair(float pair[2], double value)
{
    pair[0] = (float)value;
    pair[1] = (float)(value - (double)pair[0]);
}

static void record_adapt(ag_recording *recording, const ag_request *request,
                         const exposure_state *state)
{
    const ag_exposure_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    ag_source_texture kept = ag_source_of(recording->gpu, request, STATE);
    ag_image_binding image = ag_write_image(&kept, 0);
    image.access = GL_READ_WRITE;
    ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_EXPOSURE_STATE, kept.texture->rect_x, kept.texture->rect_y,
                (request->flags & AG_JOB_RESET) != 0, 0),
        AG_FLOATS(AG_LOC_EXPOSURE_RANGE, s.min_ev, s.max_ev, s.low, s.high),
        AG_FLOATS(AG_LOC_EXPOSURE_TARGET, 0, 0, 0, 0),
        AG_FLOATS(AG_LOC_EXPOSURE_RATES, 0, 0, 0, 0),
    };
    put_pair(uniforms[2].value.f, log2((double)s.key) + (double)s.compensation);
    put_pair(uniforms[2].value.f + 2, (double)src->rect_width * src->rect_height * src->layers);
    put_pair(uniforms[3].value.f, -expm1(-(double)request->dt * (double)s.speed_up));
    put_pair(uniforms[3].value.f + 2, -expm1(-(double)request->dt * (double)s.speed_down));
    ag_record(recording, &(ag_dispatch){.program = state->adapt,
                                        .images[AG_IMAGE_STATE] = image,
                                        .ranges[AG_SSBO_EXPOSURE] = ag_whole(&state->counts),
                                        .uniforms = uniforms,
                                        .uniform_count = AG_COUNT_OF(uniforms),
                                        .groups = {1, 1, 1}});
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const exposure_state *state = out;
    ag_record_step(recording, 0, "histogram", false);
    record_histogram(recording, request, state);
    // The counts that the histogram added up; and the state, which the last execute stored: what
    // the host uses it for next need not order this.
    ag_record_step(recording, 1, "adapt", false);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    record_adapt(recording, request, state);
}

const ag_effect ag_effect_exposure = {
    .info = AG_EFFECT_INFO(
        "exposure", "automatic exposure from a histogram, adapting over time, in a texel of state",
        AG_IMAGE_COUNT, 1),
    .state_bytes = sizeof(exposure_state),
    .detail_bytes = sizeof(exposure_detail),
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
