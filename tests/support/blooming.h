// blooming.h - trials of "bloom" against double precision
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_BLOOMING_H
#define AG_TEST_BLOOMING_H

#include <afterglow/bloom.h>

#include "random.h"
#include "trial.h"
#include "values.h"

// A trial from and into rgba32f, of the effect's defaults but for a size of BLOOMING_SIZE and an
// intensity of 1. Of a Gaussian, and of a kernel image that is taken as it is, it expects 120 dB
// and an error of 1e-6 of max|T|, T what passes the threshold, beside the limits of the trial.
#define BLOOMING_SIZE 0.35f
trial blooming_of(fixture *f, const char *name, int width, int height, const double *src,
                  ag_bloom_settings *s);
// Into this format, too: without an SNR if it is rounded.
void blooming_formats(trial *t, const char *src, const char *dst);

// The extent in texels of a kernel for images of `height` texels.
int blooming_extent(double size, int height);
// The Gaussian of these settings in double, summing to 1: extent * extent values (malloc).
double *blooming_gaussian(double size, int height);
// Random texels in low..high (log-uniform), rounded to the format; alpha in 0..1. malloc.
double *blooming_scene(rng *r, const char *format, int width, int height, double low, double high);

#endif
