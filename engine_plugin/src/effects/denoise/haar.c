// haar.c - the filters "haar" and "ti_haar" of "denoise", and the statistics before all filters
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/denoise/filters.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <math.h>
#include <string.h>

enum { SRC = AG_DENOISE_SRC, CELL = AG_DENOISE_TI_CELL };

AG_SETTINGS_OF(ag_denoise_settings)

// ---- plan --------------------------------------------------------------------------------------

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

// Steps from a tile that is counted to the next one, in x, y and layers.
static void sample(const ag_request *request, int32_t every[3])
{
    const ag_texture *src = &request->slots[SRC];
    int64_t across = ag_div_up(src->rect_width, AG_DENOISE_TILE),
            down = ag_div_up(src->rect_height, AG_DENOISE_TILE);
    every[0] = every[1] = every[2] = 1;
    for (;;) {
        int64_t x = (across + every[0] - 1) / every[0], y = (down + every[1] - 1) / every[1];
        int64_t layers = (src->layers + every[2] - 1) / every[2];
        if (x * y * layers <= AG_DENOISE_SAMPLED)
            return;
        ++every[layers >= x && layers >= y ? 2 : y > x ? 1 : 0];
    }
}

// Bytes of sums of cells of a layer and what share of the variance they have, or of R_3.
static int64_t coarse_bytes(const ag_haar *haar)
{
    return 4 * (AG_DENOISE_COMPONENTS + 1) * (int64_t)haar->grid[0] * haar->grid[1];
}

// What the filter takes from statistics.
static int32_t statistics_of(const ag_denoise_settings *s)
{
    return (s->sigma > 0 ? 0 : AG_DENOISE_SIGMAS) |
           (s->rule == AG_DENOISE_BAYES && s->filter < AG_DENOISE_ATROUS ? AG_DENOISE_ENERGIES : 0);
}

ag_status ag_haar_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                         ag_haar *haar)
{
    const ag_denoise_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    int32_t side = s.levels > 5 ? AG_DENOISE_TILE_LARGE : AG_DENOISE_TILE;
    *haar = (ag_haar){.tile = {side, side}, .fine = s.levels};
    sample(request, haar->every);
    if (s.filter == AG_DENOISE_ATROUS) // counts by itself
        return AG_OK;
    haar->statistics = statistics_of(&s);
    // The curve must be known before sigma is counted in its scale, and that before energies, which
    // are in units of sigma.
    bool sigmas = haar->statistics & AG_DENOISE_SIGMAS;
    haar->counting = (sigmas ? ag_denoise_has_curve(&s) ? 2 : 1 : 0) +
                     (haar->statistics & AG_DENOISE_ENERGIES ? 1 : 0);
    if (s.filter != AG_DENOISE_TI_HAAR)
        return AG_OK;
    haar->fine = s.levels < AG_DENOISE_TI_FINE ? s.levels : AG_DENOISE_TI_FINE;
    haar->coarse = s.levels - haar->fine;
    column_tile(src, haar->fine, haar->tile);
    if (!haar->coarse)
        return AG_OK;
    // Blocks that reach into the image begin up to 2^levels texels before it; two cells for R_3
    // between the last ones.
    haar->grid[2] = (1 << s.levels) / CELL;
    haar->grid[0] = (int32_t)ag_div_up(src->rect_width, CELL) + 2 * haar->grid[2] + 2;
    haar->grid[1] = (int32_t)ag_div_up(src->rect_height, CELL) + 2 * haar->grid[2] + 2;
    return ag_check_block(host, gl, request, SRC, coarse_bytes(haar));
}

// ---- parts of a dispatch -----------------------------------------------------------------------

static int32_t components_of(const ag_request *request)
{
    int32_t channels = request->formats[SRC]->channels;
    return channels > 2 ? AG_DENOISE_COMPONENTS : channels;
}

// ti_haar takes the noise of each texel by the number of its frames, and then sigma is that of one.
static const ag_picture *frames_of(const ag_denoise *n)
{
    return n->frames.format && n->s.filter == AG_DENOISE_TI_HAAR ? &n->frames : NULL;
}

static void define_frames(const ag_denoise *n, ag_shader *shader)
{
    const ag_picture *frames = frames_of(n);
    ag_shader_define_format(shader, "STATE_FORMAT", frames ? frames->format : NULL);
}

