// register_columns.c - the effect "register_columns": smaller images as the document makes them
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/kit/textures.h"
#include "shaders/ladder/downsample/interface.h"

#include <afterglow/ladder_downsample.h>

enum { SRC = AG_REGISTER_COLUMNS_SRC, DST = AG_REGISTER_COLUMNS_DST, MAX_SIZE = 16384 };

static const ag_slot_info slots[] = {
    [SRC] = AG_COLOUR_SLOT("src", "the image", AG_READ),
    [DST] = AG_COLOUR_SLOT("dst", "src at this texture's size", AG_WRITE),
};

AG_SETTINGS(register_columns, REGISTER_COLUMNS)

// Texels of an output along an axis; 0: not a ratio that the method takes.
static int32_t ratio_of(int32_t size, int32_t outputs)
{
    int32_t ratio = outputs ? size / outputs : 0;
    bool taken = ratio * outputs == size && ratio <= AG_REGISTER_BLOCK && !(ratio & (ratio - 1));
    return taken ? ratio : 0;
}

static ag_status check(const ag_host *host, ag_request *request)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    const ag_register_columns_settings s = settings_of(request);
    if (s.weight == AG_DOWN_WEIGHT_ALPHA && request->formats[SRC]->channels != 4)
        return ag_fail(host, AG_E_FORMAT,
                       "register_columns: weight is alpha and src %s; it takes formats with alpha",
                       request->formats[SRC]->text);
    AG_TRY(ag_check_limit(host, request, SRC, MAX_SIZE));
    AG_TRY(ag_check_same_layers(host, request, DST, SRC));
    if (!ratio_of(src->rect_width, dst->rect_width) ||
        !ratio_of(src->rect_height, dst->rect_height))
        return ag_fail(host, AG_E_ARG,
                       "register_columns: dst is %dx%d, src %dx%d; it takes ratios of 1, 2, 4, 8, "
                       "16 and 32",
                       dst->rect_width, dst->rect_height, src->rect_width, src->rect_height);
    return AG_OK;
}

// Any size will do.
static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    (void)slot;
    size[2] = request->slots[SRC].layers;
}

static void frame(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_register_columns_settings s = settings_of(request);
    const ag_texture *dst = &request->slots[DST];
    const ag_picture src = ag_slot_picture(f, SRC);
    const int32_t width = src.shape->rect_width, height = src.shape->rect_height;
    const int32_t x = ratio_of(width, dst->rect_width), y = ratio_of(height, dst->rect_height);
    const bool weighted = s.weight != AG_DOWN_WEIGHT_NONE, counts = ag_has_infinity(src.format);
    ag_frame_text(f, "register_columns: %dx%d to %dx%d, ratios %d and %d", width, height,
                  dst->rect_width, dst->rect_height, x, y);
    ag_shader *shader = ag_frame_shader(f, "ladder/downsample/register_columns.comp");
    ag_shader_reads(f, shader, SRC);
    ag_shader_define(shader, "SRC_STORE", src.format->store);
    ag_shader_define(shader, "COUNTS", counts);
    ag_shader_define(shader, "STORE", request->formats[DST]->store);
    ag_shader_define(shader, "WEIGHTED", weighted);
    ag_shader_define(shader, "EXCEEDS", weighted);
    ag_shader_define(shader, "TARGETS", 1);
    ag_handle info = ag_frame_info(f);

    ag_frame_step(f, "register_columns");
    for (int32_t layer = 0; layer < src.shape->layers; ++layer) {
        ag_uniform uniforms[6] = {
            [2] = AG_INTS(AG_LOC_DOWN_AXES, x, 1, y, 1),
            [3] = ag_rect_uniform(AG_LOC_DOWN_DST, dst),
            // sums have the weights 1 / x and 1 / y already
            [4] = AG_FLOATS(AG_LOC_DOWN_SCALE, 1, 0, 1.0f / (float)x, 1.0f / (float)y),
            [5] = AG_INTS(AG_LOC_DOWN_MODE, s.weight == AG_DOWN_WEIGHT_KARIS, 0, 0, 0),
        };
        ag_read_uniforms(uniforms, &src, src.format->channels, s.scrub, layer);
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_TARGET] = ag_slot_view(DST, AG_WRITE, layer),
                         .uniforms = uniforms,
                         .uniform_count = weighted ? 6 : 5,
                         .groups = {ag_groups(width, AG_REGISTER_BLOCK),
                                    ag_groups(height, AG_REGISTER_BLOCK), 1}};
        if (counts)
            d.ranges[AG_SSBO_INFO] = ag_all(info, AG_ADD);
        ag_dispatch_reads(f, &d, SRC, layer);
        ag_frame_dispatch(f, &d);
    }
}

const ag_effect ag_effect_register_columns = {
    .info = AG_EFFECT_INFO("register_columns",
                           "a smaller image as a document makes it, to compare with downsample",
                           AG_IMAGE_COUNT, 1),
    .samples = 1u << SRC,
    .check = check,
    .size = size_of_slot,
    .frame = frame,
};
