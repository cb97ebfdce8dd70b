// morph.h - bloom's kernel in motion: a new one is made over several frames, then faded to
// SPDX-License-Identifier: MIT
//
//     prepare   1     2     3     4     5     6     7     8     9
//     build     pupil rows  rows  sums  FFT   | pupil rows  ...          the latest settings
//     fade                                    | 1/n   2/n   ...  n/n    of the spectra, linear
//
// A fade and the next build run side by side, so the kernel never stands still while settings move.
#ifndef AG_MORPH_H
#define AG_MORPH_H

#include "effects/fft/bloom_kernel.h"

typedef struct ag_morph_kernel { // a spectrum beside the one in use
    ag_memory spectrum, info;
    int32_t words[AG_BLOOM_KERNEL_WORDS]; // what it is made of
} ag_morph_kernel;

typedef struct ag_morph {
    const ag_program *sum, *blend;
    ag_morph_kernel goal, next; // faded to; being built
    ag_memory row_sums, scratch;
    ag_bloom_settings settings; // of `next`
    int32_t fade_left;          // frames; 0: no fade
    int32_t stage, row;         // of the build
    bool building, ready;       // `next` is complete
} ag_morph;

// Whether a change of settings may be spread over frames: the shape is drawn by the GPU every time.
bool ag_morph_serves(const ag_bloom_settings *settings);
// Programs; `made` NULL: names them. errors  AG_E_SHADER, AG_E_MEMORY
ag_status ag_morph_programs(const ag_preparation *prep, ag_morph *made);
// Takes over the work and the memory of `old`, and allocates what is missing.
//   errors  AG_E_MEMORY: free what `old` does not share
ag_status ag_morph_reserve(const ag_preparation *prep, const ag_fft_plan *plan, const ag_morph *old,
                           ag_morph *made);
// Frees what `other` (NULL: none) does not share.
void ag_morph_free(ag_gpu *gpu, ag_morph *morph, const ag_morph *other, bool with_gl);

// One frame's share of the work towards `words`. `convolution` holds the spectrum in use, and its
// key says of what it is made.
void ag_morph_advance(const ag_preparation *prep, const ag_request *request,
                      const ag_bloom_settings *settings, int32_t width, int32_t height,
                      const ag_bloom_drawer *drawer, const ag_memory *info,
                      ag_fft_steps *convolution, ag_morph *morph);

#endif
