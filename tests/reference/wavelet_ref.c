// wavelet_ref.c - the wavelet transform by definition, in double
// SPDX-License-Identifier: MIT
#include "wavelet_ref.h"

#include <afterglow/wavelet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// The low filters of analysis, and of synthesis where that is not the same one reversed.
typedef struct filters {
    int taps;
    double low[10], low_r[10];
} filters;

static const filters known[] = {
    [AG_WAVELET_HAAR] = {2, {0.7071067811865476, 0.7071067811865476}, {0}},
    [AG_WAVELET_DB2] = {4,
                        {-0.12940952255126037, 0.2241438680420134, 0.8365163037378079,
                         0.48296291314453416},
                        {0}},
    [AG_WAVELET_DB4] = {8,
                        {-0.010597401785069032, 0.0328830116668852, 0.030841381835560764,
                         -0.18703481171909309, -0.027983769416859854, 0.6308807679298589,
                         0.7148465705529157, 0.2303778133088965},
                        {0}},
    [AG_WAVELET_SYM4] = {8,
                         {-0.07576571478927333, -0.02963552764599851, 0.49761866763201545,
                          0.8037387518059161, 0.29785779560527736, -0.09921954357684722,
                          -0.012603967262037833, 0.0322231006040427},
                         {0}},
    [AG_WAVELET_COIF1] = {6,
                          {-0.015655728135791993, -0.07273261951252645, 0.3848648468648578,
                           0.8525720202116004, 0.3378976624574818, -0.07273261951252645},
                          {0}},
    [AG_WAVELET_CDF53] = {6,
                          {0, -0.1767766952966369, 0.3535533905932738, 1.0606601717798212,
                           0.3535533905932738, -0.1767766952966369},
                          {0, 0.3535533905932738, 0.7071067811865476, 0.3535533905932738, 0, 0}},
    [AG_WAVELET_CDF97] = {10,
                          {0, 0.03782845550726404, -0.023849465019556843, -0.11062440441843718,
                           0.37740285561283066, 0.8526986790088938, 0.37740285561283066,
                           -0.11062440441843718, -0.023849465019556843, 0.03782845550726404},
                          {0, -0.06453888262869706, -0.04068941760916406, 0.41809227322161724,
                           0.7884856164055829, 0.41809227322161724, -0.04068941760916406,
                           -0.06453888262869706, 0, 0}},
};

static int coefficients_of(const wavelet_ref *w, int samples)
{
    return w->border == AG_WAVELET_PERIODIZATION ? (samples + 1) / 2 : (samples + w->taps - 1) / 2;
}

wavelet_ref wavelet_ref_make(int wavelet, int border, int levels, bool bands, int width, int height)
{
    const filters *f = &known[wavelet];
    bool orthogonal = wavelet != AG_WAVELET_CDF53 && wavelet != AG_WAVELET_CDF97;
    return wavelet_ref_custom(f->taps, f->low, orthogonal ? NULL : f->low_r, border, levels, bands,
                              width, height);
}

wavelet_ref wavelet_ref_custom(int taps, const double *low, const double *low_r, int border,
                               int levels, bool bands, int width, int height)
{
    wavelet_ref w = {.taps = taps, .border = border, .levels = levels, .bands = bands};
    for (int k = 0; k < w.taps; ++k) {
        w.low[k] = low[k];
        w.low_r[k] = low_r ? low_r[k] : low[w.taps - 1 - k];
    }
    for (int k = 0; k < w.taps; ++k) {
        w.high[k] = k % 2 ? w.low_r[k] : -w.low_r[k];
        w.high_r[k] = k % 2 ? -w.low[k] : w.low[k];
    }
    w.width[0] = width;
    w.height[0] = height;
    w.layers = bands ? 1 + 3 * levels : 1;
    for (int l = 1; l <= levels; ++l) {
        w.width[l] = coefficients_of(&w, w.width[l - 1]);
        w.height[l] = coefficients_of(&w, w.height[l - 1]);
    }
    w.columns = w.width[levels];
    w.rows = w.height[levels];
    for (int l = levels; l > 0; --l) {
        if (!bands) {
            w.columns += w.width[l];
            w.rows += w.height[l];
        } else {
            w.columns = w.width[l] > w.columns ? w.width[l] : w.columns;
            w.rows = w.height[l] > w.rows ? w.height[l] : w.rows;
        }
    }
    return w;
}

