// values.c - the images of tests, as textures of a format hold them
// SPDX-License-Identifier: MIT
#include "values.h"

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

int values_scrub(double *values, int texels, int channels)
{
    int found = 0;
    for (int i = 0; i < texels; ++i) {
        double *texel = values + i * channels, sum = 0;
        for (int c = 0; c < channels; ++c)
            sum += texel[c] * 0; // a NaN where it is not finite
        if (sum != 0)
            memset(texel, 0, (size_t)channels * sizeof *texel);
        found += sum != 0;
    }
    return found;
}

bool values_same(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}
