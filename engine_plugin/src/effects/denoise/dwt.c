// dwt.c - the filter "dwt" of "denoise": thresholds of a wavelet transform, a dispatch a level
// SPDX-License-Identifier: MIT
#include "effects/denoise/dwt.h"
#include "base/rounding.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "shaders/denoise/interface.h"
#include "shaders/denoise/interface_counts.h"
#include "shaders/denoise/interface_scratch.h"

#include <afterglow/wavelet.h>

enum { SRC = AG_DENOISE_SRC, DST = AG_DENOISE_DST, HISTORY = AG_DENOISE_HISTORY };
enum { BYTES = 16 }; // of a sample or coefficient between dispatches

_Static_assert(AG_FILTER_HAAR == (int)AG_WAVELET_HAAR && AG_FILTER_CDF53 == (int)AG_WAVELET_CDF53 &&
                   AG_FILTER_CDF97 == (int)AG_WAVELET_CDF97,
               "settings have one set of numbers");

AG_SETTINGS_OF(ag_denoise_settings)

// ---- noise gains -------------------------------------------------------------------------------

// Of white noise of sigma 1 a coefficient of level l has the sigma gain(x) gain(y): the length of
// the filter that makes it of the image, along each axis. Orthonormal wavelets have 1 throughout.
typedef struct gain {
    float low, high; // along an axis
} gain;

static gain gain_of(int32_t wavelet, int32_t level)
{
    static const gain cdf53[AG_DENOISE_MAX_LEVELS] = {
        {1.19895788f, 0.866025404f}, {1.31843894f, 1.15582763f}, {1.38429035f, 1.32637753f},
        {1.42014081f, 1.41885626f},  {1.43954753f, 1.46884025f}, {1.45005698f, 1.49577846f}};
    static const gain cdf97[AG_DENOISE_MAX_LEVELS] = {
        {1.02001763f, 0.991440193f}, {0.996898522f, 1.05765871f},  {0.985323811f, 1.02191866f},
        {0.98150204f, 1.00184916f},  {0.980409647f, 0.995013277f}, {0.980116944f, 0.993035414f}};
    return wavelet == AG_WAVELET_CDF53   ? cdf53[level - 1]
           : wavelet == AG_WAVELET_CDF97 ? cdf97[level - 1]
                                         : (gain){1, 1};
}

// ---- plan --------------------------------------------------------------------------------------

ag_status ag_dwt_plan(const ag_host *host, const ag_gl *gl, const ag_request *request, ag_dwt *dwt)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    const int32_t size[2] = {src->rect_width, src->rect_height};
    *dwt = (ag_dwt){.layers = src->layers};
    ag_wave_plan_make(size, s.levels, ag_wave_taps(s.wavelet), AG_EXTEND_SYMMETRIC, true,
                      &dwt->plan);
    int64_t at = 0;
    for (int32_t l = 1; l <= s.levels; ++l) {
        int64_t plane = BYTES * ag_wave_texels(&dwt->plan, l);
        if (3 * plane > gl->max_ssbo_bytes)
            return ag_fail(host, AG_E_SIZE,
                           "denoise: the details of %dx%d have %lld bytes; this context's storage "
                           "blocks hold %lld",
                           size[0], size[1], (long long)(3 * plane), (long long)gl->max_ssbo_bytes);
        dwt->details[l] = at;
        at = ag_align_up(at + 3 * plane, gl->ssbo_alignment);
        dwt->approximation[l] = at;
        at = ag_align_up(at + (l < s.levels ? plane : 0), gl->ssbo_alignment);
    }
    dwt->layer_bytes = at;
    return AG_OK;
}

uint64_t ag_dwt_scratch(const ag_dwt *dwt)
{
    return (uint64_t)(dwt->layer_bytes * dwt->layers);
}

