// depth_of_field.c - the effect "depth_of_field": blurs a frame as a thin lens does, from its depth
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/focus/focus.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/sat_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_DEPTH_OF_FIELD_SRC, DEPTH = AG_DEPTH_OF_FIELD_DEPTH, DST = AG_DEPTH_OF_FIELD_DST };
enum { STATE = AG_DEPTH_OF_FIELD_STATE, SLOTS };

static const uint32_t state_formats[] = {GL_RGBA32F};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the frame, linear light", AG_READ),
    [DEPTH] = AG_SLOT("depth", "its depth, as `encoding` says", AG_READ, ag_depth_formats),
    [DST] = AG_COLOUR_SLOT("dst", "the frame as the lens sees it", AG_WRITE),
    [STATE] =
        AG_SLOT("state", "autofocus: one texel, 1/m in focus, 1/m shown, share used, 1 = valid",
                AG_READ | AG_WRITE | AG_STATE | AG_OPTIONAL, state_formats),
};

AG_SETTINGS(depth_of_field, DEPTH_OF_FIELD)
static const char *const shapes[] = {AG_FOCUS_SHAPE(AG_NAME)};
static const char *const storages[] = {AG_FOCUS_STORAGE(AG_NAME)};

// ---- check -------------------------------------------------------------------------------------

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_depth_of_field_settings s = settings_of(request);
    AG_TRY(ag_check_same_size(host, request, DEPTH, SRC));
    AG_TRY(ag_check_same_size(host, request, DST, SRC));
    AG_TRY(ag_box_check_size(host, request));
    AG_TRY(ag_check_one_sample(host, request, DEPTH));
    AG_TRY(ag_autofocus_check(host, request));
    if (s.encoding != AG_ENCODING_LINEAR && s.far_plane > 0 && !(s.far_plane > s.near_plane))
        return ag_fail(host, AG_E_ARG,
                       "depth_of_field: far_plane is %g, near_plane %g; far_plane must be larger, "
                       "or 0 for infinitely far",
                       (double)s.far_plane, (double)s.near_plane);
    if (s.method == AG_FOCUS_GATHER && request->tuning.without & AG_WITHOUT_TEXTURE_UNITS)
        return ag_fail(
            host, AG_E_ARG,
            "depth_of_field: method = gather needs texture units, which this device goes "
            "without; set auto or tables");
    if (s.blades == 1 || s.blades == 2)
        return ag_fail(host, AG_E_ARG,
                       "depth_of_field: blades is %d; an iris has at least 3, or 0 for round",
                       s.blades);
    return AG_OK;
}

// A plan depends on whether there is a step for the focus.
static void shape(const ag_request *request, ag_shape *shape)
{
    ag_request copy = *request;
    ag_depth_of_field_settings s = settings_of(request);
    s.focus = s.focus == AG_FOCUS_AUTOFOCUS;
    memcpy(&copy.settings, &s, sizeof s);
    ag_shape_by_tables(&copy, shape);
}

// ---- what both methods share -------------------------------------------------------------------

ag_focus_grid ag_focus_tiles(const ag_texture *src)
{
    ag_focus_grid t = {ag_div_up(src->rect_width, AG_FOCUS_TILE),
                       ag_div_up(src->rect_height, AG_FOCUS_TILE), 0, 0};
    t.tiles = (uint32_t)(t.across * t.down);
    t.bytes = 32 * (uint64_t)t.tiles * (uint64_t)src->layers;
    return t;
}

void ag_lens_uniforms(ag_uniform *u, const ag_request *request, int32_t layer)
{
    const ag_depth_of_field_settings s = settings_of(request);
    const ag_texture *depth = &request->slots[DEPTH];
    int32_t w = depth->rect_width, h = depth->rect_height;
    double nearest = 1 / (double)s.near_plane, focal = (double)s.focal_length / 1000;
    double farthest = s.far_plane > 0 ? 1 / (double)s.far_plane : 0;
    double k = focal * focal * h / (2 * (double)s.f_number * (double)s.sensor_height / 1000);
    bool linear = s.encoding == AG_ENCODING_LINEAR, forward = s.encoding == AG_ENCODING_FORWARD;
    double first = forward ? nearest : farthest, last = forward ? farthest : nearest;
    int32_t x = (int32_t)floor((double)s.focus_x * w), y = (int32_t)floor((double)s.focus_y * h);
    u[0] = (ag_uniform)AG_FLOATS(AG_LOC_FOCUS_LENS, (float)first, (float)(last - first), linear,
                                 (float)k);
    u[1] = (ag_uniform)AG_FLOATS(AG_LOC_FOCUS_DISTANCE,
                                 s.focus == AG_FOCUS_POINT       ? 0
                                 : s.focus == AG_FOCUS_AUTOFOCUS ? -s.focus_distance
                                                                 : s.focus_distance,
                                 (float)focal, (float)(focal + 1e4 * k), s.max_radius);
    u[2] = (ag_uniform)AG_INTS(AG_LOC_FOCUS_DEPTH, depth->rect_x, depth->rect_y,
                               depth->first_layer + layer, layer * h);
    u[3] = (ag_uniform)AG_INTS(AG_LOC_FOCUS_POINT, x < w ? x : w - 1, y < h ? y : h - 1, 0, 0);
}

