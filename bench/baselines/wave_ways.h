// wave_ways.h - wavelets beside the effect's: two passes a level, and Haar in one dispatch
// SPDX-License-Identifier: MIT
#ifndef BENCH_WAVE_WAYS_H
#define BENCH_WAVE_WAYS_H

#include "../bench.h"
#include "../picture.h"

enum { WAVE_LEVELS = 3 };
typedef enum wave_way { WAVE_SEPARABLE_HAAR, WAVE_SEPARABLE_CDF97, WAVE_ONE_DISPATCH } wave_way;

// Measures three levels of a picture whose sizes are multiples of 8, RGBA16F in and out, and adds a
// row. Up to 2^21 texels the result is compared with the CPU's. Returns a STATUS_*; errors are
// printed.
int wave_way_bench(bench *owner, const picture *source, wave_way way);

#endif
