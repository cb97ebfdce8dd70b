// bloom_small_plan.c - bloom by the FFT of a smaller image: its sizes, and what its steps cost
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/bloom_small.h"
#include "effects/fft/pupil.h"
#include "effects/kit/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ag_status ag_small_check(const ag_host *host, const ag_bloom_settings *s, const ag_texture *src,
                         const int32_t grid[2])
{
    bool fixed = s->grid == AG_BLOOM_FIXED;
    bool small = s->resolution == AG_BLOOM_HALF || s->resolution == AG_BLOOM_QUARTER;
    if (!small && (fixed || s->firefly != AG_BLOOM_FIREFLY_OFF))
        return ag_fail(host, AG_E_ARG, "bloom: %s needs resolution half or quarter; it is %s",
                       fixed ? "grid = fixed" : "firefly",
                       s->resolution == AG_BLOOM_AUTO ? "auto" : "full");
    if (s->resolution != AG_BLOOM_FULL && s->transition > 0)
        return ag_fail(host, AG_E_ARG,
                       "bloom: transition is %d; with a resolution other than full it must be 0",
                       s->transition);
    if (2 * src->rect_width < grid[0] || 2 * src->rect_height < grid[1])
        return ag_fail(host, AG_E_SIZE,
                       "bloom: grid = fixed: src is %dx%d; plan_width x plan_height of %dx%d "
                       "serves frames of half of it and more",
                       src->rect_width, src->rect_height, grid[0], grid[1]);
    return AG_OK;
}

ag_status ag_small_check_units(const ag_host *host, const ag_gl *gl, const ag_small_plan *p)
{
    if (!p->core || !p->fireflies)
        return AG_OK;
    return ag_units_check(host, gl, AG_IMAGE_LIGHT + 1, "bloom", "firefly and a core");
}

// Texels of the smaller image for a frame along one axis: as many as reach it, and the margins.
static int32_t small_length(int32_t frame, double step)
{
    return (int32_t)ceil(frame / step - 1e-6) + 2 * AG_SMALL_MARGIN;
}

void ag_small_size(ag_small_plan *p, int32_t ratio, int32_t shape, const int32_t frame[2],
                   const int32_t grid[2], int32_t kernel_width, int32_t kernel_height)
{
    p->ratio_x = ratio;
    p->ratio_y = shape == AG_BLOOM_ANAMORPHIC && ratio > 2 ? ratio / 2 : ratio;
    p->varies = frame[0] != grid[0] || frame[1] != grid[1];
    p->frame_width = frame[0];
    p->frame_height = frame[1];
    p->step_x = (float)((double)p->ratio_x * frame[0] / grid[0]);
    p->step_y = (float)((double)p->ratio_y * frame[1] / grid[1]);
    p->width = small_length(grid[0], p->ratio_x);
    p->height = small_length(grid[1], p->ratio_y);
    p->kernel_width = kernel_width;
    p->kernel_height = kernel_height;
    p->rest_width = 2 * ag_spline_reach(p->ratio_x, kernel_width / 2) + 1;
    p->rest_height = 2 * ag_spline_reach(p->ratio_y, kernel_height / 2) + 1;
}

// A kernel whose spectrum ends soon after that of the smaller image needs neither a core nor a rest
// that rolls off. The factor was chosen on the night street: 50 dB and more are left.
static bool is_smooth(const ag_small_plan *p, const ag_bloom_settings *s)
{
    return (s->shape == AG_BLOOM_APERTURE || s->shape == AG_BLOOM_STAR) &&
           ag_pupil_cutoff(s, p->kernel_height) * p->ratio_x < 0.65;
}

void ag_small_choose_split(ag_small_plan *p, const ag_bloom_settings *s, bool any)
{
    bool smooth = !any && is_smooth(p, s);
    // A core has the frame's texels, so it would change with the frame's size.
    p->core = !smooth && s->grid == AG_BLOOM_FRAME;
    // With a core, and 2 texels of the frame for one along y, little is lost by cutting off: the
    // core holds most of it (docs/decisions.md, D57).
    p->roll_off = smooth || (p->core && p->ratio_y == 2) ? AG_SPLINE_CUT
                  : p->core                              ? AG_SPLINE_STEEP
                                                         : AG_SPLINE_GENTLE;
}

const ag_format *ag_small_format(const ag_small_plan *p)
{
    return ag_format_find(p->wide ? GL_RGBA32F : GL_RGBA16F);
}

void ag_small_request(const ag_small_plan *p, ag_fft_request *fft)
{
    fft->width = p->width;
    fft->height = p->height;
    fft->kernel_width = p->rest_width;
    fft->kernel_height = p->rest_height;
    fft->src_bytes = fft->dst_bytes = ag_small_format(p)->bytes;
    // Nothing of the smaller image but the convolution is used: the pass that reads it once more
    // for a composite is only taken where the other one does not exist.
    fft->plain_output = !p->wide && fft->channels == 3;
    fft->reads_src_again = !fft->plain_output;
}