static void read_frames(const ag_denoise *n, ag_dispatch *d)
{
    const ag_picture *frames = frames_of(n);
    if (frames)
        d->images[AG_IMAGE_STATE] = ag_picture_view(frames, AG_READ, 0);
}

static ag_shader *shader_of(const ag_denoise *n, const char *path, int32_t levels)
{
    ag_shader *shader = ag_frame_shader(n->f, path);
    ag_shader_reads_picture(shader, &n->src);
    ag_shader_define(shader, "LEVELS", levels);
    ag_denoise_define(n, shader, n->s.space, components_of(n->request));
    return shader;
}

typedef struct counts {   // of a dispatch that counts
    float rate;           // of what is counted, the share that replaces former statistics
    const int32_t *every; // steps between tiles, in x, y and layers
    int32_t to;           // the set that results go to
} counts;

// What all dispatches have in common, and the uniforms. `d`: it has the rest. Groups: tiles, unless
// it has some. `c` NULL: it does not count.
static void add_dispatch(const ag_denoise *n, const ag_haar *haar, const int32_t tile[2],
                         const counts *c, int32_t layer, ag_dispatch *d)
{
    const ag_texture *t = n->src.shape;
    const int32_t all[] = {1, 1, 1}, *every = c ? c->every : all;
    uint32_t across = ag_groups(t->rect_width, tile[0] * every[0]),
             down = ag_groups(t->rect_height, tile[1] * every[1]),
             layers = ag_groups(n->dst.shape->layers, every[2]);
    ag_uniform uniforms[] = {
        [AG_DENOISE_UNIFORMS] = AG_INTS(AG_LOC_DENOISE_SETS, n->set, c ? c->to : 0, AG_DENOISE_LOW,
                                        (int32_t)lroundf(n->s.frames)),
        AG_INTS(AG_LOC_DENOISE_TILE, tile[0], tile[1], 0, 0),
        AG_INTS(AG_LOC_DENOISE_GRID, haar->grid[0], haar->grid[1], haar->grid[2], 0),
        AG_FLOATS(AG_LOC_DENOISE_STATISTICS, c ? c->rate : 0, (float)(across * down * layers),
                  (float)every[0], (float)every[1]),
    };
    ag_denoise_uniforms(n, layer, uniforms);
    d->ranges[AG_SSBO_INFO] = ag_all(n->info, AG_ADD);
    d->uniforms = uniforms;
    d->uniform_count = c ? 9 : 8;
    if (!d->groups[0])
        memcpy(d->groups, (uint32_t[3]){across, down, 1}, sizeof d->groups);
    ag_frame_dispatch(n->f, d);
}

// ---- statistics --------------------------------------------------------------------------------

// Counts the image: before the filter where that must be, which then waits, else beside it, into
// the set that the next execute reads.
static void count(ag_denoise *n, const ag_haar *haar)
{
    static const int32_t tile[] = {AG_DENOISE_TILE, AG_DENOISE_TILE};
    ag_denoise_facts *facts = ag_frame_facts(n->f);
    // Noise is measured in three levels. A tile has five.
    bool energies = haar->statistics & AG_DENOISE_ENERGIES;
    int32_t levels = energies ? ag_min(ag_max(n->s.levels, 3), 5) : 3;
    ag_shader *counter = shader_of(n, "denoise/statistics.comp", levels);
    ag_shader_define(counter, "TILE", AG_DENOISE_TILE);
    ag_shader_define(counter, "STATISTICS", haar->statistics);

    // A plan has the dispatches of the first frame, but bytes and groups of those that follow.
    bool planned = ag_frame_is_planned(n->f);
    bool first = !planned && (!facts->counted || (n->request->flags & AG_JOB_RESET));
    bool anew = n->s.exact || first;
    int32_t times = anew || planned ? haar->counting : 1;
    bool before = anew || n->s.filter == AG_DENOISE_DWT; // which makes variances of its own
    counts c = {1, haar->every, n->set};
    if (!anew) {
        c.rate = (float)-expm1(-(double)n->request->dt * (double)n->s.adapt);
        c.to = before ? n->set : 1 - n->set;
    }
    const ag_texture *t = n->src.shape;
    uint64_t bytes = (uint64_t)t->rect_width * (uint64_t)t->rect_height *
                     (uint64_t)n->src.format->bytes / (uint64_t)(haar->every[0] * haar->every[1]);
    ag_frame_step(n->f, "statistics");
    for (int32_t i = 0; i < times; ++i)
        for (int32_t layer = 0; layer < n->dst.shape->layers; layer += haar->every[2]) {
            // Each time counts in units of what the last time found; layers share out the counts.
            ag_dispatch d = {.shader = counter,
                             .ranges[AG_SSBO_DENOISE] =
                                 ag_all(n->statistics, i ? AG_WRITE : AG_ADD)};
            ag_dispatch_reads_picture(&d, &n->src, layer)->bytes =
                n->s.exact ? bytes : bytes / (uint64_t)times;
            add_dispatch(n, haar, tile, &c, layer, &d);
        }
    n->reading = before ? AG_READ : 0;
    if (ag_frame_is_recorded(n->f)) {
        facts->counted = true;
        facts->set = c.to;
    }
}

