// denoise_ways.h - a threshold of cdf97 by the schedule of plain wavelet libraries
// SPDX-License-Identifier: MIT
#ifndef BENCH_DENOISE_WAYS_H
#define BENCH_DENOISE_WAYS_H

#include "../bench.h"
#include "../picture.h"

// Measures three levels, a soft threshold of 0.05 and three levels back, of a picture whose sizes
// are multiples of 8, RGBA16F in and out, and adds a row. Up to 2^21 texels the result is compared
// with the CPU's. Returns a STATUS_*; errors are printed.
int denoise_way_bench(bench *owner, const picture *source);

#endif
