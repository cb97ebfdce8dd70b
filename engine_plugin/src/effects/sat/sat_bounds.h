// sat_bounds.h - error bounds of boxes, and the storage that keeps a bound. Pure C
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_BOUNDS_H
#define AG_SAT_BOUNDS_H

#include <afterglow/sat.h>

// The distance of neighbouring floats around x.
double ag_sat_ulp(double x);
// The functions of ag_api with these names.
int32_t ag_sat_fraction_bits(const ag_sat_question *q, int32_t power);
double ag_sat_error(const ag_sat_question *q, int32_t storage);
int32_t ag_sat_choose(const ag_sat_question *q, double tolerance, uint32_t allowed);
// Size of `low` and `squares_low` for split.
int32_t ag_sat_split_width(int32_t width, int32_t height);
int32_t ag_sat_split_height(int32_t width, int32_t height);

#endif
