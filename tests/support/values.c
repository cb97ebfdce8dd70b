// values.c - the images of tests, as textures of a format hold them
// SPDX-License-Identifier: MIT
#include "values.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "texture.h"

static size_t count_of(const char *format, int width, int height)
{
    return (size_t)width * (size_t)height * (size_t)format_named(format)->channels;
}

double *values_noise(rng *r, const char *format, int width, int height, double low, double high)
{
    size_t count = count_of(format, width, height);
    double *values = check_doubles(count);
    rng_fill_uniform(r, values, count, low, high);
    texture_quantise(format, values, (size_t)width * (size_t)height);
    return values;
}

double *values_hdr(rng *r, const char *format, int width, int height, double low, double high,
                   bool negative)
{
    const format_info *info = format_named(format);
    if (info->kind != FORMAT_FLOAT)
        return values_noise(r, format, width, height, 0, 1);
    size_t count = count_of(format, width, height);
    double *values = check_doubles(count);
    rng_fill_hdr(r, values, count, low, high);
    for (size_t i = 0; negative && info->bits[0] > 11 && i < count; i += 3)
        values[i] = -values[i];
    texture_quantise(format, values, (size_t)width * (size_t)height);
    return values;
}

double *values_even(const char *format, int width, int height, double value)
{
    size_t count = count_of(format, width, height);
    double *values = check_doubles(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = value;
    texture_quantise(format, values, (size_t)width * (size_t)height);
    return values;
}

uint64_t values_spoil(rng *r, double *values, size_t texels, int channels, int one_of)
{
    static const double bad[] = {(double)NAN, (double)NAN, (double)INFINITY, -(double)INFINITY};
    uint64_t count = 0;
    for (size_t i = 0; i < texels; ++i)
        if (rng_int(r, 0, one_of - 1) == 0) {
            values[i * (size_t)channels + (size_t)rng_int(r, 0, channels - 1)] =
                bad[rng_int(r, 0, 3)];
            ++count;
        }
    return count;
}

int values_scrub(double *values, size_t texels, int channels)
{
    int found = 0;
    for (size_t i = 0; i < texels; ++i) {
        double *texel = values + i * (size_t)channels;
        bool finite = true;
        for (int c = 0; c < channels; ++c)
            finite = finite && isfinite(texel[c]);
        if (!finite)
            memset(texel, 0, (size_t)channels * sizeof *texel);
        found += !finite;
    }
    return found;
}

bool values_same(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}
