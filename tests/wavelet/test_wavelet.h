// test_wavelet.h - a trial of "wavelet", and what test_wavelet.c runs from other files
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_WAVELET_H
#define AG_TEST_WAVELET_H

#include <afterglow/wavelet.h>

#include "trial.h"
#include "values.h"
#include "wavelet_ref.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define WAVELET_ERROR 2e-6          // of the largest value, as wavelet.h promises
#define WAVELET_RECONSTRUCTION 1e-6 // forward and inverse, of the largest texel

enum { SRC, DST, TAPS };

typedef struct wave {   // a case; what is 0 is the first of its kind
    const char *format; // of the image
    int width, height, layers;
    int wavelet, border, levels, layout, stationary;
    int taps, rows; // of custom filters
    const double *filters;
    bool half;   // coefficients of 16 bits
    bool placed; // in rectangles of larger textures
} wave;

// The reference of a case, and the trial of its transform, `direction`, of values: of the image, or
// of coefficients in `coefficients`, a format. `s` gets the settings.
wavelet_ref wave_ref(const wave *c);
trial wave_of(fixture *f, ag_pass *pass, const wave *c, int direction, const char *coefficients,
              const double *values, ag_wavelet_settings *s);

void test_scrub(void **state); // wavelet_values.c
void test_refusals(void **state);

#endif
