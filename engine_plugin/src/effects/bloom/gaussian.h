// gaussian.h - the spectrum of a Gaussian kernel, computed by the CPU: a product of two lines takes
// little time, and a start compiles no programs for it
// SPDX-License-Identifier: MIT
#ifndef AG_GAUSSIAN_H
#define AG_GAUSSIAN_H

#include "core/frame.h"
#include "effects/fft/fft_plan.h"

#include <afterglow/afterglow.h>

typedef struct ag_gaussian {
    double sigma;          // texels
    int32_t width, height; // taps, odd numbers; the centre tap is 1
} ag_gaussian;

// Makes the spectrum of the kernel divided by its sum, as kernel_sum.comp and columns.comp leave it
// of a drawn kernel, in the form AG_KERNEL_LINES: computed in double and rounded once. Where the
// plan leaves columns out, frequencies of columns beyond its band are 0. The centre tap bypasses
// the FFT where no columns are left out. `ratio` 2 or 4: of what is left of the kernel for an image
// so many times smaller, whose FFT the plan is for (docs/bloom.md); no centre bypasses it.
void ag_gaussian_make(ag_frame *f, const ag_gaussian *g, int32_t ratio, const ag_fft_plan *plan,
                      ag_handle spectrum, ag_handle info);

#endif