// Sample i of a line of n, by walking from border to border.
static double sample(const double *x, int n, int stride, int border, int i)
{
    if (border == AG_WAVELET_ZERO && (i < 0 || i >= n))
        return 0;
    if (border == AG_WAVELET_PERIODIZATION) {
        int period = n + n % 2;
        while (i < 0)
            i += period;
        while (i >= period)
            i -= period;
        return x[(i < n ? i : n - 1) * stride];
    }
    while (n > 1 && (i < 0 || i >= n)) {
        int again = border == AG_WAVELET_SYMMETRIC;
        i = i < 0 ? -i - again : 2 * (n - 1) + again - i;
    }
    return x[(n > 1 ? i : 0) * stride];
}

// The sample that tap k of coefficient o is of. `gap`: of taps, of the stationary transform, where
// every sample has a coefficient of either kind.
static int sample_of(const wavelet_ref *w, int o, int k, int gap)
{
    if (w->stationary)
        return o + (w->taps / 2 - k) * gap;
    return 2 * o + (w->border == AG_WAVELET_PERIODIZATION ? w->taps / 2 : 1) - k;
}

static void split_line(const wavelet_ref *w, const double *x, int n, int stride, double *low,
                       double *high, int out_stride, int gap)
{
    int count = w->stationary ? n : coefficients_of(w, n);
    for (int o = 0; o < count; ++o) {
        double l = 0, h = 0;
        for (int k = 0; k < w->taps; ++k) {
            double s = sample(x, n, stride, w->border, sample_of(w, o, k, gap));
            l += w->low[k] * s;
            h += w->high[k] * s;
        }
        low[o * out_stride] = l;
        high[o * out_stride] = h;
    }
}

// The transpose with the filters of synthesis: every coefficient is added to the samples that it
// was made from; what falls outside is left out, or wraps. Stationary: halved, as each is there
// twice.
static void join_line(const wavelet_ref *w, const double *low, const double *high, int stride,
                      double *x, int n, int out_stride, int gap)
{
    int count = w->stationary ? n : coefficients_of(w, n), period = w->stationary ? n : n + n % 2;
    for (int i = 0; i < n; ++i)
        x[i * out_stride] = 0;
    for (int o = 0; o < count; ++o)
        for (int k = 0; k < w->taps; ++k) {
            int i = sample_of(w, o, w->taps - 1 - k, gap);
            if (w->border == AG_WAVELET_PERIODIZATION)
                i = ((i % period) + period) % period;
            double v = w->low_r[k] * low[o * stride] + w->high_r[k] * high[o * stride];
            if (i >= 0 && i < n)
                x[i * out_stride] += w->stationary ? v / 2 : v;
        }
}

wavelet_ref wavelet_ref_stationary(int wavelet, int levels, int width, int height)
{
    wavelet_ref w =
        wavelet_ref_make(wavelet, AG_WAVELET_PERIODIZATION, levels, true, width, height);
    w.stationary = true;
    for (int l = 0; l <= levels; ++l) {
        w.width[l] = width;
        w.height[l] = height;
    }
    w.columns = width;
    w.rows = height;
    return w;
}

// A band of a level in the coefficients. `high`: bit 0 in x, bit 1 in y.
static double *band_of(const wavelet_ref *w, double *coefficients, int level, int high)
{
    static const int order[] = {0, 1, 0, 2}; // LH, HL, HH
    if (w->bands) {
        int layer = high ? 1 + 3 * (w->levels - level) + order[high] : 0;
        return coefficients + (size_t)layer * (size_t)(w->rows * w->columns);
    }
    int x = w->width[w->levels], y = w->height[w->levels];
    for (int l = w->levels; l > level; --l) {
        x += w->width[l];
        y += w->height[l];
    }
    return coefficients + (high & 1 ? x : 0) + (high & 2 ? y : 0) * w->columns;
}

