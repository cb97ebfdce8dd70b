// down_ref.c - an image at another size in double precision
// SPDX-License-Identifier: MIT
#include "down_ref.h"

#include "afterglow/downsample.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

double down_ref_area(int from, int to, int i, int j)
{
    int64_t cell = (int64_t)i * from, end = cell + from;
    int64_t texel = (int64_t)j * to, texel_end = texel + to;
    int64_t low = cell > texel ? cell : texel, high = end < texel_end ? end : texel_end;
    return high > low ? (double)(high - low) / (double)from : 0;
}

static double cubic(double x) // Keys 1981, a = -1/2
{
    x = fabs(x);
    if (x < 1)
        return (1.5 * x - 2.5) * x * x + 1;
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

static double lanczos(double x, int radius)
{
    const double pi = acos(-1);
    if (x == 0)
        return 1;
    return fabs(x) < radius ? radius * sin(pi * x) * sin(pi * x / radius) / (pi * pi * x * x) : 0;
}

// Not normalised.
static double plain_tap(const down_ref *ref, int from, int to, int i, int j)
{
    // (2 i + 1) from / 2 to - 1/2 - j, of which the numerator is whole.
    int64_t over = (2 * (int64_t)i + 1) * from - to - 2 * (int64_t)j * to;
    double x = (double)over / (2.0 * to), stretch = from > to ? (double)from / to : 1;
    switch (ref->filter) {
    case AG_DOWN_AREA: return down_ref_area(from, to, i, j);
    case AG_DOWN_NEAREST: return over >= -to && over < to; // -1/2 <= x < 1/2: of two the higher
    case AG_DOWN_BILINEAR: return fabs(x) < 1 ? 1 - fabs(x) : 0;
    case AG_DOWN_BICUBIC: return cubic(x);
    default: return lanczos(x / stretch, ref->radius);
    }
}

// Texels that may weigh something: [low, high].
static void reach(const down_ref *ref, int from, int to, int i, int *low, int *high)
{
    double stretch = from > to ? (double)from / to : 1, centre = (i + 0.5) * from / to;
    double far = ref->filter == AG_DOWN_AREA      ? 0.5 * from / to + 1
                 : ref->filter == AG_DOWN_LANCZOS ? ref->radius * stretch + 1
                                                  : 3;
    *low = (int)floor(centre - far) - 1;
    *high = (int)ceil(centre + far) + 1;
}

static double total(const down_ref *ref, int from, int to, int i)
{
    int low, high;
    double sum = 0;
    reach(ref, from, to, i, &low, &high);
    for (int j = low; j <= high; ++j)
        sum += plain_tap(ref, from, to, i, j);
    return sum;
}

typedef struct taps { // of an output: texels inside, what lies outside being their edge's
    int first, count;
    double *weights;
} taps;

static taps *make_taps(const down_ref *ref, int from, int to)
{
    taps *all = calloc((size_t)to, sizeof *all);
    for (int i = 0; i < to && all; ++i) {
        int low, high;
        reach(ref, from, to, i, &low, &high);
        double whole = ref->filter == AG_DOWN_LANCZOS ? total(ref, from, to, i) : 1;
        int first = low < 0 ? 0 : low, last = high >= from ? from - 1 : high;
        all[i] =
            (taps){first, last - first + 1, calloc((size_t)(last - first + 1), sizeof(double))};
        for (int j = low; j <= high && all[i].weights; ++j) {
            int inside = j < 0 ? 0 : j >= from ? from - 1 : j;
            all[i].weights[inside - first] += plain_tap(ref, from, to, i, j) / whole;
        }
    }
    return all;
}

static void free_taps(taps *all, int to)
{
    for (int i = 0; all && i < to; ++i)
        free(all[i].weights);
    free(all);
}

static double luminance(const down_ref *ref, const double *c)
{
    if (ref->channels == 1)
        return c[0];
    return 0.2126 * c[0] + 0.7152 * c[1] + (ref->channels > 2 ? 0.0722 * c[2] : 0);
}

static double weight_of(const down_ref *ref, const double *c, int channel)
{
    if (channel == 3 || ref->weight == AG_DOWN_WEIGHT_NONE)
        return 1;
    return ref->weight == AG_DOWN_WEIGHT_KARIS ? 1 / (1 + fmax(luminance(ref, c), 0))
                                               : fmax(c[3], 0);
}

static void make_texel(const down_ref *ref, const double *src, const taps *x, const taps *y,
                       double *out, double *magnitude)
{
    for (int c = 0; c < ref->channels; ++c) {
        long double sum = 0, weights = 0, size = 0, plain = 0, plain_size = 0;
        for (int j = 0; j < y->count; ++j)
            for (int i = 0; i < x->count; ++i) {
                const double *at =
                    src + ((size_t)(y->first + j) * (size_t)ref->width + (size_t)(x->first + i)) *
                              (size_t)ref->channels;
                long double area = (long double)x->weights[i] * y->weights[j];
                if (area == 0)
                    continue;
                long double w = area * weight_of(ref, at, c);
                sum += w * at[c];
                weights += w;
                size += fabsl(w * at[c]);
                plain += area * at[c];
                plain_size += fabsl(area * at[c]);
            }
        int weighed = ref->weight != AG_DOWN_WEIGHT_NONE && weights > 0;
        out[c] = (double)(weighed ? sum / weights : plain);
        if (magnitude)
            magnitude[c] = (double)(weighed ? size / weights : plain_size);
    }
}

void down_ref_make(const down_ref *ref, const double *src, double *out, double *magnitude)
{
    taps *xs = make_taps(ref, ref->width, ref->to_width);
    taps *ys = make_taps(ref, ref->height, ref->to_height);
    for (int y = 0; y < ref->to_height && xs && ys; ++y)
        for (int x = 0; x < ref->to_width; ++x) {
            size_t at = ((size_t)y * (size_t)ref->to_width + (size_t)x) * (size_t)ref->channels;
            make_texel(ref, src, &xs[x], &ys[y], out + at, magnitude ? magnitude + at : NULL);
        }
    free_taps(xs, ref->to_width);
    free_taps(ys, ref->to_height);
}
