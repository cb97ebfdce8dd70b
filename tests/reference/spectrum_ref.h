// spectrum_ref.h - the spectrum in double precision, the reference of the effect "spectrum"
// SPDX-License-Identifier: MIT
//
// The definition of afterglow/spectrum.h, through FFTW's complex transform of the whole, padded
// image.
#ifndef AG_TEST_SPECTRUM_REF_H
#define AG_TEST_SPECTRUM_REF_H

#include "afterglow/spectrum.h"

typedef struct spectrum_ref {
    const double *src; // row by row, interleaved channels
    int width, height, channels;
    int points_x, points_y; // of the transform: at least width and height
    const ag_spectrum_settings *settings;
} spectrum_ref;

// m of afterglow/spectrum.h for red, green and blue of each texel: width * height * 3 values.
void spectrum_ref_run(const spectrum_ref *s, double *magnitudes);
// The value of dst for a magnitude.
double spectrum_ref_shown(const ag_spectrum_settings *settings, double magnitude);

#endif
