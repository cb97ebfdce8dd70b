// reference.h - convolution in double precision, the reference of results
// SPDX-License-Identifier: MIT
//
// By FFTW, of whole images. Without it at build time nothing is checked.
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "picture.h"

#include <stddef.h>

typedef struct reference_kernel {
    int width, height, channels; // 1 channel: for all three colours
    const double *weights;       // row by row, interleaved; centre (w/2, h/2)
} reference_kernel;

extern const char *const reference_name; // "FFTW, double precision, whole image"; NULL: none

// Convolves the colours of src: out(x,y) = sum kernel(i,j) src(x - (i - kw/2), y - (j - kh/2)), RGB
// row by row. `wrap`: the image repeats, and the kernel is not larger than the image; else the
// image is zero outside. The caller frees the result. NULL: no reference, or no memory.
double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap);

// The real part of the forward transform of the colours of src, RGB row by row; with `complex_in`
// of src + i src. The caller frees the result. NULL: no reference, or no memory.
double *reference_transform(const picture *src, bool complex_in);

typedef struct accuracy {
    bool checked;
    double snr_db;    // of the colours of the whole image
    double max_error; // the largest difference, relative to `scale`
} accuracy;

// The error of a result against `expected`, from one of the above (NULL: not checked).
accuracy reference_compare(const picture *result, const double *expected, double scale);

// Microseconds of a complex transform of n x n points for each channel on one core of the CPU, the
// best of three runs, or the first if it takes a second; 0 where there is none. Plain C: radix 2,
// in place, in double, n a power of two. FFTW: in double, planned by FFTW_ESTIMATE.
double fft_cpu_plain(int n, int channels);
double fft_cpu_fftw(int n, int channels);

// The area average of an image, row by row. The caller frees it.
double *reference_average(const double *from, int channels, int width, int height, int to_width,
                          int to_height);
// The same of the colours of a picture, RGB.
double *reference_reduced(const picture *source, int width, int height);
// The colours of a texture's level against them.
accuracy reference_reduced_compare(const GladGLContext *gl, GLuint texture, int level, int width,
                                   int height, const double *exact, double scale);

#endif
