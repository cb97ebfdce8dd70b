// exposure_ref.h - the effect "exposure" by definition: counts in float32, the rest in double
// SPDX-License-Identifier: MIT
//
// exposure.h defines luminance, weights and edges in float32, with the rounding of each operation,
// so a texel's bin does not depend on the log2 of a driver. exposure_ref_count therefore computes
// exactly the counts of the GPU. All later steps are in double here, and tests allow the GPU 2e-5
// EV. exposure_ref_exact uses the mathematical definition instead of float32 counts, and computes a
// bound of the difference.
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

// The state after an execute, in double.
void exposure_ref_step(const exposure_ref_counts *counts, const ag_exposure_settings *settings,
                       float dt, bool reset, const double state[4], double next[4]);

// The mean without percentiles, from luminance and weights in double without rounding. `bound`: the
// largest difference of the float32 definition: half a 256th for each weight, and a bin for each
// texel whose luminance is rounded across an edge.
double exposure_ref_exact(const exposure_ref_image *image, const ag_exposure_settings *settings,
                          double *bound);

#endif
