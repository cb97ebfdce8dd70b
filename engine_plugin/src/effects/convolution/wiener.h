// wiener.h - deconvolution: the spectrum of Wiener's filter in place of a kernel's, in `make`
// SPDX-License-Identifier: MIT
#ifndef AG_WIENER_H
#define AG_WIENER_H

#include "effects/convolution/convolution.h"

// Replaces a kernel's spectrum K, as ag_kernel_transform_make left it, by that of
// docs/convolve.md 8.
ag_shader *ag_wiener_shader(ag_frame *f);
void ag_wiener_make(ag_frame *f, ag_shader *shader, const ag_fft_plan *plan, ag_handle spectrum,
                    double noise);

typedef struct ag_wiener_canvas { // one that wraps, of a size that needs no FFT
    int32_t size[2];
    int32_t channels; // of the kernel
    bool scrub;
    double noise;
} ag_wiener_canvas;

// The filter's taps as a texture, as many as the canvas has texels: a kernel for
// ag_kernel_transform_make. `info`: ag_kernel_sums_make has summed the blur's kernel into it.
// `shape`: for the returned source.
ag_shader *ag_wiener_taps_shader(ag_frame *f, const ag_format *kernel);
ag_picture ag_wiener_taps_make(ag_frame *f, ag_shader *shader, const ag_picture *kernel,
                               const ag_wiener_canvas *canvas, ag_handle info, ag_texture *shape);

#endif
