// test_wavelet_ladder.h - what the files of test_wavelet_ladder share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_WAVELET_LADDER_H
#define AG_TEST_WAVELET_LADDER_H

#include <afterglow/ladder_wavelet.h>

#include "trial.h"
#include "values.h"

#define WAVELET_ERROR 2e-6          // of the largest value, as ladder_wavelet.h promises
#define WAVELET_RECONSTRUCTION 1e-6 // forward and inverse, of the largest texel

// wavelet_ladder_gsl.c
void test_gsl(void **state);

#endif
