// pupil.h - the diffraction of a lens's or an eye's opening, from which bloom draws kernels
// SPDX-License-Identifier: MIT
//
// The pupil is drawn, transformed by the rows and columns that transform every kernel, and squared:
// far-field diffraction (docs/bloom.md). All sizes are constant, whatever the image's.
#ifndef AG_PUPIL_H
#define AG_PUPIL_H

#include "effects/convolution/convolution.h"

#include <afterglow/bloom.h>

typedef struct ag_pupil { // shaders of a frame
    ag_fft_plan plan;
    ag_shader *draw, *power;
    ag_kernel_transform transform;
    ag_handle image, spectrum, squared, ones;
} ag_pupil;

// Whether a kernel of this shape is the diffraction of a pupil. Such a kernel is even.
bool ag_pupil_makes(int32_t shape);
// Names its shaders, then its memory.
void ag_pupil_begin(ag_frame *f, ag_pupil *pupil);
void ag_pupil_memory(ag_frame *f, ag_pupil *pupil);
// Draws the pupil, transforms it and leaves |F|^2 in `squared`, a texture of R32F.
void ag_pupil_make(ag_frame *f, const ag_bloom_settings *settings, const ag_pupil *pupil);
// The factor that makes a kernel of |F|^2 / F(0)^2 sum to about 1, before its window: texels of
// `extent`, spread `stretch` times in x.
double ag_pupil_scale(const ag_bloom_settings *settings, int32_t extent, double stretch);

// Cycles a texel beyond which such a kernel of `extent` texels has next to nothing: the spectrum of
// |F|^2 is the opening's autocorrelation, which ends where two openings no longer overlap. Of the
// shortest wavelength that counts, and without an anamorphic's streak.
double ag_pupil_cutoff(const ag_bloom_settings *settings, int32_t extent);

#endif
