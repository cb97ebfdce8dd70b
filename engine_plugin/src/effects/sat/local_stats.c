// local_stats.c - the effect "local_stats": mean and standard deviation of a box around every texel
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/box_table.h"

#include <afterglow/local_stats.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum {
    SRC = AG_LOCAL_STATS_SRC,
    MEAN = AG_LOCAL_STATS_DST,
    DEVIATION = AG_LOCAL_STATS_DEVIATION,
    SLOTS
};

static const ag_slot_info slots[SLOTS] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [MEAN] = AG_COLOUR_SLOT("dst", "mean around each texel", AG_WRITE),
    [DEVIATION] = AG_COLOUR_SLOT("deviation", "standard deviation around each texel", AG_WRITE),
};

// Not zero: a black frame would enter the statistics.
AG_SETTINGS(local_stats, LOCAL_STATS)

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_status status = AG_OK;
    for (int i = MEAN; i < SLOTS && status >= 0; ++i)
        status = ag_check_same_size(host, request, i, SRC);
    if (status >= 0)
        status = ag_box_check_size(host, request);
    (void)shape;
    return status;
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    return ag_boxes_plan(host, gl, request, request->formats[SRC], AG_TABLE_DOUBLE, true, out);
}

// ---- frame -------------------------------------------------------------------------------------

static ag_shader *stats_shader(ag_frame *f, const ag_boxes *boxes, bool deviation)
{
    const ag_request *request = ag_frame_request(f);
    ag_shader *shader = ag_frame_shader(f, "sat/stats.comp");
    const ag_box_query query = ag_boxes_query(boxes);
    ag_box_defines(shader, &query);
    ag_box_group_defines(shader, query.query);
    ag_shader_define(shader, "BORDER", settings_of(request).border);
    ag_shader_define(shader, "STORE", request->formats[deviation ? DEVIATION : MEAN]->store);
    ag_shader_define(shader, "DEVIATION", deviation);
    return shader;
}

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_local_stats_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC];
    const int32_t w = src->rect_width, h = src->rect_height;
    const ag_table_source from = ag_table_source_of(f);
    const ag_sat_plan *plan = ag_frame_design(f);
    const ag_box_group group = ag_box_group_of(plan->request.query);
    char how[AG_BOXES_TEXT];
    ag_boxes boxes;
    ag_frame_text(f, "local_stats: %dx%d; tables double_float less the mean, %s", w, h,
                  ag_boxes_text(f, plan, how));
    ag_boxes_begin(f, plan, &from, ag_frame_info(f), false, &boxes);
    ag_shader *shaders[2];
    for (int which = 0; which < 2; ++which)
        shaders[which] = stats_shader(f, &boxes, which);

    ag_table_steps(f, &boxes.table, s.scrub, true);
    ag_frame_step(f, "stats");
    for (int which = 0; which < 2; ++which)
        for (int32_t layer = 0; layer < src->layers; ++layer) {
            int slot = which ? DEVIATION : MEAN;
            const ag_texture *dst = &request->slots[slot];
            ag_dispatch d = {.shader = shaders[which],
                             .groups = {ag_groups(w, group.x), ag_groups(h, group.y), 1},
                             .images[AG_IMAGE_DST] = ag_slot_view(slot, AG_WRITE, layer)};
            int32_t y = ag_boxes_bind(&boxes, layer, &d);
            ag_uniform uniforms[] = {
                AG_INTS(AG_LOC_DST_RECT, dst->rect_x, dst->rect_y, w, h),
                AG_INTS(AG_LOC_BOX_TABLE, 0, y, layer, 0),
                AG_INTS(AG_LOC_BOX_SIZE, w, h, 0, 0),
                AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            };
            d.uniforms = uniforms;
            d.uniform_count = AG_COUNT_OF(uniforms);
            ag_frame_dispatch(f, &d);
        }
}

const ag_effect ag_effect_local_stats = {
    .info = AG_EFFECT_INFO("local_stats", "mean and standard deviation of a box around every texel",
                           AG_IMAGE_TABLES, 1),
    .samples = 1u << SRC,
    .check = check,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(ag_sat_plan),
};
