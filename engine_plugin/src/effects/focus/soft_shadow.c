// soft_shadow.c - the effect "soft_shadow": a mask of soft shadows from a table of a light's depths
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/kit/checks.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/sat/box_old.h"
#include "shaders/shadow/interface.h"

#include <afterglow/soft_shadow.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    LIGHT = AG_SOFT_SHADOW_SRC,
    DEPTH = AG_SOFT_SHADOW_DEPTH,
    DST = AG_SOFT_SHADOW_DST,
    TABLE = AG_SOFT_SHADOW_TABLE,
    SLOTS
};
enum { MAX_BOX = 255, GROUP = 16 };
enum { QUANTISE, MASK, COPY, PROGRAMS };

static const uint32_t table_formats[] = {GL_RGBA32UI};

static const ag_slot_info slots[SLOTS] = {
    [LIGHT] = AG_SLOT("src", "the shadow map, the light's depths, as `encoding` says", AG_READ,
                      ag_depth_formats),
    [DEPTH] = AG_SLOT("depth", "the camera's depth, as `view` says", AG_READ, ag_depth_formats),
    [DST] = AG_COLOUR_SLOT("dst", "1 lit, 0 in shadow", AG_WRITE),
    [TABLE] = AG_SLOT("table", "the map's table, for shaders with sat/shadow.glsl",
                      AG_WRITE | AG_OPTIONAL, table_formats),
};

static const char *const views[] = {"stored", "linear"};
static const char *const lights[] = {"directional", "spot"};
static const char *const encodings[] = {"forward", "reversed", "linear"};

