// focus_ref.h - the effect "depth_of_field" by its definition (docs/depth_of_field.md), in double
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_FOCUS_REF_H
#define AG_TEST_FOCUS_REF_H

#include <afterglow/depth_of_field.h>
#include <stdbool.h>

// Between what a depth stores and metres along the axis: 1/z, or NaN where a linear depth says
// nothing; and what is stored of z.
double focus_ref_inverse_z(const ag_depth_of_field_settings *settings, double stored);
double focus_ref_stored(const ag_depth_of_field_settings *settings, double z);

enum { FOCUS_REF_BOXES = 7 };
typedef struct focus_ref_box {
    int x, y;    // half sides: |dx| <= x, |dy| <= y
    double sign; // its weight in the sum
} focus_ref_box;
// The boxes of a shape at a radius, as the table of shapes has them, without the mixture of two.
// `large`: of a disc, as for radii of 4 and more.
int focus_ref_shape(int shape, double radius, bool large, focus_ref_box boxes[FOCUS_REF_BOXES]);

// The whole effect for one layer. `colour` has 4 channels a texel, scrubbed; dst gets 4. `doubt`
// (or NULL) becomes 1 where a relative change of radii by 1e-5 gives another shape, so that a GPU
// that rounds r otherwise may differ.
void focus_ref(const ag_depth_of_field_settings *settings, int width, int height,
               const double *colour, const double *depth, double *dst, unsigned char *doubt);

#endif
