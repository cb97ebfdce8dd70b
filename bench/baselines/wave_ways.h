// wave_ways.h - wavelets beside the effect's: two passes a level, and Haar in one dispatch
// SPDX-License-Identifier: MIT
#ifndef BENCH_WAVE_WAYS_H
#define BENCH_WAVE_WAYS_H

#include "way.h"

// Measures three levels of a picture whose sizes are multiples of 8, RGBA16F in and out, by each
// way, and adds rows. Up to 2^21 texels the result is compared with the CPU's. Returns a STATUS_*;
// errors are printed.
int wave_ways_bench(bench *owner, int width, int height);

#endif