ag_uniform ag_focus_tile_uniform(const ag_request *request, const ag_focus_grid *t, int32_t layer)
{
    double radius = (double)settings_of(request).max_radius;
    return (ag_uniform)AG_INTS(AG_LOC_FOCUS_TILES, t->across, t->down, layer * t->across * t->down,
                               (int32_t)ceil(radius / AG_FOCUS_TILE) + 1);
}

void ag_focus_bind_depth(const ag_frame *f, int32_t layer, ag_block focus, ag_dispatch *d)
{
    d->ranges[AG_SSBO_FOCUS_DISTANCE] = focus;
    bool depth = ag_frame_request(f)->formats[DEPTH]->depth;
    *(depth ? &d->textures[1] : &d->images[AG_IMAGE_FOCUS_DEPTH]) =
        ag_slot_view(DEPTH, AG_READ, layer);
}

void ag_focus_depth_defines(const ag_frame *f, ag_shader *shader)
{
    const ag_request *request = ag_frame_request(f);
    bool array = request->slots[DEPTH].target == GL_TEXTURE_2D_ARRAY;
    ag_shader_define(shader, "DEPTH_UNIT", !request->formats[DEPTH]->depth ? 0 : array ? 2 : 1);
}

static void spread(ag_frame *f, ag_shader *shader, const ag_focus_grid *grid,
                   const ag_handle tiles[2], ag_handle work, int32_t layer, bool columns)
{
    const ag_uniform uniforms[] = {ag_focus_tile_uniform(ag_frame_request(f), grid, layer),
                                   AG_INTS(AG_LOC_FOCUS_AXIS, !columns, columns, 0, 0)};
    ag_frame_dispatch(
        f, &(ag_dispatch){.shader = shader,
                          .ranges[AG_SSBO_FOCUS_TILES] = ag_all(tiles[columns], AG_READ),
                          .ranges[AG_SSBO_FOCUS_SPREAD] = ag_all(tiles[!columns], AG_WRITE),
                          .ranges[AG_SSBO_GATHER_WORK] =
                              ag_all(work, columns ? AG_READ | AG_WRITE : 0),
                          AG_UNIFORMS(uniforms),
                          .groups = {ag_groups(grid->across * grid->down, 64), 1, 1}});
}

void ag_focus_spread(ag_frame *f, ag_shader *const shaders[2], const ag_focus_grid *grid,
                     const ag_handle tiles[2], ag_handle work)
{
    for (int columns = 0; columns < 2; ++columns)
        for (int32_t i = 0; i < ag_frame_request(f)->slots[SRC].layers; ++i)
            spread(f, shaders[columns], grid, tiles, work, i, columns);
}

// ---- method = tables ---------------------------------------------------------------------------

static ag_status tables_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                               void *out)
{
    bool exact = settings_of(request).storage == AG_FOCUS_DOUBLE_FLOAT;
    AG_TRY(ag_boxes_plan(host, gl, request, ag_format_find(GL_RGBA16F),
                         exact ? AG_TABLE_DOUBLE : AG_TABLE_FLOAT32, false, out));
    return ag_check_block(host, gl, request, SRC,
                          (int64_t)ag_focus_tiles(&request->slots[SRC]).bytes);
}

typedef struct focus {
    ag_focus_grid grid;
    ag_picture layers[2]; // near, far: RGBA16F
    ag_handle tiles[2];   // focus/tiles.glsl: of split and of both directions, and between those
    ag_table table;       // of the near layer, then of the far layer
    ag_block focus;
    ag_shader *split, *spread, *blur[2], *compose;
} focus;

