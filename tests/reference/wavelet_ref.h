// wavelet_ref.h - the wavelet transform by definition, in double; PyWavelets' files hold it
// SPDX-License-Identifier: MIT
//
// Borders, wavelets, layouts and the order of bands are those of afterglow/wavelet.h. One channel.
#ifndef AG_TEST_WAVELET_REF_H
#define AG_TEST_WAVELET_REF_H

#include <stdbool.h>

enum { WAVELET_REF_LEVELS = 15, WAVELET_REF_TAPS = 16 };

typedef struct wavelet_ref {
    int taps, border, levels;
    bool bands, stationary;                               // stationary: bands as large as the image
    double low[WAVELET_REF_TAPS], high[WAVELET_REF_TAPS]; // of analysis
    double low_r[WAVELET_REF_TAPS], high_r[WAVELET_REF_TAPS];  // of synthesis
    int width[WAVELET_REF_LEVELS], height[WAVELET_REF_LEVELS]; // of level 0, the image, and others
    int columns, rows, layers;                                 // of the coefficients
} wavelet_ref;

// `wavelet`: AG_WAVELET_HAAR .. AG_WAVELET_CDF97.
wavelet_ref wavelet_ref_make(int wavelet, int border, int levels, bool bands, int width,
                             int height);
// Of other filters; low_r NULL: `low` reversed.
wavelet_ref wavelet_ref_custom(int taps, const double *low, const double *low_r, int border,
                               int levels, bool bands, int width, int height);
wavelet_ref wavelet_ref_stationary(int wavelet, int levels, int width, int height);
// coefficients: layers * rows * columns values; malloc.
double *wavelet_ref_forward(const wavelet_ref *w, const double *image);
double *wavelet_ref_inverse(const wavelet_ref *w, const double *coefficients);

#endif
