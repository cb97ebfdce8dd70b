// downsample.h - what the files of the effect "downsample" share: its detail, its state, its
// recording
// SPDX-License-Identifier: MIT
#ifndef AG_EFFECT_DOWNSAMPLE_H
#define AG_EFFECT_DOWNSAMPLE_H

#include "effects/downsample/down_plan.h"
#include "core/info.h"
#include "effects/kit/settings.h"
#include "effects/kit/textures.h"

#include <afterglow/downsample.h>

typedef struct ag_down_detail { // what plan works out and the others want again
    ag_down_plan plan;          // of area
    ag_downsample_settings settings;
    int32_t slots[AG_DOWN_TARGETS]; // of the targets
    ag_down_axis axes[AG_DOWN_TARGETS][2];
    int64_t part_bytes;             // of a target's rows, or of all partial sums, of a layer
    int64_t begin[AG_DOWN_TARGETS]; // where a target's rows are, in bytes of all scratch: lanczos
} ag_down_detail;

typedef struct ag_down_state {
    ag_state base; // first in every effect's state
    ag_down_detail detail;
    const ag_program *programs[AG_DOWN_TARGETS]; // a target; of one that serves all, the first
    const ag_program *second;                    // finish, or columns of lanczos
    const ag_memory *taps[AG_DOWN_TARGETS][2];   // weights of lanczos
} ag_down_state;

// Of step 0 or 1; NULL: there is no such step.
const char *ag_down_step_name(const ag_down_detail *detail, int32_t step);
// Records the steps.
void ag_down_record(ag_recording *recording, const ag_request *request, const ag_down_state *state);

#endif