static void split(ag_frame *f, const focus *c, int32_t layer)
{
    const ag_request *request = ag_frame_request(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    ag_uniform uniforms[2 + AG_LENS_UNIFORMS + 1];
    ag_read_uniforms(uniforms, &src, 4, settings_of(request).scrub, layer);
    ag_lens_uniforms(uniforms + 2, request, layer);
    uniforms[2 + AG_LENS_UNIFORMS] = ag_focus_tile_uniform(request, &c->grid, layer);
    ag_dispatch d = {
        .shader = c->split,
        .images[AG_IMAGE_SRC] = ag_picture_view(&src, AG_READ, layer),
        .images[AG_IMAGE_FOCUS_FAR] = ag_picture_view(&c->layers[AG_FOCUS_FAR], AG_WRITE, layer),
        .images[AG_IMAGE_FOCUS_NEAR] = ag_picture_view(&c->layers[AG_FOCUS_NEAR], AG_WRITE, layer),
        .ranges[AG_SSBO_FOCUS_TILES] = ag_all(c->tiles[0], AG_WRITE),
        .ranges[AG_SSBO_INFO] = ag_all(c->table.io.info, AG_ADD),
        AG_UNIFORMS(uniforms),
        .groups = {(uint32_t)c->grid.across, (uint32_t)c->grid.down, 1}};
    ag_focus_bind_depth(f, layer, c->focus, &d);
    ag_frame_dispatch(f, &d);
}

// Blurs a layer by its table.
static void blur(ag_frame *f, const focus *c, int which, int32_t layer)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *shape = &c->table.shape;
    const int32_t w = shape->rect_width, h = shape->rect_height;
    ag_uniform uniforms[3 + AG_LENS_UNIFORMS] = {
        [1] = AG_INTS(AG_LOC_BOX_SIZE, w, h, layer * h, 0),
        [2] = ag_focus_tile_uniform(request, &c->grid, layer),
    };
    ag_dispatch d = {.shader = c->blur[which],
                     AG_UNIFORMS(uniforms),
                     .groups = {(uint32_t)c->grid.across, (uint32_t)c->grid.down, 1}};
    uniforms[0] = ag_boxes_bind(&c->table, layer, &d);
    ag_lens_uniforms(uniforms + 3, request, layer);
    if (which == AG_FOCUS_FAR) {
        ag_focus_bind_depth(f, layer, c->focus, &d);
        d.images[AG_IMAGE_FOCUS_FAR] = ag_picture_view(&c->layers[AG_FOCUS_FAR], AG_WRITE, layer);
    } else {
        d.images[AG_IMAGE_FOCUS_NEAR] = ag_picture_view(&c->layers[AG_FOCUS_NEAR], AG_WRITE, layer);
        d.ranges[AG_SSBO_FOCUS_TILES] = ag_all(c->tiles[0], AG_READ);
    }
    ag_frame_dispatch(f, &d);
}

static void compose(ag_frame *f, const focus *c, int32_t layer)
{
    const ag_request *request = ag_frame_request(f);
    const ag_picture src = ag_slot_picture(f, SRC);
    ag_uniform uniforms[4 + AG_LENS_UNIFORMS] = {
        [2] = ag_rect_uniform(AG_LOC_DST_RECT, &request->slots[DST]),
        [3] = ag_focus_tile_uniform(request, &c->grid, layer),
    };
    ag_read_uniforms(uniforms, &src, 4, settings_of(request).scrub, layer);
    ag_lens_uniforms(uniforms + 4, request, layer);
    ag_dispatch d = {
        .shader = c->compose,
        .images[AG_IMAGE_SRC] = ag_picture_view(&src, AG_READ, layer),
        .images[AG_IMAGE_DST] = ag_slot_view(DST, AG_WRITE, layer),
        .images[AG_IMAGE_FOCUS_BLURRED] = ag_picture_view(&c->layers[AG_FOCUS_FAR], AG_READ, layer),
        .images[AG_IMAGE_FOCUS_NEAR] = ag_picture_view(&c->layers[AG_FOCUS_NEAR], AG_READ, layer),
        .ranges[AG_SSBO_FOCUS_TILES] = ag_all(c->tiles[0], AG_READ),
        AG_UNIFORMS(uniforms),
        .groups = {(uint32_t)c->grid.across, (uint32_t)c->grid.down, 1}};
    ag_focus_bind_depth(f, layer, c->focus, &d);
    ag_frame_dispatch(f, &d);
}

