// bench_convolve.c - the effect "convolve": RGBA16F images, kernels of the same size, border wrap
// SPDX-License-Identifier: MIT
//
// The kernel has three different channels, and its spectrum is ready. It has the image's size, made
// odd in each direction, so that it can be even about its centre: its spectrum is then real.
#include "effects.h"

#include <stdlib.h>

static const bench_size sizes[] = {{512, 512},   {1920, 1080}, {1024, 1024},
                                   {2048, 2048}, {3840, 2160}, {4096, 4096}};

static picture generic_kernel(int width, int height)
{
    return picture_kernel(width, height, false);
}

static picture even_kernel(int width, int height)
{
    return picture_kernel(width, height, true);
}

static double *expect(const picture *source, double *scale, bool even)
{
    picture k = picture_kernel((source->width - 1) | 1, (source->height - 1) | 1, even);
    size_t texels = (size_t)k.width * (size_t)k.height;
    double *weights = k.texels ? malloc(3 * texels * sizeof *weights) : NULL;
    for (size_t i = 0; i < 3 * texels && weights; i++)
        weights[i] = k.texels[i / 3 * 4 + i % 3];
    const reference_kernel kernel = {k.width, k.height, 3, weights};
    double *expected = weights ? reference_convolve(source, &kernel, true) : NULL;
    *scale = PICTURE_BRIGHTEST; // because the kernel sums to 1
    free(weights);
    picture_free(&k);
    return expected;
}

static double *expect_generic(const picture *source, double *scale)
{
    return expect(source, scale, false);
}

static double *expect_even(const picture *source, double *scale)
{
    return expect(source, scale, true);
}

static int measure_size(bench *self, int width, int height)
{
    const pass_slot kernel = {"kernel", GL_RGBA32F, (width - 1) | 1, (height - 1) | 1,
                              .shared = true};
    effect_case cases[] = {
        {"kernel=generic storage=full", .settings = "border=wrap method=fft storage=full"},
        {"kernel=generic storage=compact", .settings = "border=wrap method=fft storage=compact"},
        {"kernel=even storage=full", .settings = "border=wrap method=fft storage=full"},
        {"kernel=even storage=compact", .settings = "border=wrap method=fft storage=compact"},
    };
    int status = 0;
    for (int i = 0; i < COUNT(cases) && status == 0; i++) {
        cases[i].extra[0] = kernel;
        cases[i].extra[0].make = i < 2 ? generic_kernel : even_kernel;
        cases[i].expect = i < 2 ? expect_generic : expect_even;
        status = effect_measure(self, &bench_convolve, &cases[i], width, height, NULL);
    }
    return status;
}

const bench_effect bench_convolve = {"convolve", .sizes = sizes, .size_count = COUNT(sizes),
                                     .quick_count = 2, .after = measure_size};