static void groups_of(const ag_dwt *dwt, int32_t level, bool inverse, uint32_t groups[3])
{
    if (inverse) {
        ag_wave_groups(&dwt->plan, level, true, groups);
        return;
    }
    groups[0] = ag_groups(dwt->plan.sizes[level][0], AG_WAVELET_TILE_WIDTH(dwt->plan.taps));
    groups[1] = ag_groups(dwt->plan.sizes[level][1], AG_WAVELET_TILE_HEIGHT);
    groups[2] = 1;
}

ag_step ag_dwt_step(const ag_request *request, const ag_dwt *dwt, bool inverse)
{
    ag_step step = {.name = inverse ? "inverse" : "forward",
                    .dispatches = (uint32_t)(dwt->plan.levels * dwt->layers),
                    .shared_bytes = 32768,
                    .bytes =
                        ag_slot_bytes(request, SRC) + (inverse ? ag_slot_bytes(request, DST) : 0)};
    uint64_t layers = (uint64_t)dwt->layers, taps = (uint64_t)dwt->plan.taps;
    for (int32_t l = 1; l <= dwt->plan.levels; ++l) {
        uint64_t band = (uint64_t)ag_wave_texels(&dwt->plan, l) * layers;
        // details; the approximation is written and read
        step.bytes += BYTES * band * (l < dwt->plan.levels ? 5 : 3);
        step.instructions += band * 4 * 8 * taps;
    }
    groups_of(dwt, inverse ? dwt->plan.levels : 1, inverse, step.groups);
    return step;
}

// ---- prepare -----------------------------------------------------------------------------------

// `src` NULL: the program does not read the image.
static void defines_of(const ag_request *request, const ag_format *src, ag_defines *defines)
{
    const ag_denoise_settings s = settings_of(request);
    int32_t channels = request->formats[SRC]->channels;
    if (src)
        ag_source_defines(src, ag_reading_of(request, SRC), defines);
    ag_define(defines, "SPACE", s.space);
    ag_define(defines, "COLOUR", channels > 2);
    ag_define(defines, "COMPONENTS", channels < 3 ? channels : 3);
    ag_define(defines, "CHANNELS", 4);
    ag_define(defines, "FILTER", s.wavelet);
}

static ag_status forward_program(const ag_preparation *prep, const ag_request *request,
                                 const ag_format *src, bool first, const ag_program **program)
{
    ag_defines defines = {0};
    defines_of(request, first ? src : NULL, &defines);
    ag_define(&defines, "FROM_BUFFER", !first);
    ag_define(&defines, "ENERGIES", settings_of(request).rule == AG_DENOISE_BAYES);
    return ag_program_get(prep, "denoise/dwt_forward.comp", &defines, program);
}

static ag_status inverse_program(const ag_preparation *prep, const ag_request *request,
                                 const ag_format *src, bool result, const ag_program **program)
{
    ag_defines defines = {0};
    defines_of(request, result ? src : NULL, &defines);
    ag_define(&defines, "TO_IMAGE", result);
    ag_define(&defines, "THRESHOLD", settings_of(request).threshold);
    if (result)
        ag_define(&defines, "STORE", request->formats[DST]->store);
    return ag_program_get(prep, "denoise/dwt_inverse.comp", &defines, program);
}

ag_status ag_dwt_get_programs(const ag_preparation *prep, const ag_request *request,
                              const ag_format *src, const ag_dwt *dwt, ag_dwt_programs *p)
{
    ag_status status = forward_program(prep, request, src, true, p ? &p->first : NULL);
    if (status >= 0 && dwt->plan.levels > 1)
        status = forward_program(prep, request, src, false, p ? &p->forward : NULL);
    if (status >= 0 && dwt->plan.levels > 1)
        status = inverse_program(prep, request, src, false, p ? &p->inverse : NULL);
    if (status >= 0)
        status = inverse_program(prep, request, src, true, p ? &p->result : NULL);
    return status;
}

// ---- execute -----------------------------------------------------------------------------------

