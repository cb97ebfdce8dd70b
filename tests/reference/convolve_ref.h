// convolve_ref.h - convolution in double precision, the reference of the effect "convolve"
// SPDX-License-Identifier: MIT
//
//   dst(x,y) = sum over i,j of kernel(i,j) * src(x - (i - kw/2), y - (j - kh/2))
//
// or, with correlate, src(x + i - kw/2, y + j - kh/2); integer division. Arrays are row by row with
// interleaved channels.
#ifndef AG_TEST_CONVOLVE_REF_H
#define AG_TEST_CONVOLVE_REF_H

#include <stdbool.h>
#include <stddef.h>

#include "afterglow/convolve.h"

typedef struct convolve_ref { // all zero members: zero border, convolution, alpha copied
    const double *src;
    int width, height, channels; // 1..4
    const double *kernel;
    int kernel_width, kernel_height, kernel_channels; // 1, 3 or 4; 1 serves all channels
    int border;                                       // AG_BORDER_*
    int normalize;                                    // AG_NORMALIZE_*
    bool correlate;
    int alpha; // AG_ALPHA_*, for the fourth channel; a kernel of 3 channels always copies it
} convolve_ref;

// dst: width * height * channels. Uses the direct sum for small sizes, else FFTW. Returns false if
// a channel to be normalized has the sum 0; dst is then unchanged.
bool convolve_ref_run(const convolve_ref *c, double *dst);
bool convolve_ref_direct(const convolve_ref *c, double *dst); // the definition, term by term
bool convolve_ref_fft(const convolve_ref *c, double *dst);    // borders filled explicitly, one FFT

// The texel that index `i` refers to in a line of `size` texels; -1: a zero outside.
int convolve_ref_border(int i, int size, int border);
// max|src| * max over channels of sum|kernel|, after normalize: errors are relative to it.
double convolve_ref_scale(const convolve_ref *c);

#endif
