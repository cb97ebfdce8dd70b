// sat_ref.c - summed-area tables by their definition: in double, and in integers modulo 2^32
// SPDX-License-Identifier: MIT
#include "sat_ref.h"
#include "check.h"
#include "convolve_ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double *out = check_allocate(count * sizeof *out);
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
    uint32_t *out = check_allocate(count * sizeof *out);
    uint64_t *sums = check_allocate(row * sizeof *sums); // the sum of each column so far
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

// How much of [from, to] each texel of an axis has, those outside by the border. malloc.
typedef struct share {
    int first, end;           // the texels that have any
    double *of, outside, sum; // of texel `first` on; where the border says 0; all
} share;

static share share_of(int n, double from, double to, int border)
{
    share s = {.first = n};
    for (int i = (int)floor(from); i < (int)ceil(to); ++i) {
        int at = convolve_ref_border(i, n, border);
        s.first = at >= 0 && at < s.first ? at : s.first;
        s.end = at >= s.end ? at + 1 : s.end;
    }
    size_t bytes = s.end > s.first ? (size_t)(s.end - s.first) * sizeof *s.of : 0;
    s.of = check_allocate(bytes);
    memset(s.of, 0, bytes);
    for (int i = (int)floor(from); i < (int)ceil(to); ++i) {
        double part = fmin(i + 1, to) - fmax(i, from);
        int at = convolve_ref_border(i, n, border);
        if (at >= 0)
            s.of[at - s.first] += part;
        else if (border != AG_BORDER_NORMALIZE)
            s.outside += part;
        s.sum += at >= 0 || border != AG_BORDER_NORMALIZE ? part : 0;
    }
    return s;
}

sat_ref_stats sat_ref_box(const double *src, int width, int height, int channels, int channel,
                          const double from[2], const double to[2], int border)
{
    share across = share_of(width, from[0], to[0], border);
    share down = share_of(height, from[1], to[1], border);
    double sum = 0, area = across.sum * down.sum, square = 0;
    for (int pass = 0; pass < 2; ++pass) { // then squares of the differences from the mean
        double mean = sum / area;
        for (int y = down.first; y < down.end; ++y) {
            const double *row = src + (size_t)(y * width) * (size_t)channels + channel;
            double line = 0;
            for (int x = across.first; x < across.end; ++x) {
                double v = row[(size_t)x * (size_t)channels] - (pass ? mean : 0);
                line += across.of[x - across.first] * (pass ? v * v : v);
            }
            *(pass ? &square : &sum) += down.of[y - down.first] * line;
        }
    }
    double within = (across.sum - across.outside) * (down.sum - down.outside);
    square += (area - within) * (sum / area) * (sum / area);
    free(across.of);
    free(down.of);
    return (sat_ref_stats){sum / area, sqrt(fmax(square, 0) / area)};
}
