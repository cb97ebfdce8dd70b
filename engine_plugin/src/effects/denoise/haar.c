// haar.c - the filters "haar" and "ti_haar" of "denoise", and the statistics before all filters
// SPDX-License-Identifier: MIT
#include "effects/denoise/haar.h"
#include "base/rounding.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "shaders/denoise/interface.h"
#include "shaders/denoise/interface_counts.h"
#include "shaders/denoise/interface_scratch.h"
#include "shaders/denoise/interface_tiles.h"

#include <math.h>
#include <string.h>

enum { SRC = AG_DENOISE_SRC, DST = AG_DENOISE_DST, HISTORY = AG_DENOISE_HISTORY };
enum { BYTES = 16, PHASES = AG_DENOISE_TI_PHASES };
// Of images of so many texels, in all layers, one tile in four counts beside the filter.
enum { LARGE_IMAGE = 1048576 };

AG_SETTINGS_OF(ag_denoise_settings)

// ---- plan --------------------------------------------------------------------------------------

static bool is_group(const ag_request *request)
{
    return settings_of(request).threshold == AG_DENOISE_GROUP;
}

static int32_t side_of(int32_t levels)
{
    return levels > 5 ? AG_DENOISE_TILE_LARGE : AG_DENOISE_TILE;
}

static bool is_local(const ag_request *request)
{
    return settings_of(request).rule == AG_DENOISE_BAYES_LOCAL;
}

// The last dispatch of ti_haar goes down columns (denoise/ti_haar.comp).
static bool by_columns(const ag_request *request)
{
    return !is_group(request) && !is_local(request);
}

static void ti_tile(const ag_request *request, int32_t levels, int32_t tile[2])
{
    int32_t columns = is_group(request) ? AG_DENOISE_TI_GROUP_COLUMNS : AG_DENOISE_TI_COLUMNS;
    tile[0] = AG_DENOISE_TI_WIDTH(columns, levels);
    tile[1] = is_group(request) ? AG_DENOISE_TI_GROUP_ROWS : AG_DENOISE_TI_ROWS;
}

// Tall tiles read fewer rows twice, but those of a small image leave most of a GPU without work.
static void column_tile(const ag_texture *src, int32_t levels, int32_t tile[2])
{
    tile[0] = AG_DENOISE_TI_STRIP_COLUMNS - 2 * ((1 << levels) - 1);
    tile[1] = AG_DENOISE_TI_STRIP_ROWS;
    int64_t across = ag_div_up(src->rect_width, tile[0]);
    while (tile[1] > AG_DENOISE_TI_STRIP_LEAST &&
           across * ag_div_up(src->rect_height, tile[1]) < AG_DENOISE_TI_STRIP_GROUPS)
        tile[1] /= 2;
}

// Bytes of M_3 or R_3 of a layer.
static int64_t coarse_bytes(const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC];
    return BYTES * (int64_t)(src->rect_width + AG_DENOISE_TI_BEFORE) *
           (src->rect_height + AG_DENOISE_TI_BEFORE);
}

ag_status ag_haar_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                       ag_haar *haar)
{
    const ag_denoise_settings s = settings_of(request);
    int32_t side = side_of(s.filter == AG_DENOISE_DWT ? 1 : s.levels);
    *haar = (ag_haar){.statistics = (s.sigma > 0 ? 0 : AG_DENOISE_HISTOGRAM) |
                                    (s.rule == AG_DENOISE_BAYES ? AG_DENOISE_ENERGIES : 0),
                      .counting_tile = {side, side},
                      .sampled = ag_slot_texels(request, SRC) >= LARGE_IMAGE,
                      .tile = {side, side},
                      .fine = s.levels};
    if (s.filter == AG_DENOISE_ATROUS) // counts by itself
        haar->statistics = 0;
    if (s.filter == AG_DENOISE_DWT) // adds up energies by itself
        haar->statistics &= AG_DENOISE_HISTOGRAM;
    // Energies are counted in units of sigma, so sigma must be known before.
    haar->counting = haar->statistics == (AG_DENOISE_HISTOGRAM | AG_DENOISE_ENERGIES) ? 2
                     : haar->statistics                                               ? 1
                                                                                      : 0;
    if (s.filter != AG_DENOISE_TI_HAAR)
        return AG_OK;
    haar->fine = s.levels < AG_DENOISE_TI_FINE ? s.levels : AG_DENOISE_TI_FINE;
    haar->coarse = s.levels - haar->fine;
    ti_tile(request, haar->fine, haar->tile);
    if (by_columns(request))
        column_tile(&request->slots[SRC], haar->fine, haar->tile);
    ti_tile(request, haar->coarse, haar->coarse_tile);
    if (haar->coarse && coarse_bytes(request) > gl->max_ssbo_bytes)
        return ag_fail(host, AG_E_SIZE,
                       "denoise: ti_haar with %d levels keeps %lld bytes of %dx%d; this context's "
                       "storage blocks hold %lld",
                       s.levels, (long long)coarse_bytes(request), request->slots[SRC].rect_width,
                       request->slots[SRC].rect_height, (long long)gl->max_ssbo_bytes);
    return AG_OK;
}

