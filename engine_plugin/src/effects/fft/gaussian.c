// gaussian.c - the spectrum of a Gaussian kernel, as two lines
// SPDX-License-Identifier: MIT
//
// A cosine sum a frequency, over the taps of one side. That is little, because wide kernels have
// few frequencies: these end at 0.955 / sigma cycles a texel (docs/bloom.md), and taps at six
// sigma, so that a line of n points takes 6 n products.
#include "effects/fft/gaussian.h"
#include "base/memory.h"

#include <math.h>

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

double ag_gaussian_sum(const ag_gaussian *g)
{
    return line_sum(g->width, g->sigma) * line_sum(g->height, g->sigma);
}

int32_t ag_gaussian_floats(const ag_fft_plan *plan)
{
    return plan->kept + plan->y.line.length / 2 + 1 + 2;
}

// Along one axis. Taps that can only meet zeros may be left out, of the kernel, not of its sum.
typedef struct line {
    double *cosines; // of all multiples of a turn's n-th part
    double *taps;    // one side's, without the centre
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
    return 1 + 2 * sum;
}

ag_status ag_gaussian_lines(const ag_host *host, const ag_gaussian *g, double sum,
                            const ag_fft_plan *plan, bool centre_bypasses_fft, float *lines)
{
    const ag_fft_axis *x = &plan->x, *y = &plan->y;
    int32_t longest = x->line.length > y->line.length ? x->line.length : y->line.length;
    size_t bytes = 2 * sizeof(double) * (size_t)longest; // no tap is a line away
    double *work = ag_alloc(host, bytes);
    if (!work)
        return AG_E_MEMORY;
    line l = {.cosines = work, .taps = work + longest};
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
