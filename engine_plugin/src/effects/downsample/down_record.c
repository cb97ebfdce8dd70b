// down_record.c - records the dispatches of the effect "downsample"
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/downsample/downsample.h"

#include <math.h>
#include <string.h>

AG_SETTINGS_OF(ag_downsample_settings)

// Where 1 / (W W') of the weights' sums is split in two floats, and where weights become floats
// below 1.
static ag_uniform scale_of(int32_t target, const ag_down_axis axes[2])
{
    int ex, ey;
    frexp((double)axes[0].from - 0.5, &ex); // 2^ex >= from > 2^(ex - 1)
    frexp((double)axes[1].from - 0.5, &ey);
    double all = ldexp(1, ex + ey) / ((double)axes[0].from * (double)axes[1].from);
    float high = (float)all, low = (float)(all - (double)high);
    return (ag_uniform)AG_FLOATS(AG_LOC_DOWN_SCALE + target, high, low, (float)ldexp(1, -ex),
                                 (float)ldexp(1, -ey));
}

enum { OF_TARGET = 4, OF_ALL = 6, MAX_UNIFORMS = OF_ALL + OF_TARGET * AG_DOWN_TARGETS };

typedef struct call { // a dispatch being put together
    ag_recording *recording;
    const ag_request *request;
    const ag_down_state *state;
    int32_t layer;
    ag_source_texture src;
    ag_uniform uniforms[MAX_UNIFORMS];
    ag_gl_dispatch dispatch;
} call;

static void add(call *c, ag_uniform uniform)
{
    c->uniforms[c->dispatch.uniform_count++] = uniform;
    c->dispatch.uniforms = c->uniforms;
}

static void add_ints(call *c, int32_t location, int32_t x, int32_t y, int32_t z, int32_t w)
{
    add(c, (ag_uniform)AG_INTS(location, x, y, z, w));
}

// A dispatch of a layer that reads the source; its targets are added next.
static void begin(call *c, ag_recording *recording, const ag_request *request,
                  const ag_down_state *state, const ag_program *program, int32_t layer)
{
    const ag_down_detail *d = &state->detail;
    *c = (call){.recording = recording, .request = request, .state = state, .layer = layer};
    c->src = ag_source_of(recording->gpu, request, AG_DOWNSAMPLE_SRC);
    c->dispatch.program = program;
    c->dispatch.ranges[AG_SSBO_INFO] = ag_whole(&state->base.info);
    ag_source_uniforms(c->uniforms, &c->src, c->src.format->channels, settings_of(request).scrub,
                       layer);
    c->dispatch.uniform_count = 2;
    c->dispatch.uniforms = c->uniforms;
    ag_bind_source(&c->dispatch, request, AG_DOWNSAMPLE_SRC, &c->src, layer);
    if (d->settings.weight)
        add_ints(c, AG_LOC_DOWN_MODE, d->settings.weight == AG_DOWN_WEIGHT_KARIS, 0, 0, 0);
}

// Target number `index` of the effect as number `as` of the dispatch.
static void add_target(call *c, int32_t index, int32_t as)
{
    const ag_down_detail *d = &c->state->detail;
    const ag_down_target *t = &d->plan.targets[index];
    const ag_down_axis *axes = d->axes[index];
    ag_source_texture dst = ag_source_of(c->recording->gpu, c->request, d->slots[index]);
    c->dispatch.images[AG_IMAGE_TARGET + as] = ag_write_image(&dst, c->layer);
    add_ints(c, AG_LOC_DOWN_AXES + as, axes[0].from, axes[0].to, axes[1].from, axes[1].to);
    add_ints(c, AG_LOC_DOWN_DST + as, dst.texture->rect_x, dst.texture->rect_y,
             dst.texture->rect_width, dst.texture->rect_height);
    add_ints(c, AG_LOC_DOWN_SHARE + as,
             d->plan.method == AG_DOWN_BLOCKS ? t->block_lanes : t->lanes, t->begin, t->cells[0],
             t->cells[1]);
    add(c, scale_of(as, axes));
}

