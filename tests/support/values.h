// values.h - the images of tests, as textures of a format hold them
// SPDX-License-Identifier: MIT
//
// Of as many channels as the format has, row by row; of an array, let `height` count the rows of
// all layers. malloc.
#ifndef AG_TEST_VALUES_H
#define AG_TEST_VALUES_H

#include <stdbool.h>

#include "random.h"

// low <= x < high, evenly.
double *values_noise(rng *r, const char *format, int width, int height, double low, double high);
// low..high, evenly in the logarithm; codes (which end at 1) evenly in 0..1. `negative`: every
// third value, in formats that have a sign.
double *values_hdr(rng *r, const char *format, int width, int height, double low, double high,
                   bool negative);
// All the same.
double *values_even(const char *format, int width, int height, double value);

// NaN, Inf or -Inf in a random channel of one texel of `one_of` or so. Returns how many.
uint64_t values_spoil(rng *r, double *values, size_t texels, int channels, int one_of);
// A texel of which a channel is not finite becomes zeros, as `scrub` has it. Returns their number.
int values_scrub(double *values, size_t texels, int channels);
bool values_same(const double *a, const double *b, int count); // the same bits

#endif
