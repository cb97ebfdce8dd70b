// mip_ref.h - levels of a chain in double precision, the reference of the effect "mipchain"
// SPDX-License-Identifier: MIT
//
// Each level is computed from the one above it, texel by texel. Overlaps of cells are those of
// down_ref.h. Nothing is rounded to a format. Values are linear (sRGB decoded), row by row,
// channels interleaved.
#ifndef AG_TEST_MIP_REF_H
#define AG_TEST_MIP_REF_H

#include <stdbool.h>

typedef struct mip_ref {
    int channels;
    int reduce, weight; // AG_MIP_*, AG_MIP_WEIGHT_* of afterglow/mipchain.h
} mip_ref;

// Computes a level from the one above. `magnitude` gets the mean magnitude of each
// texel, to which errors of sums are relative, from `above_magnitude`. `first`: this is level 1.
void mip_ref_level(const mip_ref *ref, const double *above, const double *above_magnitude,
                   int width, int height, bool first, double *out, double *magnitude);

#endif
