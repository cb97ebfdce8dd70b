// haar.c - the filters "haar" and "ti_haar" of "denoise", and the statistics before all filters
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <math.h>
#include <string.h>

enum { SRC = AG_DENOISE_SRC, PHASES = AG_DENOISE_TI_PHASES };
// Of images of so many texels, in all layers, one tile in four counts beside the filter.
enum { LARGE_IMAGE = 1048576 };

AG_SETTINGS_OF(ag_denoise_settings)

// ---- plan --------------------------------------------------------------------------------------

static bool is_group(const ag_request *request)
{
    return settings_of(request).threshold == AG_DENOISE_GROUP;
}

// dwt adds up energies by itself; blocks needs none.
static bool of_sigma_alone(const ag_denoise_settings *s)
{
    return s->filter == AG_DENOISE_DWT || s->filter == AG_DENOISE_BLOCKS;
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
    return AG_DENOISE_BYTES * (int64_t)(src->rect_width + AG_DENOISE_TI_BEFORE) *
           (src->rect_height + AG_DENOISE_TI_BEFORE);
}

ag_status ag_haar_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                         ag_haar *haar)
{
    const ag_denoise_settings s = settings_of(request);
    int32_t side = side_of(of_sigma_alone(&s) ? 1 : s.levels);
    *haar = (ag_haar){.statistics = (s.sigma > 0 ? 0 : AG_DENOISE_HISTOGRAM) |
                                    (s.rule == AG_DENOISE_BAYES ? AG_DENOISE_ENERGIES : 0),
                      .counting_tile = {side, side},
                      .sampled = ag_slot_texels(request, SRC) >= LARGE_IMAGE,
                      .tile = {side, side},
                      .fine = s.levels};
    if (s.filter == AG_DENOISE_ATROUS) // counts by itself
        haar->statistics = 0;
    if (of_sigma_alone(&s))
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
    return haar->coarse ? ag_check_block(host, gl, request, SRC, coarse_bytes(request)) : AG_OK;
}

// ---- parts of a dispatch -----------------------------------------------------------------------

static int32_t components_of(const ag_request *request)
{
    int32_t channels = request->formats[SRC]->channels;
    return channels > 2 || is_group(request) ? AG_DENOISE_COMPONENTS : channels;
}

static ag_shader *shader_of(const ag_denoise *n, const char *path, int32_t levels)
{
    ag_shader *shader = ag_frame_shader(n->f, path);
    ag_shader_reads_picture(shader, &n->src);
    ag_shader_define(shader, "LEVELS", levels);
    ag_denoise_define(n, shader, n->s.space, components_of(n->request));
    return shader;
}

typedef struct counts { // of a dispatch that counts
    float rate;         // of what is counted, the share that replaces former statistics
    int32_t every;      // 2: of the tiles those whose place is even in x and y; 1: all
    int32_t to;         // the set that results go to
} counts;

// What all dispatches have in common, and the uniforms. `d`: it has the rest. Groups: tiles, unless
// it has some. `c` NULL: it does not count.
static void add_dispatch(const ag_denoise *n, const int32_t tile[2], const counts *c, int32_t layer,
                         ag_dispatch *d)
{
    const ag_texture *t = n->src.shape;
    int32_t every = c ? c->every : 1;
    uint32_t across = ag_groups(t->rect_width, tile[0] * every),
             down = ag_groups(t->rect_height, tile[1] * every);
    float arriving = (float)(across * down * (uint32_t)n->dst.shape->layers);
    ag_uniform uniforms[] = {
        [AG_DENOISE_UNIFORMS] = AG_INTS(AG_LOC_DENOISE_SETS, n->set, c ? c->to : 0, 0, 0),
        AG_INTS(AG_LOC_DENOISE_TILE, tile[0], tile[1], 0, 0),
        AG_FLOATS(AG_LOC_DENOISE_STATISTICS, c ? c->rate : 0, arriving, 0, (float)every),
    };
    ag_denoise_uniforms(n, layer, uniforms);
    d->ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD);
    d->uniforms = uniforms;
    d->uniform_count = c ? 8 : 7;
    if (!d->groups[0])
        memcpy(d->groups, (uint32_t[3]){across, down, 1}, sizeof d->groups);
    ag_frame_dispatch(n->f, d);
}

// ---- statistics --------------------------------------------------------------------------------

// Counts the image: before the filter where that must be, which then waits, else beside it, into
// the set that the next execute reads.
void ag_haar_count(ag_denoise *n, const ag_haar *haar)
{
    ag_denoise_facts *facts = ag_frame_facts(n->f);
    ag_shader *counter =
        shader_of(n, "denoise/statistics.comp", of_sigma_alone(&n->s) ? 1 : n->s.levels);
    ag_shader_define(counter, "TILE", haar->counting_tile[0]);
    ag_shader_define(counter, "THRESHOLD", AG_DENOISE_SHRINK_SOFT);
    ag_shader_define(counter, "STATISTICS", haar->statistics);

    // A plan has the dispatches of the first frame, but bytes and groups of those that follow.
    bool planned = ag_frame_is_planned(n->f);
    bool first = !planned && (!facts->counted || (n->request->flags & AG_JOB_RESET));
    bool anew = n->s.exact || first;
    int32_t times = anew || planned ? haar->counting : 1;
    bool before = anew || n->s.filter == AG_DENOISE_DWT; // which makes variances of its own
    counts c = {1, 1, n->set};
    if (!anew) {
        c.rate = (float)-expm1(-(double)n->request->dt * (double)n->s.adapt);
        c.every = haar->sampled ? 2 : 1;
        c.to = before ? n->set : 1 - n->set;
    }
    const ag_texture *t = n->src.shape;
    uint64_t bytes = (uint64_t)t->rect_width * (uint64_t)t->rect_height *
                     (uint64_t)n->src.format->bytes / (uint64_t)(c.every * c.every);
    ag_frame_step(n->f, "statistics");
    for (int32_t i = 0; i < times; ++i)
        for (int32_t layer = 0; layer < n->dst.shape->layers; ++layer) {
            // The second time counts in units of sigma, which the first time finds; layers share
            // out the counts.
            ag_dispatch d = {.shader = counter,
                             .ranges[AG_SSBO_DENOISE] =
                                 ag_all(n->statistics, i ? AG_WRITE : AG_ADD)};
            ag_dispatch_reads_picture(&d, &n->src, layer)->bytes =
                n->s.exact ? bytes : bytes / (uint64_t)times;
            add_dispatch(n, haar->counting_tile, &c, layer, &d);
        }
    n->reading = before ? AG_READ : 0;
    if (ag_frame_is_recorded(n->f))
        *facts = (ag_denoise_facts){true, c.to};
}

