// exposure_ref.h - the effect "exposure" by definition: counts in float32, the rest in double
// SPDX-License-Identifier: MIT
//
// exposure.h defines luminance, weights and edges as float32, one rounding at a time, so that a
// texel's bin is no matter of a driver's log2: exposure_ref_count gets the very counts that a GPU
// gets, without reading these back. What follows them is in double, and what the GPU makes of them
// is held to 2e-5 EV. How far float32 counts are from the mathematical ones is a question of its
// own: exposure_ref_exact has these, and bounds what may lie between.
#ifndef AG_TEST_EXPOSURE_REF_H
#define AG_TEST_EXPOSURE_REF_H

#include <afterglow/exposure.h>
#include <stdbool.h>
#include <stdint.h>

#include "formats.h"

enum { EXPOSURE_REF_BINS = 256 };

typedef struct exposure_ref_image { // layer after layer, row by row, channels interleaved
    const double *values;           // as the format holds them (texture_quantise)
    const format_info *format;
    int width, height;       // of the texture
    int first_layer, layers; // layers 0: one
    int x, y, w, h;          // w 0: the whole
} exposure_ref_image;

typedef struct exposure_ref_counts {
    uint64_t bins[EXPOSURE_REF_BINS];
    uint64_t used, texels;
} exposure_ref_counts;

void exposure_ref_count(const exposure_ref_image *image, const ag_exposure_settings *settings,
                        exposure_ref_counts *counts);

// The mean of bins' centres between the percentiles; NaN without any texel.
double exposure_ref_mean(const exposure_ref_counts *counts, const ag_exposure_settings *settings);

// What an execute makes of a state, in double.
void exposure_ref_step(const exposure_ref_counts *counts, const ag_exposure_settings *settings,
                       float dt, bool reset, const double state[4], double next[4]);

// The mean without percentiles, from luminance and weights in double, nothing rounded. `bound`: how
// far the stated one may be: half a 256th of each weight, and a bin for each texel whose luminance
// rounds across an edge.
double exposure_ref_exact(const exposure_ref_image *image, const ag_exposure_settings *settings,
                          double *bound);

#endif
