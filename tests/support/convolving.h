// convolving.h - trials of "convolve" against the convolution in double
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_CONVOLVING_H
#define AG_TEST_CONVOLVING_H

#include <afterglow/convolve.h>

#include "random.h"
#include "trial.h"

// A trial of these settings. It expects what the header promises: an error of up to 1e-6 of
// max|src| sum|kernel| and 120 dB, or 1e-4 and 90 dB of compact spectra; copied alpha as it is;
// texels and taps that are not finite as zeros. What an FFT makes of others, with `scrub` off, is
// left open.
trial convolving_of(fixture *f, const char *name, trial_slot src, trial_slot kernel, trial_slot dst,
                    ag_convolve_settings *s);

typedef struct convolving { // a row of a table: random texels and taps; NULL formats are rgba32f
    const char *name;
    int width, height, kernel_width, kernel_height;
    const char *src_format, *kernel_format, *dst_format;
    ag_convolve_settings settings;
    // Change the taps and the texels before they are rounded to their formats; NULL: no change.
    void (*reshape)(double *kernel, int width, int height, int channels);
    void (*paint)(rng *r, double *src, int width, int height, int channels);
    double min_snr; // 0: that of the contract
    uint64_t *held; // gets the bytes of GPU memory that all passes then hold
} convolving;

// Runs a row and prints a line. With a pass of NULL it makes one for this run.
bool convolving_check(fixture *f, ag_pass *pass, const convolving *c, rng *r);

#endif
