// mip_ref.c - levels of a chain in double precision
// SPDX-License-Identifier: MIT
#include "mip_ref.h"

#include "afterglow/mipchain.h"
#include "down_ref.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct box {    // the source texels that an output touches
    int x0, x1, y0, y1; // ends included
} box;

static void touched(int from, int to, int i, int *low, int *high)
{
    *low = (int)((int64_t)i * from / to);
    *high = *low;
    while (*high + 1 < from && down_ref_area(from, to, i, *high + 1) > 0)
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
    int w = width > 1 ? width / 2 : 1, h = height > 1 ? height / 2 : 1, n = ref->channels;
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
                            down_ref_area(width, w, x, i) * down_ref_area(height, h, y, j);
                        double v = area * weight_of(ref, above + at, c, first);
                        sum += v * above[at + (size_t)c];
                        weights += v;
                        plain += area * above[at + (size_t)c];
                        size += v * above_magnitude[at + (size_t)c];
                        plain_size += area * above_magnitude[at + (size_t)c];
                        picked = pick(ref->reduce, c, picked, above[at + (size_t)c]);
                    }
                size_t to = (size_t)(y * w + x) * (size_t)n + (size_t)c;
                double mean = weights > 0 ? sum / weights : plain;
                out[to] = ref->reduce == AG_MIP_MEAN ? mean : picked;
                magnitude[to] = weights > 0 ? size / weights : plain_size;
            }
        }
}
