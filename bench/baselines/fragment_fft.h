// fragment_fft.h - the transform by fragment shaders, as the article's predecessor did it
// SPDX-License-Identifier: MIT
#ifndef BENCH_FRAGMENT_FFT_H
#define BENCH_FRAGMENT_FFT_H

#include "bench.h"
#include "picture.h"

// Measures a forward transform of a square of a power of two texels, complex, RGBA32F: a drawn
// triangle a butterfly pass, two colour targets. An accelerator without much of a rasterizer says
// nothing about GPUs for games here. Returns a STATUS_*; `time` is the hot median in microseconds.
int fragment_fft_bench(bench *owner, const picture *source, double *time);

#endif