static uint64_t second_half(const ag_request *request) // where R_3 begins in scratch
{
    return (uint64_t)ag_align_up(coarse_bytes(request), 256);
}

uint64_t ag_haar_scratch(const ag_request *request, const ag_haar *haar)
{
    return haar->coarse ? second_half(request) + (uint64_t)coarse_bytes(request) : 0;
}

// `every`: 2: of the tiles those whose place is even in x and y; 1: all.
static void groups_of(const ag_texture *src, const int32_t tile[2], int32_t every,
                      uint32_t groups[3])
{
    groups[0] = (uint32_t)ag_div_up(src->rect_width, tile[0] * every);
    groups[1] = (uint32_t)ag_div_up(src->rect_height, tile[1] * every);
    groups[2] = 1;
}

static int32_t components_of(const ag_request *request)
{
    int32_t channels = request->formats[SRC]->channels;
    return channels > 2 || is_group(request) ? AG_DENOISE_COMPONENTS : channels;
}

// Words of denoise/thresholds.glsl, of denoise/energies.glsl, and of denoise/counts.glsl.
enum {
    THRESHOLDS = AG_DENOISE_ALL_BANDS,
    ENERGIES = AG_DENOISE_ALL_BANDS + 4,
    COUNTS = AG_DENOISE_COMPONENTS * 16 + 1
};

// Of denoise/haar_tile.glsl and denoise/haar_energies.glsl.
static int32_t haar_words(const ag_request *request, const int32_t tile[2], bool energies)
{
    int32_t patches = tile[0] * tile[1] / 64;
    return 16 * (components_of(request) * patches + 4) +
           (energies ? 9 * (AG_DENOISE_THREADS + 16) + 18 * patches : 0);
}

// Of denoise/ti_haar.comp, or else of denoise/ti_haar_tile.glsl.
static int32_t ti_words(const ag_request *request, int32_t levels)
{
    bool group = is_group(request);
    int32_t halo = (1 << levels) - 1;
    if (by_columns(request))
        return 3 * components_of(request) * AG_DENOISE_TI_STRIP_STEP * AG_DENOISE_TI_STRIP_COLUMNS +
               8;
    int32_t columns = group ? AG_DENOISE_TI_GROUP_COLUMNS : AG_DENOISE_TI_COLUMNS;
    int32_t rows = group ? AG_DENOISE_TI_GROUP_ROWS : AG_DENOISE_TI_ROWS;
    int32_t planes = levels * (columns + halo) * (rows + 2 * halo) + columns * (rows + 3);
    return (group ? 3 : 1) * planes + (levels < 3 ? 3 * (columns + halo) : 0);
}

ag_step ag_haar_count_step(const ag_request *request, const ag_haar *haar)
{
    const ag_denoise_settings s = settings_of(request);
    // Unless it is exact, the first execute alone, and those with AG_JOB_RESET, count all tiles.
    bool sampled = haar->sampled && !s.exact;
    uint64_t times = s.exact ? (uint64_t)haar->counting : 1, share = sampled ? 4 : 1;
    int32_t words = haar_words(request, haar->counting_tile, true) + ENERGIES + COUNTS +
                    (haar->statistics & AG_DENOISE_HISTOGRAM ? 3 * AG_DENOISE_BINS : 0);
    uint64_t work = ag_slot_texels(request, SRC) * 25 * (uint64_t)components_of(request);
    ag_step step = {.name = "statistics",
                    .dispatches = (uint32_t)(haar->counting * request->slots[SRC].layers),
                    .shared_bytes = 4 * (uint32_t)words,
                    .bytes = times * ag_slot_bytes(request, SRC) / share,
                    .instructions = times * work / share};
    groups_of(&request->slots[SRC], haar->counting_tile, sampled ? 2 : 1, step.groups);
    return step;
}

