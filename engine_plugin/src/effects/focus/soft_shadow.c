// soft_shadow.c - the effect "soft_shadow": a mask of soft shadows from a table of a light's depths
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/sat_table.h"
#include "shaders/focus/interface.h"

#include <afterglow/soft_shadow.h>
#include <math.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    LIGHT = AG_SOFT_SHADOW_SRC,
    DEPTH = AG_SOFT_SHADOW_DEPTH,
    DST = AG_SOFT_SHADOW_DST,
    TABLE = AG_SOFT_SHADOW_TABLE,
    SLOTS
};
enum { GROUP = 16 };

static const uint32_t table_formats[] = {GL_RGBA32UI};

static const ag_slot_info slots[SLOTS] = {
    [LIGHT] = AG_SLOT("src", "the shadow map, the light's depths, as `encoding` says", AG_READ,
                      ag_depth_formats),
    [DEPTH] = AG_SLOT("depth", "the camera's depth, as `view` says", AG_READ, ag_depth_formats),
    [DST] = AG_COLOUR_SLOT("dst", "1 lit, 0 in shadow", AG_WRITE),
    [TABLE] = AG_SLOT("table", "the map's table, for shaders with sat/shadow.glsl",
                      AG_WRITE | AG_OPTIONAL, table_formats),
};

AG_SETTINGS(soft_shadow, SOFT_SHADOW)

// ---- check -------------------------------------------------------------------------------------

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_soft_shadow_settings s = settings_of(request);
    for (int i = LIGHT; i <= DEPTH; ++i) {
        AG_TRY(ag_check_one_sample(host, request, i));
        AG_TRY(ag_check_one_layer(host, request, i));
    }
    AG_TRY(ag_check_same_size(host, request, DST, DEPTH));
    AG_TRY(ag_check_same_size(host, request, TABLE, LIGHT));
    AG_TRY(ag_box_check_size(host, request));
    if (!(s.far_plane > s.near_plane))
        return ag_fail(host, AG_E_ARG,
                       "soft_shadow: far_plane is %g, near_plane %g; far_plane must be larger",
                       (double)s.far_plane, (double)s.near_plane);
    if (!(s.max_box >= s.min_box))
        return ag_fail(host, AG_E_ARG,
                       "soft_shadow: max_box is %g, min_box %g; max_box must not be smaller",
                       (double)s.max_box, (double)s.min_box);
    return AG_OK;
}

static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    ag_size_like(&request->slots[slot == TABLE ? LIGHT : DEPTH], size);
}

// ---- frame -------------------------------------------------------------------------------------

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    return ag_boxes_plan(host, gl, request, ag_format_find(GL_RGBA32F), AG_TABLE_UINT32, false,
                         out);
}

// The map as a table's steps read it. Image units cannot read a depth format.
static ag_picture light_picture(const ag_frame *f)
{
    ag_picture light = ag_slot_picture(f, LIGHT);
    if (light.format->depth)
        light.reading =
            light.shape->target == GL_TEXTURE_2D_ARRAY ? AG_BY_TEXTURE_ARRAY : AG_BY_TEXTURE;
    return light;
}

static void cover(const ag_texture *t, uint32_t groups[3])
{
    groups[0] = ag_groups(t->rect_width, GROUP);
    groups[1] = ag_groups(t->rect_height, GROUP);
    groups[2] = 1;
}

// The uniforms of shadow/light.glsl.
static void light_uniforms(ag_uniform u[2], const ag_request *request)
{
    const ag_soft_shadow_settings s = settings_of(request);
    const ag_texture *map = &request->slots[LIGHT];
    double range = (double)s.far_plane - (double)s.near_plane, spot = s.light == AG_SHADOW_SPOT;
    double texels = map->rect_width / (double)s.map_width; // a metre; of a spot, at 1 m
    double angle = (double)s.light_angle * 3.14159265358979 / 180;
    double k = spot != 0 ? texels * (double)s.light_width : texels * 2 * tan(angle / 2) * range;
    u[0] = (ag_uniform)AG_FLOATS(AG_LOC_SHADOW_LIGHT, (float)k, s.near_plane, (float)range,
                                 (float)spot);
    u[1] =
        (ag_uniform)AG_INTS(AG_LOC_SHADOW_MODE, s.encoding, s.view == AG_SHADOW_VIEW_LINEAR, 0, 0);
}

