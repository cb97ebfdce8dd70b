// convolving.h - one convolution on random data, on the GPU and in double, and their difference
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_CONVOLVING_H
#define AG_TEST_CONVOLVING_H

#include <afterglow/convolve.h>

#include "fixture.h"
#include "random.h"
#include "texture.h"

typedef struct convolving { // what to run; NULL formats are rgba32f
    const char *name;
    int width, height, kernel_width, kernel_height;
    const char *src_format, *kernel_format, *dst_format;
    ag_convolve_settings settings;
    double hot; // > 0: one texel of this value in the middle of the image
    // Changes the random kernel and image before they are quantised; NULL: no change.
    void (*reshape)(double *kernel, int width, int height, int channels);
    void (*paint)(rng *r, double *src, int width, int height, int channels);
    double min_snr; // dB; 0: the limit of the contract
} convolving;

typedef struct convolved {
    double snr;      // dB: signal power over error power
    double relative; // largest error over max|src| * sum|kernel|
    uint64_t held;   // bytes of GPU memory that all passes then held
    double units;    // largest error beyond the contract's bound, in units of dst's format
} convolved;

// Runs it on `pass` (an effect "convolve"), with fresh random data from `r`.
convolved convolving_run(fixture *f, ag_pass *pass, const convolving *c, rng *r);

// Runs it and prints one line against the contract's limits: 120 dB and 1e-6 into 32-bit formats
// (with storage compact 90 dB and 1e-4), 0.51 units beyond that bound into others.
bool convolving_check(fixture *f, ag_pass *pass, const convolving *c, rng *r);

// A job over the given views.
ag_job convolving_job(const ag_texture slots[3], const ag_convolve_settings *settings);

#endif
