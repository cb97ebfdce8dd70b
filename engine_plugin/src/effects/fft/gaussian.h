// gaussian.h - the spectrum of a Gaussian kernel, computed by the CPU: a product of two lines takes
// little time, and a start compiles no programs for it
#ifndef AG_GAUSSIAN_H
#define AG_GAUSSIAN_H

#include "effects/fft/fft_plan.h"

#include <afterglow/afterglow.h>

typedef struct ag_gaussian {
    double sigma;          // texels
    int32_t width, height; // taps, odd numbers; the centre tap is 1
} ag_gaussian;

double ag_gaussian_sum(const ag_gaussian *g);

// Floats of its spectrum in a plan: those of shaders/fft/kernel_store.glsl, AG_KERNEL_LINES.
int32_t ag_gaussian_floats(const ag_fft_plan *plan);

// That spectrum, of the kernel divided by its sum, computed in double and rounded once. Where the
// plan leaves columns out, frequencies of columns beyond its band are 0. `apart`: the centre tap
// bypasses the FFT.
// errors  AG_E_MEMORY
ag_status ag_gaussian_lines(const ag_host *host, const ag_gaussian *g, double sum,
                            const ag_fft_plan *plan, bool centre_bypasses_fft, float *lines);

#endif
