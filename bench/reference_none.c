// reference_none.c - takes the place of reference_fftw.c if FFTW was not found: nothing is checked
// SPDX-License-Identifier: MIT
#include "fft_cpu.h"
#include "reference.h"

const char *const reference_name = NULL;

double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap)
{
    (void)src, (void)kernel, (void)wrap;
    return NULL;
}

double *reference_transform(const picture *src, bool complex_in)
{
    (void)src, (void)complex_in;
    return NULL;
}

double fft_cpu_fftw(int n, int channels)
{
    (void)n;
    (void)channels;
    return 0;
}
