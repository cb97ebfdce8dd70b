// cases_fft.c - the cases of effects that convolve and make waves: bloom, convolve,
// filter_spectrum, ocean
// SPDX-License-Identifier: MIT
#include "baselines/baselines.h"
#include "effects.h"

#include <afterglow/ocean.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bench_size frames[] = {{1920, 1080}, {3840, 2160}};

// ---- bloom -------------------------------------------------------------------------------------
//
// RGBA16F in and out. The kernels are the Gaussian and the aperture's star, with an extent of 0.3
// of the height. Outside the frame is black, so the frame is padded by half of that extent.

#define LOOK "size=0.3 intensity=0.1"
static const double kernel_extent = 0.3, intensity = 0.1;

// The kernel as bloom.h defines it: sigma = extent * height / 12 in an odd square, summing to 1.
static double *gaussian(int height, reference_kernel *out)
{
    int extent = 2 * (int)floor(kernel_extent * height / 2) + 1;
    double sigma = kernel_extent * height / 12, sum = 0;
    double *weights = need_memory((size_t)extent * (size_t)extent * sizeof *weights);
    for (int i = 0; i < extent * extent; i++) {
        double x = i % extent - extent / 2, y = i / extent - extent / 2;
        sum += weights[i] = exp(-(x * x + y * y) / (2 * sigma * sigma));
    }
    for (int i = 0; i < extent * extent; i++)
        weights[i] /= sum;
    *out = (reference_kernel){extent, extent, 1, weights};
    return weights;
}

// src + intensity (src conv K - src)
static double *expect_bloom(const picture *source, double *scale)
{
    reference_kernel kernel;
    double *weights = gaussian(source->height, &kernel);
    double *out = reference_convolve(source, &kernel, false);
    size_t texels = (size_t)source->width * (size_t)source->height;
    for (size_t i = 0; i < 3 * texels && out; i++)
        out[i] = intensity * out[i] + (1 - intensity) * source->texels[i / 3 * 4 + i % 3];
    *scale = PICTURE_BRIGHTEST;
    free(weights);
    return out;
}

// The Gaussian has a reference; what an aperture's star loses with the resolution is in
// docs/bloom.md.
#define GAUSSIAN(more)                                                       \
    {                                                                        \
        "gaussian" more, LOOK " shape=gaussian" more, .expect = expect_bloom \
    }
#define APERTURE(more)                                           \
    {                                                            \
        "aperture" more, .settings = LOOK " shape=aperture" more \
    }
static const effect_case blooms[] = {
    GAUSSIAN(""),
    GAUSSIAN(" storage=compact"),
    GAUSSIAN(" resolution=half"),
    GAUSSIAN(" resolution=quarter"),
    GAUSSIAN(" resolution=eighth"),
    GAUSSIAN(" resolution=auto"),
    APERTURE(""),
    APERTURE(" storage=compact"),
    APERTURE(" resolution=half"),
    APERTURE(" resolution=quarter"),
    APERTURE(" resolution=eighth"),
    APERTURE(" resolution=auto"),
};
const bench_effect bench_bloom = {"bloom", CASES(blooms, frames, 1), .after = pyramid_bench};

// ---- convolve ----------------------------------------------------------------------------------
//
// RGBA16F images, border wrap. The kernel has three different channels, and its spectrum is ready.
// It has the image's size, made odd in each direction, so that it can be even about its centre: its
// spectrum is then real.

static const bench_size convolved[] = {{512, 512},   {1920, 1080}, {1024, 1024},
                                       {2048, 2048}, {3840, 2160}, {4096, 4096}};

static picture generic_kernel(int width, int height)
{
    return picture_kernel(width, height, false);
}

static picture even_kernel(int width, int height)
{
    return picture_kernel(width, height, true);
}

static double *expect_convolved(const picture *source, double *scale, bool even)
{
    picture k = picture_kernel((source->width - 1) | 1, (source->height - 1) | 1, even);
    size_t texels = (size_t)k.width * (size_t)k.height;
    double *weights = need_memory(3 * texels * sizeof *weights);
    for (size_t i = 0; i < 3 * texels; i++)
        weights[i] = k.texels[i / 3 * 4 + i % 3];
    const reference_kernel kernel = {k.width, k.height, 3, weights};
    double *expected = reference_convolve(source, &kernel, true);
    *scale = PICTURE_BRIGHTEST; // because the kernel sums to 1
    free(weights);
    picture_free(&k);
    return expected;
}

static double *expect_generic(const picture *source, double *scale)
{
    return expect_convolved(source, scale, false);
}

static double *expect_even(const picture *source, double *scale)
{
    return expect_convolved(source, scale, true);
}

static void fit_kernel(pass_case *timed, report_row *row)
{
    (void)row;
    timed->slots[2].width = (timed->width - 1) | 1;
    timed->slots[2].height = (timed->height - 1) | 1;
}

#define CONVOLVED(of, stored)                                                       \
    {                                                                               \
        "kernel=" #of " storage=" stored, "border=wrap method=fft storage=" stored, \
            .extra = {{"kernel", GL_RGBA32F, .make = of##_kernel, .shared = true}}, \
            .expect = expect_##of, .fit = fit_kernel                                \
    }
static const effect_case convolutions[] = {
    CONVOLVED(generic, "full"),
    CONVOLVED(generic, "compact"),
    CONVOLVED(even, "full"),
    CONVOLVED(even, "compact"),
};
const bench_effect bench_convolve = {"convolve", CASES(convolutions, convolved, 2)};

// ---- filter_spectrum ---------------------------------------------------------------------------
//
// A lowpass, which has one real weight a frequency, on the image's own period and with mirrored
// borders. tests/fft/test_filter_spectrum.c checks results.

static const effect_case lowpasses[] = {{"lowpass, border=wrap", .settings = "border=wrap"},
                                        {"lowpass, border=mirror", .settings = "border=mirror"}};
const bench_effect bench_filter_spectrum = {"filter_spectrum", CASES(lowpasses, frames, 1),
                                            .frame = GL_RGBA16F};

// ---- ocean -------------------------------------------------------------------------------------
//
// It reads no texture, so "cold" changes the outputs alone. tests/fft/test_ocean.c checks results.

static const bench_size seas[] = {{256, 256}, {512, 512}, {1024, 1024}};

static bool record_sea(void *user, int set)
{
    pass *self = user;
    ((ag_ocean_settings *)self->settings)->time += 1.0f / 60; // another sea each frame
    return pass_record(self, set);
}

static void fit_sea(pass_case *timed, report_row *row)
{
    static char settings[32];
    int size = 32; // a software renderer's sizes are no powers of two
    (void)row;
    while (2 * size <= timed->width && size < 1024)
        size *= 2;
    timed->width = timed->height = size;
    snprintf(settings, sizeof settings, "size=%d", size);
    timed->settings = settings;
}

#define SEA(name, format)                                                     \
    {                                                                         \
        "3 cascades, " name, .fit = fit_sea, .record = record_sea, .extra = { \
            {"displacement", format, .layers = 3},                            \
            {"derivatives", format, .layers = 3}                              \
        }                                                                     \
    }
static const effect_case waves[] = {SEA("rgba16f", GL_RGBA16F), SEA("rgba32f", GL_RGBA32F)};
const bench_effect bench_ocean = {"ocean", CASES(waves, seas, 2), .src = "", .dst = ""};