void ag_small_place_core(ag_small_plan *p, ag_fft_plan *fft)
{
    p->core_offset = fft->kernel_channel_bytes * fft->request.kernel_channels;
    if (p->core)
        fft->kernel_bytes = p->core_offset + AG_CORE_BYTES;
}

static uint64_t texels_of(const ag_texture *t)
{
    return (uint64_t)t->rect_width * (uint64_t)t->rect_height * (uint64_t)t->layers;
}

int32_t ag_small_down_width(const ag_small_plan *p)
{
    return p->ratio_x == 2 ? 60 : 28;
}

void ag_small_describe(const ag_small_plan *p, const ag_request *request, int src,
                       const ag_format *dst, ag_pass_plan *plan)
{
    const ag_texture *s = &request->slots[src];
    uint64_t layers = (uint64_t)s->layers, frame = texels_of(s);
    uint64_t small = (uint64_t)p->width * (uint64_t)p->height * layers;
    uint64_t texel = (uint64_t)ag_small_format(p)->bytes;
    uint64_t src_bytes = frame * (uint64_t)request->formats[src]->bytes;
    uint64_t dst_bytes = frame * (uint64_t)dst->bytes;
    uint32_t step_x = (uint32_t)p->ratio_x >> p->varies, step_y = (uint32_t)p->ratio_y >> p->varies;
    uint32_t side_x = (30 + step_x) / step_x + 4, side_y = (14 + step_y) / step_y + 4;
    uint32_t tables = p->varies ? 2048 + 384 * (uint32_t)p->ratio_y : 0;
    uint32_t core = !p->core ? 0 : p->wide ? 8640 + 400 : 6144 + 400; // the frame's light, and taps
    memmove(plan->steps + 1, plan->steps, 3 * sizeof *plan->steps);
    plan->steps[0] = (ag_step){.name = "down",
                               .dispatches = (uint32_t)layers,
                               .groups = {ag_groups(p->width, ag_small_down_width(p)),
                                          ag_groups(p->height, 8), 1},
                               .shared_bytes = 13476 + tables,
                               .bytes = src_bytes + small * texel,
                               .instructions = frame * 60};
    plan->steps[4] =
        (ag_step){.name = "up",
                  .dispatches = (uint32_t)layers,
                  .groups = {ag_groups(s->rect_width, 32), ag_groups(s->rect_height, 16), 1},
                  .shared_bytes = 16 * side_x * side_y + (p->varies ? 320 : 0) + core,
                  .bytes = src_bytes + small * texel + dst_bytes,
                  .instructions = frame * (p->core ? 240 : 100)};
    plan->head.step_count = 5;
    if (p->fireflies) {
        uint64_t light = frame * texel;
        memmove(plan->steps + 1, plan->steps, 5 * sizeof *plan->steps);
        plan->steps[0] =
            (ag_step){.name = "fireflies",
                      .dispatches = (uint32_t)layers,
                      .groups = {ag_groups(s->rect_width, 16), ag_groups(s->rect_height, 16), 1},
                      .shared_bytes = 18 * 18 * 12,
                      .bytes = src_bytes + light,
                      .instructions = frame * 60};
        plan->steps[1].bytes = light + small * texel;
        plan->steps[5].bytes += p->core ? light : 0;
        plan->head.step_count = 6;
        plan->head.persistent_bytes += light;
    }
    uint32_t first = p->fireflies ? 2 : 1, last = plan->head.step_count - 1;
    for (uint32_t i = 0; i < plan->head.resource_count; ++i) {
        ag_resource *r = &plan->resources[i];
        bool scratch = r->kind == AG_RESOURCE_SCRATCH;
        r->first_step += scratch ? first : 0;
        r->last_step = scratch ? first + 2 : last;
        if (r->access & AG_WRITE && !scratch)
            r->first_step = last;
    }
    plan->resources[plan->head.resource_count++] = (ag_resource){.name = "smaller image",
                                                                 .kind = AG_RESOURCE_OWN,
                                                                 .access = AG_READ | AG_WRITE,
                                                                 .first_step = 0,
                                                                 .last_step = last,
                                                                 .bytes = 2 * small * texel};
    plan->head.persistent_bytes += 2 * small * texel;
}

void ag_small_say(const ag_small_plan *p, const ag_request *request, int src, ag_pass_plan *plan)
{
    uint64_t bytes = 0, dispatches = 0;
    for (uint32_t i = 0; i < plan->head.step_count; ++i) {
        bytes += plan->steps[i].bytes;
        dispatches += plan->steps[i].dispatches;
    }
    char fft_text[sizeof plan->head.text], small[64] = "full resolution";
    if (p->ratio_x > 1)
        snprintf(small, sizeof small, "%s resolution, %dx%d, %s",
                 p->ratio_x == 2 ? "half" : "quarter", p->width, p->height,
                 p->core ? "core 5x5" : "no core");
    memcpy(fft_text, plan->head.text, sizeof fft_text);
    snprintf(plan->head.text, sizeof plan->head.text,
             "%s: %d dispatches, %.1f bytes a texel of the frame; %.*s", small, (int)dispatches,
             (double)bytes / (double)texels_of(&request->slots[src]), (int)sizeof fft_text - 112,
             fft_text);
}