static ag_shader *shader_of(ag_frame *f, const char *path, bool reads_src, bool reads_depth,
                            const ag_box_query *table)
{
    const ag_request *request = ag_frame_request(f);
    ag_shader *shader =
        reads_src ? ag_picture_shader(f, path, request->formats[SRC]) : ag_frame_shader(f, path);
    if (reads_depth)
        ag_focus_depth_defines(f, shader);
    if (!table)
        return shader;
    ag_box_defines(shader, table);
    ag_shader_define(shader, "SHAPE", settings_of(request).shape);
    return shader;
}

static void tables_frame(ag_frame *f)
{
    static const char *const names[] = {"near layer", "far layer"};
    const ag_request *request = ag_frame_request(f);
    const ag_depth_of_field_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    const int32_t layers = src->layers;
    ag_frame_text(f, "depth_of_field: %dx%d, %s; near and far layer, tables %s less the mean, ",
                  src->rect_width, src->rect_height, shapes[s.shape], storages[s.storage]);
    ag_boxes_say(f, ag_frame_design(f));
    focus c = {.grid = ag_focus_tiles(src)};
    for (int i = 0; i < 2; ++i)
        c.layers[i] = ag_boxes_picture(f, names[i], GL_RGBA16F, &c.table.shape);
    c.tiles[0] = ag_scratch(f, "tiles", c.grid.bytes);
    c.tiles[1] = ag_scratch(f, "spread tiles", c.grid.bytes);
    ag_boxes_begin(f, ag_frame_design(f), &c.layers[AG_FOCUS_NEAR], ag_frame_info(f), false,
                   &c.table);
    const ag_box_query query = ag_boxes_query(&c.table);
    c.focus = ag_autofocus_step(f);
    c.split = shader_of(f, "focus/split.comp", true, true, NULL);
    ag_shader_define(c.split, "STORE", AG_STORE_16F);
    c.spread = shader_of(f, "focus/spread.comp", false, false, NULL);
    ag_shader_define(c.spread, "LISTS", 0);
    for (int which = AG_FOCUS_NEAR; which <= AG_FOCUS_FAR; ++which) {
        c.blur[which] = shader_of(f, "focus/blur.comp", false, which == AG_FOCUS_FAR, &query);
        ag_shader_define(c.blur[which], "LAYER", which);
        ag_shader_define(c.blur[which], "STORE", AG_STORE_16F);
    }
    c.compose = shader_of(f, "focus/compose.comp", true, true, NULL);
    ag_shader_define(c.compose, "STORE", request->formats[DST]->store);

    ag_frame_step(f, "split");
    for (int32_t i = 0; i < layers; ++i)
        split(f, &c, i);
    ag_frame_step(f, "spread");
    ag_focus_spread(f, (ag_shader *const[]){c.spread, c.spread}, &c.grid, c.tiles, (ag_handle){0});
    for (int which = AG_FOCUS_NEAR; which <= AG_FOCUS_FAR; ++which) {
        ag_frame_step(f, which == AG_FOCUS_NEAR ? "near" : "far");
        c.table.io.src = c.layers[which];
        ag_table_steps(f, &c.table, false, false);
        for (int32_t i = 0; i < layers; ++i)
            blur(f, &c, which, i);
    }
    ag_frame_step(f, "compose");
    for (int32_t i = 0; i < layers; ++i)
        compose(f, &c, i);
}

// ---- effect ------------------------------------------------------------------------------------

typedef struct focus_design {
    ag_sat_plan tables; // the first member: tables_frame takes it
    bool gathers;
} focus_design;

// Gather's layers are read between texels, by texture units.
static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    focus_design *d = out;
    int32_t method = settings_of(request).method;
    bool units = !(request->tuning.without & AG_WITHOUT_TEXTURE_UNITS);
    d->gathers =
        method == AG_FOCUS_GATHER || (method == AG_FOCUS_AUTO && units && ag_gather_fits(gl));
    return d->gathers ? ag_gather_design(host, gl, request)
                      : tables_design(host, gl, request, &d->tables);
}

static void frame(ag_frame *f)
{
    const focus_design *d = ag_frame_design(f);
    if (d->gathers)
        ag_gather_frame(f);
    else
        tables_frame(f);
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    static const ag_texture texel = {.rect_width = 1, .rect_height = 1, .layers = 1};
    ag_size_like(slot == STATE ? &texel : &request->slots[SRC], size);
}

const ag_effect ag_effect_depth_of_field = {
    .info = AG_EFFECT_INFO("depth_of_field", "blurs a frame as a thin lens does, from its depth",
                           AG_IMAGE_TABLES, AG_TEXTURE_GATHER_COUNT),
    .check = check,
    .shape = shape,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(focus_design),
};
