// sat_ref.c - summed-area tables by their definition: in double, and in integers modulo 2^32
// SPDX-License-Identifier: MIT
#include "sat_ref.h"

#include <afterglow/afterglow.h>

#include <math.h>
#include <stdlib.h>

static void *allocate(size_t bytes)
{
    void *data = malloc(bytes ? bytes : 1);
    if (!data)
        abort();
    return data;
}

// Sums rows first, then columns, both outward from the centre: from `at` upward, and from `at - 1`
// downward.
static void scan(double *line, int count, size_t stride, int at)
{
    for (int i = at + 1; i < count; ++i)
        line[(size_t)i * stride] += line[(size_t)(i - 1) * stride];
    for (int i = at - 2; i >= 0; --i)
        line[(size_t)i * stride] += line[(size_t)(i + 1) * stride];
}

double *sat_ref_table(const double *src, int width, int height, int channels, const double *offset,
                      int power, bool center)
{
    size_t row = (size_t)width * (size_t)channels, count = row * (size_t)height;
    double *out = allocate(count * sizeof *out);
    for (size_t i = 0; i < count; ++i) {
        double v = src[i] - (offset ? offset[i % (size_t)channels] : 0);
        out[i] = power == 2 ? v * v : v;
    }
    for (int c = 0; c < channels; ++c) {
        for (int y = 0; y < height; ++y)
            scan(out + (size_t)y * row + c, width, (size_t)channels, center ? width / 2 : 0);
        for (int x = 0; x < width; ++x)
            scan(out + (size_t)(x * channels + c), height, row, center ? height / 2 : 0);
    }
    return out;
}

uint32_t *sat_ref_integers(const uint64_t *src, int width, int height, int channels)
{
    size_t row = (size_t)width * (size_t)channels, count = row * (size_t)height;
    uint32_t *out = allocate(count * sizeof *out);
    uint64_t *sums = allocate(row * sizeof *sums); // the sum of each column so far
    for (size_t i = 0; i < row; ++i)
        sums[i] = 0;
    for (int y = 0; y < height; ++y) {
        uint64_t left[4] = {0};
        for (size_t i = 0; i < row; ++i) {
            sums[i] += src[(size_t)y * row + i];
            left[i % (size_t)channels] += sums[i];
            out[(size_t)y * row + i] = (uint32_t)(left[i % (size_t)channels] & 0xffffffffu);
        }
    }
    free(sums);
    return out;
}

uint64_t sat_ref_units(double texel, float units, float max_value, int power, bool counts)
{
    float x = fminf(fmaxf((float)texel, 0), max_value);
    uint64_t code = (uint64_t)(x * units + 0.5f);
    if (power == 1)
        return code;
    if (counts)
        return code * code;
    float square = x * x;
    return (uint64_t)(square * units + 0.5f);
}

// ---- boxes -------------------------------------------------------------------------------------

static int place(int i, int n, int border)
{
    if (i >= 0 && i < n)
        return i;
    if (border == AG_BORDER_CLAMP)
        return i < 0 ? 0 : n - 1;
    if (border != AG_BORDER_MIRROR)
        return -1;
    if (n == 1)
        return 0;
    int period = 2 * (n - 1), m = ((i % period) + period) % period;
    return m < n ? m : period - m;
}

sat_ref_stats sat_ref_box(const double *src, int width, int height, int channels, int channel,
                          const double from[2], const double to[2], int border)
{
    double sum = 0, area = 0, square = 0;
    for (int pass = 0; pass < 2;
         ++pass) { // the mean first, then squares of the differences from it
        double mean = pass ? sum / area : 0;
        for (int y = (int)floor(from[1]); y < (int)ceil(to[1]); ++y)
            for (int x = (int)floor(from[0]); x < (int)ceil(to[0]); ++x) {
                double wide = fmin(x + 1, to[0]) - fmax(x, from[0]);
                double high = fmin(y + 1, to[1]) - fmax(y, from[1]), weight = wide * high;
                int px = place(x, width, border), py = place(y, height, border);
                bool there = px >= 0 && py >= 0;
                double v = there ? src[(py * width + px) * channels + channel] : 0;
                if (pass == 0) {
                    sum += weight * v;
                    area += there || border != AG_BORDER_NORMALIZE ? weight : 0;
                } else {
                    square += there || border != AG_BORDER_NORMALIZE
                                  ? weight * (v - mean) * (v - mean)
                                  : 0;
                }
            }
    }
    return (sat_ref_stats){sum / area, sqrt(square / area)};
}
