// copy_pair.h - a copy between the very textures that a pass reads and writes, measured beside it
// SPDX-License-Identifier: MIT
#ifndef BENCH_COPY_PAIR_H
#define BENCH_COPY_PAIR_H

#include "../bench.h"
#include "../picture.h"

typedef struct copy_pair {
    const char *effect, *variant; // of its row
    GLenum from, to;              // formats
    int from_bytes, to_bytes;     // a texel
} copy_pair;

// Measures it and adds its row, subject "copy". A STATUS_*, having printed why.
int copy_pair_bench(bench *owner, const picture *source, const copy_pair *pair);

#endif
