// wavelet.h - what the files of the effect "wavelet" share: its detail, its state, its recording
// SPDX-License-Identifier: MIT
#ifndef AG_EFFECT_WAVELET_H
#define AG_EFFECT_WAVELET_H

#include "core/info.h"
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
    // and of the last one are in textures. Stationary: of the two planes within a level, and of the
    // one approximation.
    int64_t begin[AG_WAVE_MAX_LEVELS + 1];
    int64_t layer_bytes; // of scratch
    int64_t taps_begin;  // in scratch, of custom
} ag_wave_detail;

enum { AG_WAVE_TAPS_BYTES = 2 * AG_WAVELET_MAX_TAPS * 2 * 4 };

typedef struct ag_wave_state {
    ag_state base; // first in every effect's state
    ag_wave_detail detail;
    const ag_program *first, *others; // of the step that reads src's image or LL, and of others
    const ag_program *second;         // of the second half of all steps: stationary
    const ag_program *taps;           // of custom
    // periodic_strided: `first` loads, `others` is a step, `second` takes scratch over, this stores
    const ag_program *store;
} ag_wave_state;

const char *ag_wave_step_name(int32_t level);
// The level of a step: from 1 on, or from the last one down.
int32_t ag_wave_level(const ag_wave_detail *detail, int32_t step);
// The filters of custom in scratch; of other wavelets nothing.
ag_range ag_wave_taps_range(const ag_request *request, const ag_wave_detail *detail);
void ag_wave_record_taps(ag_recording *recording, const ag_request *request,
                         const ag_wave_state *state);
ag_uniform ag_wave_size(const ag_wave_plan *plan, int32_t level);
// Binds the bands of a level, of a layer of the image, as images. LL only where it is in `t`.
void ag_wave_bind_bands(ag_gl_dispatch *dispatch, const ag_wave_plan *plan,
                        const ag_source_texture *t, bool write, int32_t level, int32_t layer);
// The layers of LL and of the details in the texture `t`, for shaders that read it.
ag_uniform ag_wave_layers(const ag_wave_plan *plan, const ag_source_texture *t, int32_t level,
                          int32_t layer);
// Records a level of a layer of the stationary transform.
void ag_wave_record_stationary(ag_recording *recording, const ag_request *request,
                               const ag_wave_state *state, int32_t level, int32_t layer);
void ag_wave_record_strided(ag_recording *recording, const ag_request *request,
                            const ag_wave_state *state);
// Records the steps.
void ag_wave_record(ag_recording *recording, const ag_request *request, const ag_wave_state *state);

#endif
