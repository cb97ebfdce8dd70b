// pyramid.h - the pyramid bloom of today's games: half sizes downward, tent filters upward
// SPDX-License-Identifier: MIT
//
// Downward, each level has half the size and takes 13 bilinear taps a texel. Upward, a 3 x 3 tent
// of the smaller level is added to each level. The composite comes last. J. Jimenez, "Next
// Generation Post Processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014. The result is not
// exact and differs from the plugin's picture, so only the cost can be compared.
#ifndef BENCH_PYRAMID_H
#define BENCH_PYRAMID_H

#include "../bench.h"
#include "../picture.h"

typedef struct pyramid_kind {
    const char *name;
    GLenum format; // of the chain's levels
    int format_bytes;
    bool karis; // the first level weights its taps by 1 / (1 + luma), against flicker
} pyramid_kind;

enum { PYRAMID_KINDS = 2 };
extern const pyramid_kind pyramid_kinds[PYRAMID_KINDS];

// Measures one kind on RGBA16F frames and adds a row. Returns a STATUS_*; errors are printed.
int pyramid_bench(bench *owner, const picture *source, const pyramid_kind *kind);

#endif
