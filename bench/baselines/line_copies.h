// line_copies.h - what the ways cost by which a transform reads and writes lines
// SPDX-License-Identifier: MIT
#ifndef BENCH_LINE_COPIES_H
#define BENCH_LINE_COPIES_H

#include "way.h"

// Adds rows with the subject "lines": a plane of RGBA32F, `size` texels a side, read by rows or
// columns and written by rows or columns, a line a group; and into a buffer, by whole and by
// partial texels. The effect of the rows is "fft_ladder". Returns a STATUS_*; errors are printed,
// wrong copies among them.
int line_copies_bench(bench *owner, int size);

#endif
