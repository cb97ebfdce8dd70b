// reference.h - convolution in double precision, which results are held against
// SPDX-License-Identifier: MIT
//
// Whole images through FFTW when it was found at build time: reference_fftw.c; else nothing is
// checked: reference_none.c.
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "picture.h"

#include <stddef.h>

typedef struct reference_kernel {
    int width, height, channels; // 1 serves all three colours
    const double *weights;       // row by row, interleaved; centre (w/2, h/2)
} reference_kernel;

extern const char *const reference_name; // "FFTW, double precision, whole image"; NULL: none

// The colours of src convolved: out(x,y) = sum kernel(i,j) src(x - (i - kw/2), y - (j - kh/2)), RGB
// row by row. `wrap`: the image repeats, and the kernel is no larger than it; else zero outside.
// The caller frees. NULL: no reference, or no memory.
double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap);

typedef struct accuracy {
    bool checked;
    double snr_db;    // of the colours of the whole image
    double max_error; // the largest difference, relative to `scale`
} accuracy;

// What is said of a result, `expected` as reference_convolve makes it (NULL: not checked).
accuracy reference_compare(const picture *result, const double *expected, double scale);

#endif
