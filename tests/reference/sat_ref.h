// sat_ref.h - summed-area tables by their definition: in double, and in integers modulo 2^32
// SPDX-License-Identifier: MIT
//
// Arrays are row by row, channels interleaved.
#ifndef AG_TEST_SAT_REF_H
#define AG_TEST_SAT_REF_H

#include <stdbool.h>
#include <stdint.h>

// S(x,y) = sum of (src - offset)^power over i <= x, j <= y; with `center` the sum between texel
// (x,y) and the low corner of texel (width / 2, height / 2), both included. malloc.
double *sat_ref_table(const double *src, int width, int height, int channels, const double *offset,
                      int power, bool center);

// The same of integers, modulo 2^32, from sums in 64 bits. malloc.
uint32_t *sat_ref_integers(const uint64_t *src, int width, int height, int channels);

// Fixed-point units of a texel as sat.h states them for uint32, computed in float as in a shader.
uint64_t sat_ref_units(double texel, float units, float max_value, int power, bool counts);

// Mean and deviation of a box with any edges, added up texel by texel. `border` (AG_BORDER_*, all
// but wrap) gives the values outside.
typedef struct sat_ref_stats {
    double mean, deviation;
} sat_ref_stats;
sat_ref_stats sat_ref_box(const double *src, int width, int height, int channels, int channel,
                          const double from[2], const double to[2], int border);

#endif
