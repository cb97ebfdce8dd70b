// shadow_ref.h - the effect "soft_shadow" by its definition (docs/soft_shadow.md), in double
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_SHADOW_REF_H
#define AG_TEST_SHADOW_REF_H

#include <afterglow/soft_shadow.h>
#include <stdbool.h>

typedef struct shadow_ref_map { // of 16-bit depths, row by row
    int width, height;
    const double *z; // whole numbers 0..65535
} shadow_ref_map;

// 0..1 from near to far, of a stored depth; and that in 16 bits.
double shadow_ref_depth(const ag_soft_shadow_settings *settings, double d);
double shadow_ref_code(const ag_soft_shadow_settings *settings, double d);

// The share of light at a place of the map, in texels, and depth t, less the bias. `doubt` (or
// NULL): the search finds next to nothing in front, so rounding decides whether it is something.
double shadow_ref(const ag_soft_shadow_settings *settings, const shadow_ref_map *map,
                  const double at[2], double t, bool *doubt);

#endif