ag_step ag_haar_step(const ag_request *request, const ag_haar *haar)
{
    const ag_denoise_settings s = settings_of(request);
    bool ti = s.filter == AG_DENOISE_TI_HAAR;
    int32_t words = is_local(request) ? THRESHOLDS + ENERGIES : THRESHOLDS;
    words +=
        ti ? ti_words(request, haar->fine) : haar_words(request, haar->tile, is_local(request));
    uint64_t work = (uint64_t)components_of(request) * (ti ? 40 + 60 * (uint64_t)s.levels : 40);
    ag_step step = {.name = ti ? "ti_haar" : "haar",
                    .dispatches = (uint32_t)(request->slots[SRC].layers * (haar->coarse ? 3 : 1)),
                    .shared_bytes = 4 * (uint32_t)words,
                    .bytes = ag_slot_bytes(request, SRC) * (haar->coarse ? 2 : 1) +
                             ag_slot_bytes(request, DST) +
                             (haar->coarse ? 4 * (uint64_t)coarse_bytes(request) : 0),
                    .instructions = ag_slot_texels(request, SRC) * work};
    groups_of(&request->slots[SRC], haar->tile, 1, step.groups);
    return step;
}

// ---- prepare -----------------------------------------------------------------------------------

static void source_defines(const ag_request *request, ag_defines *defines)
{
    const ag_format *history = request->formats[HISTORY];
    ag_source_defines(history ? history : request->formats[SRC], ag_reading_of(request, SRC),
                      defines);
}

static void common_defines(const ag_request *request, int32_t levels, ag_defines *defines)
{
    source_defines(request, defines);
    ag_define(defines, "LEVELS", levels);
    ag_denoise_component_defines(request, settings_of(request).space, components_of(request),
                                 defines);
}

ag_status ag_haar_counter_program(const ag_preparation *prep, const ag_request *request,
                                  const ag_haar *haar, ag_haar_programs *programs)
{
    const ag_denoise_settings s = settings_of(request);
    ag_defines defines = {0};
    // dwt takes sigma alone
    common_defines(request, s.filter == AG_DENOISE_DWT ? 1 : s.levels, &defines);
    ag_define(&defines, "TILE", haar->counting_tile[0]);
    ag_define(&defines, "THRESHOLD", AG_DENOISE_SHRINK_SOFT);
    ag_define(&defines, "STATISTICS", haar->statistics);
    return ag_program_get(prep, "denoise/statistics.comp", &defines,
                          programs ? &programs->counter : NULL);
}

static ag_status coarse_programs(const ag_preparation *prep, const ag_request *request,
                                 const ag_haar *haar, ag_haar_programs *programs)
{
    const ag_denoise_settings s = settings_of(request);
    ag_defines sums = {0}, defines = {0};
    int32_t space = settings_of(request).space, components = components_of(request);
    source_defines(request, &sums);
    ag_denoise_component_defines(request, space, components, &sums);
    ag_status status =
        ag_program_get(prep, "denoise/ti_haar_sums.comp", &sums, programs ? &programs->sums : NULL);
    if (status < 0)
        return status;
    ag_denoise_component_defines(request, space, components, &defines);
    ag_define(&defines, "LEVELS", haar->coarse);
    ag_define(&defines, "FINER", AG_DENOISE_TI_FINE);
    ag_define(&defines, "COARSER", 0);
    ag_define(&defines, "THRESHOLD", s.threshold);
    return ag_program_get(prep, "denoise/ti_haar_coarse.comp", &defines,
                          programs ? &programs->coarse : NULL);
}

ag_status ag_haar_get_programs(const ag_preparation *prep, const ag_request *request,
                               const ag_haar *haar, ag_haar_programs *programs)
{
    const ag_denoise_settings s = settings_of(request);
    bool ti = s.filter == AG_DENOISE_TI_HAAR, local = is_local(request);
    ag_defines defines = {0};
    if (haar->coarse) {
        ag_status status = coarse_programs(prep, request, haar, programs);
        if (status < 0)
            return status;
    }
    common_defines(request, haar->fine, &defines);
    if (ti) {
        if (!by_columns(request))
            ag_define(&defines, "FINER", 0);
        ag_define(&defines, "COARSER", haar->coarse > 0);
    } else {
        ag_define(&defines, "TILE", haar->tile[0]);
    }
    ag_define(&defines, "THRESHOLD", s.threshold);
    ag_define(&defines, "STORE", request->formats[DST]->store);
    const char *path = ti && local               ? "denoise/ti_haar_local.comp"
                       : ti && is_group(request) ? "denoise/ti_haar_group.comp"
                       : ti                      ? "denoise/ti_haar.comp"
                       : local                   ? "denoise/haar_local.comp"
                                                 : "denoise/haar.comp";
    return ag_program_get(prep, path, &defines, programs ? &programs->filter : NULL);
}

// ---- execute -----------------------------------------------------------------------------------

float ag_denoise_factor(const ag_request *request)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    double texels = (double)src->rect_width * src->rect_height;
    return s.rule == AG_DENOISE_GIVEN  ? 1
           : s.rule == AG_DENOISE_VISU ? (float)sqrt(2 * log(texels))
                                       : 0;
}

