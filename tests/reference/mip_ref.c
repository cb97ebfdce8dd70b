// mip_ref.c - levels of a chain in double precision
// SPDX-License-Identifier: MIT
#include "mip_ref.h"

#include "afterglow/mipchain.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

int mip_ref_size(int size)
{
    return size / 2 > 1 ? size / 2 : 1;
}

double mip_ref_overlap(int from, int to, int i, int j)
{
    int64_t low = (int64_t)i * from > (int64_t)j * to ? (int64_t)i * from : (int64_t)j * to;
    int64_t end = (int64_t)(i + 1) * from, high = (int64_t)(j + 1) * to;
    high = end < high ? end : high;
    return high > low ? (double)(high - low) / from : 0;
}

typedef struct box {    // the source texels that an output touches
    int x0, x1, y0, y1; // ends included
} box;

static void touched(int from, int to, int i, int *low, int *high)
{
    *low = (int)((int64_t)i * from / to);
    *high = *low;
    while (*high + 1 < from && mip_ref_overlap(from, to, i, *high + 1) > 0)
        ++*high;
}

static double pick(int reduce, int channel, double a, double b)
{
    bool most = reduce == AG_MIP_MAX || (reduce == AG_MIP_MINMAX && channel == 1);
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    if (reduce == AG_MIP_FIRST)
        return a;
    return most ? (a > b ? a : b) : (a < b ? a : b);
}

static double luminance(const mip_ref *ref, const double *c)
{
    if (ref->channels == 1)
        return c[0];
    return 0.2126 * c[0] + 0.7152 * c[1] + (ref->channels > 2 ? 0.0722 * c[2] : 0);
}

// The weight of a texel in the mean of one channel, in addition to its area.
static double weight_of(const mip_ref *ref, const double *c, int channel, bool first)
{
    if (channel == 3 || ref->weight == AG_MIP_WEIGHT_NONE)
        return 1;
    if (ref->weight == AG_MIP_WEIGHT_KARIS)
        return first ? 1 / (1 + fmax(luminance(ref, c), 0)) : 1;
    return fmax(c[3], 0);
}

void mip_ref_level(const mip_ref *ref, const double *above, const double *above_magnitude,
                   int width, int height, bool first, double *out, double *magnitude)
{
    int w = mip_ref_size(width), h = mip_ref_size(height), n = ref->channels;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            box b;
            touched(width, w, x, &b.x0, &b.x1);
            touched(height, h, y, &b.y0, &b.y1);
            for (int c = 0; c < n; ++c) {
                double sum = 0, weights = 0, plain = 0, size = 0, plain_size = 0,
                       picked = (double)NAN;
                for (int j = b.y0; j <= b.y1; ++j)
                    for (int i = b.x0; i <= b.x1; ++i) {
                        size_t at = (size_t)(j * width + i) * (size_t)n;
                        double area =
                            mip_ref_overlap(width, w, x, i) * mip_ref_overlap(height, h, y, j);
                        double v = area * weight_of(ref, above + at, c, first);
                        sum += v * above[at + (size_t)c];
                        weights += v;
                        plain += area * above[at + (size_t)c];
                        if (above_magnitude) {
                            size += v * above_magnitude[at + (size_t)c];
                            plain_size += area * above_magnitude[at + (size_t)c];
                        }
                        picked = pick(ref->reduce, c, picked, above[at + (size_t)c]);
                    }
                size_t to = (size_t)(y * w + x) * (size_t)n + (size_t)c;
                double mean = weights > 0 ? sum / weights : plain;
                out[to] = ref->reduce == AG_MIP_MEAN ? mean : picked;
                if (magnitude)
                    magnitude[to] = weights > 0 ? size / weights : plain_size;
            }
        }
}

void mip_ref_direct(const double *base, int width, int height, int channels, int level, double *out,
                    double *magnitude)
{
    int w = width >> level > 1 ? width >> level : 1, h = height >> level > 1 ? height >> level : 1;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int x0, x1, y0, y1;
            touched(width, w, x, &x0, &x1);
            touched(height, h, y, &y0, &y1);
            for (int c = 0; c < channels; ++c) {
                double sum = 0, size = 0;
                for (int j = y0; j <= y1; ++j)
                    for (int i = x0; i <= x1; ++i) {
                        double v = mip_ref_overlap(width, w, x, i) *
                                   mip_ref_overlap(height, h, y, j) *
                                   base[(size_t)(j * width + i) * (size_t)channels + (size_t)c];
                        sum += v;
                        size += fabs(v);
                    }
                size_t to = (size_t)(y * w + x) * (size_t)channels + (size_t)c;
                out[to] = sum;
                magnitude[to] = size;
            }
        }
}
