// pupil.h - the diffraction of a lens's or an eye's opening, from which bloom draws kernels
// SPDX-License-Identifier: MIT
//
// The pupil is drawn, transformed by the rows and columns that transform every kernel, and squared:
// far-field diffraction (docs/bloom.md). All sizes are constant, whatever the image's.
#ifndef AG_PUPIL_H
#define AG_PUPIL_H

#include "effects/fft/fft_steps.h"

#include <afterglow/bloom.h>

typedef struct ag_pupil {
    ag_fft_steps transform; // its plan, programs and twiddles; its `kernel` is F
    const ag_program *draw, *power;
    const ag_memory *ones; // of the device: a kernel's factor of 1 (common/info.glsl)
    ag_memory image;       // the pupil, R32F
    ag_memory squared;     // |F|^2, R32F
} ag_pupil;

// Whether a kernel of this shape is the diffraction of a pupil. Such a kernel is even.
bool ag_pupil_makes(int32_t shape);
// Programs and constants; `made` NULL: names the programs. errors  AG_E_SHADER, AG_E_MEMORY
ag_status ag_pupil_programs(const ag_preparation *prep, ag_pupil *made);
// Memory, taken over from `old` where that has some. errors  AG_E_MEMORY: free `made`'s own
ag_status ag_pupil_allocate(ag_gpu *gpu, const ag_pupil *old, ag_pupil *made);
// Frees the memory that `other` (NULL: none) does not share.
void ag_pupil_free(ag_gpu *gpu, ag_pupil *pupil, const ag_pupil *other, bool with_gl);
// Draws the pupil, transforms it and leaves |F|^2 in `squared`, for an image unit.
void ag_pupil_record(const ag_preparation *prep, const ag_bloom_settings *settings,
                     const ag_pupil *pupil);
// The factor that makes a kernel of |F|^2 / F(0)^2 sum to about 1, before its window: texels of
// `extent`, spread `stretch` times in x.
double ag_pupil_scale(const ag_bloom_settings *settings, int32_t extent, double stretch);

// Cycles a texel beyond which such a kernel of `extent` texels has next to nothing: the spectrum of
// |F|^2 is the opening's autocorrelation, which ends where two openings no longer overlap. Of the
// shortest wavelength that counts, and without an anamorphic's streak.
double ag_pupil_cutoff(const ag_bloom_settings *settings, int32_t extent);

#endif
