// local_stats.c - the effect "local_stats": mean and standard deviation of a box around every texel
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/sat/sat_table.h"

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

static ag_status check(const ag_host *host, ag_request *request)
{
    AG_TRY(ag_check_same_size(host, request, MEAN, SRC));
    AG_TRY(ag_check_same_size(host, request, DEVIATION, SRC));
    return ag_box_check_size(host, request);
}

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    return ag_boxes_plan(host, gl, request, request->formats[SRC], AG_TABLE_DOUBLE, true, out);
}

// ---- frame -------------------------------------------------------------------------------------

static void frame(ag_frame *f)
{
    static const int outputs[] = {MEAN, DEVIATION};
    const ag_request *request = ag_frame_request(f);
    const ag_local_stats_settings s = settings_of(request);
    const ag_picture src = ag_slot_picture(f, SRC);
    const int32_t w = src.shape->rect_width, h = src.shape->rect_height;
    const ag_sat_plan *plan = ag_frame_design(f);
    const ag_box_group group = ag_box_group_of(plan->request.query);
    ag_table table;
    ag_frame_text(f, "local_stats: %dx%d; tables double_float less the mean, ", w, h);
    ag_boxes_say(f, plan);
    ag_boxes_begin(f, plan, &src, ag_frame_info(f), false, &table);
    const ag_box_query query = ag_boxes_query(&table);
    ag_shader *shaders[2];
    for (int which = 0; which < 2; ++which) {
        shaders[which] = ag_frame_shader(f, "sat/stats.comp");
        ag_box_defines(shaders[which], &query);
        ag_box_group_defines(shaders[which], query.query);
        ag_shader_define(shaders[which], "BORDER", s.border);
        ag_shader_define(shaders[which], "STORE", request->formats[outputs[which]]->store);
        ag_shader_define(shaders[which], "DEVIATION", outputs[which] == DEVIATION);
    }

    ag_table_steps(f, &table, s.scrub, true);
    ag_frame_step(f, "stats");
    for (int which = 0; which < 2; ++which)
        for (int32_t layer = 0; layer < src.shape->layers; ++layer) {
            ag_uniform uniforms[] = {
                [1] = ag_rect_uniform(AG_LOC_DST_RECT, &request->slots[outputs[which]]),
                AG_INTS(AG_LOC_BOX_SIZE, w, h, 0, 0),
                AG_FLOATS(AG_LOC_BOX, s.radius, 0, 0, 0),
            };
            ag_dispatch d = {.shader = shaders[which],
                             AG_UNIFORMS(uniforms),
                             .groups = {ag_groups(w, group.x), ag_groups(h, group.y), 1},
                             .images[AG_IMAGE_DST] = ag_slot_view(outputs[which], AG_WRITE, layer)};
            uniforms[0] = ag_boxes_bind(&table, layer, &d);
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
