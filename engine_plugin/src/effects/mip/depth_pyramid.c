// depth_pyramid.c - the effect "depth_pyramid": a chain of nearest, farthest or both depths
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "core/frame.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"
#include "effects/mip/levels.h"

#include <afterglow/depth_pyramid.h>
#include <stddef.h>

// ---- settings ----------------------------------------------------------------------------------

enum { SRC = AG_DEPTH_PYRAMID_SRC, DST = AG_DEPTH_PYRAMID_DST };

static const uint32_t dst_formats[] = {GL_R32F, GL_RG32F};

static const ag_slot_info slots[] = {
    {"src", "depth", AG_READ, AG_DEPTH_FORMATS, ag_depth_formats},
    {"dst", "its chain: of src's size, or from half of it on", AG_WRITE | AG_LEVELS, 2,
     dst_formats},
};

AG_SETTINGS(depth_pyramid, DEPTH_PYRAMID)
static const char *const reductions[] = {AG_DEPTH_REDUCE(AG_NAME)};

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
    return wanted ? ag_min(wanted, all) : all;
}

// A chain of one level cannot begin with a copy of the source: it is half as large then.
static void size_of_slot(const ag_request *request, uint32_t slot, int32_t size[3])
{
    int32_t down = slot == DST && settings_of(request).levels == 1;
    ag_size_like(&request->slots[SRC], size);
    size[0] = ag_mip_size(size[0], down);
    size[1] = ag_mip_size(size[1], down);
}

static ag_status check(const ag_host *host, ag_request *request)
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
    if (src->layers != dst->layers || ag_is_array(src) != ag_is_array(dst))
        return ag_fail(
            host, AG_E_ARG,
            "depth_pyramid: dst has %d layers, src %d; they must be equal, and both arrays "
            "or neither",
            dst->layers, src->layers);
    if ((s.reduce == AG_DEPTH_MINMAX) != (dst->format == GL_RG32F))
        return ag_fail(host, AG_E_FORMAT, "depth_pyramid: dst is %s with reduce %s; it takes %s",
                       request->formats[DST]->text, reductions[s.reduce],
                       s.reduce == AG_DEPTH_MINMAX ? "RG32F" : "R32F");
    s.levels = dst_levels(request);
    memcpy(&request->settings, &s, sizeof s);
    request->more_levels[DST] = s.levels - 1;
    return AG_OK;
}

// ---- frame -------------------------------------------------------------------------------------

static ag_status design(const ag_host *host, const ag_gl *gl, const ag_request *request, void *out)
{
    const ag_levels_io io = io_of(request);
    // The copy is a by-product of making level 1, so at least one level is made.
    int32_t levels = settings_of(request).levels - io.copy;
    if (levels < 1)
        return ag_fail(host, AG_E_ARG,
                       "depth_pyramid: levels is 1, and dst's first is a copy of src; ask for 2");
    return ag_levels_plan(host, gl, &io, levels, out);
}

static void frame(ag_frame *f)
{
    const ag_levels_io io = io_of(ag_frame_request(f));
    const ag_levels_design *d = ag_frame_design(f);
    ag_handle info = ag_frame_info(f), scratch = ag_scratch(f, "hand-over", d->handover);
    ag_levels_make(f, &io, d, scratch, info);
}

const ag_effect ag_effect_depth_pyramid = {
    .info =
        AG_EFFECT_INFO("depth_pyramid",
                       "a chain of nearest, farthest or both depths, conservative at every size",
                       AG_IMAGE_MAX, 1),
    .samples = 1,
    .check = check,
    .size = size_of_slot,
    .design = design,
    .frame = frame,
    .design_bytes = sizeof(ag_levels_design),
};
