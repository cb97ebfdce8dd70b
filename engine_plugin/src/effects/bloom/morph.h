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

#include "effects/bloom/bloom_kernel.h"

// Where it stands: facts of the effect.
typedef struct ag_morph {
    bool building, ready;                 // `next` is complete
    int32_t fade_left;                    // frames; 0: no fade
    int32_t stage, row;                   // of the build
    int32_t goal_at;                      // which of the two buffers is the goal
    int32_t shown[AG_BLOOM_KERNEL_WORDS]; // what the spectrum in use is made of
    int32_t goal[AG_BLOOM_KERNEL_WORDS], next[AG_BLOOM_KERNEL_WORDS];
    ag_bloom_settings settings; // of `next`
} ag_morph;

typedef struct ag_morph_work { // shaders and memory
    ag_shader *sum, *blend;
    ag_handle spectra[2], infos[2], row_sums;
} ag_morph_work;

// Whether a change of settings may be spread over frames: the shape is drawn by the GPU every time.
bool ag_morph_serves(const ag_bloom_settings *settings);
// Names its shaders, then its memory.
void ag_morph_begin(ag_frame *f, ag_morph_work *work);
void ag_morph_memory(ag_frame *f, const ag_fft_plan *plan, ag_morph_work *work);

typedef struct ag_morph_kernel { // what a frame's share needs of the effect
    const ag_fft_plan *plan;     // of the convolution
    ag_bloom_drawer *drawer;
    const ag_kernel_transform *transform;
    ag_handle spectrum, info; // in use
} ag_morph_kernel;

// One frame's share of the work towards the job's settings.
void ag_morph_share(ag_frame *f, const ag_morph_kernel *kernel, const ag_morph_work *work,
                    const ag_bloom_settings *settings, ag_morph *morph);

#endif
