// bloom_gaussian.c - the spectrum of a Gaussian kernel, computed by the CPU as two lines
// SPDX-License-Identifier: MIT
//
// A start compiles no programs for it. A cosine sum a frequency, over the taps of one side: little,
// because wide kernels have few frequencies. These end at 0.955 / sigma cycles a texel
// (docs/bloom.md), and taps at six sigma, so that a line of n points takes 6 n products.
#include "base/memory.h"
#include "effects/bloom/bloom.h"

#include <math.h>
#include <string.h>

double ag_gaussian_tap(int32_t i, double sigma)
{
    return exp(-(double)i * i / (2 * sigma * sigma));
}

// Of so many taps on either side.
static double line_sum(int32_t taps, double sigma)
{
    double sum = 0;
    for (int32_t i = taps; i > 0; --i) // the smallest first
        sum += 2 * ag_gaussian_tap(i, sigma);
    return sum + 1;
}

// Along one axis. Taps that can only meet zeros may be left out, of the kernel, not of its sum.
typedef struct line {
    double *cosines; // of all multiples of a turn's n-th part
    double *taps;    // one side's, without the centre
    double centre, sum;
    int32_t n, reach;
} line;

// `work`: room for the taps of K's axis and of the smaller kernel's.
static void fill_line(line *l, const ag_fft_axis *axis, double sigma, int32_t ratio, int32_t taps,
                      double *work)
{
    const double turn = 6.28318530717958647692;
    l->n = axis->line.length;
    l->reach = axis->reach_high;
    for (int32_t i = 0; i < l->n; ++i)
        l->cosines[i] = cos(turn * i / l->n);
    if (ratio == 1) {
        l->centre = 1;
        l->sum = line_sum(l->reach, sigma);
        for (int32_t i = 0; i < l->reach; ++i)
            l->taps[i] = ag_gaussian_tap(i + 1, sigma);
        return;
    }
    int32_t reach = ag_spline_reach(ratio, taps);
    double *reduced = work + taps + 1;
    for (int32_t i = 0; i <= taps; ++i)
        work[i] = ag_gaussian_tap(i, sigma);
    ag_spline_reduce(ratio, work, taps, reduced);
    l->sum = 0;
    for (int32_t i = 0; i <= 2 * reach; ++i)
        l->sum += reduced[i];
    l->centre = reduced[reach];
    memcpy(l->taps, reduced + reach + 1, sizeof(double) * (size_t)l->reach);
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

// `sum`: of K.
static ag_status fill_lines(const ag_host *host, const ag_bloom_design *d, double sum, bool bypass,
                            float *lines)
{
    const ag_fft_plan *plan = &d->fft;
    const ag_fft_axis *axes[] = {&plan->x, &plan->y};
    const int32_t nx = plan->x.line.length, ny = plan->y.line.length,
                  ratio = 1 << d->reduced.octaves.levels,
                  sides[] = {d->kernel.width / 2, d->kernel.height / 2},
                  most = sides[0] > sides[1] ? sides[0] : sides[1];
    // No tap is a line away.
    size_t of_lines = 2 * (size_t)(nx + ny), of_taps = (size_t)most + 1;
    size_t all =
        sizeof(double) * (of_lines + of_taps + 2 * (size_t)ag_spline_reach(ratio, most) + 1);
    double *work = ag_alloc(host, all);
    if (!work)
        return AG_E_MEMORY;
    line l[] = {{.cosines = work, .taps = work + nx},
                {.cosines = work + 2 * nx, .taps = work + 2 * nx + ny}};
    for (int i = 0; i < 2; ++i)
        fill_line(&l[i], axes[i], d->kernel.sigma, ratio, sides[i], work + of_lines);
    // Each inverse transform multiplies by its length, and unpacking doubles the scene. A smaller
    // kernel's lines sum to 1 each, K's all together.
    bool smaller = ratio > 1, ends = plan->kept < plan->columns;
    double scale = 0.5 / ((double)nx * ny) / (smaller ? 1 : sum);
    for (int i = 0; i < 2; ++i) {
        double factor = smaller ? scale : scale * l[1 - i].sum, divisor = smaller ? l[i].sum : 1;
        int32_t count = i == 0 ? plan->kept : ny / 2 + 1;
        double band = i == 1 && ends ? plan->request.band * ny : INFINITY;
        for (int32_t k = 0; k < count; ++k)
            *lines++ = k > band ? 0 : (float)(factor * frequency(&l[i], k) / divisor);
    }
    *lines++ = bypass ? (float)scale : 0; // the centre tap is 1
    *lines++ = (float)(1 / (smaller ? scale : scale * l[0].sum * l[1].sum));
    ag_free(host, work, all);
    return AG_OK;
}

void ag_gaussian_make(ag_frame *f, const ag_bloom_design *d, ag_handle spectrum)
{
    const ag_fft_plan *plan = &d->fft;
    const ag_kernel_size *k = &d->kernel;
    const ag_host *host = ag_frame_host(f);
    ag_handle buffer = ag_frame_info(f);
    if (!ag_frame_is_making(f))
        return;
    double sum = line_sum(k->width / 2, k->sigma) * line_sum(k->height / 2, k->sigma);
    bool bypass = plan->kept == plan->columns && !d->reduced.octaves.levels;
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
    size_t bytes = sizeof(float) * (size_t)(plan->kept + plan->y.line.length / 2 + 1 + 2),
           all = bytes + sizeof info;
    float *lines = ag_alloc(host, all);
    ag_status status = lines ? fill_lines(host, d, sum, bypass, lines) : AG_E_MEMORY;
    if (status >= 0) {
        // To info by a copy, as the former sums came there by one (ag_gpu_write).
        memcpy((char *)lines + bytes, &info, sizeof info);
        ag_frame_upload(f, spectrum, lines, all);
        ag_frame_copy(f, spectrum, bytes, buffer, 0, sizeof info);
    }
    ag_free(host, lines, all);
    ag_frame_fail(f, status);
}