static ag_range part_of(const ag_request *request, const ag_dwt *dwt, int64_t at, int64_t bytes,
                        int32_t layer)
{
    return ag_part(request->scratch, (uint64_t)(layer * dwt->layer_bytes + at), (uint64_t)bytes);
}

// Of level 0 and of the last one there is none.
static ag_range approximation(const ag_request *request, const ag_dwt *dwt, int32_t level,
                              int32_t layer)
{
    if (level == 0 || level == dwt->plan.levels)
        return (ag_range){0};
    return part_of(request, dwt, dwt->approximation[level],
                   BYTES * ag_wave_texels(&dwt->plan, level), layer);
}

static void record_level(ag_recording *recording, const ag_request *request, const ag_dwt *dwt,
                         const ag_dwt_programs *p, const ag_denoise_input *input, float factor,
                         bool inverse, int32_t level, int32_t layer)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_wave_plan *plan = &dwt->plan;
    const ag_texture *to = input->dst.texture;
    const gain of_level = gain_of(s.wavelet, level);
    bool last = level == plan->levels;
    uint32_t arriving[3];
    groups_of(dwt, plan->levels, false, arriving);
    ag_uniform uniforms[8] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, to->rect_x, to->rect_y, to->rect_width, to->rect_height),
        [3] = AG_FLOATS(AG_LOC_DENOISE_RULE, factor, s.strength, s.chroma, s.sigma),
        [4] = ag_denoise_space(&s),
        [5] = AG_FLOATS(AG_LOC_DENOISE_STATISTICS, 1,
                        (float)(arriving[0] * arriving[1]) * (float)dwt->layers, 0, 0),
        [6] = AG_INTS(AG_LOC_DENOISE_DWT_SIZE, plan->sizes[level - 1][0], plan->sizes[level - 1][1],
                      plan->sizes[level][0], plan->sizes[level][1]),
        [7] = AG_FLOATS(AG_LOC_DENOISE_DWT_BAND, of_level.low * of_level.high,
                        of_level.high * of_level.high, (float)level, last ? 1.0f : 0.0f),
    };
    ag_source_uniforms(uniforms, &input->src, input->src.format->channels, s.scrub, layer);
    ag_gl_dispatch d = {.program = inverse      ? level == 1 ? p->result : p->inverse
                                   : level == 1 ? p->first
                                                : p->forward,
                        .ranges[AG_SSBO_DENOISE] = ag_whole(input->statistics),
                        .ranges[AG_SSBO_INFO] = ag_whole(input->info),
                        .ranges[AG_SSBO_DENOISE_FROM] =
                            approximation(request, dwt, inverse ? level : level - 1, layer),
                        .ranges[AG_SSBO_DENOISE_TO] =
                            approximation(request, dwt, inverse ? level - 1 : level, layer),
                        .ranges[AG_SSBO_DENOISE_DETAILS] =
                            part_of(request, dwt, dwt->details[level],
                                    3 * BYTES * ag_wave_texels(plan, level), layer),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms)};
    if (level == 1) {
        ag_bind_source(&d, request, SRC, &input->src, layer);
        if (inverse)
            d.images[AG_IMAGE_DST] = ag_write_image(&input->dst, layer);
    }
    groups_of(dwt, level, inverse, d.groups);
    ag_record(recording, &d);
}

void ag_dwt_record(ag_recording *recording, const ag_request *request, const ag_dwt *dwt,
                   const ag_dwt_programs *programs, const ag_denoise_input *input, float factor,
                   bool inverse)
{
    for (int32_t i = 0; i < dwt->plan.levels; ++i) {
        int32_t level = inverse ? dwt->plan.levels - i : i + 1;
        if (i)
            ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
        for (int32_t layer = 0; layer < dwt->layers; ++layer)
            record_level(recording, request, dwt, programs, input, factor, inverse, level, layer);
    }
}
