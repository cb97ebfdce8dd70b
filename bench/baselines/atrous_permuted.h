// atrous_permuted.h - the denoiser's a-trous filter with texels permuted between levels
// SPDX-License-Identifier: MIT
#ifndef BENCH_ATROUS_PERMUTED_H
#define BENCH_ATROUS_PERMUTED_H

#include "../bench.h"
#include "../picture.h"

// Measures five levels without guides, sigma 0.05, of a picture whose sizes are multiples of 32,
// RGBA16F in and out, and adds a row. Up to 2^18 texels the result is compared with the CPU's.
// Returns a STATUS_*; errors are printed.
int atrous_permuted_bench(bench *owner, const picture *source);

#endif
