// gaussian.c - the spectrum of a Gaussian kernel, as two lines
// SPDX-License-Identifier: MIT
//
// A cosine sum a frequency, over the taps of one side. That is little, because wide kernels have
// few frequencies: these end at 0.955 / sigma cycles a texel (docs/bloom.md), and taps at six
// sigma, so that a line of n points takes 6 n products.
#include "effects/bloom/gaussian.h"
#include "base/memory.h"
#include "effects/bloom/bloom_spline.h"

#include <math.h>
#include <string.h>

static double tap(int32_t i, double sigma)
{
    return exp(-(double)i * i / (2 * sigma * sigma));
}

static double line_sum(int32_t taps, double sigma)
{
    double sum = 0;
    for (int32_t i = taps / 2; i > 0; --i) // the smallest first
        sum += 2 * tap(i, sigma);
    return sum + 1;
}

static double gaussian_sum(const ag_gaussian *g)
{
    return line_sum(g->width, g->sigma) * line_sum(g->height, g->sigma);
}

static int32_t floats_of(const ag_fft_plan *plan)
{
    return plan->kept + plan->y.line.length / 2 + 1 + 2;
}

// Along one axis. Taps that can only meet zeros may be left out, of the kernel, not of its sum.
typedef struct line {
    double *cosines; // of all multiples of a turn's n-th part
    double *taps;    // one side's, without the centre
    double centre;
    int32_t n, reach;
} line;

static void fill_line(line *l, const ag_fft_axis *axis, double sigma)
{
    const double turn = 6.28318530717958647692;
    l->n = axis->line.length;
    l->reach = axis->reach_high;
    for (int32_t i = 0; i < l->n; ++i)
        l->cosines[i] = cos(turn * i / l->n);
    for (int32_t i = 0; i < l->reach; ++i)
        l->taps[i] = tap(i + 1, sigma);
}

static double frequency(const line *l, int32_t k)
{
    double sum = 0;
    for (int32_t i = 0, at = 0; i < l->reach; ++i) {
        at += k;
        at -= at >= l->n ? l->n : 0;
        sum += l->taps[i] * l->cosines[at];
    }
    return l->centre + 2 * sum;
}

static ag_status fill_lines(const ag_host *host, const ag_gaussian *g, double sum,
                            const ag_fft_plan *plan, bool centre_bypasses_fft, float *lines)
{
    const ag_fft_axis *x = &plan->x, *y = &plan->y;
    int32_t longest = x->line.length > y->line.length ? x->line.length : y->line.length;
    size_t bytes = 2 * sizeof(double) * (size_t)longest; // no tap is a line away
    double *work = ag_alloc(host, bytes);
    if (!work)
        return AG_E_MEMORY;
    line l = {.cosines = work, .taps = work + longest, .centre = 1};
    // Each inverse transform multiplies by its length, and unpacking doubles the scene.
    double scale = 0.5 / ((double)x->line.length * y->line.length) / sum;
    double x0 = line_sum(2 * x->reach_high + 1, g->sigma);
    double y0 = line_sum(2 * y->reach_high + 1, g->sigma);
    bool ends = plan->kept < plan->columns;

    fill_line(&l, x, g->sigma);
    for (int32_t k = 0; k < plan->kept; ++k)
        *lines++ = (float)(scale * y0 * frequency(&l, k));
    fill_line(&l, y, g->sigma);
    for (int32_t j = 0; j <= l.n / 2; ++j)
        *lines++ =
            ends && j > plan->request.band * l.n ? 0 : (float)(scale * x0 * frequency(&l, j));
    *lines++ = centre_bypasses_fft ? (float)scale : 0; // the centre tap is 1
    *lines++ = (float)(1 / (scale * x0 * y0));
    ag_free(host, work, bytes);
    return AG_OK;
}

