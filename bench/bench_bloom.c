// bench_bloom.c - the effect "bloom" on whole frames, and the pyramid bloom of today's games
// SPDX-License-Identifier: MIT
//
// Both read an RGBA16F frame and write the frame with its bloom. The plugin's kernels are the
// Gaussian and the aperture's star, with an extent of 0.3 of the height. Outside the frame is
// black, so the frame is padded by half of that extent.
#include "baselines/pyramid.h"
#include "bench.h"
#include "cli/report.h"
#include "cli/words.h"
#include "pass_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
enum { SIZES = sizeof sizes / sizeof *sizes, QUICK_SIZES = 1 };

static const double kernel_extent = 0.3, intensity = 0.1; // the effect's defaults

// The kernel as bloom.h defines it: sigma = extent * height / 12 in an odd square, summing to 1.
static double *gaussian(int height, reference_kernel *out)
{
    int extent = 2 * (int)floor(kernel_extent * height / 2) + 1;
    double sigma = kernel_extent * height / 12, sum = 0;
    double *weights = malloc((size_t)extent * (size_t)extent * sizeof *weights);
    for (int i = 0; weights && i < extent * extent; i++) {
        double x = i % extent - extent / 2, y = i / extent - extent / 2;
        sum += weights[i] = exp(-(x * x + y * y) / (2 * sigma * sigma));
    }
    for (int i = 0; weights && i < extent * extent; i++)
        weights[i] /= sum;
    *out = (reference_kernel){extent, extent, 1, weights};
    return weights;
}

// src + intensity (src conv K - src)
static double *expect(const picture *source)
{
    reference_kernel kernel;
    double *weights = gaussian(source->height, &kernel);
    double *out = weights ? reference_convolve(source, &kernel, false) : NULL;
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < 3 * texels && out; i++)
        out[i] = intensity * out[i] + (1 - intensity) * source->texels[i / 3 * 4 + i % 3];
    free(weights);
    return out;
}

// `setting` is added to the shape: a storage or a resolution, "" for none.
static int measure_case(bench *owner, const picture *source, const char *shape, const char *setting,
                        const double *expected)
{
    char shape_setting[64];
    snprintf(shape_setting, sizeof shape_setting, "shape=%s", shape);
    const pass_case timed = {.effect = "bloom",
                             .settings = {shape_setting, setting},
                             .source = source,
                             .source_format = GL_RGBA16F,
                             .target_format = GL_RGBA16F,
                             .target_width = source->width,
                             .target_height = source->height};
    const pass_expected right = {expected, PICTURE_BRIGHTEST};
    report_row row = {.effect = "bloom",
                      .subject = "afterglow",
                      .width = source->width,
                      .height = source->height};
    words variant = words_begin(row.variant, sizeof row.variant, " ");
    words_add(&variant, shape);
    if (*setting)
        words_add(&variant, setting);
    return pass_bench(owner, &timed, &right, &row);
}

// The Gaussian has a reference; what an aperture's star loses with the resolution is in
// docs/bloom.md.
static int measure_shape(bench *owner, const picture *source, const char *shape,
                         const double *expected)
{
    static const char *const settings[] = {"storage", "resolution"};
    int status = measure_case(owner, source, shape, "", expected);
    for (int i = 0; i < 2; i++) {
        char values[PASS_MAX_VALUES][64];
        int count = pass_values(owner, "bloom", settings[i], values);
        for (int k = 1; k < count && status == STATUS_OK; k++) // the first is the default
            status = measure_case(owner, source, shape, values[k], expected);
    }
    return status;
}

static int measure_size(bench *owner, bench_size size)
{
    picture source = picture_scene(size.width, size.height);
    if (!source.texels)
        return fail_memory();
    double *expected = expect(&source);
    int status = measure_shape(owner, &source, "gaussian", expected);
    free(expected);
    if (status == STATUS_OK)
        status = measure_shape(owner, &source, "aperture", NULL);
    for (int i = 0; i < PYRAMID_KINDS && status == STATUS_OK; i++)
        status = pyramid_bench(owner, &source, &pyramid_kinds[i]);
    picture_free(&source);
    return status;
}

static int run(bench *self)
{
    bench_size chosen[BENCH_MAX_SIZES];
    int count = bench_sizes(self, sizes, SIZES, QUICK_SIZES, chosen), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = measure_size(self, chosen[i]);
    return status;
}

const bench_effect bench_bloom = {"bloom", run, false};
