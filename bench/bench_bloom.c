// bench_bloom.c - the effect "bloom" on whole frames, and the pyramid bloom of today's games
// SPDX-License-Identifier: MIT
//
// Both read an RGBA16F frame and write the frame with its bloom. The plugin's kernels are the
// Gaussian and the aperture's star, with an extent of 0.3 of the height. Outside the frame is
// black, so the frame is padded by half of that extent.
#include "baselines/pyramid.h"
#include "effects.h"

#include <math.h>
#include <stdlib.h>

static const bench_size sizes[] = {{1920, 1080}, {3840, 2160}};
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
static double *expect(const picture *source, double *scale)
{
    reference_kernel kernel;
    double *weights = gaussian(source->height, &kernel);
    double *out = weights ? reference_convolve(source, &kernel, false) : NULL;
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < 3 * texels && out; i++)
        out[i] = intensity * out[i] + (1 - intensity) * source->texels[i / 3 * 4 + i % 3];
    *scale = PICTURE_BRIGHTEST;
    free(weights);
    return out;
}

// The Gaussian has a reference; what an aperture's star loses with the resolution is in
// docs/bloom.md.
static const effect_case cases[] = {
    {"gaussian", "shape=gaussian", .expect = expect},
    {"gaussian storage=compact", "shape=gaussian storage=compact", .expect = expect},
    {"gaussian resolution=half", "shape=gaussian resolution=half", .expect = expect},
    {"gaussian resolution=quarter", "shape=gaussian resolution=quarter", .expect = expect},
    {"gaussian resolution=auto", "shape=gaussian resolution=auto", .expect = expect},
    {"aperture", .settings = "shape=aperture"},
    {"aperture storage=compact", .settings = "shape=aperture storage=compact"},
    {"aperture resolution=half", .settings = "shape=aperture resolution=half"},
    {"aperture resolution=quarter", .settings = "shape=aperture resolution=quarter"},
    {"aperture resolution=auto", .settings = "shape=aperture resolution=auto"},
};

const bench_effect bench_bloom = {"bloom",
                                  .cases = cases,
                                  .case_count = COUNT(cases),
                                  .sizes = sizes,
                                  .size_count = COUNT(sizes),
                                  .quick_count = 1,
                                  .after = pyramid_bench};
