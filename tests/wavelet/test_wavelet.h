// test_wavelet.h - what the tests of "wavelet" share: a pass from an image to coefficients and back
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_WAVELET_H
#define AG_TEST_WAVELET_H

#include <afterglow/wavelet.h>
#include <stdio.h>

#include "fixture.h"
#include "random.h"
#include "texture.h"
#include "wavelet_ref.h"

#define WAVELET_ERROR 2e-6          // of the largest value, as wavelet.h promises
#define WAVELET_RECONSTRUCTION 1e-6 // forward and inverse, of the largest texel

typedef struct waving { // do not copy: `job` points into it
    fixture *f;
    ag_pass *pass;
    ag_wavelet_settings settings;
    ag_texture slots[3];
    const double *low, *low_r; // of custom; low_r NULL: one row
    texture taps;
    ag_job job;
} waving;

void waving_open(fixture *f, waving *w);
void waving_close(waving *w);
// Selects custom filters.
void waving_taps(waving *w, int taps, const double *low, const double *low_r);
// One execute into a poisoned texture.
void waving_run(waving *w, int direction, const texture *src, const texture *dst);
// The reference of an image of this size, with the settings of `w`.
wavelet_ref waving_ref(const waving *w, int width, int height);
// A texture for the coefficients of an image, by the size that the module states.
texture waving_coefficients(waving *w, const texture *image, const char *format);

// One channel of texels that have several, and back.
double *waving_channel(const double *texels, size_t count, int channels, int channel);
// The largest difference of a channel from what it should be, and the largest value of the latter.
double waving_error(const double *texels, const double *right, size_t count, int channels,
                    int channel, double *largest);

// wavelet_values.c
void test_formats(void **state);
void test_arrays(void **state);
void test_rectangles(void **state);
void test_scrub(void **state);
void test_energy(void **state);
void test_constant(void **state);
void test_refusals(void **state);

#endif
