// depth_of_field.c - the effect "depth_of_field": blurs a frame as a thin lens does, from its depth
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/sat/box_old.h"
#include "shaders/focus/interface.h"

#include <afterglow/depth_of_field.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_DEPTH_OF_FIELD_SRC, DEPTH = AG_DEPTH_OF_FIELD_DEPTH, DST = AG_DEPTH_OF_FIELD_DST };
enum { SLOTS = 3, MAX_RADIUS = 128 };
enum { SPLIT, SPREAD, NEAR, FAR, COMPOSE, STEPS }; // steps, and programs

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the frame, linear light", AG_READ),
    [DEPTH] = AG_SLOT("depth", "its depth, as `encoding` says", AG_READ, ag_depth_formats),
    [DST] = AG_COLOUR_SLOT("dst", "the frame as the lens sees it", AG_WRITE),
};

static const char *const focuses[] = {"distance", "point"};
static const char *const encodings[] = {"forward", "reversed", "linear"};
static const char *const shapes[] = {"box", "smooth", "disc"};
static const char *const storages[] = {"float32", "double_float"};

#define SETTINGS ag_depth_of_field_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(focus, "what is in focus: a distance, or what a point of the frame shows", focuses),
    AG_REAL(focus_distance, "m", "in focus", 0.001, 1e6, 10),
    AG_REAL(focus_x, "", "of the point; 0 left, 1 right", 0, 1, 0.5),
    AG_REAL(focus_y, "", "of the point; 0 at row 0", 0, 1, 0.5),
    AG_REAL(f_number, "", "focal length over the lens's diameter; less blurs more", 0.5, 64, 2.8),
    AG_REAL(focal_length, "mm", "of the lens; more blurs more", 1, 2000, 50),
    AG_REAL(sensor_height, "mm", "that the frame's height shows", 1, 1000, 24),
    AG_CHOICE(encoding, "what depth holds: 0..1 from near to far, 1..0, or metres", encodings),
    AG_REAL(near_plane, "m", "of the camera; not for linear", 0.001, 1e6, 0.1),
    AG_REAL(far_plane, "m", "of the camera, 0 = infinitely far; not for linear", 0, 1e9, 1000),
    AG_REAL(max_radius, "texels", "larger blurs are cut", 1, MAX_RADIUS, 32),
    AG_CHOICE_FROM(shape, "of the light of a point: 1, 3 or 7 boxes", shapes, AG_SHAPE_DISC,
                   AG_PREPARE_PLAN),
    AG_CHOICE(storage, "precision of the tables", storages, AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count NaN, Inf and what is too large to be summed as 0", 1),
};

typedef struct focus_plan {
    ag_sat_plan table; // of the near layer, then of the far layer
    int32_t tiles_x, tiles_y;
} focus_plan;

typedef struct focus_state {
    ag_state base;
    focus_plan plan;
    const ag_program *programs[STEPS];
    ag_box_table table;
    ag_memory layers[2]; // near, far: RGBA16F, the image's layers below each other
    ag_memory tiles[2];  // focus/tiles.glsl: of split and of both directions, and between those
    ag_texture shape;    // of `layers`
} focus_state;

AG_SETTINGS_OF(ag_depth_of_field_settings)

// ---- check -------------------------------------------------------------------------------------

