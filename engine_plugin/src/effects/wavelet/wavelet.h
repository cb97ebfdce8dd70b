// wavelet.h - what the files of the effect "wavelet" share
// SPDX-License-Identifier: MIT
#ifndef AG_EFFECT_WAVELET_H
#define AG_EFFECT_WAVELET_H

#include "effects/kit/textures.h"
#include "effects/wavelet/wave_plan.h"

#include <afterglow/wavelet.h>

typedef struct ag_wave_design { // computed once a plan
    ag_wave_plan plan;
    int32_t layers;    // of the image
    int32_t channels;  // of samples between levels: 1, 2 or 4
    int64_t alignment; // of blocks of scratch
} ag_wave_design;

// wave_frame.c: shaders, memory and steps.
void ag_wave_frame(ag_frame *f, const ag_wave_design *d, const ag_wavelet_settings *s);

#endif
