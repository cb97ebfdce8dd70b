// copy_pair.h - copies between the source and the target of a pass, measured beside it
// SPDX-License-Identifier: MIT
#ifndef BENCH_COPY_PAIR_H
#define BENCH_COPY_PAIR_H

#include "way.h"

typedef struct copy_pair {
    const char *effect, *variant; // of the reported row
    GLenum from, to;              // formats
} copy_pair;

// Measures the copy of a scene and adds a row with the subject "copy". Returns a STATUS_*; errors
// are printed.
int copy_pair_bench(bench *owner, int width, int height, const copy_pair *pair);

#endif
