// depth_pyramid.c - the effect "depth_pyramid": a chain of nearest, farthest or both depths
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "effects/kit/plans.h"
#include "effects/kit/tables.h"
#include "effects/mip/levels.h"

#include <afterglow/depth_pyramid.h>
#include <stddef.h>
#include <string.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_DEPTH_PYRAMID_SRC, DST = AG_DEPTH_PYRAMID_DST };

static const uint32_t dst_formats[] = {GL_R32F, GL_RG32F};

static const ag_slot_info slots[] = {
    {"src", "depth", AG_READ, AG_DEPTH_FORMATS, ag_depth_formats},
    {"dst", "its chain: of src's size, or from half of it on", AG_WRITE | AG_LEVELS, 2,
     dst_formats},
};

static const char *const reductions[] = {"min", "max", "minmax"};

#define SETTINGS ag_depth_pyramid_settings
static const ag_setting_info settings[] = {
    AG_CHOICE(reduce, "minimum, maximum, or both in r and g", reductions, AG_PREPARE_PLAN),
    AG_WHOLE(levels, "", "levels of dst to write, 0 for all down to 1x1", 0, 17, 0,
             AG_PREPARE_PLAN),
    AG_SWITCH(scrub, "count texels that are NaN", 1),
};

typedef struct pyramid_detail {
    ag_mip_plan chain;
    uint64_t scratch;
} pyramid_detail;

typedef struct pyramid_state {
    ag_state base;
    pyramid_detail detail;
    const ag_program *programs[AG_MIP_DISPATCHES];
    ag_memory counters;
} pyramid_state;

AG_SETTINGS_OF(ag_depth_pyramid_settings)

// Whether dst begins with half of src's size; of 1 x 1 it does.
static bool is_half(const ag_request *request)
{
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    return dst->rect_width == ag_mip_size(src->rect_width, 1) &&
           dst->rect_height == ag_mip_size(src->rect_height, 1);
}

static ag_levels_io io_of(const ag_request *request)
{
    ag_depth_pyramid_settings s = settings_of(request);
    return (ag_levels_io){.request = request,
                          .src = SRC,
                          .dst = DST,
                          .above = is_half(request),
                          .copy = !is_half(request),
                          .pyramid = true,
                          .reduce = s.reduce + AG_REDUCE_MIN,
                          .scrub = s.scrub};
}

// Levels of dst that are written. The first may be a copy of src, which is no level of the chain.
static int32_t dst_levels(const ag_request *request)
{
    const ag_texture *dst = &request->slots[DST];
    int32_t all = ag_mip_full(dst->rect_width, dst->rect_height) + 1,
            wanted = settings_of(request).levels;
    return wanted && wanted < all ? wanted : all;
}

static bool is_array(const ag_texture *t)
{
    return t->target == GL_TEXTURE_2D_ARRAY || t->target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
}

// A chain of one level cannot begin with a copy of the source: it is half as large then.
static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    const ag_texture *src = &request->slots[SRC];
    int32_t down = slot == DST && settings_of(request).levels == 1;
    size[0] = ag_mip_size(src->rect_width, down);
    size[1] = ag_mip_size(src->rect_height, down);
    size[2] = src->layers;
}

static ag_status check(const ag_host *host, ag_request *request, ag_shape *shape)
{
    ag_depth_pyramid_settings s = settings_of(request);
    const ag_texture *src = &request->slots[SRC], *dst = &request->slots[DST];
    if (!is_half(request) &&
        (src->rect_width != dst->rect_width || src->rect_height != dst->rect_height))
        return ag_fail(
            host, AG_E_SIZE,
            "depth_pyramid: dst's rectangle is %dx%d, src's %dx%d; it must be the same, or "
            "half: %dx%d",
            dst->rect_width, dst->rect_height, src->rect_width, src->rect_height,
            ag_mip_size(src->rect_width, 1), ag_mip_size(src->rect_height, 1));
    if (src->layers != dst->layers || is_array(src) != is_array(dst))
        return ag_fail(
            host, AG_E_ARG,
            "depth_pyramid: dst has %d layers, src %d; they must be equal, and both arrays "
            "or neither",
            dst->layers, src->layers);
    if ((s.reduce == AG_DEPTH_MINMAX) != (dst->format == GL_RG32F))
        return ag_fail(host, AG_E_FORMAT, "depth_pyramid: dst is %s with reduce %s; it takes %s",
                       request->formats[DST]->text, reductions[s.reduce],
                       s.reduce == AG_DEPTH_MINMAX ? "RG32F" : "R32F");
    request->more_levels[DST] = dst_levels(request) - 1;
    int32_t plan[] = {(int32_t)src->format, (int32_t)src->target, src->rect_width,
                      src->rect_height,     dst->rect_width,      dst->rect_height,
                      src->layers,          dst_levels(request),  s.reduce};
    memcpy(shape->plan, plan, sizeof plan);
    return AG_OK;
}

