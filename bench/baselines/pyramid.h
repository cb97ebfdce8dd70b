// pyramid.h - the pyramid bloom of today's games: half sizes downward, tent filters upward
// SPDX-License-Identifier: MIT
//
// Downward, each level has half the size and takes 13 bilinear taps a texel. Upward, a 3 x 3 tent
// of the smaller level is added to each level. The composite comes last. J. Jimenez, "Next
// Generation Post Processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014. The result is not
// exact and differs from the plugin's picture, so only the cost can be compared.
#ifndef BENCH_PYRAMID_H
#define BENCH_PYRAMID_H

#include "way.h"

// Measures RGBA16F frames, with chains of two kinds, and adds rows. Returns a STATUS_*; errors are
// printed.
int pyramid_bench(bench *owner, int width, int height);

#endif
