// autofocus.c - focus = autofocus of depth_of_field: the distance in focus, from a texel of state
// SPDX-License-Identifier: MIT
#include "base/float_bits.h"
#include "base/log.h"
#include "effects/focus/focus.h"
#include "effects/kit/settings.h"
#include "effects/kit/textures.h"

#include <math.h>

enum { DEPTH = AG_DEPTH_OF_FIELD_DEPTH, STATE = AG_DEPTH_OF_FIELD_STATE };

AG_SETTINGS_OF(ag_depth_of_field_settings)

static bool focuses(const ag_request *request)
{
    return settings_of(request).focus == AG_FOCUS_AUTOFOCUS;
}

ag_status ag_autofocus_check(const ag_host *host, const ag_request *request)
{
    const ag_texture *state = &request->slots[STATE];
    const bool given = request->formats[STATE] != NULL;
    if (focuses(request) && !given)
        return ag_fail(host, AG_E_ARG,
                       "depth_of_field: slot state is empty; focus = autofocus needs it");
    if (given && (state->rect_width != 1 || state->rect_height != 1 || state->layers != 1))
        return ag_fail(host, AG_E_SIZE,
                       "depth_of_field: state's rectangle is %dx%d with %d layers; it must be 1x1 "
                       "with 1",
                       state->rect_width, state->rect_height, state->layers);
    return AG_OK;
}

// Texels along an axis, at least one: from first on, so many.
static void area_along(double middle, double share, int32_t size, int32_t *first, int32_t *count)
{
    double from = floor((middle - share / 2) * size), to = ceil((middle + share / 2) * size);
    *first = (int32_t)fmin(fmax(from, 0), size - 1);
    *count = (int32_t)fmin(fmax(to - *first, 1), size - *first);
}

ag_block ag_autofocus_step(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_depth_of_field_settings s = settings_of(request);
    const ag_texture *depth = &request->slots[DEPTH], *state = &request->slots[STATE];
    ag_handle focus = ag_scratch(f, "focus", 16);
    if (!focuses(request))
        return ag_all(focus, AG_READ); // shaders name it, and do not look
    ag_shader *shader = ag_frame_shader(f, "focus/autofocus.comp");
    ag_focus_depth_defines(f, shader);
    ag_frame_step(f, "autofocus");
    float rate = (float)-expm1(-(double)request->dt * (double)s.focus_speed);
    int32_t at[4];
    area_along((double)s.focus_x, (double)s.focus_width, depth->rect_width, &at[0], &at[2]);
    area_along((double)s.focus_y, (double)s.focus_height, depth->rect_height, &at[1], &at[3]);
    ag_uniform uniforms[2 + AG_LENS_UNIFORMS] = {
        AG_INTS(AG_LOC_FOCUS_AREA, at[0], at[1], at[2], at[3]),
        AG_INTS(AG_LOC_FOCUS_STATE, state->rect_x, state->rect_y,
                (request->flags & AG_JOB_RESET) != 0, ag_float_bits(rate)),
    };
    ag_lens_uniforms(uniforms + 2, request, 0);
    ag_dispatch d = {.shader = shader,
                     .images[AG_IMAGE_FOCUS_STATE] = ag_slot_view(STATE, AG_READ | AG_WRITE, 0),
                     AG_UNIFORMS(uniforms),
                     .groups = {1, 1, 1}};
    ag_focus_bind_depth(f, 0, ag_all(focus, AG_WRITE), &d);
    ag_frame_dispatch(f, &d);
    return ag_all(focus, AG_READ);
}