// What all dispatches bind but their groups and scratch. `counts`: those of counts, else NULL.
static void record(ag_recording *recording, const ag_request *request,
                   const ag_denoise_input *input, const ag_program *program, const int32_t tile[2],
                   const ag_haar_counts *counts, int32_t layer, ag_gl_dispatch *d)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *t = input->src.texture, *to = input->dst.texture;
    int32_t every = counts ? counts->every : 1;
    uint32_t groups[3];
    groups_of(t, tile, every, groups);
    float arriving = (float)(groups[0] * groups[1] * (uint32_t)t->layers);
    ag_uniform uniforms[8] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, to->rect_x, to->rect_y, to->rect_width, to->rect_height),
        [3] = AG_FLOATS(AG_LOC_DENOISE_RULE, ag_denoise_factor(request), s.strength, s.chroma,
                        s.sigma),
        [4] = ag_denoise_space(&s),
        [5] = AG_INTS(AG_LOC_DENOISE_SETS, input->set, counts ? counts->to : 0, 0, 0),
        [6] = AG_INTS(AG_LOC_DENOISE_TILE, tile[0], tile[1], 0, 0),
        [7] = AG_FLOATS(AG_LOC_DENOISE_STATISTICS, counts ? counts->rate : 0, arriving, 0,
                        (float)every),
    };
    ag_source_uniforms(uniforms, &input->src, input->src.format->channels, s.scrub, layer);
    d->program = program;
    d->ranges[AG_SSBO_DENOISE] = ag_whole(input->statistics);
    d->ranges[AG_SSBO_INFO] = ag_whole(input->info);
    d->uniforms = uniforms;
    d->uniform_count = counts ? 8 : 7;
    if (!d->groups[0])
        memcpy(d->groups, groups, sizeof groups);
    ag_bind_source(d, request, SRC, &input->src, layer);
    ag_record(recording, d);
}

void ag_haar_record_count(ag_recording *recording, const ag_request *request, const ag_haar *haar,
                          const ag_haar_programs *programs, const ag_denoise_input *input,
                          const ag_haar_counts *counts)
{
    for (int32_t layer = 0; layer < input->src.texture->layers; ++layer) {
        ag_gl_dispatch d = {0};
        record(recording, request, input, programs->counter, haar->counting_tile, counts, layer,
               &d);
    }
}

// Sums of 8 x 8 texels, and what coarse levels remove of them.
static void record_coarse(ag_recording *recording, const ag_request *request, const ag_haar *haar,
                          const ag_haar_programs *programs, const ag_denoise_input *input,
                          ag_range sums, ag_range removed, int32_t layer)
{
    const ag_texture *t = input->src.texture;
    int32_t width = t->rect_width + AG_DENOISE_TI_BEFORE;
    int32_t height = t->rect_height + AG_DENOISE_TI_BEFORE;
    ag_gl_dispatch d = {.ranges[AG_SSBO_DENOISE_TO] = sums,
                        .groups = {ag_groups(width, AG_DENOISE_TI_SUMS_X),
                                   ag_groups(height, AG_DENOISE_TI_SUMS_Y), 1}};
    record(recording, request, input, programs->sums, haar->tile, NULL, layer, &d);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
    d = (ag_gl_dispatch){
        .ranges[AG_SSBO_DENOISE_FROM] = sums,
        .ranges[AG_SSBO_DENOISE_TO] = removed,
        .groups = {PHASES * ag_groups(ag_div_up(width, PHASES), haar->coarse_tile[0]),
                   PHASES * ag_groups(ag_div_up(height, PHASES), haar->coarse_tile[1]), 1}};
    record(recording, request, input, programs->coarse, haar->tile, NULL, layer, &d);
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
}

void ag_haar_record(ag_recording *recording, const ag_request *request, const ag_haar *haar,
                    const ag_haar_programs *programs, const ag_denoise_input *input)
{
    ag_range sums = {0}, removed = {0};
    if (haar->coarse) {
        uint64_t bytes = (uint64_t)coarse_bytes(request);
        sums = ag_part(request->scratch, 0, bytes);
        removed = ag_part(request->scratch, second_half(request), bytes);
    }
    for (int32_t layer = 0; layer < input->src.texture->layers; ++layer) {
        if (haar->coarse) // the last layer's dispatches are behind a barrier, but the last of them
            record_coarse(recording, request, haar, programs, input, sums, removed, layer);
        ag_gl_dispatch d = {.images[AG_IMAGE_DST] = ag_write_image(&input->dst, layer),
                            .ranges[AG_SSBO_DENOISE_FROM] = removed};
        record(recording, request, input, programs->filter, haar->tile, NULL, layer, &d);
    }
}
