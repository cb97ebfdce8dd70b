// fft_ref.h - the Fourier transform in double precision, the reference of the effect "fft"
// SPDX-License-Identifier: MIT
//
// By FFTW, line by line; the effect's settings are applied around it as numpy.fft defines them.
#ifndef AG_FFT_REF_H
#define AG_FFT_REF_H

#include <afterglow/fft.h>
#include <complex.h>

typedef struct fft_ref {
    int width, height; // of the image: of the side that is no half spectrum
    ag_fft_settings settings;
} fft_ref;

// Sizes of the input and of the output, in texels.
void fft_ref_sizes(const fft_ref *r, int in[2], int out[2]);
// Transforms one channel. `in` and `out` have those sizes, row by row.
void fft_ref_run(const fft_ref *r, const double complex *in, double complex *out);

#endif
