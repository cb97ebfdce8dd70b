// reference_none.c - no FFTW at build time: nothing is checked, and reports say so
// SPDX-License-Identifier: MIT
#include "reference.h"

const char *const reference_name = NULL;

double *reference_convolve(const picture *src, const reference_kernel *kernel, bool wrap)
{
    (void)src, (void)kernel, (void)wrap;
    return NULL;
}
