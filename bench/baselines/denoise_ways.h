// denoise_ways.h - what the effect "denoise" is compared with
// SPDX-License-Identifier: MIT
#ifndef BENCH_DENOISE_WAYS_H
#define BENCH_DENOISE_WAYS_H

#include "way.h"

// Each measures RGBA16F in and out, and adds a row. Small results are compared with the CPU's.
// Returns a STATUS_*; errors are printed.

// Three levels of cdf97, a soft threshold of 0.05 and three levels back, by the schedule of plain
// wavelet libraries. Sizes are multiples of 8.
int denoise_way_bench(bench *owner, int width, int height);
// Five levels of an a-trous filter without guides, sigma 0.05. Sizes are multiples of 32.
int atrous_permuted_bench(bench *owner, int width, int height);

#endif
