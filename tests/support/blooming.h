// blooming.h - one bloom on the GPU and in double, and their difference
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_BLOOMING_H
#define AG_TEST_BLOOMING_H

#include <afterglow/bloom.h>

#include "fixture.h"
#include "random.h"
#include "texture.h"

typedef struct blooming { // what to run; NULL formats are rgba32f
    const char *name;
    int width, height;
    const char *src_format, *dst_format, *image_format;
    const double *src, *image; // interleaved, as many channels as the formats; image NULL: none
    int image_width, image_height;
    ag_bloom_settings settings;
} blooming;

typedef struct bloomed {
    double snr;      // dB: signal power over error power
    double relative; // largest error over max|T|
    double units;    // largest error beyond 1e-6 of max|T|, in units of dst's format
} bloomed;

// The defaults of the effect.
ag_bloom_settings blooming_defaults(fixture *f);
// The extent in texels of a kernel for images of `height` texels.
int blooming_extent(double size, int height);
// The Gaussian of these settings in double, summing to 1: extent * extent values (malloc).
double *blooming_gaussian(double size, int height);
// The kernel of `image` if its size is the extent: each channel divided by its sum. Its first three
// channels (or one) are used: *channels. malloc.
double *blooming_normalised(const blooming *c, int *channels);
// Random texels in low..high (log-uniform), rounded to the format; alpha in 0..1. malloc.
double *blooming_scene(rng *r, const char *format, int width, int height, double low, double high);

// Prepares and executes; returns the values of dst (malloc).
double *blooming_run(fixture *f, ag_pass *pass, const blooming *c);
// The whole effect in double, for a kernel K of kw x kh texels: src's channels (malloc).
double *blooming_want(const blooming *c, const double *kernel, int kw, int kh, int channels);
// The error of `got` for a kernel K in double of kw x kh texels.
bloomed blooming_measure(const blooming *c, const double *kernel, int kw, int kh, int channels,
                         const double *got);
// Runs, measures and prints one line: 120 dB and 1e-6 into 32-bit formats, else 0.51 units more.
bool blooming_check(fixture *f, ag_pass *pass, const blooming *c, const double *kernel, int kw,
                    int kh, int channels);

// A job over the views of src, kernel_image (may be empty) and dst.
ag_job blooming_job(const ag_texture slots[3], const ag_bloom_settings *settings);

#endif