static void copy(ag_frame *f, ag_shader *shader, const ag_table *table)
{
    const ag_texture *out = &ag_frame_request(f)->slots[TABLE];
    ag_uniform uniforms[] = {
        [1] = AG_INTS(AG_LOC_BOX_SIZE, out->rect_width, out->rect_height, 0, 0),
        ag_rect_uniform(AG_LOC_DST_RECT, out),
    };
    ag_dispatch d = {.shader = shader, AG_UNIFORMS(uniforms)};
    uniforms[0] = ag_boxes_bind(table, 0, &d);
    // Where the table is read by image units, that set this one, too: of squares, which it has not.
    d.images[AG_IMAGE_SHADOW_TABLE] = ag_slot_view(TABLE, AG_WRITE, 0);
    cover(out, d.groups);
    ag_frame_step(f, "copy");
    ag_frame_dispatch(f, &d);
}

static void mask(ag_frame *f, ag_shader *shader, const ag_table *table)
{
    const ag_request *request = ag_frame_request(f);
    const ag_soft_shadow_settings s = settings_of(request);
    const ag_texture *t = &request->slots[DST], *depth = &request->slots[DEPTH];
    float range = s.far_plane - s.near_plane;
    ag_uniform uniforms[11] = {
        [1] = ag_rect_uniform(AG_LOC_DST_RECT, t),
        AG_INTS(AG_LOC_BOX_SIZE, table->shape.rect_width, table->shape.rect_height, 0, 0),
        AG_FLOATS(AG_LOC_SHADOW_BOX, s.min_box, s.max_box, s.bleed, s.bias / range),
        AG_INTS(AG_LOC_FOCUS_DEPTH, depth->rect_x, depth->rect_y, depth->first_layer, 0),
    };
    for (int i = 0; i < 4; ++i)
        uniforms[5 + i] =
            (ag_uniform)AG_FLOATS(AG_LOC_SHADOW_X + i, s.to_light[4 * i], s.to_light[4 * i + 1],
                                  s.to_light[4 * i + 2], s.to_light[4 * i + 3]);
    light_uniforms(uniforms + 9, request);
    ag_dispatch d = {.shader = shader,
                     .images[AG_IMAGE_DST] = ag_slot_view(DST, AG_WRITE, 0),
                     AG_UNIFORMS(uniforms)};
    uniforms[0] = ag_boxes_bind(table, 0, &d);
    *(request->formats[DEPTH]->depth ? &d.textures[1] : &d.images[AG_IMAGE_FOCUS_DEPTH]) =
        ag_slot_view(DEPTH, AG_READ, 0);
    cover(t, d.groups);
    ag_frame_step(f, "mask");
    ag_frame_dispatch(f, &d);
}

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_texture *map = &request->slots[LIGHT], *camera = &request->slots[DEPTH];
    ag_table table;
    ag_frame_text(f, "soft_shadow: a map of %dx%d, a frame of %dx%d; table uint32, ",
                  map->rect_width, map->rect_height, camera->rect_width, camera->rect_height);
    ag_boxes_say(f, ag_frame_design(f));
    ag_picture light = light_picture(f);
    ag_boxes_begin(f, ag_frame_design(f), &light, ag_frame_info(f), false, &table);
    light_uniforms(table.io.light, request);
    const ag_box_query query = ag_boxes_query(&table);
    bool depth = request->formats[DEPTH]->depth, array = camera->target == GL_TEXTURE_2D_ARRAY;
    ag_shader *masks = ag_frame_shader(f, "shadow/mask.comp");
    ag_shader_define(masks, "DEPTH_UNIT", !depth ? 0 : array ? 2 : 1);
    ag_box_defines(masks, &query);
    ag_shader_define(masks, "STORE", request->formats[DST]->store);
    ag_shader *copies = NULL;
    if (request->formats[TABLE]) {
        copies = ag_frame_shader(f, "shadow/table.comp");
        ag_box_defines(copies, &query);
    }

    ag_table_steps(f, &table, settings_of(request).scrub, true);
    if (copies)
        copy(f, copies, &table);
    mask(f, masks, &table);
}

const ag_effect ag_effect_soft_shadow = {
    .info = AG_EFFECT_INFO("soft_shadow",
                           "shadows whose softness grows with distance, from a light's depth",
                           AG_IMAGE_TABLES, 2),
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .samples = 1u << LIGHT,
    .design_bytes = sizeof(ag_sat_plan),
};
