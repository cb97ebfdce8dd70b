// down_ref.h - an image at another size in double precision: what "downsample" is measured against
// SPDX-License-Identifier: MIT
//
// Overlaps of cells are counted in 64-bit integers, of the sizes as they are; sums are long
// doubles. It shares nothing with the plugin, which counts in sizes without common divisors. Values
// are linear (sRGB decoded), row by row, channels interleaved.
#ifndef AG_TEST_DOWN_REF_H
#define AG_TEST_DOWN_REF_H

typedef struct down_ref {
    int width, height, channels; // of the source
    int to_width, to_height;
    int filter, weight, radius; // AG_DOWN_*, AG_DOWN_WEIGHT_* of afterglow/downsample.h
} down_ref;

// Of output i of `to` and texel j of `from`: 0 .. 1, all of an output's add up to 1.
double down_ref_area(int from, int to, int i, int j);
// The result; `magnitude` (may be NULL): the same of absolute values of products, which errors are
// relative to.
void down_ref_make(const down_ref *ref, const double *src, double *out, double *magnitude);

#endif