// One axis of the smaller kernel, into `l`; returns its sum, of all taps.
static double fill_small_line(line *l, const ag_fft_axis *axis, double sigma, int32_t ratio,
                              int32_t taps, double *work)
{
    const double turn = 6.28318530717958647692;
    int32_t reach = ag_spline_reach(ratio, taps);
    double *small = work + taps + 1, sum = 0;
    for (int32_t i = 0; i <= taps; ++i)
        work[i] = tap(i, sigma);
    ag_spline_reduce(ratio, work, taps, small, reach);
    for (int32_t i = 0; i <= 2 * reach; ++i)
        sum += small[i];
    l->n = axis->line.length;
    l->reach = axis->reach_high;
    l->centre = small[reach];
    for (int32_t i = 0; i < l->n; ++i)
        l->cosines[i] = cos(turn * i / l->n);
    for (int32_t i = 0; i < l->reach; ++i)
        l->taps[i] = small[reach + 1 + i];
    return sum;
}

static ag_status fill_small_lines(const ag_host *host, const ag_gaussian *g, int32_t ratio,
                                  const ag_fft_plan *plan, float *lines)
{
    const ag_fft_axis *x = &plan->x, *y = &plan->y;
    int32_t longest = x->line.length > y->line.length ? x->line.length : y->line.length;
    int32_t taps = g->width > g->height ? g->width / 2 : g->height / 2;
    int32_t count = taps + 1 + 2 * ag_spline_reach(ratio, taps) + 1;
    size_t bytes = sizeof(double) * (size_t)(2 * longest + count);
    double *work = ag_alloc(host, bytes);
    if (!work)
        return AG_E_MEMORY;
    line l = {.cosines = work, .taps = work + longest};
    double *kernel = work + 2 * longest, scale = 0.5 / ((double)x->line.length * y->line.length);
    bool ends = plan->kept < plan->columns;

    double x0 = fill_small_line(&l, x, g->sigma, ratio, g->width / 2, kernel);
    for (int32_t k = 0; k < plan->kept; ++k)
        *lines++ = (float)(scale * frequency(&l, k) / x0);
    double y0 = fill_small_line(&l, y, g->sigma, ratio, g->height / 2, kernel);
    for (int32_t j = 0; j <= l.n / 2; ++j)
        *lines++ =
            ends && j > plan->request.band * l.n ? 0 : (float)(scale * frequency(&l, j) / y0);
    *lines++ = 0;
    *lines++ = (float)(1 / scale);
    ag_free(host, work, bytes);
    return AG_OK;
}

void ag_gaussian_make(ag_frame *f, const ag_gaussian *g, int32_t ratio, const ag_fft_plan *plan,
                      ag_handle spectrum, ag_handle buffer)
{
    const ag_host *host = ag_frame_host(f);
    if (!ag_frame_is_making(f))
        return;
    double sum = gaussian_sum(g);
    bool bypass = plan->kept == plan->columns && ratio == 1;
    struct {
        float scale[4], centre[4], sums[4][2];
    } info;
    _Static_assert(sizeof info == AG_INFO_SCRUBBED, "common/info.glsl, up to the counter");
    for (int i = 0; i < 4; ++i) {
        info.scale[i] = (float)(1 / sum);
        info.centre[i] = bypass ? (float)(1 / sum) : 0;
        info.sums[i][0] = (float)sum;
        info.sums[i][1] = (float)(sum - (double)info.sums[i][0]);
    }
    size_t bytes = sizeof(float) * (size_t)floats_of(plan), all = bytes + sizeof info;
    float *lines = ag_alloc(host, all);
    ag_status status = !lines      ? AG_E_MEMORY
                       : ratio > 1 ? fill_small_lines(host, g, ratio, plan, lines)
                                   : fill_lines(host, g, sum, plan, bypass, lines);
    if (status >= 0) {
        // To info by a copy, as the former sums came there by one (ag_gpu_write).
        memcpy((char *)lines + bytes, &info, sizeof info);
        ag_frame_upload(f, spectrum, lines, all);
        ag_frame_copy(f, spectrum, bytes, buffer, 0, sizeof info);
    }
    ag_free(host, lines, all);
    ag_frame_fail(f, status);
}