static void end(call *c, int32_t x, int32_t y)
{
    c->dispatch.groups[0] = (uint32_t)x;
    c->dispatch.groups[1] = (uint32_t)y;
    c->dispatch.groups[2] = 1;
    ag_record(c->recording, &c->dispatch);
}

// ---- the methods -------------------------------------------------------------------------------

// A target by itself: tile, columns, register_columns, and the samplers' filters.
static void record_alone(ag_recording *recording, const ag_request *request,
                         const ag_down_state *state, int32_t index, int32_t layer)
{
    const ag_down_detail *d = &state->detail;
    const ag_down_axis *axes = d->axes[index];
    bool area = d->settings.filter == AG_DOWN_AREA;
    int32_t method = area ? d->plan.method : AG_DOWN_TILE;
    call c;
    begin(&c, recording, request, state, state->programs[index], layer);
    add_target(&c, index, 0);
    if (method == AG_DOWN_COLUMNS) {
        const ag_down_columns *cut = &d->plan.targets[index].columns;
        add_ints(&c, AG_LOC_DOWN_TILE, cut->outputs, cut->sharing, cut->lanes, cut->runs);
        end(&c, cut->groups[0], cut->groups[1]);
    } else if (method == AG_DOWN_REGISTER_COLUMNS) {
        end(&c, ag_div_up(axes[0].size, AG_DOWN_BLOCK), ag_div_up(axes[1].size, AG_DOWN_BLOCK));
    } else {
        end(&c, ag_div_up(axes[0].outputs, AG_DOWN_TILE_WIDTH),
            ag_div_up(axes[1].outputs, AG_DOWN_TILE_HEIGHT));
    }
}

static void record_sums(ag_recording *recording, const ag_request *request,
                        const ag_down_state *state, int32_t layer)
{
    const ag_down_plan *p = &state->detail.plan;
    call c;
    begin(&c, recording, request, state, state->programs[0], layer);
    for (int32_t i = 0; i < p->count; ++i)
        add_target(&c, i, i);
    add_ints(&c, AG_LOC_DOWN_TILE, p->rows, p->tiles[0], p->tiles[1],
             (int32_t)(layer * p->entries));
    c.dispatch.ranges[AG_SSBO_PARTIALS] = request->scratch;
    end(&c, p->tiles[0], p->tiles[1]);
}

static void record_blocks(ag_recording *recording, const ag_request *request,
                          const ag_down_state *state, int32_t layer)
{
    const ag_down_plan *p = &state->detail.plan;
    call c;
    begin(&c, recording, request, state, state->programs[0], layer);
    for (int32_t i = 0; i < p->count; ++i)
        add_target(&c, i, i);
    add_ints(&c, AG_LOC_DOWN_TILE, p->blocks.cells[0], p->blocks.cells[1], p->blocks.larger, 0);
    end(&c, p->blocks.groups[0], p->blocks.groups[1]);
}

static void record_finish(ag_recording *recording, const ag_request *request,
                          const ag_down_state *state, int32_t index, int32_t layer)
{
    const ag_down_plan *p = &state->detail.plan;
    const ag_down_target *t = &p->targets[index];
    call c;
    begin(&c, recording, request, state, state->second, layer);
    add_target(&c, index, 0);
    add_ints(&c, AG_LOC_DOWN_TILE, p->rows, p->tiles[0], p->tiles[1],
             (int32_t)(layer * p->entries));
    add_ints(&c, AG_LOC_DOWN_FINISH, t->finish_lanes, 0, 0, 0);
    c.dispatch.ranges[AG_SSBO_PARTIALS] = request->scratch;
    end(&c, ag_div_up(t->axes[0].outputs, AG_DOWN_LANES / t->finish_lanes), t->axes[1].outputs);
}