// ---- haar, ti_haar -----------------------------------------------------------------------------

typedef struct coarse { // levels of ti_haar beyond the last dispatch's
    ag_shader *sum, *remove;
    ag_handle sums, removed;
} coarse;

static void name_coarse(const ag_denoise *n, const ag_haar *haar, coarse *c)
{
    int32_t components = components_of(n->request);
    uint64_t bytes = (uint64_t)coarse_bytes(n->request);
    c->sum = ag_frame_shader(n->f, "denoise/ti_haar_sums.comp");
    ag_shader_reads_picture(c->sum, &n->src);
    ag_denoise_define(n, c->sum, n->s.space, components);
    c->remove = ag_frame_shader(n->f, "denoise/ti_haar_tile.comp");
    ag_denoise_define(n, c->remove, n->s.space, components);
    ag_shader_define(c->remove, "LEVELS", haar->coarse);
    ag_shader_define(c->remove, "FINER", AG_DENOISE_TI_FINE);
    ag_shader_define(c->remove, "COARSER", 0);
    ag_shader_define(c->remove, "LOCAL", 0);
    ag_shader_define(c->remove, "THRESHOLD", n->s.threshold);
    c->sums = ag_scratch(n->f, "sums", bytes);
    c->removed = ag_scratch(n->f, "removed", bytes);
}

// Sums of 8 x 8 texels, and what coarse levels remove of them.
static void coarse_dispatches(const ag_denoise *n, const ag_haar *haar, const coarse *c,
                              int32_t layer)
{
    int32_t width = n->src.shape->rect_width + AG_DENOISE_TI_BEFORE,
            height = n->src.shape->rect_height + AG_DENOISE_TI_BEFORE;
    ag_dispatch d = {.shader = c->sum,
                     .ranges[AG_SSBO_DENOISE_TO] = ag_all(c->sums, AG_WRITE),
                     .groups = {ag_groups(width, AG_DENOISE_TI_SUMS_X),
                                ag_groups(height, AG_DENOISE_TI_SUMS_Y), 1}};
    ag_dispatch_reads_picture(&d, &n->src, layer);
    add_dispatch(n, haar->tile, NULL, layer, &d);
    d = (ag_dispatch){
        .shader = c->remove,
        .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, n->reading),
        .ranges[AG_SSBO_DENOISE_FROM] = ag_all(c->sums, AG_READ),
        .ranges[AG_SSBO_DENOISE_TO] = ag_all(c->removed, AG_WRITE),
        .groups = {PHASES * ag_groups(ag_div_up(width, PHASES), haar->coarse_tile[0]),
                   PHASES * ag_groups(ag_div_up(height, PHASES), haar->coarse_tile[1]), 1}};
    add_dispatch(n, haar->tile, NULL, layer, &d);
}

static ag_shader *filter_shader(const ag_denoise *n, const ag_haar *haar)
{
    bool ti = n->s.filter == AG_DENOISE_TI_HAAR, columns = by_columns(n->request);
    const char *path = !ti       ? "denoise/haar.comp"
                       : columns ? "denoise/ti_haar.comp"
                                 : "denoise/ti_haar_tile.comp";
    ag_shader *shader = shader_of(n, path, haar->fine);
    ag_shader_define(shader, "SRC_TEXEL", n->src.format->hold);
    ag_shader_define(shader, "LOCAL", is_local(n->request));
    if (ti && !columns)
        ag_shader_define(shader, "FINER", 0);
    if (ti)
        ag_shader_define(shader, "COARSER", haar->coarse > 0);
    else
        ag_shader_define(shader, "TILE", haar->tile[0]);
    ag_shader_define(shader, "THRESHOLD", n->s.threshold);
    ag_shader_define(shader, "STORE", n->dst.format->store);
    return shader;
}

void ag_haar_steps(const ag_denoise *n, const ag_haar *haar)
{
    coarse c = {0};
    if (haar->coarse)
        name_coarse(n, haar, &c);
    ag_shader *filter = filter_shader(n, haar);
    ag_frame_step(n->f, n->s.filter == AG_DENOISE_TI_HAAR ? "ti_haar" : "haar");
    for (int32_t layer = 0; layer < n->dst.shape->layers; ++layer) {
        if (haar->coarse)
            coarse_dispatches(n, haar, &c, layer);
        ag_dispatch d = {.shader = filter,
                         .images[AG_IMAGE_DST] = ag_picture_view(&n->dst, AG_WRITE, layer),
                         .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, n->reading),
                         .ranges[AG_SSBO_DENOISE_FROM] = ag_all(c.removed, AG_READ)};
        ag_dispatch_reads_picture(&d, &n->src, layer);
        add_dispatch(n, haar->tile, NULL, layer, &d);
    }
}
