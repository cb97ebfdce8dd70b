// mip_ref.h - levels of a chain in double precision, the reference of the effect "mipchain"
// SPDX-License-Identifier: MIT
//
// Each level is computed from the one above it, texel by texel. The overlaps of cells are integers:
// output i of w covers [i W, (i + 1) W), source j of W covers [j w, (j + 1) w). Nothing is rounded
// to a format. Values are linear (sRGB decoded), row by row, channels interleaved.
#ifndef AG_TEST_MIP_REF_H
#define AG_TEST_MIP_REF_H

#include <stdbool.h>

typedef struct mip_ref {
    int channels;
    int reduce, weight; // AG_MIP_*, AG_MIP_WEIGHT_* of afterglow/mipchain.h
} mip_ref;

int mip_ref_size(int size); // of the next level
double mip_ref_overlap(int from, int to, int i,
                       int j); // of output i of `to` and source j of `from`, 0..1

// Computes a level from the one above. `magnitude` (may be NULL) gets the mean magnitude of each
// texel, to which errors of sums are relative, from `above_magnitude`. `first`: this is level 1.
void mip_ref_level(const mip_ref *ref, const double *above, const double *above_magnitude,
                   int width, int height, bool first, double *out, double *magnitude);

// A level as the area average of level 0, width x height texels. Sizes and magnitude as above.
void mip_ref_direct(const double *base, int width, int height, int channels, int level, double *out,
                    double *magnitude);

#endif