static bool is_multisampled(const ag_texture *t)
{
    return t->target == GL_TEXTURE_2D_MULTISAMPLE || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_depth_of_field_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *depth = &request->slots[DEPTH];
    ag_status status = ag_check_same_size(host, request, DEPTH, SRC);
    if (status >= 0)
        status = ag_check_same_size(host, request, DST, SRC);
    if (status >= 0)
        status = ag_box_check_size(host, request);
    if (status < 0)
        return status;
    if (is_multisampled(depth))
        return ag_fail(host, AG_E_ARG,
                       "depth_of_field: depth is multisampled; resolve it before, to one sample");
    if (s.encoding != AG_ENCODING_LINEAR && s.far_plane > 0 && !(s.far_plane > s.near_plane))
        return ag_fail(host, AG_E_ARG,
                       "depth_of_field: far_plane is %g, near_plane %g; far_plane must be larger, "
                       "or 0 for infinitely far",
                       (double)s.far_plane, (double)s.near_plane);
    int32_t plan[] = {(int32_t)src->format,
                      (int32_t)depth->format,
                      (int32_t)request->slots[DST].format,
                      src->rect_width,
                      src->rect_height,
                      src->layers,
                      s.shape,
                      s.storage,
                      (int32_t)src->target,
                      (int32_t)depth->target};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static const ag_format *layer_format(void)
{
    return ag_format_find(GL_RGBA16F);
}

// A half of the tiles' memory: 2 vec4 a tile and layer.
static uint64_t tile_bytes(const ag_request *request, const focus_plan *p)
{
    return 32 * (uint64_t)p->tiles_x * (uint64_t)p->tiles_y * (uint64_t)request->slots[SRC].layers;
}

// A step with a table: of the near or of the far layer.
static ag_step table_step(const ag_request *request, const focus_plan *p, ag_step step)
{
    for (int32_t k = 0; k < p->table.steps; ++k) {
        ag_sat_step part = ag_sat_step_of(&p->table, k);
        step.dispatches += (uint32_t)request->slots[SRC].layers;
        step.bytes += (uint64_t)part.bytes;
        step.instructions += (uint64_t)part.instructions;
        if ((uint32_t)part.shared_bytes > step.shared_bytes)
            step.shared_bytes = (uint32_t)part.shared_bytes;
    }
    return step;
}

static void describe_steps(const ag_request *request, const focus_plan *p, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    uint64_t texels = ag_slot_texels(request, SRC);
    uint64_t colour = (uint64_t)request->formats[SRC]->bytes;
    uint64_t depth = (uint64_t)request->formats[DEPTH]->bytes;
    uint64_t entry = settings_of(request).storage == AG_FOCUS_DOUBLE_FLOAT ? 32 : 16;
    uint32_t layers = (uint32_t)src->layers, tiles = (uint32_t)(p->tiles_x * p->tiles_y);
    ag_step grid = {.dispatches = layers,
                    .groups = {(uint32_t)p->tiles_x, (uint32_t)p->tiles_y, 1}};
    for (int i = 0; i < STEPS; ++i)
        plan->steps[i] = grid;
    plan->steps[SPLIT].name = "split";
    plan->steps[SPLIT].shared_bytes = 20 * AG_FOCUS_TILE * AG_FOCUS_TILE;
    plan->steps[SPLIT].bytes = texels * (colour + depth + 16);
    plan->steps[SPLIT].instructions = texels * 80;
    plan->steps[SPREAD] = (ag_step){.name = "spread",
                                    .dispatches = 2 * layers,
                                    .groups = {(tiles + 63) / 64, 1, 1},
                                    .bytes = 4 * tile_bytes(request, p),
                                    .instructions = (uint64_t)tiles * layers * 2 * 19 * 12};
    plan->steps[NEAR].name = "near";
    plan->steps[NEAR].bytes = texels * (entry + 8);
    plan->steps[NEAR].instructions = texels * 500;
    plan->steps[FAR].name = "far";
    plan->steps[FAR].bytes = texels * (entry + 8 + depth);
    plan->steps[FAR].instructions = texels * 500;
    plan->steps[COMPOSE].name = "compose";
    plan->steps[COMPOSE].bytes =
        texels * (16 + colour + depth + (uint64_t)request->formats[DST]->bytes);
    plan->steps[COMPOSE].instructions = texels * 80;
    for (int i = NEAR; i <= FAR; ++i)
        plan->steps[i] = table_step(request, p, plan->steps[i]);
    plan->head.step_count = STEPS;
}

static void describe(const ag_request *request, const focus_plan *p, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    uint64_t texels = ag_slot_texels(request, SRC);
    describe_steps(request, p, plan);
    ag_plan_scratch(plan, (uint64_t)p->table.scratch_bytes, FAR);
    for (int i = 0; i < SLOTS; ++i)
        ag_plan_slot(plan, request, i, i == DST ? COMPOSE : SPLIT, COMPOSE);
    plan->head.persistent_bytes =
        AG_INFO_BYTES + ag_box_table_bytes(&p->table) + 2 * 8 * texels + 2 * tile_bytes(request, p);
    char how[128];
    ag_sat_plan_describe(&p->table, how, sizeof how);
    snprintf(plan->head.text, sizeof plan->head.text,
             "depth_of_field: %dx%d, %s; near and far layer, tables %s less the mean, by %s; query "
             "by %s",
             src->rect_width, src->rect_height, shapes[settings_of(request).shape],
             storages[settings_of(request).storage], how,
             ag_sat_query_text(&p->table.request, p->table.request.query));
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    focus_plan *p = out;
    memset(p, 0, sizeof *p);
    p->tiles_x = ag_div_up(src->rect_width, AG_FOCUS_TILE);
    p->tiles_y = ag_div_up(src->rect_height, AG_FOCUS_TILE);
    if (ag_units_check(host, gl, AG_IMAGE_TABLES, "depth_of_field", "tables") < 0)
        return AG_E_ARG;
    bool exact = settings_of(request).storage == AG_FOCUS_DOUBLE_FLOAT;
    if (!ag_box_table_plan(gl, src, layer_format(), exact ? AG_TABLE_DOUBLE : AG_TABLE_FLOAT32,
                           false, &request->tuning, &p->table) ||
        src->rect_height * src->layers > gl->max_texture_size ||
        tile_bytes(request, p) > (uint64_t)gl->max_ssbo_bytes)
        return ag_box_too_large(host, gl, request);
    describe(request, p, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static int32_t depth_unit(const ag_request *request)
{
    bool array = request->slots[DEPTH].target == GL_TEXTURE_2D_ARRAY;
    return !request->formats[DEPTH]->depth ? 0 : array ? 2 : 1;
}

static ag_status get_program(const ag_preparation *prep, const ag_request *request,
                             const focus_plan *p, int step, const ag_program **program)
{
    static const char *const names[] = {"focus/split.comp", "focus/spread.comp", "focus/near.comp",
                                        "focus/far.comp", "focus/compose.comp"};
    ag_defines defines = {0};
    ag_box_query asking = ag_box_query_of(&p->table, request->slots[SRC].target);
    if (step == SPLIT || step == COMPOSE)
        ag_source_defines(request->formats[SRC], AG_BY_IMAGE, &defines);
    if (step == SPLIT || step == FAR || step == COMPOSE)
        ag_define(&defines, "DEPTH_UNIT", depth_unit(request));
    if (step == NEAR || step == FAR) {
        ag_box_defines(&asking, &defines);
        ag_define(&defines, "SAT_CHANNELS", 4);
        ag_define(&defines, "SHAPE", settings_of(request).shape);
    }
    if (step == COMPOSE)
        ag_define(&defines, "STORE", request->formats[DST]->store);
    return ag_program_get(prep, names[step], &defines, program);
}

static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const focus_plan *p, const ag_program **made)
{
    ag_status status = AG_OK;
    for (int i = 0; i < STEPS && status >= 0; ++i)
        status = get_program(prep, request, p, i, made ? &made[i] : NULL);
    return status;
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const focus_plan *p = detail;
    const ag_sat_table_source layer = {.format = layer_format()};
    ag_status status = ag_sat_table_programs(prep, &p->table, &layer, NULL);
    return status < 0 ? status : get_programs(prep, request, p, NULL);
}

static void free_memory(ag_gpu *gpu, focus_state *state, bool with_gl)
{
    ag_box_table_free(gpu, &state->table, with_gl);
    for (int i = 0; i < 2; ++i) {
        ag_gpu_free_texture(gpu, &state->layers[i], with_gl);
        ag_gpu_free_buffer(gpu, &state->tiles[i], with_gl);
    }
}

static ag_status make_memory(ag_gpu *gpu, const ag_request *request, focus_state *state)
{
    const ag_texture *src = &request->slots[SRC];
    ag_status status = AG_OK;
    state->shape = (ag_texture){.rect_width = src->rect_width,
                                .rect_height = src->rect_height,
                                .layers = src->layers};
    for (int i = 0; i < 2 && status >= 0; ++i) {
        status = ag_gpu_texture_of(gpu, "afterglow focus layer", GL_RGBA16F, 8, src->rect_width,
                                   src->rect_height * src->layers, &state->layers[i]);
        if (status >= 0)
            status = ag_gpu_buffer(gpu, "afterglow focus tiles", AG_ON_GPU,
                                   tile_bytes(request, &state->plan), NULL, &state->tiles[i]);
    }
    return status;
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    focus_state *state = out;
    const ag_sat_table_source layer = {.format = layer_format()};
    (void)plan;
    *state = (focus_state){.plan = *(const focus_plan *)detail};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = get_programs(prep, request, &state->plan, state->programs);
    if (status >= 0)
        status = ag_box_table_prepare(prep, &state->plan.table, &layer, request->slots[SRC].target,
                                      &state->table);
    if (status >= 0)
        status = make_memory(prep->gpu, request, state);
    if (status < 0)
        free_memory(prep->gpu, state, true);
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    focus_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    free_memory(gpu, state, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

enum { LENS_UNIFORMS = 4 };

// The uniforms of focus/lens.glsl.
static void lens_uniforms(ag_uniform *u, const ag_request *request, int32_t layer)
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
                                 s.focus == AG_FOCUS_POINT ? 0 : s.focus_distance, (float)focal,
                                 (float)(focal + 1e4 * k), s.max_radius);
    u[2] = (ag_uniform)AG_INTS(AG_LOC_FOCUS_DEPTH, depth->rect_x, depth->rect_y,
                               depth->first_layer + layer, layer * h);
    u[3] = (ag_uniform)AG_INTS(AG_LOC_FOCUS_POINT, x < w ? x : w - 1, y < h ? y : h - 1, 0, 0);
}

static ag_uniform tile_uniform(const ag_request *request, const focus_plan *p, int32_t layer)
{
    double radius = (double)settings_of(request).max_radius;
    return (ag_uniform)AG_INTS(AG_LOC_FOCUS_TILES, p->tiles_x, p->tiles_y,
                               layer * p->tiles_x * p->tiles_y,
                               (int32_t)ceil(radius / AG_FOCUS_TILE) + 1);
}

static ag_image_binding layer_image(const focus_state *state, int which, GLenum access)
{
    return (ag_image_binding){state->layers[which].name, 0, 0, access, GL_RGBA16F, false};
}

static void bind_src(const ag_recording *recording, const ag_request *request, int32_t layer,
                     ag_gl_dispatch *d)
{
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    d->images[AG_IMAGE_SRC] = ag_read_image(&src, layer);
}

static void bind_depth(const ag_recording *recording, const ag_request *request, int32_t layer,
                       ag_gl_dispatch *d)
{
    ag_source_texture depth = ag_source_of(recording->gpu, request, DEPTH);
    if (request->formats[DEPTH]->depth)
        d->textures[1] = (ag_texture_binding){depth.read, depth.texture->target};
    else
        d->images[AG_IMAGE_FOCUS_DEPTH] = ag_read_image(&depth, layer);
}

static void record_split(ag_recording *recording, const ag_request *request,
                         const focus_state *state, int32_t layer)
{
    const focus_plan *p = &state->plan;
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_uniform uniforms[2 + LENS_UNIFORMS + 1];
    ag_source_uniforms(uniforms, &src, 4, settings_of(request).scrub, layer);
    lens_uniforms(uniforms + 2, request, layer);
    uniforms[2 + LENS_UNIFORMS] = tile_uniform(request, p, layer);
    ag_gl_dispatch d = {.program = state->programs[SPLIT],
                        .images[AG_IMAGE_FOCUS_FAR] = layer_image(state, 1, GL_WRITE_ONLY),
                        .images[AG_IMAGE_FOCUS_NEAR] = layer_image(state, 0, GL_WRITE_ONLY),
                        .ranges[AG_SSBO_FOCUS_TILES] = ag_whole(&state->tiles[0]),
                        .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms),
                        .groups = {(uint32_t)p->tiles_x, (uint32_t)p->tiles_y, 1}};
    bind_src(recording, request, layer, &d);
    bind_depth(recording, request, layer, &d);
    ag_record(recording, &d);
}

static void record_spread(ag_recording *recording, const ag_request *request,
                          const focus_state *state, int32_t layer, bool columns)
{
    const focus_plan *p = &state->plan;
    const ag_uniform uniforms[] = {tile_uniform(request, p, layer),
                                   AG_INTS(AG_LOC_FOCUS_AXIS, !columns, columns, 0, 0)};
    ag_record(recording,
              &(ag_gl_dispatch){.program = state->programs[SPREAD],
                                .ranges[AG_SSBO_FOCUS_TILES] = ag_whole(&state->tiles[columns]),
                                .ranges[AG_SSBO_FOCUS_SPREAD] = ag_whole(&state->tiles[!columns]),
                                .uniforms = uniforms,
                                .uniform_count = AG_COUNT_OF(uniforms),
                                .groups = {ag_groups(p->tiles_x * p->tiles_y, 64), 1, 1}});
}

// near.comp or far.comp: blurs a layer by its table.
static void record_blur(ag_recording *recording, const ag_request *request,
                        const focus_state *state, int step, int32_t layer)
{
    const focus_plan *p = &state->plan;
    int32_t w = state->shape.rect_width, h = state->shape.rect_height;
    ag_gl_dispatch d = {.program = state->programs[step],
                        .groups = {(uint32_t)p->tiles_x, (uint32_t)p->tiles_y, 1}};
    int32_t y = ag_box_table_bind(&state->table, layer, &d);
    ag_uniform uniforms[3 + LENS_UNIFORMS] = {AG_INTS(AG_LOC_BOX_TABLE, 0, y, layer, 0),
                                              AG_INTS(AG_LOC_BOX_SIZE, w, h, layer * h, 0)};
    uniforms[2] = tile_uniform(request, p, layer);
    lens_uniforms(uniforms + 3, request, layer);
    if (step == FAR) {
        bind_depth(recording, request, layer, &d);
        d.images[AG_IMAGE_FOCUS_FAR] = layer_image(state, 1, GL_WRITE_ONLY);
    } else {
        d.images[AG_IMAGE_FOCUS_NEAR] = layer_image(state, 0, GL_WRITE_ONLY);
        d.ranges[AG_SSBO_FOCUS_TILES] = ag_whole(&state->tiles[0]);
    }
    d.uniforms = uniforms;
    d.uniform_count = AG_COUNT_OF(uniforms);
    ag_record(recording, &d);
}

static void record_compose(ag_recording *recording, const ag_request *request,
                           const focus_state *state, int32_t layer)
{
    const focus_plan *p = &state->plan;
    ag_source_texture src = ag_source_of(recording->gpu, request, SRC);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    ag_gl_dispatch d = {.program = state->programs[COMPOSE],
                        .images[AG_IMAGE_DST] = ag_write_image(&dst, layer),
                        .images[AG_IMAGE_FOCUS_BLURRED] = layer_image(state, 1, GL_READ_ONLY),
                        .images[AG_IMAGE_FOCUS_NEAR] = layer_image(state, 0, GL_READ_ONLY),
                        .ranges[AG_SSBO_FOCUS_TILES] = ag_whole(&state->tiles[0]),
                        .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                        .groups = {(uint32_t)p->tiles_x, (uint32_t)p->tiles_y, 1}};
    ag_uniform uniforms[4 + LENS_UNIFORMS] = {
        [2] = AG_INTS(AG_LOC_DST_RECT, dst.texture->rect_x, dst.texture->rect_y,
                      dst.texture->rect_width, dst.texture->rect_height)};
    ag_source_uniforms(uniforms, &src, 4, settings_of(request).scrub, layer);
    uniforms[3] = tile_uniform(request, p, layer);
    lens_uniforms(uniforms + 4, request, layer);
    bind_src(recording, request, layer, &d);
    bind_depth(recording, request, layer, &d);
    d.uniforms = uniforms;
    d.uniform_count = AG_COUNT_OF(uniforms);
    ag_record(recording, &d);
}

// The near layer's table, later the far layer's in its place.
static void record_table(ag_recording *recording, const ag_request *request,
                         const focus_state *state, int which)
{
    ag_source_texture layer = ag_own_texture(&state->layers[which], layer_format(), &state->shape);
    // The layer was written before; and queries of the former table may still run.
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_box_table_record(recording, request, &state->table, &layer, true, &state->base.info, 0,
                        AG_TABLE_NO_STEP, false);
    ag_record_wait(recording, ag_box_table_bits(state->plan.table.request.query));
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const focus_state *state = out;
    int32_t layers = state->shape.layers;
    // The last execute may still read what this one writes.
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_record_step(recording, SPLIT, "split", false);
    for (int32_t i = 0; i < layers; ++i)
        record_split(recording, request, state, i);
    ag_record_step(recording, SPREAD, "spread", true);
    for (int columns = 0; columns < 2; ++columns) {
        if (columns)
            ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT);
        for (int32_t i = 0; i < layers; ++i)
            record_spread(recording, request, state, i, columns);
    }
    for (int step = NEAR; step <= FAR; ++step) {
        ag_record_step(recording, (uint32_t)step, step == NEAR ? "near" : "far", true);
        record_table(recording, request, state, step - NEAR);
        for (int32_t i = 0; i < layers; ++i)
            record_blur(recording, request, state, step, i);
    }
    ag_record_step(recording, COMPOSE, "compose", true);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    for (int32_t i = 0; i < layers; ++i)
        record_compose(recording, request, state, i);
}

const ag_effect ag_effect_depth_of_field = {
    .info =
        AG_EFFECT_INFO("depth_of_field",
                       "blurs a frame as a thin lens does, from its depth; any radius at one cost",
                       AG_IMAGE_TABLES, 2),
    .state_bytes = sizeof(focus_state),
    .detail_bytes = sizeof(focus_plan),
    .check = check,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