double *wavelet_ref_forward(const wavelet_ref *w, const double *image)
{
    size_t count = (size_t)(w->columns * w->rows * w->layers);
    double *out = check_doubles(count);
    memset(out, 0, count * sizeof *out);
    double *from = check_doubles((size_t)(w->width[0] * w->height[0]));
    memcpy(from, image, sizeof *from * (size_t)(w->width[0] * w->height[0]));
    for (int l = 1; l <= w->levels; ++l) {
        int gap = 1 << (l - 1), W = w->width[l - 1], H = w->height[l - 1], n = w->width[l],
            m = w->height[l];
        double *low = check_doubles((size_t)(n * H)), *high = check_doubles((size_t)(n * H));
        double *next = check_doubles((size_t)(n * m));
        for (int y = 0; y < H; ++y)
            split_line(w, from + y * W, W, 1, low + y * n, high + y * n, 1, gap);
        double *hl = band_of(w, out, l, 1), *lh = band_of(w, out, l, 2),
               *hh = band_of(w, out, l, 3);
        double *column = check_doubles((size_t)(2 * m));
        for (int x = 0; x < n; ++x) {
            split_line(w, low + x, H, n, column, column + m, 1, gap);
            for (int y = 0; y < m; ++y) {
                next[y * n + x] = column[y];
                lh[y * w->columns + x] = column[m + y];
            }
            split_line(w, high + x, H, n, hl + x, hh + x, w->columns, gap);
        }
        free(column);
        free(low);
        free(high);
        free(from);
        from = next;
    }
    double *ll = band_of(w, out, w->levels, 0);
    for (int y = 0; y < w->height[w->levels]; ++y)
        memcpy(ll + y * w->columns, from + y * w->width[w->levels],
               sizeof *ll * (size_t)w->width[w->levels]);
    free(from);
    return out;
}

double *wavelet_ref_inverse(const wavelet_ref *w, const double *coefficients)
{
    size_t count = (size_t)(w->columns * w->rows * w->layers);
    double *in = check_doubles(count);
    memcpy(in, coefficients, count * sizeof *in);
    int n = w->width[w->levels], m = w->height[w->levels];
    double *from = check_doubles((size_t)(n * m)), *ll = band_of(w, in, w->levels, 0);
    for (int y = 0; y < m; ++y)
        memcpy(from + y * n, ll + y * w->columns, sizeof *from * (size_t)n);
    for (int l = w->levels; l > 0; --l) {
        int gap = 1 << (l - 1), W = w->width[l - 1], H = w->height[l - 1];
        n = w->width[l];
        m = w->height[l];
        double *low = check_doubles((size_t)(n * H)), *high = check_doubles((size_t)(n * H));
        double *next = check_doubles((size_t)(W * H));
        double *hl = band_of(w, in, l, 1), *lh = band_of(w, in, l, 2), *hh = band_of(w, in, l, 3);
        double *pairs = check_doubles((size_t)(2 * m));
        for (int x = 0; x < n; ++x) {
            for (int y = 0; y < m; ++y) {
                pairs[y] = from[y * n + x];
                pairs[m + y] = lh[y * w->columns + x];
            }
            join_line(w, pairs, pairs + m, 1, low + x, H, n, gap);
            join_line(w, hl + x, hh + x, w->columns, high + x, H, n, gap);
        }
        for (int y = 0; y < H; ++y)
            join_line(w, low + y * n, high + y * n, 1, next + y * W, W, 1, gap);
        free(pairs);
        free(low);
        free(high);
        free(from);
        from = next;
    }
    free(in);
    return from;
}
