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
} wave;

// The reference of a case, and the trial of its transform, `direction`, of values: of the image, or
// of coefficients in `coefficients`, a format. `s` gets the settings.
wavelet_ref wave_ref(const wave *c);
trial wave_of(fixture *f, ag_pass *pass, const wave *c, int direction, const char *coefficients,
              const double *values, ag_wavelet_settings *s);
// The float32 format with the channels of this one.
const char *wave_floats(const char *format);
// Forward, inverse of random coefficients, and forward and inverse, of noise.
bool wave_check(fixture *f, ag_pass *pass, rng *r, const wave *c);

// wavelet_values.c
void test_formats(void **state);
void test_arrays(void **state);
void test_rectangles(void **state);
void test_scrub(void **state);
void test_refusals(void **state);

#endif
