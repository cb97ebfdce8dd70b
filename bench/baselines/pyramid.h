// pyramid.h - the bloom that games use today: a chain of half sizes down, and tents up again
// SPDX-License-Identifier: MIT
//
// 13 bilinear taps a texel down, each level half the size; a 3 x 3 tent up, added level by level;
// composite. Jimenez 2014, "Next Generation Post Processing in Call of Duty: Advanced Warfare". Not
// exact, and not the same picture as ours: what it costs is what is compared.
#ifndef BENCH_PYRAMID_H
#define BENCH_PYRAMID_H

#include "../bench.h"
#include "../picture.h"

typedef struct pyramid_kind {
    const char *name;
    GLenum format; // of the chain's levels
    int format_bytes;
    bool karis; // the first level weighs its taps by 1 / (1 + luma), against flicker
} pyramid_kind;

enum { PYRAMID_KINDS = 2 };
extern const pyramid_kind pyramid_kinds[PYRAMID_KINDS];

// Measures one kind on RGBA16F frames and adds its row. A STATUS_*, having printed why.
int pyramid_bench(bench *owner, const picture *source, const pyramid_kind *kind);

#endif
