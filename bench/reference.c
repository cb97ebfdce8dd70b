// reference.c - how far a result is from its reference, and averages in double precision
// SPDX-License-Identifier: MIT
#include "reference.h"

#include "process.h"

#include <math.h>
#include <stdlib.h>

accuracy reference_compare(const picture *result, const double *expected, double scale)
{
    if (!expected)
        return (accuracy){0};
    double signal = 0, noise = 0, worst = 0;
    size_t texels = (size_t)result->width * (size_t)result->height;
    for (size_t i = 0; i < texels; i++) {
        for (size_t c = 0; c < 3; c++) {
            double exact = expected[3 * i + c], error = result->texels[4 * i + c] - exact;
            signal += exact * exact;
            noise += error * error;
            worst =
                fabs(error) <= worst ? worst : fabs(error); // a NaN stays, so that it is reported
        }
    }
    return (accuracy){
        .checked = true,
        .snr_db = 10 * log10(signal / noise),
        .max_error = worst / scale,
    };
}

// ---- averages ----------------------------------------------------------------------------------

static double overlap(int from, int to, int i, int j)
{
    long long cell = (long long)i * from, texel = (long long)j * to;
    long long low = cell > texel ? cell : texel;
    long long high = cell + from < texel + to ? cell + from : texel + to;
    return high > low ? (double)(high - low) / from : 0;
}

double *reference_average(const double *from, int channels, int width, int height, int to_width,
                          int to_height)
{
    size_t n = (size_t)channels, row = n * (size_t)to_width;
    double *across = need_memory(row * (size_t)height * sizeof *across);
    double *out = need_memory(row * (size_t)to_height * sizeof *out);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < to_width; x++)
            for (int j = (int)((long long)x * width / to_width);
                 (long long)j * to_width < (long long)(x + 1) * width; j++)
                for (size_t c = 0; c < n; c++)
                    across[(size_t)y * row + n * (size_t)x + c] +=
                        overlap(width, to_width, x, j) *
                        from[n * ((size_t)y * (size_t)width + (size_t)j) + c];
    for (int y = 0; y < to_height; y++)
        for (int j = (int)((long long)y * height / to_height);
             (long long)j * to_height < (long long)(y + 1) * height; j++)
            for (size_t x = 0; x < row; x++)
                out[(size_t)y * row + x] +=
                    overlap(height, to_height, y, j) * across[(size_t)j * row + x];
    free(across);
    return out;
}

double *reference_reduced(const picture *source, int width, int height)
{
    size_t count = 3 * (size_t)source->width * (size_t)source->height;
    double *colours = need_memory(count * sizeof *colours);
    for (size_t i = 0; i < count; i++)
        colours[i] = (double)source->texels[i / 3 * 4 + i % 3];
    double *out = reference_average(colours, 3, source->width, source->height, width, height);
    free(colours);
    return out;
}

accuracy reference_reduced_compare(const GladGLContext *gl, GLuint texture, int level, int width,
                                   int height, const double *exact, double scale)
{
    picture got = picture_read(gl, texture, level, width, height);
    accuracy out = reference_compare(&got, exact, scale);
    if (!isfinite(out.snr_db)) // nothing to tell them apart by
        out.snr_db = 999;
    picture_free(&got);
    return out;
}
