// wavelet.h - what the files of the effect "wavelet" share: its detail, its state, its recording
// SPDX-License-Identifier: MIT
#ifndef AG_EFFECT_WAVELET_H
#define AG_EFFECT_WAVELET_H

#include "effects/kit/info.h"
#include "effects/kit/settings.h"
#include "effects/kit/textures.h"
#include "effects/wavelet/wave_plan.h"

#include <afterglow/wavelet.h>

typedef struct ag_wave_detail { // results of plan for the later functions
    ag_wave_plan plan;
    ag_wavelet_settings settings;
    int32_t layers;   // of the image
    int32_t channels; // of samples between levels: 1, 2 or 4
    // Where the approximation of a level is in the scratch of a layer, in bytes; those of level 0
    // and of the last one are in textures.
    int64_t begin[AG_WAVE_MAX_LEVELS + 1];
    int64_t layer_bytes; // of scratch
} ag_wave_detail;

typedef struct ag_wave_state {
    ag_state base; // first in every effect's state
    ag_wave_detail detail;
    const ag_program *first, *others; // of the step that reads src's image or LL, and of others
} ag_wave_state;

const char *ag_wave_step_name(int32_t level);
// The level of a step: from 1 on, or from the last one down.
int32_t ag_wave_level(const ag_wave_detail *detail, int32_t step);
// Records the steps.
void ag_wave_record(ag_recording *recording, const ag_request *request, const ag_wave_state *state);

#endif