// ---- plan --------------------------------------------------------------------------------------

static ag_status make_plan(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           void *out, ag_pass_plan *plan)
{
    const ag_texture *src = &request->slots[SRC];
    pyramid_detail *d = out;
    ag_levels_io io = io_of(request);
    memset(d, 0, sizeof *d);
    // The copy is a by-product of making level 1, so at least one level is made.
    int32_t levels = dst_levels(request) - io.copy;
    if (levels < 1)
        return ag_fail(host, AG_E_ARG,
                       "depth_pyramid: levels is 1, and dst's first is a copy of src; ask for 2");
    if (!ag_levels_plan(gl, &io, levels, &d->chain, &d->scratch))
        return ag_fail(host, AG_E_SIZE,
                       "depth_pyramid: %d levels of %dx%d need more than %d dispatches", levels,
                       src->rect_width, src->rect_height, AG_MIP_DISPATCHES);
    if (d->scratch > (uint64_t)gl->max_ssbo_bytes)
        return ag_fail(
            host, AG_E_SIZE,
            "depth_pyramid: %dx%d, %d layers, hand over %llu bytes; this context's storage "
            "blocks hold %lld",
            src->rect_width, src->rect_height, src->layers, (unsigned long long)d->scratch,
            (long long)gl->max_ssbo_bytes);
    ag_levels_describe(&io, &d->chain, plan);
    uint64_t stored = 0;
    for (int32_t k = io.above; k <= levels; ++k)
        stored += ag_levels_bytes(src, k, request->formats[DST]->bytes);
    uint32_t last = plan->head.step_count - 1;
    ag_plan_scratch(plan, d->scratch, last);
    ag_plan_slot(plan, request, SRC, 0, 0);
    ag_plan_slot(plan, request, DST, 0, last);
    plan->resources[2].bytes = stored; // of all levels
    plan->head.persistent_bytes = AG_INFO_BYTES + ag_levels_counter_bytes(&io, &d->chain);
    return AG_OK;
}

// ---- prepare -----------------------------------------------------------------------------------

static ag_status programs(const ag_preparation *prep, const ag_request *request, const void *detail)
{
    const pyramid_detail *d = detail;
    ag_levels_io io = io_of(request);
    return ag_levels_programs(prep, &io, &d->chain, NULL);
}

static void free_memory(ag_gpu *gpu, pyramid_state *state, bool with_gl)
{
    ag_gpu_free_buffer(gpu, &state->counters, with_gl);
}

static ag_status prepare(const ag_preparation *prep, const ag_request *request, const void *detail,
                         const ag_pass_plan *plan, void *old_state, void *out)
{
    pyramid_state *state = out, *old = old_state;
    (void)plan;
    *state = (pyramid_state){.detail = *(const pyramid_detail *)detail};
    const ag_mip_plan *chain = &state->detail.chain;
    ag_levels_io io = io_of(request);
    ag_status status = ag_levels_programs(prep, &io, chain, state->programs);
    if (status >= 0)
        status = ag_info_make(prep->gpu, &old->base, &state->base);
    if (status >= 0)
        status = ag_gpu_zeros(prep->gpu, "afterglow counters", ag_levels_counter_bytes(&io, chain),
                              &state->counters);
    if (status < 0)
        free_memory(prep->gpu, state, true);
    return ag_info_end(prep->gpu, &old->base, &state->base, status);
}

static void free_state(ag_gpu *gpu, void *out, bool with_gl)
{
    pyramid_state *state = out;
    ag_info_free(gpu, &state->base, with_gl);
    free_memory(gpu, state, with_gl);
}

// ---- execute -----------------------------------------------------------------------------------

static void execute(ag_recording *recording, const ag_request *request, void *out)
{
    const pyramid_state *state = out;
    ag_levels_io io = io_of(request);
    ag_levels_memory memory = {ag_part(request->scratch, 0, state->detail.scratch),
                               &state->counters, &state->base.info};
    uint32_t steps = 0;
    ag_levels_record(recording, &io, &state->detail.chain, state->programs, &memory, &steps);
}

const ag_effect ag_effect_depth_pyramid = {
    .info =
        AG_EFFECT_INFO("depth_pyramid",
                       "a chain of nearest, farthest or both depths, conservative at every size",
                       AG_IMAGE_MAX, 1),
    .state_bytes = sizeof(pyramid_state),
    .detail_bytes = sizeof(pyramid_detail),
    .samples = 1,
    .check = check,
    .size = size_of_slot,
    .plan = make_plan,
    .programs = programs,
    .prepare = prepare,
    .execute = execute,
    .free_state = free_state,
};