// `columns`: the second of the two passes.
static void record_lanczos(ag_recording *recording, const ag_request *request,
                           const ag_down_state *state, bool columns, int32_t index, int32_t layer)
{
    const ag_down_detail *d = &state->detail;
    const ag_down_axis *axes = d->axes[index];
    int64_t texels = (int64_t)axes[0].outputs * axes[1].size, bytes = 16 * texels;
    call c;
    begin(&c, recording, request, state, columns ? state->second : state->programs[0], layer);
    add_target(&c, index, 0);
    add_ints(&c, AG_LOC_DOWN_TILE, 0, 0, 0, (int32_t)(layer * texels));
    add_ints(&c, AG_LOC_DOWN_TAPS, axes[0].size, axes[1].size,
             ag_down_lanczos_taps(&axes[columns], d->settings.radius), d->settings.radius);
    c.dispatch.ranges[AG_SSBO_PARTIALS] =
        ag_part(request->scratch, (uint64_t)d->begin[index],
                (uint64_t)(bytes * request->slots[AG_DOWNSAMPLE_SRC].layers));
    c.dispatch.ranges[AG_SSBO_TAPS] = ag_whole(state->taps[index][columns]);
    end(&c, ag_div_up(axes[0].outputs, 32), ag_div_up(columns ? axes[1].outputs : axes[1].size, 4));
}

// ---- all of it ---------------------------------------------------------------------------------

typedef void record_layer(ag_recording *, const ag_request *, const ag_down_state *, int32_t index,
                          int32_t layer);

static void rows_of_lanczos(ag_recording *recording, const ag_request *request,
                            const ag_down_state *state, int32_t index, int32_t layer)
{
    record_lanczos(recording, request, state, false, index, layer);
}

static void columns_of_lanczos(ag_recording *recording, const ag_request *request,
                               const ag_down_state *state, int32_t index, int32_t layer)
{
    record_lanczos(recording, request, state, true, index, layer);
}

static void all_sums(ag_recording *recording, const ag_request *request, const ag_down_state *state,
                     int32_t index, int32_t layer)
{
    if (index == 0) // of all targets
        record_sums(recording, request, state, layer);
}

static void all_blocks(ag_recording *recording, const ag_request *request,
                       const ag_down_state *state, int32_t index, int32_t layer)
{
    if (index == 0)
        record_blocks(recording, request, state, layer);
}

static void finish_those_cut(ag_recording *recording, const ag_request *request,
                             const ag_down_state *state, int32_t index, int32_t layer)
{
    if (state->detail.plan.targets[index].finishes)
        record_finish(recording, request, state, index, layer);
}

// No two of a step's dispatches wait for each other.
static void each(ag_recording *recording, const ag_request *request, const ag_down_state *state,
                 record_layer *record)
{
    for (int32_t i = 0; i < state->detail.plan.count; ++i)
        for (int32_t layer = 0; layer < request->slots[AG_DOWNSAMPLE_SRC].layers; ++layer)
            record(recording, request, state, i, layer);
}

void ag_down_record(ag_recording *recording, const ag_request *request, const ag_down_state *state)
{
    const ag_down_detail *d = &state->detail;
    bool lanczos = d->settings.filter == AG_DOWN_LANCZOS;
    bool area = d->settings.filter == AG_DOWN_AREA;
    bool sums = area && d->plan.method == AG_DOWN_PARTIAL_SUMS;
    bool blocks = area && d->plan.method == AG_DOWN_BLOCKS;
    ag_record_step(recording, 0, ag_down_step_name(d, 0), false);
    each(recording, request, state,
         lanczos  ? rows_of_lanczos
         : sums   ? all_sums
         : blocks ? all_blocks
                  : record_alone);
    if (!ag_down_step_name(d, 1))
        return;
    ag_record_step(recording, 1, ag_down_step_name(d, 1), true);
    each(recording, request, state, lanczos ? columns_of_lanczos : finish_those_cut);
}
