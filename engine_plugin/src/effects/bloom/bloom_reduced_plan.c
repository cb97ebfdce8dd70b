// bloom_reduced_plan.c - bloom by the FFT of a smaller image: its sizes
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/bloom/bloom_reduced.h"
#include "effects/bloom/pupil.h"
#include "effects/kit/checks.h"

#include <math.h>

ag_status ag_reduced_check(const ag_host *host, const ag_bloom_settings *s, const ag_texture *src,
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

ag_status ag_reduced_check_units(const ag_host *host, const ag_gl *gl, const ag_reduced *p)
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

void ag_reduced_size(ag_reduced *p, int32_t ratio, int32_t shape, const int32_t frame[2],
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
static bool is_smooth(const ag_reduced *p, const ag_bloom_settings *s)
{
    return (s->shape == AG_BLOOM_APERTURE || s->shape == AG_BLOOM_STAR) &&
           ag_pupil_cutoff(s, p->kernel_height) * p->ratio_x < 0.65;
}

void ag_reduced_choose_split(ag_reduced *p, const ag_bloom_settings *s, bool any)
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

const ag_format *ag_reduced_format(const ag_reduced *p)
{
    return ag_format_find(p->wide ? GL_RGBA32F : GL_RGBA16F);
}

void ag_reduced_request(const ag_reduced *p, ag_fft_request *fft)
{
    fft->width = p->width;
    fft->height = p->height;
    fft->kernel_width = p->rest_width;
    fft->kernel_height = p->rest_height;
    fft->src_bytes = fft->dst_bytes = ag_reduced_format(p)->bytes;
    // Nothing of the smaller image but the convolution is used: the pass that reads it once more
    // for a composite is only taken where the other one does not exist.
    fft->plain_output = !p->wide && fft->channels == 3;
    fft->reads_src_again = !fft->plain_output;
}

void ag_reduced_place_core(ag_reduced *p, ag_fft_plan *fft)
{
    p->core_offset = fft->kernel_channel_bytes * fft->request.kernel_channels;
    if (p->core)
        fft->kernel_bytes = p->core_offset + AG_CORE_BYTES;
}