#define SETTINGS ag_soft_shadow_settings
static const ag_setting_info settings[] = {
    {"to_light",
     "",
     "from the frame (x, y in 0..1, depth) to the map, column by column",
     AG_FLOAT,
     AG_SETTING_AT(to_light),
     16,
     0,
     -1e9,
     1e9,
     {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
     NULL,
     AG_PREPARE_NOTHING,
     0},
    AG_CHOICE(view, "what depth holds: what its projection stores, or metres", views),
    AG_CHOICE(light, "directional: an orthographic map; spot: perspective", lights),
    AG_CHOICE(encoding, "what src holds: 0..1 from near to far, 1..0, or metres", encodings),
    AG_REAL(near_plane, "m", "of the light's camera", 0.001, 1e6, 0.1),
    AG_REAL(far_plane, "m", "of the light's camera; keep it tight", 1e-3, 1e7, 100),
    AG_REAL(map_width, "m", "that the map's width shows; of spot at 1 m", 1e-3, 1e6, 50),
    AG_REAL(light_angle, "degrees", "across a directional light; the sun has 0.53", 0, 90, 0.53),
    AG_REAL(light_width, "m", "of a spot: a square of this side", 0, 1000, 0.2),
    AG_REAL(bleed, "", "shares of light below become 0", 0, 0.9, 0.2),
    AG_REAL(bias, "m", "towards the light, against shadows of a surface on itself", 0, 100, 0.02),
    AG_REAL(min_box, "texels", "of the map: the softness of a contact", 2, MAX_BOX, 3),
    AG_REAL(max_box, "texels", "of the map: wider penumbrae are cut", 2, MAX_BOX, 63),
    AG_SWITCH(scrub, "count non-finite depths of the map; they are far in either case", 1),
};

typedef struct shadow_state {
    ag_state base;
    ag_sat_plan plan;
    const ag_program *programs[PROGRAMS]; // COPY: NULL without a slot `table`
    ag_box_table table;
    ag_memory moments; // RGBA32F, of the map
    ag_texture shape;
} shadow_state;

AG_SETTINGS_OF(ag_soft_shadow_settings)

// ---- check -------------------------------------------------------------------------------------

static ag_status check_depth(const ag_host *host, const ag_texture *t, const char *slot)
{
    if (t->target == GL_TEXTURE_2D_MULTISAMPLE || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY)
        return ag_fail(host, AG_E_ARG, "soft_shadow: %s is multisampled; it must not be", slot);
    if (t->layers != 1)
        return ag_fail(host, AG_E_ARG,
                       "soft_shadow: %s has %d layers; it takes one (first_layer selects it)", slot,
                       t->layers);
    return AG_OK;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    const ag_soft_shadow_settings s = settings_of(request);
    const ag_texture *map = &request->slots[LIGHT], *depth = &request->slots[DEPTH];
    ag_status status = check_depth(host, map, "src");
    if (status >= 0)
        status = check_depth(host, depth, "depth");
    if (status >= 0)
        status = ag_check_same_size(host, request, DST, DEPTH);
    if (status >= 0)
        status = ag_check_same_size(host, request, TABLE, LIGHT);
    if (status >= 0)
        status = ag_box_check_size(host, request);
    if (status < 0)
        return status;
    if (!(s.far_plane > s.near_plane))
        return ag_fail(host, AG_E_ARG,
                       "soft_shadow: far_plane is %g, near_plane %g; far_plane must be larger",
                       (double)s.far_plane, (double)s.near_plane);
    if (!(s.max_box >= s.min_box))
        return ag_fail(host, AG_E_ARG,
                       "soft_shadow: max_box is %g, min_box %g; max_box must not be smaller",
                       (double)s.max_box, (double)s.min_box);
    int32_t plan[] = {(int32_t)map->format,
                      (int32_t)depth->format,
                      (int32_t)request->slots[DST].format,
                      request->formats[TABLE] != NULL,
                      map->rect_width,
                      map->rect_height,
                      depth->rect_width,
                      depth->rect_height,
                      (int32_t)map->target,
                      (int32_t)depth->target};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_texture *like = &request->slots[slot == TABLE ? LIGHT : DEPTH];
    size[0] = like->rect_width;
    size[1] = like->rect_height;
    size[2] = 1;
}

// ---- plan --------------------------------------------------------------------------------------

static const ag_format *moments_format(void)
{
    return ag_format_find(GL_RGBA32F);
}

static void cover(const ag_texture *t, uint32_t groups[3])
{
    groups[0] = ag_groups(t->rect_width, GROUP);
    groups[1] = ag_groups(t->rect_height, GROUP);
    groups[2] = 1;
}

// quantise; the table's; copy, with a slot `table`; mask.
static void describe(const ag_request *request, const ag_sat_plan *p, ag_pass_plan *plan)
{
    const ag_texture *map = &request->slots[LIGHT], *frame = &request->slots[DEPTH];
    uint64_t map_texels = ag_slot_texels(request, LIGHT), texels = ag_slot_texels(request, DEPTH);
    uint32_t copy = 1 + (uint32_t)p->steps, mask = copy + (request->formats[TABLE] != NULL);
    plan->steps[0] =
        (ag_step){.name = "quantise",
                  .dispatches = 1,
                  .bytes = map_texels * (16 + (uint64_t)request->formats[LIGHT]->bytes),
                  .instructions = map_texels * 30};
    cover(map, plan->steps[0].groups);
    ag_sat_table_steps(p, 1, plan);
    if (mask > copy) {
        plan->steps[copy] = (ag_step){.name = "copy",
                                      .dispatches = 1,
                                      .bytes = map_texels * 32,
                                      .instructions = map_texels * 10};
        cover(map, plan->steps[copy].groups);
    }
    uint64_t frame_bytes =
        (uint64_t)request->formats[DEPTH]->bytes + (uint64_t)request->formats[DST]->bytes;
    plan->steps[mask] = (ag_step){.name = "mask",
                                  .dispatches = 1,
                                  .bytes = texels * (frame_bytes + 32),
                                  .instructions = texels * 800};
    cover(frame, plan->steps[mask].groups);
    plan->head.step_count = mask + 1;
    ag_plan_scratch(plan, (uint64_t)p->scratch_bytes, copy - 1);
    ag_plan_slot(plan, request, LIGHT, 0, 0);
    ag_plan_slot(plan, request, DEPTH, mask, mask);
    ag_plan_slot(plan, request, DST, mask, mask);
    ag_plan_slot(plan, request, TABLE, copy, copy);
    plan->head.persistent_bytes = AG_INFO_BYTES + ag_box_table_bytes(p) + 16 * map_texels;
    char how[128];
    ag_sat_plan_describe(p, how, sizeof how);
    snprintf(plan->head.text, sizeof plan->head.text,
             "soft_shadow: a map of %dx%d, a frame of %dx%d; table uint32, by %s; query by %s",
             map->rect_width, map->rect_height, frame->rect_width, frame->rect_height, how,
             ag_sat_query_text(&p->request, p->request.query));
}

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *map = &request->slots[LIGHT];
    if (ag_units_check(host, gl, AG_IMAGE_TABLES, "soft_shadow", "tables") < 0)
        return AG_E_ARG;
    if (!ag_box_table_plan_whole(gl, map, moments_format(), &request->tuning, out) ||
        map->rect_height > gl->max_texture_size)
        return ag_box_too_large(host, gl, request);
    describe(request, out, plan);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static int32_t depth_unit(const ag_request *request, int slot)
{
    bool array = request->slots[slot].target == GL_TEXTURE_2D_ARRAY;
    return !request->formats[slot]->depth ? 0 : array ? 2 : 1;
}

static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const ag_sat_plan *p, const ag_program **made)
{
    static const char *const names[] = {"shadow/quantise.comp", "shadow/mask.comp",
                                        "shadow/table.comp"};
    ag_box_query asking = ag_box_query_of(p, request->slots[LIGHT].target);
    ag_status status = AG_OK;
    for (int i = 0; i < PROGRAMS - !request->formats[TABLE] && status >= 0; ++i) {
        ag_defines defines = {0};
        if (i != COPY)
            ag_define(&defines, "DEPTH_UNIT", depth_unit(request, i == QUANTISE ? LIGHT : DEPTH));
        if (i != QUANTISE) {
            ag_box_defines(&asking, &defines);
            ag_define(&defines, "SAT_CHANNELS", 4);
        }
        if (i == MASK)
            ag_define(&defines, "STORE", request->formats[DST]->store);
        status = ag_program_get(prep, names[i], &defines, made ? &made[i] : NULL);
    }
    return status;
}

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const ag_sat_table_source moments = {.format = moments_format()};
    ag_status status = ag_sat_table_programs(prep, detail, &moments, NULL);
    return status < 0 ? status : get_programs(prep, request, detail, NULL);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old, void *out)
{
    shadow_state *state = out;
    const ag_texture *map = &request->slots[LIGHT];
    const ag_sat_table_source moments = {.format = moments_format()};
    (void)plan;
    *state = (shadow_state){
        .plan = *(const ag_sat_plan *)detail,
        .shape = {.rect_width = map->rect_width, .rect_height = map->rect_height, .layers = 1}};
    ag_status status = ag_info_make(prep->gpu, old, &state->base);
    if (status >= 0)
        status = get_programs(prep, request, detail, state->programs);
    if (status >= 0)
        status = ag_box_table_prepare(prep, detail, &moments, map->target, &state->table);
    if (status >= 0)
        status = ag_gpu_texture(prep->gpu, "afterglow shadow moments", map->rect_width,
                                map->rect_height, &state->moments);
    if (status < 0) {
        ag_box_table_free(prep->gpu, &state->table, true);
        ag_gpu_free_texture(prep->gpu, &state->moments, true);
    }
    return ag_info_end(prep->gpu, old, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    shadow_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    ag_box_table_free(gpu, &state->table, with_gl);
    ag_gpu_free_texture(gpu, &state->moments, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

enum { LIGHT_UNIFORMS = 4 };

// The uniforms of shadow/light.glsl, and the rectangle of a depth.
static void light_uniforms(ag_uniform *u, const ag_request *request, int slot)
{
    const ag_soft_shadow_settings s = settings_of(request);
    const ag_texture *map = &request->slots[LIGHT], *depth = &request->slots[slot];
    double range = (double)s.far_plane - (double)s.near_plane, spot = s.light == AG_SHADOW_SPOT;
    double texels = map->rect_width / (double)s.map_width; // a metre; of a spot, at 1 m
    double angle = (double)s.light_angle * 3.14159265358979 / 180;
    double k = spot != 0 ? texels * (double)s.light_width : texels * 2 * tan(angle / 2) * range;
    u[0] = (ag_uniform)AG_FLOATS(AG_LOC_SHADOW_LIGHT, (float)k, s.near_plane, (float)range,
                                 (float)spot);
    u[1] =
        (ag_uniform)AG_INTS(AG_LOC_SHADOW_MODE, s.encoding, s.view == AG_SHADOW_VIEW_LINEAR, 0, 0);
    u[2] = (ag_uniform)AG_INTS(AG_LOC_SHADOW_MAP, map->rect_width, map->rect_height, s.scrub, 0);
    u[3] = (ag_uniform)AG_INTS(AG_LOC_FOCUS_DEPTH, depth->rect_x, depth->rect_y, depth->first_layer,
                               0);
}

static void bind_depth(const ag_recording *recording, const ag_request *request, int slot,
                       ag_gl_dispatch *d)
{
    ag_source_texture depth = ag_source_of(recording->gpu, request, slot);
    if (request->formats[slot]->depth)
        d->textures[1] = (ag_texture_binding){depth.read, depth.texture->target};
    else
        d->images[AG_IMAGE_FOCUS_DEPTH] = ag_read_image(&depth, 0);
}

static void record_quantise(ag_recording *recording, const ag_request *request,
                            const shadow_state *state)
{
    ag_uniform uniforms[LIGHT_UNIFORMS];
    light_uniforms(uniforms, request, LIGHT);
    ag_gl_dispatch d = {.program = state->programs[QUANTISE],
                        .images[AG_IMAGE_SHADOW_MOMENTS] = {state->moments.name, 0, 0,
                                                            GL_WRITE_ONLY, GL_RGBA32F, false},
                        .ranges[AG_SSBO_INFO] = ag_whole(&state->base.info),
                        .uniforms = uniforms,
                        .uniform_count = AG_COUNT_OF(uniforms)};
    bind_depth(recording, request, LIGHT, &d);
    cover(&state->shape, d.groups);
    ag_record(recording, &d);
}

static void record_copy(ag_recording *recording, const ag_request *request,
                        const shadow_state *state)
{
    ag_source_texture out = ag_source_of(recording->gpu, request, TABLE);
    int32_t w = state->shape.rect_width, h = state->shape.rect_height;
    ag_gl_dispatch d = {.program = state->programs[COPY]};
    int32_t y = ag_box_table_bind(&state->table, 0, &d);
    const ag_uniform uniforms[] = {
        AG_INTS(AG_LOC_BOX_TABLE, 0, y, 0, 0),
        AG_INTS(AG_LOC_BOX_SIZE, w, h, 0, 0),
        AG_INTS(AG_LOC_DST_RECT, out.texture->rect_x, out.texture->rect_y, w, h),
    };
    d.images[AG_IMAGE_SHADOW_TABLE] = ag_write_image(&out, 0);
    d.uniforms = uniforms;
    d.uniform_count = AG_COUNT_OF(uniforms);
    cover(&state->shape, d.groups);
    ag_record(recording, &d);
}

static void record_mask(ag_recording *recording, const ag_request *request,
                        const shadow_state *state)
{
    const ag_soft_shadow_settings s = settings_of(request);
    ag_source_texture dst = ag_source_of(recording->gpu, request, DST);
    const ag_texture *t = dst.texture;
    float range = s.far_plane - s.near_plane;
    ag_gl_dispatch d = {.program = state->programs[MASK],
                        .images[AG_IMAGE_DST] = ag_write_image(&dst, 0)};
    int32_t y = ag_box_table_bind(&state->table, 0, &d);
    ag_uniform uniforms[8 + LIGHT_UNIFORMS] = {
        AG_INTS(AG_LOC_DST_RECT, t->rect_x, t->rect_y, t->rect_width, t->rect_height),
        AG_INTS(AG_LOC_BOX_TABLE, 0, y, 0, 0),
        AG_INTS(AG_LOC_BOX_SIZE, state->shape.rect_width, state->shape.rect_height, 0, 0),
        AG_FLOATS(AG_LOC_SHADOW_BOX, s.min_box, s.max_box, s.bleed, s.bias / range),
    };
    for (int i = 0; i < 4; ++i)
        uniforms[4 + i] =
            (ag_uniform)AG_FLOATS(AG_LOC_SHADOW_X + i, s.to_light[4 * i], s.to_light[4 * i + 1],
                                  s.to_light[4 * i + 2], s.to_light[4 * i + 3]);
    light_uniforms(uniforms + 8, request, DEPTH);
    bind_depth(recording, request, DEPTH, &d);
    d.uniforms = uniforms;
    d.uniform_count = AG_COUNT_OF(uniforms);
    cover(t, d.groups);
    ag_record(recording, &d);
}

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const shadow_state *state = out;
    uint32_t step = 1 + (uint32_t)state->plan.steps;
    ag_source_texture moments = ag_own_texture(&state->moments, moments_format(), &state->shape);
    // The last execute may still read what this one writes.
    ag_record_wait(recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_record_step(recording, 0, "quantise", false);
    record_quantise(recording, request, state);
    ag_record_wait(recording, GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    ag_box_table_record(recording, request, &state->table, &moments, true, &state->base.info, 0, 1,
                        true);
    if (request->formats[TABLE])
        ag_record_step(recording, step++, "copy", true);
    else
        ag_record_step(recording, step, "mask", true);
    ag_record_wait(recording, ag_box_table_bits(state->plan.request.query));
    if (request->formats[TABLE]) {
        record_copy(recording, request, state);
        ag_record_step(recording, step, "mask", false);
    }
    record_mask(recording, request, state);
}

const ag_effect ag_effect_soft_shadow = {
    .info = AG_EFFECT_INFO("soft_shadow",
                           "shadows whose softness grows with distance, from a light's depth",
                           AG_IMAGE_TABLES, 2),
    .state_bytes = sizeof(shadow_state),
    .detail_bytes = sizeof(ag_sat_plan),
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
