// copy_pair.h - copies between the source and the target of a pass, measured beside it
// SPDX-License-Identifier: MIT
#ifndef BENCH_COPY_PAIR_H
#define BENCH_COPY_PAIR_H

#include "../bench.h"
#include "../picture.h"

typedef struct copy_pair {
    const char *effect, *variant; // of the reported row
    GLenum from, to;              // formats
    int from_bytes, to_bytes;     // of a texel
} copy_pair;

// Measures the copy and adds a row with the subject "copy". Returns a STATUS_*; errors are printed.
int copy_pair_bench(bench *owner, const picture *source, const copy_pair *pair);

#endif
