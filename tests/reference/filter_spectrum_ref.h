// filter_spectrum_ref.h - filter_spectrum in double precision, through FFTW's complex transform
// SPDX-License-Identifier: MIT
//
// The definition of afterglow/filter_spectrum.h: the canvas is filled texel by texel, transformed,
// weighted frequency by frequency, and transformed back.
#ifndef AG_TEST_FILTER_SPECTRUM_REF_H
#define AG_TEST_FILTER_SPECTRUM_REF_H

#include "afterglow/filter_spectrum.h"

typedef struct filter_spectrum_ref {
    const double *src; // row by row, interleaved channels
    int width, height, channels;
    int canvas_width, canvas_height;
    const double *mask; // shape = mask: its texels, else NULL
    int mask_width, mask_height, mask_channels;
    const ag_filter_spectrum_settings *settings;
} filter_spectrum_ref;

// dst: width * height * channels values; alpha is copied.
void filter_spectrum_ref_run(const filter_spectrum_ref *r, double *dst);
// H of a channel at k/P, l/Q cycles a texel.
double filter_spectrum_ref_weight(const filter_spectrum_ref *r, int channel, int k, int l);

#endif