// ti_haar takes the noise of one frame, others that of what they filter.
void ag_haar_count(ag_denoise *n, const ag_haar *haar)
{
    ag_denoise of_frame = *n;
    if (frames_of(n))
        of_frame.src = n->frame;
    count(&of_frame, haar);
    n->reading = of_frame.reading;
}

// ---- haar, ti_haar -----------------------------------------------------------------------------

typedef struct coarse { // levels of ti_haar beyond the last dispatch's
    ag_shader *cell, *remove;
    ag_handle cells, removed;
} coarse;

static void name_coarse(const ag_denoise *n, const ag_haar *haar, coarse *c)
{
    int32_t components = components_of(n->request);
    c->cell = ag_frame_shader(n->f, "denoise/ti_haar_cells.comp");
    ag_shader_reads_picture(c->cell, &n->src);
    ag_denoise_define(n, c->cell, n->s.space, components);
    define_frames(n, c->cell);
    c->remove = ag_frame_shader(n->f, "denoise/ti_haar_coarse.comp");
    ag_denoise_define(n, c->remove, n->s.space, components);
    ag_shader_define(c->remove, "LEVELS", haar->coarse);
    ag_shader_define(c->remove, "HISTORY", frames_of(n) != NULL);
    ag_shader_define(c->remove, "THRESHOLD", n->s.threshold);
    c->cells = ag_scratch(n->f, "cells", (uint64_t)coarse_bytes(haar));
    c->removed = ag_scratch(n->f, "removed", (uint64_t)coarse_bytes(haar));
}

// Sums of cells, and what coarse levels remove of them.
static void coarse_dispatches(const ag_denoise *n, const ag_haar *haar, const coarse *c,
                              int32_t layer)
{
    const int32_t *grid = haar->grid;
    ag_dispatch d = {.shader = c->cell,
                     .ranges[AG_SSBO_DENOISE_TO] = ag_all(c->cells, AG_WRITE),
                     .groups = {ag_groups(grid[0], AG_DENOISE_TI_CELLS_X),
                                ag_groups(grid[1], AG_DENOISE_TI_CELLS_Y), 1}};
    ag_dispatch_reads_picture(&d, &n->src, layer);
    read_frames(n, &d);
    if (ag_denoise_has_curve(&n->s))
        d.ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, n->reading);
    add_dispatch(n, haar, haar->tile, NULL, layer, &d);
    d = (ag_dispatch){
        .shader = c->remove,
        .ranges[AG_SSBO_DENOISE] = ag_all(n->statistics, n->reading),
        .ranges[AG_SSBO_DENOISE_FROM] = ag_all(c->cells, AG_READ),
        .ranges[AG_SSBO_DENOISE_TO] = ag_all(c->removed, AG_WRITE),
        .groups = {2 * ag_groups(ag_div_up(grid[0], 2),
                                 AG_DENOISE_TI_WIDTH(AG_DENOISE_TI_COLUMNS, haar->coarse)),
                   2 * ag_groups(ag_div_up(grid[1], 2), AG_DENOISE_TI_ROWS),
                   (uint32_t)components_of(n->request)}};
    add_dispatch(n, haar, haar->tile, NULL, layer, &d);
}

static ag_shader *filter_shader(const ag_denoise *n, const ag_haar *haar)
{
    bool ti = n->s.filter == AG_DENOISE_TI_HAAR;
    ag_shader *shader = shader_of(n, ti ? "denoise/ti_haar.comp" : "denoise/haar.comp", haar->fine);
    define_frames(n, shader);
    ag_shader_define(shader, "SRC_TEXEL", n->src.format->hold);
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
        read_frames(n, &d);
        add_dispatch(n, haar, haar->tile, NULL, layer, &d);
    }
}
